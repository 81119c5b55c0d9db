"""Providers that speak the chat-completions protocol with Structured Outputs, whoever runs them."""
