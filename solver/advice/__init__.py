"""Advice: what the exact values of many positions say about a decision."""
