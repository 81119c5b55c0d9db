"""What an organization learns from its questions and from what happens while its tours run."""
