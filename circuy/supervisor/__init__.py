"""`manage.py up`: everything Circuy needs, in the foreground, ended together."""
