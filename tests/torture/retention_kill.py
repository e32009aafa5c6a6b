#!/usr/bin/env python3
"""Kills the command (SIGKILL, at random moments) during drop_chunks, and while VACUUM removes
expired rows. What was acknowledged must be gone, all else must be whole in every layout, and CHECK
TABLE must find no fault.

    retention_kill.py [KILLS]
"""
import pathlib
import sys
import tempfile

from kills import in_layouts, mtsql, no_faults, seeded, writer_killed

LAYOUTS = ["rows", "day", "host", "one"]
DAYS, A_DAY = 40, 144
SETUP = f"""
DROP TABLE IF EXISTS h;
CREATE TABLE h (ts timestamptz TIME PERIOD '10 min' NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows WITH (partition_by = 'day');
ALTER TABLE h ADD LAYOUT day USING per_day;
ALTER TABLE h ADD LAYOUT host USING nested WITH (cluster_by = 'host', levels = 'ts', presum = 'ts');
ALTER TABLE h ADD LAYOUT one USING rows;
INSERT INTO h SELECT '2020-01-01'::timestamptz + i * interval '10 min', 'h' || i % 3, 1 FROM generate_series (0, {DAYS * A_DAY - 1}) i;
"""


def day(n):
    return f"('2020-01-01'::timestamptz + interval '{n} days')"


def script(rng, first):
    """Steps that remove one day or several, each followed by a line that says how far it went."""
    out, at = "", first
    while at < DAYS - 1:
        at = min(at + rng.randrange(1, 4), DAYS - 1)
        out += f"CALL drop_chunks ('h', older_than => {day (at)});\n\\echo gone {at}\n" if rng.random() < 0.8 else \
               f"ALTER TABLE h SET (expire_after = '400 years');\nCALL drop_chunks ('h', {day (at)});\nVACUUM h;\n\\echo gone {at}\n"
    return out


def kill_once(target, rng, folder, first):
    writer = writer_killed(target, script(rng, first), folder, rng, (0, 0.03), enough=rng.randrange(12))
    return max([int(line.split()[1]) for line in writer.acknowledged if line.startswith("gone ")] + [first])


def look(target, first, when):
    """Returns how many days are gone. All layouts must agree, and no day may be there in part."""
    no_faults(target, ["h"], when)
    answers = set(in_layouts(target, LAYOUTS, "SELECT count(*), sum(v) FROM h"))
    rows = int(answers.copy().pop().split("|")[0])
    if len(answers) > 1 or rows % A_DAY or DAYS - rows // A_DAY < first:
        sys.exit(f"{when}: {first} days were acknowledged to be gone, the layouts say {answers}")
    return DAYS - rows // A_DAY


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    rng, steps = seeded(), 0
    with tempfile.TemporaryDirectory(prefix="mtsql-kill-") as folder:
        target, gone = f"{folder}/store", DAYS
        for n in range(kills):
            if gone >= DAYS - 10:
                mtsql(target, SETUP)
                gone = 0
            before = gone
            gone = look(target, kill_once(target, rng, pathlib.Path(folder), gone), f"kill {n}")
            steps += gone - before
    print(f"{kills} kills while {steps} days went: the layouts agree after each, and what was acknowledged is gone")
    if not steps:
        sys.exit("nothing was dropped: the test says nothing")


if __name__ == "__main__":
    main()
