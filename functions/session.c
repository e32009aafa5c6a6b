/* Functions that act on the session: settings, the seed of random(), and waiting. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

/* The operator of these functions without a session: it does nothing. A session replaces it by
 * those in session/run/ops.c. */
static bool fn_no_session (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = MT_USER (ev) ? a[1] : mt_v_cstr ("");
   return true;
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
   {.name = NULL},
};
