"""Small programs by feature, with derivatives found independently."""
