/* The state of a statement while other clients write: how current its catalog is, how the statement
 * ended, and whether it runs again. */
#include "session/coordinate/coordinate_int.h"

#include "layouts/collections/partition.h"

#include <time.h>

void mt_coordination_init (MtSession *s)
{
   MtCoordination *c = s->coordination = MT_NEW (s->arena, MtCoordination);
   mt_catalog_own_intents (s->catalog, (const char (*)[25]) c->intents, &c->intent_count);
}

/* ---- beginning a statement ---- */

/* Returns whether a write may begin with the cached catalog. An INSERT may if the version was read
 * a moment ago, because mt_write_confirm checks it at the end. UPDATE and DELETE may, because they
 * read the catalog again in their write step. */
static bool may_trust (const MtSession *s)
{
   MtLook look = s->coordination->look;
   return (look == MT_LOOKS_ITSELF || (look == MT_LOOKS_BEHIND && mt_look_is_fresh (s))) &&
          s->txn.state == MT_TRANSACTION_NONE && mt_leases_apply (s);
}

static bool may_assume (const MtSession *s)
{
   return s->coordination->look == MT_LOOKS_BESIDE && s->txn.state == MT_TRANSACTION_NONE &&
          mt_engine_target_caps (s->engine)->finds_beside;
}

static MtKnowledge knowledge_by_cache (MtSession *s)
{
   if (may_assume (s) && mt_catalog_assume (s->catalog))
      return MT_ASSUMED;
   if (may_trust (s) && mt_catalog_assume (s->catalog))
      return MT_TRUSTED;
   return MT_CURRENT;
}

bool mt_coordination_begin (MtSession *s, MtLook look, bool by_cache, MtError *err)
{
   MtCoordination *c = s->coordination;
   c->look = look;
   c->knowledge = MT_CURRENT;
   c->interference = MT_UNDISTURBED;
   c->partitions_due = c->announced = false;
   if (look == MT_LOOKS_NEVER)
      return true;
   if (look == MT_LOOKS_BESIDE &&
       mt_catalog_age_us (s->catalog) < 1000 * s->settings.catalog_max_age) {
      mt_catalog_keep (s->catalog);
      return true;
   }
   if (by_cache)
      c->knowledge = knowledge_by_cache (s);
   c->partitions_due = c->knowledge != MT_CURRENT;
   return c->partitions_due || mt_catalog_refresh (s->catalog, NULL, err);
}

bool mt_is_assuming (const MtSession *s) { return s->coordination->knowledge == MT_ASSUMED; }

/* ---- while a statement runs ---- */

static bool is_trusting (const MtSession *s)
{
   return s->coordination->knowledge == MT_TRUSTED || s->coordination->knowledge == MT_FED;
}

bool mt_needs_current_catalog (MtSession *s, MtError *err)
{
   MtCoordination *c = s->coordination;
   bool same;
   if (!is_trusting (s) || c->look == MT_LOOKS_ITSELF)
      return true;
   if (!mt_catalog_unchanged (s->catalog, &same, err))
      return false;
   if (same)
      c->knowledge = MT_CURRENT;
   return same || mt_error (err, MT_E_SERIALIZATION, "tables were changed by another client");
}

/* Reads one list of all collections, which updates the partitions of all tables. */
bool mt_needs_partitions (MtSession *s, const MtTable *t, MtError *err)
{
   MtCoordination *c = s->coordination;
   if (!c->partitions_due || !mt_has_partitions (&t, 1))
      return true;
   c->partitions_due = false;
   return mt_catalog_look (s->catalog, err);
}

void mt_note_catalog_read (MtSession *s)
{
   if (is_trusting (s))
      s->coordination->knowledge = MT_CURRENT;
}

void mt_note_row (MtSession *s)
{
   if (s->coordination->knowledge == MT_TRUSTED)
      s->coordination->knowledge = MT_FED;
}

void mt_note_outrun (MtSession *s)
{
   if (s->coordination->interference == MT_UNDISTURBED)
      s->coordination->interference = MT_OUTRUN;
}

bool mt_has_intents (const MtSession *s) { return s->coordination->intent_count > 0; }
bool mt_is_announced (const MtSession *s) { return s->coordination->announced; }

/* ---- ending a statement ---- */

/* Returns whether the error is a cancel or a lost connection, which an outdated catalog can't have
 * caused. */
static bool is_end_of_all (const MtError *err)
{
   return mt_error_is (err, MT_E_CANCELED) || mt_error_in (err, MT_CLASS_CONNECTION);
}

/* Checks that the cached catalog which a read has used is current. The user has not received any
 * row yet, so otherwise the read can run again. */
static MtOutcome confirm_assumption (MtSession *s, MtCursor *cur, bool ok, MtError *err)
{
   const bson_t *version = NULL;
   bool found = false, same = true;
   MtError ignored;
   s->coordination->knowledge = MT_CURRENT;
   ok = ok && (!cur || mt_cursor_beside (cur, &found, &version, err));
   if (!ok && is_end_of_all (err))
      return MT_OUTCOME_FAILED;
   if (!mt_catalog_confirm (s->catalog, found, version, &same, ok ? err : &ignored))
      return MT_OUTCOME_FAILED;
   if (!same)
      return MT_OUTCOME_CATALOG_CHANGED;
   return ok ? MT_OUTCOME_DONE : MT_OUTCOME_FAILED;
}

/* Returns whether an outdated catalog may have caused the error, and all writes of the statement
 * were undone, so that it can run again. */
static bool trusted_too_long (MtSession *s, const MtError *err)
{
   bool same = true;
   bool left = s->coordination->knowledge == MT_FED &&
               (mt_error_is (err, MT_E_SERIALIZATION) || mt_engine_leftover (s->engine));
   MtError ignored;
   s->coordination->knowledge = MT_CURRENT;
   return !left && !is_end_of_all (err) && mt_catalog_unchanged (s->catalog, &same, &ignored) &&
          !same;
}

/* Returns the outcome of a failed statement. After a conflict with other writers, ALTER TABLE and
 * changes of sums run again, because on an engine with locks they would have waited. */
static MtOutcome outcome_beside_writers (const MtSession *s, const MtStmt *stmt, const MtError *err)
{
   MtInterference by = s->coordination->interference;
   bool repeatable = by == MT_OUTRUN ||
                     (by == MT_UNDISTURBED && stmt && stmt->kind == MT_STMT_ALTER_TABLE);
   if (!repeatable || s->txn.state != MT_TRANSACTION_NONE || mt_engine_leftover (s->engine))
      return MT_OUTCOME_FAILED;
   if (mt_error_is (err, MT_E_SERIALIZATION))
      return MT_OUTCOME_OUTRUN;
   return mt_error_is (err, MT_E_IN_USE) ? MT_OUTCOME_IN_USE : MT_OUTCOME_FAILED;
}

MtOutcome mt_coordination_end (MtSession *s, const MtStmt *stmt, MtCursor *cur, bool ok,
                               MtError *err)
{
   if (mt_is_assuming (s))
      return confirm_assumption (s, cur, ok, err);
   if (ok)
      return MT_OUTCOME_DONE;
   if (is_trusting (s) && trusted_too_long (s, err))
      return MT_OUTCOME_CATALOG_CHANGED;
   return outcome_beside_writers (s, stmt, err);
}

/* ---- running a statement again ---- */

/* How often a statement runs again, for each outcome. The first retry is immediate; before the next
 * ones are pauses of 2, 4, … ms, up to LONGEST_PAUSE_MS. */
static const struct {
   int tries;               /* greatest number of retries if lock_timeout is not set */
   bool until_lock_timeout; /* if lock_timeout is set, retries go on until it ends */
} retries[] = {
   [MT_OUTCOME_DONE] = {0, false},
   [MT_OUTCOME_FAILED] = {0, false},
   [MT_OUTCOME_CATALOG_CHANGED] = {1, false},
   [MT_OUTCOME_OUTRUN] = {20, true},
   [MT_OUTCOME_IN_USE] = {0, true},
};

bool mt_coordination_retries (MtSession *s, MtOutcome o, int tries, int64_t until_ms, MtError *err)
{
   enum { LONGEST_PAUSE_MS = 64 };
   bool by_time = until_ms && retries[o].until_lock_timeout;
   if (!by_time && tries >= retries[o].tries)
      return false;
   if (!tries)
      return true;
   int64_t left = until_ms - mt_now_ms (),
           pause = tries < 7 ? INT64_C (1) << tries : LONGEST_PAUSE_MS;
   if (by_time && left <= 0)
      return false;
   pause = by_time && left < pause ? left : pause;
   nanosleep (&(struct timespec) {.tv_nsec = pause * 1000000}, NULL);
   return mt_cancel_check (&s->cancel, err);
}
