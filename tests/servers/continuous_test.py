#!/usr/bin/env python3
"""Continuous views on a server: a refresh beside an open transaction, random statements (tests/reference/continuous_test.py), and a client that is killed (tests/torture/continuous_kill.py)."""
import subprocess
import sys

from checks import ROOT, check, finish
from server import chosen, database
from session import Session

NAME = chosen()
SETUP = """SET TimeZone = 'UTC'; CREATE TABLE r (ts timestamptz TIME NOT NULL, v int MEASURE) USING rows;
INSERT INTO r VALUES ('2024-01-01', 1), ('2024-01-01 05:00', 1);
CREATE MATERIALIZED VIEW v WITH (continuous) AS SELECT time_bucket ('1 hour', ts) AS b, sum(v) AS s FROM r GROUP BY 1"""
REFRESH = "CALL refresh_continuous_aggregate ('v', NULL, NULL)"


def test_transaction(uri, change, left):
    """A view does not store a transaction's changes before the transaction ends."""
    one, other = Session(uri), Session(uri)
    one.ask(SETUP)
    one.ask(f"BEGIN; {change}")
    said = "\n".join(other.ask(REFRESH))
    check(f"{change}: a refresh fails meanwhile", 'a statement that changes table "r" goes on' in said, said)
    one.ask("ROLLBACK")
    said = "\n".join(other.ask(REFRESH))
    check(f"{change}: and not afterwards", "ERROR" not in said, said)
    said = other.ask("SELECT sum(s) FROM _mtsql_stored.v")
    check(f"{change}: what is stored", said == [left], said)
    one.ask("DROP MATERIALIZED VIEW v; DROP TABLE r")
    one.close()
    other.close()


with database(NAME, "continuous") as target:
    for statement in ("INSERT INTO r VALUES ('2024-01-01 00:30', 7)", "UPDATE r SET v = 9 WHERE ts = '2024-01-01'", "INSERT INTO r VALUES ('2024-01-02', 7)"):
        test_transaction(target, statement, "2")
for script in (["tests/torture/continuous_kill.py", "1", NAME], ["tests/reference/continuous_test.py", "--engine", NAME, "--cases", "1"]):
    check(script[0], subprocess.call([sys.executable, ROOT / script[0], *script[1:]]) == 0)
sys.exit(finish())
