"""Records of fits, as `hgnet train` writes them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, Dict, List, Union


def read(path: Union[str, Path]) -> List[Dict[str, Any]]:
    """The records in a run, in any folder of runs, or in a file of records.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "records.jsonl")
    >>> _ = file.write_text('{"seed": 1}\\n{"seed": 2}\\n')
    >>> [record["seed"] for record in read(file)]
    [1, 2]
    """
    path = Path(path)
    if path.is_dir():
        files = sorted(path.glob("**/result.json"))
        if not files:
            raise FileNotFoundError(f"{path}: no result.json in it or below")
        return [json.loads(file.read_text()) for file in files]
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    if ".jsonl" in path.suffixes:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return [json.loads(text)]


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
