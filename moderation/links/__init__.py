"""Approval links: an address in an e-mail where one member decides on one version of one thing."""
