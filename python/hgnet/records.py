"""Records of fits, as `hgnet train` writes them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, Dict, List, Union


def read(path: Union[str, Path]) -> List[Dict[str, Any]]:
    """The records in a run, in any folder of runs or of files of records, or in such a file.

    Of equal records only the first counts.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "records.jsonl")
    >>> _ = file.write_text('{"seed": 1}\\n{"seed": 2}\\n')
    >>> [record["seed"] for record in read(file)]
    [1, 2]
    """
    path = Path(path)
    if not path.is_dir():
        return _distinct(_records_of(path))
    files = sorted(file for file in path.rglob("*") if _may_hold_records(file))
    if not files:
        raise FileNotFoundError(f"{path}: no result.json, *.jsonl or *.jsonl.gz in it or below")
    return _distinct([record for file in files for record in _records_of(file)])


def _may_hold_records(file: Path) -> bool:
    if file.name == "epochs.jsonl":  # a fit's log, next to its result.json
        return False
    named = file.name == "result.json" or file.name.endswith((".jsonl", ".jsonl.gz"))
    return named and not file.is_dir()


def _records_of(file: Path) -> List[Dict[str, Any]]:
    text = gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text()
    if ".jsonl" in file.suffixes:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return [json.loads(text)]


def _distinct(records: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """The first of equal records: a file of records may stand beside the runs that it is of."""
    found: Dict[str, Dict[str, Any]] = {}
    for record in records:
        found.setdefault(json.dumps(record, sort_keys=True), record)
    return list(found.values())


def frame(path: Union[str, Path]) -> Any:
    """The records as a pandas frame, with a column `metrics.test.accuracy` and so on.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "result.json")
    >>> _ = file.write_text('{"seed": 1, "metrics": {"test": {"accuracy": 0.5}}}')
    >>> frame(file)["metrics.test.accuracy"].tolist()
    [0.5]
    """
    import pandas

    return pandas.json_normalize(read(path))
