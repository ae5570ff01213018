"""What checks derivatives: numeric differences for a user's function."""

from s2sad.testing.check_grads import GradientReport, check_grads

__all__ = ["GradientReport", "check_grads"]
