"""Forms of the back-office, with the messages its employees read."""
