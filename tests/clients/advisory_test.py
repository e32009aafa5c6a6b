#!/usr/bin/env python3
"""Advisory locks between the sessions of one `mtsql --listen`: waiting, sharing, and every way in which a wait or a lock ends."""
import sys
import threading
import time

from listening import listening
from cases import check, run, same
import psycopg


def connect(s):
    return psycopg.connect(s.dsn(), autocommit=True)


def one(c, sql):
    return c.execute(sql).fetchone()[0]


def waits(c, sql, then):
    """Runs sql in a thread, checks that it waits, calls `then`, and returns the error of sql, if any."""
    found = []

    def work():
        try:
            c.execute(sql)
        except psycopg.Error as e:
            found.append(e.sqlstate)
    t = threading.Thread(target=work)
    t.start()
    time.sleep(0.3)
    check(f"{sql} waits", t.is_alive())
    then()
    t.join(20)
    check(f"{sql} ends", not t.is_alive())
    return found[0] if found else None


def test_exclusive_and_shared(folder):
    with listening(f"{folder}/s") as s, connect(s) as a, connect(s) as b, connect(s) as c:
        a.execute("SELECT pg_advisory_lock(1)")
        same("another session can't take it", one(b, "SELECT pg_try_advisory_lock(1)"), False)
        same("nor share it", one(b, "SELECT pg_try_advisory_lock_shared(1)"), False)
        same("two integers are another lock", one(b, "SELECT pg_try_advisory_lock(0, 1)"), True)
        same("released", waits(b, "SELECT pg_advisory_lock(1)", lambda: a.execute("SELECT pg_advisory_unlock(1)")), None)
        same("the waiter has it", one(a, "SELECT pg_try_advisory_lock(1)"), False)
        b.execute("SELECT pg_advisory_unlock_all()")
        same("shared by two", [one(x, "SELECT pg_try_advisory_lock_shared(2)") for x in (a, b)], [True, True])
        same("not exclusive", one(c, "SELECT pg_try_advisory_lock(2)"), False)
        a.execute("SELECT pg_advisory_unlock_shared(2)")
        same("still not", one(c, "SELECT pg_try_advisory_lock(2)"), False)
        b.execute("SELECT pg_advisory_unlock_shared(2)")
        same("now it is", one(c, "SELECT pg_try_advisory_lock(2)"), True)


def test_ends(folder):
    with listening(f"{folder}/s") as s, connect(s) as b:
        a = connect(s)
        a.execute("SELECT pg_advisory_lock(1)")
        same("the end of a session releases its locks", waits(b, "SELECT pg_advisory_lock(1)", a.close), None)
        with connect(s) as c:
            same("cancelled", waits(c, "SELECT pg_advisory_lock(1)", c.cancel), "57014")
            c.execute("SET statement_timeout = '600ms'")
            same("statement_timeout", waits(c, "SELECT pg_advisory_lock(1)", lambda: None), "57014")
            c.execute("SET statement_timeout = 0; SET lock_timeout = '500ms'")
            same("lock_timeout", waits(c, "SELECT pg_advisory_lock(1)", lambda: None), "55P03")
            c.execute("RESET lock_timeout")
            b.execute("DISCARD ALL")
            same("DISCARD ALL", one(c, "SELECT pg_try_advisory_lock(1)"), True)


def test_transactions(folder):
    with listening(f"{folder}/s") as s, connect(s) as a, connect(s) as b:
        a.execute("SELECT pg_advisory_xact_lock(1)")
        same("without a block, the statement is the transaction", one(b, "SELECT pg_try_advisory_xact_lock(1)"), True)
        for end in ("COMMIT", "ROLLBACK"):
            a.execute("BEGIN")
            a.execute("SELECT pg_advisory_xact_lock(1)")
            same("held in the block", one(b, "SELECT pg_try_advisory_lock(1)"), False)
            same(end, waits(b, "SELECT pg_advisory_lock(1)", lambda: a.execute(end)), None)
            b.execute("SELECT pg_advisory_unlock(1)")


def test_locks_are_listed(folder):
    """pg_locks has held and awaited locks of all sessions, and none after their end."""
    listed = "SELECT classid, objid, objsubid, mode, granted FROM pg_locks WHERE locktype = 'advisory' ORDER BY 2, 5"
    with listening(f"{folder}/s") as s, connect(s) as a, connect(s) as b, connect(s) as c:
        a.execute("SELECT pg_advisory_lock(4294967303), pg_advisory_lock_shared(-1, 8)")
        same("both kinds", c.execute(listed).fetchall(), [(1, 7, 1, "ExclusiveLock", True), (2**32 - 1, 8, 2, "ShareLock", True)])
        a.execute("SELECT pg_advisory_unlock_shared(-1, 8)")

        def look():
            same("one waits", [r[4] for r in c.execute(listed)], [False, True])
            a.execute("SELECT pg_advisory_unlock_all()")
        same("taken", waits(b, "SELECT pg_advisory_lock_shared(4294967303)", look), None)
        same("by the other", [r[3:] for r in c.execute(listed)], [("ShareLock", True)])
        b.execute("DISCARD ALL")
        same("none", c.execute(listed).fetchall(), [])


def test_deadlock(folder):
    with listening(f"{folder}/s") as s, connect(s) as a, connect(s) as b:
        a.execute("SELECT pg_advisory_lock(1)")
        b.execute("SELECT pg_advisory_lock(2)")

        def cross():
            try:
                b.execute("SELECT pg_advisory_lock(1)")
                check("a deadlock ends", False)
            except psycopg.errors.DeadlockDetected:
                check("a deadlock ends", True)
            b.execute("SELECT pg_advisory_unlock(2)")
        same("the other goes on", waits(a, "SELECT pg_advisory_lock(2)", cross), None)


def test_many(folder):
    """A counter that is only safe under the lock."""
    with listening(f"{folder}/s") as s:
        seen, inside = [], [0]

        def work():
            with connect(s) as c:
                for _ in range(20):
                    c.execute("SELECT pg_advisory_lock(9)")
                    inside[0] += 1
                    seen.append(inside[0])
                    time.sleep(0.001)
                    inside[0] -= 1
                    c.execute("SELECT pg_advisory_unlock(9)")
        threads = [threading.Thread(target=work) for _ in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join(120)
        same("one session at a time", (len(seen), set(seen)), (120, {1}))


sys.exit(run(globals()))
