#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace hgnet {

/// Base of all errors that the library itself throws. Tensor-shape errors inside ops are c10::Error
/// (TORCH_CHECK); both derive from std::exception.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A graph, or the input it is built from, breaks a rule; the message names the edge or row.
class InvalidGraph : public Error {
 public:
  using Error::Error;
};

/// A parent map or a hierarchy breaks a rule; the message names the level or node.
class InvalidHierarchy : public Error {
 public:
  using Error::Error;
};

/// A sparse matrix breaks a rule; the message names the row or entry.
class InvalidMatrix : public Error {
 public:
  using Error::Error;
};

/// A file does not have the expected content; the message starts with "file:line:", or with "file:"
/// if the error concerns no particular line (line 0).
class InvalidFile : public Error {
 public:
  InvalidFile(const std::string& file, std::int64_t line, const std::string& what)
      : Error(place(file, line) + ": " + what) {}

 private:
  static std::string place(std::string file, std::int64_t line) {
    if (line > 0) file.append(":").append(std::to_string(line));
    return file;
  }
};

/// Whether labels are classes or numbers to predict cannot be told from the file; the message names
/// the cell that speaks against either.
class AmbiguousTask : public InvalidFile {
 public:
  using InvalidFile::InvalidFile;
};

/// Things that were named together do not go together: a model and data of another kind, fits that
/// have no mean.
class Mismatch : public Error {
 public:
  using Error::Error;
};

/// A data set's parts do not fit together; the message names the part.
class InvalidDataset : public Error {
 public:
  using Error::Error;
};

/// A cell of a table is missing where a number is needed; the message names column and sample.
class MissingCell : public InvalidDataset {
 public:
  using InvalidDataset::InvalidDataset;
};

/// There is no data set of that name or at that path.
class UnknownDataset : public Error {
 public:
  using Error::Error;
};

/// The files of a known data set are not below the root; the message says where they were expected.
class MissingDataset : public Error {
 public:
  MissingDataset(const std::string& what, std::string dataset, std::string root)
      : Error(what), dataset_(std::move(dataset)), root_(std::move(root)) {}

  const std::string& dataset() const { return dataset_; }
  const std::string& root() const { return root_; }

 private:
  std::string dataset_;
  std::string root_;
};

/// A split cannot be made as requested; the message says why.
class InvalidSplit : public Error {
 public:
  using Error::Error;
};

/// A file could not be fetched; the message names the address and says why.
class DownloadFailed : public Error {
 public:
  using Error::Error;
};

}  // namespace hgnet
