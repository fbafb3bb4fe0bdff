#pragma once

#include <span>
#include <string>
#include <vector>

#include "hgnet/report/claims.hpp"
#include "hgnet/report/results.hpp"
#include "hgnet/report/tables.hpp"

namespace hgnet {

/// A finished picture: one <svg> element, which must be well-formed.
struct ReportFigure {
  std::string title;
  std::string caption;
  std::string svg;
};

/// A table of texts. Headings that begin with # are of numbers.
struct FactTable {
  std::string id;
  std::string title;
  std::string caption;
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
};

struct ReportContent {
  std::string title;
  std::string subject;  // what the report is about, in one sentence
  std::string version;  // of the program that writes the report
  const Results& results;
  std::span<const ResultTable> tables;
  std::span<const Claim> claims;
  std::span<const Claim> findings;  // in the same form, not counted among the claims
  std::span<const ReportFigure> figures;
  std::span<const FactTable> facts = {};
};

/// One self-contained HTML file: style, script and pictures are inside.
std::string to_html(const ReportContent& content);

}  // namespace hgnet
