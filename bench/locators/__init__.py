"""Whether locators taken in one release, or one language, find the same element in another: `make bench-locators`."""
