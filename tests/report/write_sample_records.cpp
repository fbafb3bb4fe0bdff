// Writes the sample records of the tests into a file, for scripts/check_report.sh.

#include <iostream>

#include "hgnet/core/atomic_file.hpp"
#include "support/sample_records.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_sample_records FILE.jsonl\n";
    return 2;
  }
  hgnet::write_atomically(argv[1],
                          hgnet::test::to_lines(hgnet::test::sample_records_of_both_readings()));
}
