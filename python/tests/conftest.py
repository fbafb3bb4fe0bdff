"""The same examples in every run, and no folder of them in the clone."""

from hypothesis import settings

settings.register_profile("hgnet", database=None, deadline=None, derandomize=True, max_examples=40)
settings.load_profile("hgnet")
