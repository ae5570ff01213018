"""Checks of derivatives: random programs and independent references."""
