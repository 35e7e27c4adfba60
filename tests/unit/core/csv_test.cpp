// Interlace: CSV files as spreadsheets and scripts write them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/csv.h"

#include <gmock/gmock.h>

#include <vector>

#include "support/error_of.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

using Rows = std::vector<std::vector<std::uint64_t>>;

/// All numbers of a file, the columns as in `header`.
Rows rows(const std::string& header, const std::string& text) {
    const TemporaryFile file(text);
    Rows rows;
    read_csv(file.path(), header, [&](const CsvRow& row) {
        auto& numbers = rows.emplace_back();
        for (std::size_t c = 0; c < row.columns(); ++c) numbers.push_back(row.number(c, 0, 9));
    });
    return rows;
}

std::string refusal(const std::string& header, const std::string& text) {
    const std::string error = error_of([&] { rows(header, text); });
    return error.substr(error.find(':') + 1);  // behind the file's name
}

TEST(Csv, ColumnsStandInAnyOrder) {
    EXPECT_EQ(rows("from,to", "from,to\n1,2\n\n3,4"), (Rows{{1, 2}, {3, 4}}));
    EXPECT_EQ(rows("from,to", "to,from\n1,2\n"), (Rows{{2, 1}}));
    EXPECT_EQ(rows("a,b[,c]", "b,a\n1,2\n"), (Rows{{2, 1}}));
    EXPECT_EQ(rows("a,b[,c]", "c,b,a\n1,2,3\n"), (Rows{{3, 2, 1}}));
}

TEST(Csv, BlanksAndAByteOrderMarkAreIgnored) {
    EXPECT_EQ(rows("from,to", "\xef\xbb\xbf from,\tto \r\n 1 ,\t2\r\n"), (Rows{{1, 2}}));
}

TEST(Csv, AnythingElseIsRefusedWithItsLineAndColumn) {
    for (const char* header : {"", "from", "from,to,to", "from,from", "from,to,cost", "From,To", "fr om,to"})
        EXPECT_EQ(refusal("from,to", std::string(header) + "\n1,2\n"),
                  "1: cannot use header '" + std::string(header) + "'; expected from,to, in any order");
    EXPECT_EQ(refusal("from,to", "to,from\n1,2\n3,x\n"),
              "3: from: cannot use value 'x'; expected a whole number from 0 to 9");
    EXPECT_EQ(refusal("from,to", "to,from\n1\n"), "2: cannot use row '1'; expected 2 numbers");
    EXPECT_EQ(refusal("from,to", "to,from\n1 1,2\n"),
              "2: to: cannot use value '1 1'; expected a whole number from 0 to 9");
}

// The first page of a process cannot be read, which is EIO: not the end of a file.
TEST(Csv, AFileThatCannotBeReadIsNotAnEmptyOne) {
    EXPECT_EQ(
        error_of([] { read_csv("/proc/self/mem", "from,to", [](const CsvRow&) {}); }),
        "cannot read all of '/proc/self/mem': Input/output error; expected a file and a disk without read "
        "or write errors");
}

}  // namespace
}  // namespace interlace
