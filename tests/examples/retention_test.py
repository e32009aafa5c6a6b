#!/usr/bin/env python3
"""The lesson of layouts that keep rows for different times: its printed output, without times of
the clock. Months are counted from the current one. --accept rewrites the expected output.
"""
import re
from datetime import datetime, timezone

import printed

NOW = datetime.now(timezone.utc)


def month(found):
    return f"{found[1]}month{int(found[2]) * 12 + int(found[4]) - NOW.year * 12 - NOW.month:+03d}"


def normal(text):
    text = re.sub(r"(\b|_)(20\d\d)([-_])(0[1-9]|1[012])(?!\d)", month, text)
    return printed.without_times(text)


printed.run("retention", normal)
