"""Maison Orée, a fine-food house: its back-office of orders, invoices and customers."""
