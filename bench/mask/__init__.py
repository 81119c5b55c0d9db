"""What the masks hide of labelled texts, beside their peers."""
