"""Tests of the report of a study: its figures, its page, its command."""
