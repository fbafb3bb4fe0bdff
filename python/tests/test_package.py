"""The package itself: versions, and loading with torch alone."""

import ast
import inspect
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
    with pytest.raises(ImportError, match="does not load into PyTorch") as error:
        _load.load(tmp_path, torch.__version__)
    assert f"built for PyTorch {_load.release(torch.__version__)}" in str(error.value)
    assert f"into PyTorch {torch.__version__}" in str(error.value)


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


def test_kept_memory_goes_to_the_next_tensor_of_its_size():
    code = """
import hgnet, torch
hgnet.keep_freed_memory()
first, second, third = (torch.empty(5000) for _ in range(3))
place = second.data_ptr()
del second
smaller = torch.empty(3000)
print(torch.empty(5000).data_ptr() == place)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "True"


def test_the_version_is_the_projects():
    build_file = Path(__file__).parents[2] / "CMakeLists.txt"
    if not build_file.exists():
        pytest.skip("not in the project's folder")
    assert f"project(hgnet VERSION {hgnet.__version__} " in build_file.read_text()


@pytest.mark.parametrize("file", sorted(PACKAGE.glob("*.py")), ids=lambda file: file.name)
def test_the_package_has_the_syntax_of_python_3_9(file):
    ast.parse(file.read_text(), feature_version=(3, 9))


def public(module):
    """The functions and classes that a module defines, and the methods of its classes."""
    for name, item in vars(module).items():
        if name.startswith("_") or getattr(item, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(item):
            yield item
            own = (getattr(value, "__func__", value) for value in vars(item).values())
            yield from (value for value in own if inspect.isfunction(value) and not value.__name__.startswith("_"))
        elif inspect.isfunction(item):
            yield item


MODULES = [hgnet.datasets, hgnet.graph, hgnet.models, hgnet.optim, hgnet.pooling, hgnet.records, hgnet.splits]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_whatever_is_public_has_a_docstring_and_classes_and_functions_an_example(module):
    items = list(public(module))
    assert [item.__qualname__ for item in items if not item.__doc__] == []
    results = [item for item in items if inspect.isclass(item) and issubclass(item, tuple)]  # their functions have it
    needed = [item for item in items if "." not in item.__qualname__ and item not in results]
    assert needed
    assert [item.__qualname__ for item in needed if ">>>" not in item.__doc__] == []
