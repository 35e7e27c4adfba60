// Interlace: nothing: the one source of what only has headers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
