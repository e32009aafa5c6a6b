#!/usr/bin/env python3
"""The lesson of a monitoring service's documents: its printed output, without times of the clock.
--accept rewrites the expected output.
"""
import printed


printed.run("monitoring", printed.without_times)
