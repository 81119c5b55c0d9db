"""Reference questions: how often the engine gives the answer that people know to be right."""
