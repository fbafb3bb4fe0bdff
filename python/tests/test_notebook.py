"""examples/hgnet.ipynb runs from beginning to end."""

import sys
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
manager = pytest.importorskip("jupyter_client.manager")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")


def test_the_notebook_runs():
    file = Path(__file__).resolve().parents[2] / "examples" / "hgnet.ipynb"
    notebook = nbformat.read(file, as_version=4)
    kernel = manager.AsyncKernelManager(kernel_name="python3")
    kernel.kernel_spec.argv[0] = sys.executable
    nbclient.NotebookClient(notebook, timeout=300, km=kernel).execute()
    texts = [output.text for cell in notebook.cells for output in cell.get("outputs", []) if "text" in output]
    assert any("the same bits: True" in text for text in texts)
    pictures = [output for cell in notebook.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    assert len(pictures) == 2
