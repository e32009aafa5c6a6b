/* Functions that act on the session: settings, the seed of random(), and pg_sleep. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

/* The operator of these functions if there is no session: it has no effect. A session replaces the
 * operators by those in session/run/ops.c. */
static bool fn_no_session (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = MT_USER (ev) ? a[1] : mt_v_cstr ("");
   return true;
}

static bool fn_no_sequence (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return mt_error (ev->err, MT_E_FEATURE, "sequences are not supported here");
}

static bool fn_no_advisory (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return mt_error (ev->err, MT_E_FEATURE, "advisory locks are not supported here");
}

static bool fn_any_random (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_double ((double) (mt_op_random () >> 11) * 0x1p-53);
   return true;
}

#define SQL(name_, sig_, body_, summary_, example_) \
   {.name = name_, \
    .signature = sig_, \
    .flags = MT_F_VOLATILE, \
    .sql = body_, \
    .summary = summary_, \
    .example = example_}

#define SEQUENCE(name_, sig_, summary_, example_) \
   MT_ROW (name_, sig_, MT_F_VOLATILE | MT_F_SESSION | MT_NN, NULL, \
           MT_OPN (name_, no_sequence, 0), summary_, example_)
#define ADVISORY(name_, ret_, summary_) \
   MT_ROW (name_, "key int8 -> " ret_, MT_F_VOLATILE | MT_F_SESSION | MT_NN, NULL, \
           MT_OPN (name_, no_advisory, 0), summary_, "SELECT " name_ "(NULL::int8) IS NULL => t"), \
      MT_ROW (name_, "first int4, second int4 -> " ret_, MT_F_VOLATILE | MT_F_SESSION | MT_NN, \
              NULL, MT_OPN (name_, no_advisory, 0), summary_ ", by two integers", \
              "SELECT " name_ "(NULL::int4, 1) IS NULL => t")
#define OF_CLASS(name_, sig_, body_, example_) \
   SQL (name_, sig_, body_, "the same for a sequence as regclass", \
        "SELECT " example_ " IS NULL => t")

const MtFunc mt_fn_session[] = {
   MT_ROW ("set_config", "name text, value text, is_local bool -> text",
           MT_F_VOLATILE | MT_F_NOT_STRICT, NULL, MT_OPN ("set_config", no_session, 1),
           "changes a setting like SET, or like SET LOCAL if is_local",
           "SELECT set_config('work_mem', '64MB', false) => 64MB"),
   MT_ROW ("setseed", "seed float8 -> text", MT_F_SETS_SEED | MT_F_VOLATILE | MT_NN, NULL,
           MT_OPN ("setseed", no_session, 0), "sets the seed of random(), from -1 to 1",
           "SELECT length(setseed(0.5)) => 0"),
   MT_ROW ("$random_seeded", "-> float8", MT_F_VOLATILE | MT_NN, NULL,
           MT_OPN ("random_seeded", any_random, 0), "random() after setseed",
           "SELECT random() < 1 => t"),
   MT_ROW ("pg_sleep", "seconds float8 -> text", MT_F_VOLATILE | MT_NN, NULL,
           MT_OPN ("sleep", no_session, 0), "waits for n seconds",
           "SELECT length(pg_sleep(0)) => 0"),
   SQL ("pg_sleep_for", "interval -> text", "pg_sleep(extract(epoch FROM $1)::float8)",
        "waits for an interval", "SELECT length(pg_sleep_for('0 s')) => 0"),
   SQL ("pg_sleep_until", "timestamptz -> text",
        "pg_sleep(extract(epoch FROM $1 - clock_timestamp())::float8)", "waits until a time",
        "SELECT length(pg_sleep_until('2020-01-01')) => 0"),
   SEQUENCE ("nextval", "sequence text -> int8", "the next value of a sequence",
             "SELECT nextval(NULL::text) IS NULL => t"),
   SEQUENCE ("currval", "sequence text -> int8",
             "the value that nextval last returned for the sequence in this session",
             "SELECT currval(NULL::text) IS NULL => t"),
   SEQUENCE ("lastval", "-> int8", "the value that nextval last returned in this session",
             "SELECT CASE WHEN random() < 2 THEN 0 ELSE lastval() END => 0"),
   SEQUENCE ("setval", "sequence text, value int8 -> int8",
             "sets the value of a sequence; nextval returns the one after it",
             "SELECT setval(NULL::text, 5) IS NULL => t"),
   SEQUENCE ("setval", "sequence text, value int8, is_called bool -> int8",
             "sets the value of a sequence; unless is_called, nextval returns the value itself",
             "SELECT setval(NULL::text, 5, false) IS NULL => t"),
   ADVISORY ("pg_advisory_lock", "text", "takes a lock until it is released, and waits for it"),
   ADVISORY ("pg_advisory_lock_shared", "text", "takes a shared lock, and waits for it"),
   ADVISORY ("pg_advisory_xact_lock", "text",
             "takes a lock until the transaction ends, and waits for it"),
   ADVISORY ("pg_advisory_xact_lock_shared", "text",
             "takes a shared lock until the transaction ends, and waits for it"),
   ADVISORY ("pg_try_advisory_lock", "bool", "takes a lock if no other session has it"),
   ADVISORY ("pg_try_advisory_lock_shared", "bool",
             "takes a shared lock if no other session has the lock"),
   ADVISORY ("pg_try_advisory_xact_lock", "bool",
             "takes a lock until the transaction ends, if no other session has it"),
   ADVISORY ("pg_try_advisory_xact_lock_shared", "bool",
             "takes a shared lock until the transaction ends, if no other session has the lock"),
   ADVISORY ("pg_advisory_unlock", "bool", "releases a lock that the session has"),
   ADVISORY ("pg_advisory_unlock_shared", "bool", "releases a shared lock that the session has"),
   MT_ROW ("pg_advisory_unlock_all", "-> text", MT_F_VOLATILE | MT_F_SESSION | MT_NN, NULL,
           MT_OPN ("pg_advisory_unlock_all", no_advisory, 0),
           "releases all locks that the session has",
           "SELECT CASE WHEN random() < 2 THEN '' ELSE pg_advisory_unlock_all() END => "),
   OF_CLASS ("nextval", "regclass -> int8", "nextval($1::text)", "nextval(NULL::regclass)"),
   OF_CLASS ("currval", "regclass -> int8", "currval($1::text)", "currval(NULL::regclass)"),
   OF_CLASS ("setval", "regclass, int8 -> int8", "setval($1::text, $2)",
             "setval(NULL::regclass, 5)"),
   OF_CLASS ("setval", "regclass, int8, bool -> int8", "setval($1::text, $2, $3)",
             "setval(NULL::regclass, 5, true)"),
   {.name = NULL},
};
