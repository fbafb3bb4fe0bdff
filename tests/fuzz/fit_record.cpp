#include "hgnet/records/fit_record.hpp"

#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/claims.hpp"
#include "hgnet/report/html.hpp"
#include "hgnet/report/writers.hpp"

// Everything that can be read can also be written.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hgnet::Records records;
  try {
    hgnet::parse_records(hgnet::fuzz::text_of(data, size), "runs.jsonl", records);
  } catch (const hgnet::Error&) {
    return 0;
  }
  for (const hgnet::FitRecord& fit : records.fits) hgnet::to_json(fit);
  const hgnet::Results results = hgnet::paper_results(std::move(records));
  const auto tables = hgnet::result_tables(results);
  const auto claims = hgnet::check_result_claims(results);
  hgnet::to_html({"title", "subject", "version", results, tables, claims, {}, {}});
  hgnet::to_markdown(tables, claims, claims, "title");
  hgnet::to_csv(tables);
  hgnet::to_latex(tables);
  hgnet::to_json(results, tables, claims, claims);
  return 0;
}
