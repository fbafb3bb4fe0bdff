"""Loads the operators, after a check that they were built for this PyTorch."""

import re
from pathlib import Path

import torch


class TorchMismatch(ImportError):
    """The library was built for another version of PyTorch than the one imported."""


def release(version: str) -> str:
    """The release of a version: what its C++ interface depends on.

    >>> release("2.15.0+cu130"), release("1.13.0a0")
    ('2.15.0', '1.13.0')
    """
    found = re.match(r"\d+(\.\d+)*", version)
    return found.group() if found else version


def load(folder: Path, version: str) -> None:
    """Loads the library in `folder` into a PyTorch of this version."""
    library = folder / "_hgnet.so"
    if not library.exists():
        raise ImportError(
            f"hgnet: {library} is missing. Install the package with 'pip install .', "
            "or build the target hgnet_python and add build/release/python to PYTHONPATH."
        )
    built_with = (folder / "_built_with.txt").read_text().strip()
    if release(built_with) != release(version):
        raise TorchMismatch(
            f"hgnet was built for PyTorch {built_with}, but this is PyTorch {version}. "
            "Install it again beside this PyTorch: pip install ."
        )
    try:
        torch.ops.load_library(str(library))
    except OSError as error:
        raise TorchMismatch(
            f"hgnet was built for PyTorch {built_with} and does not load into PyTorch {version} "
            f"({torch.__file__}): {error}"
        ) from error


load(Path(__file__).parent, torch.__version__)
