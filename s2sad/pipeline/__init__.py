"""The stages in order, from a Python function and its argument types to a loaded derivative; caches of the outcome."""
