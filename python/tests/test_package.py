"""The package itself: versions, and loading with torch alone."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import hgnet
import pytest
import torch
from hgnet import _load

PACKAGE = Path(hgnet.__file__).parent


def test_another_torch_is_refused_with_both_versions(tmp_path):
    shutil.copy(PACKAGE / "_hgnet.so", tmp_path)
    (tmp_path / "_built_with.txt").write_text("7.8.9\n")
    with pytest.raises(ImportError, match=r"built for PyTorch 7\.8\.9, but this is PyTorch") as error:
        _load.load(tmp_path, torch.__version__)
    assert torch.__version__ in str(error.value)


def test_a_library_of_another_abi_is_refused_with_both_versions(tmp_path):
    (tmp_path / "_hgnet.so").write_bytes(b"no library")
    (tmp_path / "_built_with.txt").write_text(_load.release(torch.__version__))
    with pytest.raises(ImportError, match="does not load into PyTorch"):
        _load.load(tmp_path, torch.__version__)


def test_a_missing_library_is_named(tmp_path):
    with pytest.raises(ImportError, match="_hgnet.so is missing"):
        _load.load(tmp_path, torch.__version__)


def test_the_operators_load_with_torch_alone():
    code = f"""
import torch
torch.ops.load_library({str(PACKAGE / "_hgnet.so")!r})
print(torch.ops.hgnet.segment_sum(torch.ones(3), torch.tensor([0, 0, 1]), 2).tolist())
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[2.0, 1.0]"


@pytest.mark.parametrize("file", sorted(PACKAGE.glob("*.py")), ids=lambda file: file.name)
def test_the_package_has_the_syntax_of_python_3_9(file):
    ast.parse(file.read_text(), feature_version=(3, 9))
