"""From a question to the steps that answer it: reuse what exists, else have it made."""
