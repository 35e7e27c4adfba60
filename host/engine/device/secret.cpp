// Interlace: that a host knows a device's secret (docs/hil-protocol.md, section 6)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "secret.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <cstdlib>

#include "interlace/core/error.h"
#include "interlace/engine/device/remote_device.h"

namespace interlace {

std::string shared_secret() {
    const char* secret = std::getenv("INTERLACE_SECRET");
    return secret == nullptr ? "" : secret;
}

Bytes random_bytes(std::size_t count) {
    Bytes bytes(count);
    if (RAND_bytes(bytes.data(), static_cast<int>(count)) != 1)
        throw FellShort("the system has no random numbers");
    return bytes;
}

Bytes proof_of(const std::string& secret, const Bytes& challenge, const Bytes& hello) {
    Bytes text = challenge;
    text.insert(text.end(), hello.begin(), hello.end());
    Bytes proof(proof_bytes);
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), text.data(), text.size(), proof.data(),
         nullptr);
    return proof;
}

bool same_proof(const Bytes& a, const Bytes& b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace interlace
