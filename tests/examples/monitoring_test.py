#!/usr/bin/env python3
"""The lesson of a monitoring service's documents: its printed output, but for what the clock says. --accept rewrites the expected output."""
import re

import printed


def normal(text):
    text = re.sub(r" *\d+\.\d{3} \| ( *\d+)$", r" N | \1", text, flags=re.M)
    return re.sub(r" +ms +\|", " ms |", re.sub(r"-{3,}", "---", text)) # the column is as wide as its figures


printed.run("monitoring", normal)
