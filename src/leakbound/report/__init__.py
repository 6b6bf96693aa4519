"""Certificates shown to people: as text for a terminal, and as one self-contained page."""

from leakbound.report.html import Entry, page
from leakbound.report.numbers import displayed
from leakbound.report.text import certificate_text, routes_text

__all__ = ["Entry", "certificate_text", "displayed", "page", "routes_text"]
