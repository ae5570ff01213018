"""How fast, how small: `python -m benchmarks` measures what the README states."""
