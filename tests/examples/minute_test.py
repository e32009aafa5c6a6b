#!/usr/bin/env python3
"""The lesson of the minute layout: its printed output. --accept rewrites the expected output."""
import printed

printed.run("minute")
