"""From IR to Python text, and from text to a function."""

from s2sad.emit.generate import Emitted, emit_function
from s2sad.emit.loading import load

__all__ = ["Emitted", "emit_function", "load"]
