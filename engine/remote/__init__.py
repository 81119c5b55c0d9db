"""Providers that speak OpenAI's protocols or Ollama's own, each in its dialect, whoever runs them."""
