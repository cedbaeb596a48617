"""Sumgait Driller: one player who thinks against two blind piles. Its cards, rules, match, records and replay."""
