"""How long answers take, from the question to the guide, and how much of it is ours."""
