"""Telling people who look elsewhere that it is their turn, by Web Push."""
