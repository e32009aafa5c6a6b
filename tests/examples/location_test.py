#!/usr/bin/env python3
"""The lesson of the feed of locations: its printed output. --accept rewrites the expected output."""
import printed

printed.run("location")
