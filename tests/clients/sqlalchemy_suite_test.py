#!/usr/bin/env python3
"""Runs SQLAlchemy's dialect test-suite with psycopg against `mtsql --listen`: one in EVERY of its
tests (10).

    sqlalchemy_suite_test.py [--accept] [--postgres] [PYTEST OPTION...]

sqlalchemy_suite.txt has the tests that fail, with the reasons. --accept rewrites it. A new line
gets the error in place of a reason. --postgres prints the tests that fail on PostgreSQL 15. Options
of pytest choose tests, such as `-k Reflection`.
"""
import collections
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from listening import listening
from cases import check, fails, finish, passes
import psycopg

HERE = pathlib.Path(__file__).resolve().parent
LIST = HERE / "sqlalchemy_suite.txt"
HEAD = "# The tests of SQLAlchemy's dialect test-suite that fail on mtsql, each with the reason. sqlalchemy_suite_test.py --accept rewrites the names.\n"
# mtsql's tables are made without their foreign keys and comments on constraints. Extensions, which
# the suite does not use, are not made.
CONFTEST = """import os
import pytest
pytest.register_assert_rewrite("sqlalchemy.testing.assertions")
from sqlalchemy.testing import provision
from sqlalchemy.testing.plugin.pytestplugin import *
from sqlalchemy.testing.plugin import pytestplugin
from sqlalchemy.dialects.postgresql import base, provision as own
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import ForeignKeyConstraint

own.post_configure_engine.for_db("postgresql")(lambda url, engine, follower: None)
if not os.environ.get("SUITE_ON_POSTGRES"):
    compiles(ForeignKeyConstraint)(lambda constraint, compiler, **kw: None)
    base.PGDialect.supports_constraint_comments = False


def pytest_collection_modifyitems(session, config, items):
    pytestplugin.pytest_collection_modifyitems(session, config, items)
    items[:] = items[::int(os.environ["EVERY"])]
"""


def first_line(outcome):
    return re.sub(r"\s+", " ", re.sub(r"0x[0-9a-f]+", "0x", (outcome.get("message") or "?").splitlines()[0]))[:200]


def suite(url, folder, options, **env):
    """Runs the suite. Returns the outcome of each test (passed, skipped, or the first line of its
    error), and pytest's output.
    """
    folder = pathlib.Path(folder)
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_suite.py").write_text("from sqlalchemy.testing.suite import *\n")
    (folder / "setup.cfg").write_text("[sqla_testing]\nrequirement_cls = sqlalchemy_requirements:Requirements\nprofile_file = profiles.txt\n[db]\n")
    p = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--tb=short", "--junitxml=found.xml", "--dburi", url, *options, "test_suite.py"], cwd=folder,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={"EVERY": "10", **os.environ, "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1", **env})
    found = {}
    with contextlib.suppress(FileNotFoundError):
        for case in xml.etree.ElementTree.parse(folder / "found.xml").iter("testcase"):
            name = re.sub(r"_postgresql\+psycopg_[0-9_]*", "", case.get("classname").split(".")[-1]) + "." + re.sub(r"0x[0-9a-f]+", "0x", case.get("name"))
            outcome = next((child for child in case if child.tag in ("failure", "error", "skipped")), None)
            found[name] = "passed" if outcome is None else "skipped" if outcome.tag == "skipped" else first_line(outcome)
    return found, p.stdout


def expected():
    """Returns the reasons by the names of tests. A reason is a line that ends with a colon. The
    names follow.
    """
    reason, found = "", {}
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            found[line.strip()] = reason
        elif line and not line.startswith("#"):
            reason = line.rstrip(":")
    return found


def accept(found):
    reasons, by_reason = expected(), collections.defaultdict(list)
    for name, outcome in found.items():
        if outcome not in ("passed", "skipped"):
            by_reason[reasons.get(name, outcome)].append(name)
    LIST.write_text(HEAD + "".join(f"\n{reason}:\n" + "".join(f"    {name}\n" for name in sorted(names)) for reason, names in sorted(by_reason.items())), encoding="utf-8")


def on_postgres(folder, options):
    sys.path.insert(0, str(HERE.parent / "oracle"))
    from postgres import Postgres
    pg = Postgres(f"{folder}/pg")
    os.chmod(folder, 0o755)
    pg.start()
    try:
        subprocess.run(pg.psql("-q", "-c", "CREATE SCHEMA test_schema; CREATE SCHEMA test_schema_2"), check=True)
        return suite(f"postgresql+psycopg://postgres@/postgres?host={pg.socket}", folder, options, SUITE_ON_POSTGRES="1")
    finally:
        pg.stop()


def on_mtsql(folder, options):
    with listening(f"{folder}/s") as s:
        with psycopg.connect(s.dsn(), autocommit=True) as c:
            c.execute("CREATE SCHEMA test_schema; CREATE SCHEMA test_schema_2")
        return suite(f"postgresql+psycopg://tester@127.0.0.1:{s.port}/s", folder, options)


def main():
    options = [o for o in sys.argv[1:] if o not in ("--postgres", "--accept")]
    with tempfile.TemporaryDirectory(prefix="suite-") as folder:
        found, out = (on_postgres if "--postgres" in sys.argv else on_mtsql)(folder, options)
    counts = collections.Counter(v if v in ("passed", "skipped") else "failed" for v in found.values())
    print(f"NOTE SQLAlchemy's suite: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped by it")
    if "--accept" in sys.argv:
        accept(found)
    reasons = {} if "--postgres" in sys.argv else expected()
    for name, outcome in found.items():
        if outcome == "skipped" or (outcome == "passed") != (name in reasons):
            passes(outcome != "skipped")
        else:
            fails(name, f"   passes, but is in {LIST.name}" if outcome == "passed" else outcome)
    check("the suite ran", counts["passed"] > 0, out[-4000:])
    return finish()


sys.exit(main())
