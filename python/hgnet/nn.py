"""Layers and models for PyTorch."""

from .models import HGNet, Model, Prepared, model_names
from .pooling import EdgePooling, UnpoolInfo

__all__ = ["EdgePooling", "HGNet", "Model", "Prepared", "UnpoolInfo", "model_names"]
