"""`python -m s2sad`: see :mod:`s2sad.cli`."""

from s2sad.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
