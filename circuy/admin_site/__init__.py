"""The administration as a whole: its frame, its navigation, its first page."""
