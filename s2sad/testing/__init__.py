"""What checks derivatives: numeric differences for a user's function."""
