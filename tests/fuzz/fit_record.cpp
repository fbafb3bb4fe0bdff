#include "hgnet/records/fit_record.hpp"

#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/report/html_report.hpp"
#include "hgnet/report/table_writers.hpp"

// Whatever can be read can also be written.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hgnet::Records records;
  try {
    hgnet::parse_records(hgnet::fuzz::text_of(data, size), "runs.jsonl", records);
  } catch (const hgnet::Error&) {
    return 0;
  }
  for (const hgnet::FitRecord& run : records.runs) hgnet::to_json(run);
  const hgnet::Results results(std::move(records));
  const auto tables = hgnet::result_tables(results);
  const auto claims = hgnet::check_result_claims(results);
  hgnet::to_html({"title", "version", results, tables, claims, {}});
  hgnet::to_markdown(tables, claims, "title");
  hgnet::to_csv(tables);
  hgnet::to_latex(tables);
  hgnet::to_json(results, tables, claims);
  return 0;
}
