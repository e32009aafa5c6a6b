#!/usr/bin/env python3
"""The lesson of ids as shard keys: its printed output, and its picture (a bar for each step and shard that took writes). --accept rewrites the expected output."""
import printed

printed.run("locality", plot=lambda svg: 295 < svg.count("<rect") < 1180 and svg.endswith("</svg>\n"))
