"""Reads recordings of other tools, and our own, as observed events. Plain Python, no I/O."""

from shadow.importing.reading import ImportedFile, Recording, read_recordings
from shadow.importing.wording import ImportFileError
from shadow.importing.writing import Unsupported

__all__ = ["ImportFileError", "ImportedFile", "Recording", "Unsupported", "read_recordings"]
