/* The values of sequences: nextval, currval, lastval and setval. */
#include "engine/pipe.h"
#include "session/core/schemas.h"
#include "session/core/sequence.h"

#include <string.h>

__extension__ typedef __int128 Wide;

enum { MOST_RESERVED = 1024, MOST_TRIES = 10000 };

/* The session's cached data about a sequence that it has used. */
typedef struct Use {
   MtSequence def;
   MtArena *arena; /* owns `def` */
   int64_t known;  /* the catalog's version for which `def` is valid */
   bool defined;   /* currval is defined */
   int64_t given;  /* the value that nextval has returned last */
   int64_t left;   /* number of values after `given` that are reserved */
   int64_t end;    /* the last reserved value */
   int64_t batch;  /* number of values to reserve next time */
   bool unsure;    /* `given` was stored in a transaction that is not committed yet */
   struct Use *next;
} Use;

struct MtSequences {
   Use *uses, *last;
};

/* Consecutive values of a sequence: `count` values from `first` to `end`. */
typedef struct Run {
   int64_t first, end, count;
} Run;

static bool missing (MtStr name, MtError *err)
{
   return mt_error (err, MT_E_UNDEFINED_TABLE, "relation \"%.*s\" does not exist", (int) name.n,
                    name.p);
}

static Use *new_use (MtSession *s, const char *name)
{
   if (!s->sequences)
      s->sequences = MT_NEW (s->arena, struct MtSequences);
   for (Use *u = s->sequences->uses; u; u = u->next)
      if (strcmp (u->def.name, name) == 0)
         return u;
   Use *u = MT_NEW (s->arena, Use);
   *u = (Use) {.next = s->sequences->uses, .batch = 1, .known = -1};
   s->sequences->uses = u;
   return u;
}

/* Finds a sequence by name, and sets *out to the session's data about it. */
static bool find_use (MtSession *s, MtStr name, Use **out, MtError *err)
{
   int64_t version = mt_catalog_known (s->catalog);
   bool plain = !mt_has_schemas (s); /* then a name without a schema always means the same */
   for (Use *u = plain && s->sequences ? s->sequences->uses : NULL; u; u = u->next)
      if (u->known == version && mt_str_is (name, u->def.name)) {
         *out = u;
         return true;
      }
   MtArena *a = mt_arena_new ("sequence", s->arena);
   MtSequence *q;
   bool ok = mt_sequence_find (s, a, name, false, &q, err) && (q || missing (name, err));
   Use *u = ok ? new_use (s, q->name) : NULL;
   if (!ok) {
      mt_arena_free (a);
      return false;
   }
   if (u->def.made && q->made && strcmp (u->def.made, q->made) != 0)
      u->defined = u->unsure = false;
   if (!u->def.made || !q->made || strcmp (u->def.made, q->made) != 0 ||
       u->def.increment != q->increment)
      u->left = 0;
   if (u->arena)
      mt_arena_free (u->arena);
   u->def = *q;
   u->arena = a;
   u->known = version;
   *out = u;
   return true;
}

/* ---- reserving values ---- */

/* Computes the next values after state (last, called), at most u->batch, into *out. 2200H at the
 * end of the sequence. */
static bool values_after (const Use *u, int64_t last, bool called, Run *out, MtError *err)
{
   const MtSequence *q = &u->def;
   bool up = q->increment > 0;
   int64_t bound = up ? q->most : q->least, first = last;
   if (called && __builtin_add_overflow (last, q->increment, &first))
      first = bound, called = true;
   bool over = called && (up ? last > bound - q->increment : last < bound - q->increment);
   if (called && (over || first < q->least || first > q->most)) {
      if (!q->cycle)
         return mt_error (err, MT_E_SEQUENCE_LIMIT,
                          "nextval: reached %s value of sequence \"%s\" (%lld)",
                          up ? "maximum" : "minimum", q->name, (long long) bound);
      first = up ? q->least : q->most;
   }
   Wide room = ((Wide) bound - first) / q->increment + 1;
   int64_t count = room < u->batch ? (int64_t) room : u->batch;
   *out = (Run) {first, (int64_t) (first + (Wide) (count - 1) * q->increment), count};
   return true;
}

/* Returns whether the session has taken values after `last`, because the step that had stored them
 * was undone. */
static bool is_behind (const Use *u, int64_t last, bool called)
{
   if (!u->unsure || !u->defined || u->def.cycle)
      return false;
   bool up = u->def.increment > 0;
   return (up ? u->given > last : u->given < last) || (u->given == last && !called);
}

/* Reserves values on the embedded engine, in a write step. */
static bool reserve_here (MtSession *s, Use *u, Run *out, MtError *err)
{
   int64_t last;
   bool called, own = !mt_engine_in_step (s->engine),
                aimed = mt_engine_caps (s->engine) != mt_engine_target_caps (s->engine);
   if (aimed && !(u->def.table && mt_is_temporary (u->def.table))) {
      mt_error (err, MT_E_FEATURE,
                "nextval() of sequence \"%s\" is not supported in a change of a temporary table",
                u->def.name);
      return mt_error_hint (err, "Select the values first.");
   }
   if (own && !mt_engine_begin (s->engine, err))
      return false;
   bool ok = mt_sequence_read (s, &u->def, &last, &called, err);
   if (ok && is_behind (u, last, called)) {
      last = u->given;
      called = true;
   }
   ok = ok && values_after (u, last, called, out, err) &&
        mt_sequence_store (s, &u->def, out->end, true, err);
   u->unsure |= ok && (!own || mt_engine_in_txn (s->engine));
   if (!own)
      return ok;
   if (ok)
      return mt_engine_commit (s->engine, err);
   mt_engine_rollback (s->engine);
   return false;
}

static bool adjust (MtSession *s, MtArena *a, const MtSequence *q, MtAdjust *how, bool *found,
                    MtError *err)
{
   return mt_engine_adjust (s->engine, MT_CATALOG_COLLECTION, mt_sequence_state (a, q), how, found,
                            err);
}

/* Tries to reserve values by one findAndModify. *found is set to whether it could; it can't if no
 * value was taken yet, or the sequence would reach its end. */
static bool add_at_once (MtSession *s, MtArena *a, Use *u, Run *out, bool *found, MtError *err)
{
   const MtSequence *q = &u->def;
   Wide by = (Wide) q->increment * u->batch, bound = (q->increment > 0 ? q->most : q->least) - by;
   *found = false;
   if (bound < INT64_MIN || bound > INT64_MAX || by < INT64_MIN || by > INT64_MAX)
      return true;
   bson_t *also = mt_doc_new (a), *limit = mt_doc_new (a), *add = mt_doc_new (a), *after;
   mt_doc_add (limit, q->increment > 0 ? "$lte" : "$gte", mt_v_int64 ((int64_t) bound));
   mt_doc_add (limit, q->increment > 0 ? "$gte" : "$lte",
               mt_v_int64 (q->increment > 0 ? q->least : q->most));
   mt_doc_add (also, "called", mt_v_bool (true));
   mt_doc_add_doc (also, "last", limit);
   mt_doc_add (add, "last", mt_v_int64 ((int64_t) by));
   MtAdjust how = {.also = also, .add = add, .after = &after, .a = a};
   if (!adjust (s, a, q, &how, found, err))
      return false;
   if (!*found)
      return true;
   int64_t end = mt_doc_field (mt_v_doc (after), "last").i;
   *out = (Run) {(int64_t) (end - by + q->increment), end, u->batch};
   return true;
}

/* A change of a sequence's state from (last, called) to `to`. It is made only if the state is still
 * unchanged. */
typedef struct Change {
   int64_t last, to;
   bool called;
} Change;

static bool set_if (MtSession *s, MtArena *a, const MtSequence *q, Change c, bool *found,
                    MtError *err)
{
   bson_t *also = mt_doc_new (a), *set = mt_doc_new (a);
   mt_doc_add (also, "last", mt_v_int64 (c.last));
   mt_doc_add (also, "called", mt_v_bool (c.called));
   mt_doc_add (set, "last", mt_v_int64 (c.to));
   mt_doc_add (set, "called", mt_v_bool (true));
   return adjust (s, a, q, &(MtAdjust) {.also = also, .set = set}, found, err);
}

/* Reserves values on a server. If add_at_once can't, reads the state, and changes it by
 * compare-and-set, until no other client interferes. */
static bool reserve_there (MtSession *s, Use *u, Run *out, MtError *err)
{
   MtArena *a = mt_arena_new ("sequence", NULL);
   bool found = false, ok = true, called;
   int64_t last;
   for (int tries = 0; ok && !found && tries < MOST_TRIES; tries++) {
      ok = add_at_once (s, a, u, out, &found, err);
      if (!ok || found)
         break;
      ok = mt_sequence_read (s, &u->def, &last, &called, err) &&
           values_after (u, last, called, out, err) &&
           set_if (s, a, &u->def, (Change) {last, out->end, called}, &found, err);
   }
   mt_arena_free (a);
   return ok && (found || mt_error_outrun (err));
}

static bool may_take (const MtSession *s, const char *what, MtError *err)
{
   bool read_only = s->txn.state == MT_TRANSACTION_NONE
                       ? s->settings.default_modes.access == MT_ACCESS_READ
                       : s->txn.modes.access == MT_ACCESS_READ;
   return !read_only ||
          mt_error (err, MT_E_READ_ONLY, "cannot execute %s in a read-only transaction", what);
}

bool mt_sequence_next (MtSession *s, MtStr name, int64_t *out, MtError *err)
{
   Use *u;
   Run r;
   if (!find_use (s, name, &u, err))
      return false;
   if (s->unread) { /* the statement is only bound, not run */
      *out = u->def.start;
      return true;
   }
   if (!may_take (s, "nextval()", err))
      return false;
   if (u->left > 0) {
      s->sequences->last = u;
      u->left--;
      *out = u->given += u->def.increment;
      return true;
   }
   if (u->def.cache > u->batch)
      u->batch = u->def.cache;
   if (!(mt_sequence_is_shared (s, &u->def) ? reserve_there (s, u, &r, err)
                                            : reserve_here (s, u, &r, err)))
      return false;
   u->batch = u->batch < MOST_RESERVED ? u->batch * 2 : u->batch;
   u->left = r.count - 1;
   u->end = r.end;
   u->defined = true;
   s->sequences->last = u;
   *out = u->given = r.first;
   return true;
}

/* ---- currval, lastval, setval ---- */

bool mt_sequence_current (MtSession *s, MtStr name, int64_t *out, MtError *err)
{
   Use *u;
   if (!find_use (s, name, &u, err))
      return false;
   *out = u->given;
   return u->defined ||
          mt_error (err, MT_E_STATE,
                    "currval of sequence \"%s\" is not yet defined in this session", u->def.name);
}

bool mt_sequence_last (MtSession *s, int64_t *out, MtError *err)
{
   const Use *u = s->sequences ? s->sequences->last : NULL;
   if (!u || !u->defined)
      return mt_error (err, MT_E_STATE, "lastval is not yet defined in this session");
   *out = u->given;
   return true;
}

bool mt_sequence_write (MtSession *s, const MtSequence *q, int64_t last, bool called, MtError *err)
{
   Use *u = new_use (s, q->name);
   if (!u->def.name) { /* the session had no data about it */
      s->sequences->uses = u->next;
      u = NULL;
   }
   if (u) {
      u->left = 0;
      u->unsure = false;
   }
   return mt_sequence_store (s, q, last, called, err);
}

bool mt_sequence_set (MtSession *s, MtStr name, int64_t value, bool called, MtError *err)
{
   Use *u;
   if (!find_use (s, name, &u, err))
      return false;
   const MtSequence *q = &u->def;
   if (value < q->least || value > q->most)
      return mt_error (err, MT_E_NUMERIC_RANGE,
                       "setval: value %lld is out of bounds for sequence \"%s\" (%lld..%lld)",
                       (long long) value, q->name, (long long) q->least, (long long) q->most);
   if (s->unread)
      return true;
   if (!may_take (s, "setval()", err) || !mt_sequence_write (s, q, value, called, err))
      return false;
   if (called) {
      u->given = value;
      u->defined = true;
   }
   return true;
}

/* ---- the end of statements and transactions ---- */

/* Gives back the unused reserved values, unless another client has taken values after them. */
static bool give_back (MtSession *s, Use *u, MtError *err)
{
   int64_t last;
   bool called, found;
   if (mt_sequence_is_shared (s, &u->def)) {
      MtArena *a = mt_arena_new ("sequence", NULL);
      bool ok = set_if (s, a, &u->def, (Change) {u->end, u->given, true}, &found, err);
      mt_arena_free (a);
      return ok;
   }
   if (!mt_engine_begin (s->engine, err))
      return false;
   if (mt_sequence_read (s, &u->def, &last, &called, err) &&
       (last != u->end || mt_sequence_store (s, &u->def, u->given, true, err)) &&
       mt_engine_commit (s->engine, err))
      return true;
   mt_engine_rollback (s->engine);
   return false;
}

void mt_sequences_settle (MtSession *s)
{
   MtError ignored;
   for (Use *u = s->sequences ? s->sequences->uses : NULL; u; u = u->next) {
      if (u->def.cache > 1)
         continue;
      if (u->left > 0 && !mt_engine_in_step (s->engine))
         give_back (s, u, &ignored);
      u->left = 0;
      u->batch = 1;
   }
}

void mt_sequences_forget (MtSession *s)
{
   for (Use *u = s->sequences ? s->sequences->uses : NULL; u; u = u->next) {
      if (u->left > 0 && !mt_engine_in_step (s->engine)) {
         MtError ignored;
         give_back (s, u, &ignored);
      }
      u->left = 0;
      u->defined = u->unsure && u->defined; /* `given` is needed until the transaction ends */
   }
   if (s->sequences)
      s->sequences->last = NULL;
}

void mt_sequences_failed (MtSession *s)
{
   for (Use *u = s->sequences ? s->sequences->uses : NULL; u; u = u->next)
      if (!mt_sequence_is_shared (s, &u->def))
         u->left = 0;
}

static bool raise_one (MtSession *s, Use *u, MtError *err)
{
   int64_t last;
   bool called;
   if (!mt_engine_begin (s->engine, err))
      return false;
   if (mt_sequence_read (s, &u->def, &last, &called, err) &&
       (!is_behind (u, last, called) || mt_sequence_store (s, &u->def, u->given, true, err)) &&
       mt_engine_commit (s->engine, err))
      return true;
   mt_engine_rollback (s->engine);
   return false;
}

/* Returns whether the sequence is still the one from which the values were taken. A rollback of
 * DROP can bring back an older one with the same name. */
static bool is_same (MtSession *s, const Use *u, MtError *err)
{
   MtArena *a = mt_arena_new ("sequence", NULL);
   MtSequence *q;
   bool changed;
   bool ok = mt_catalog_refresh (s->catalog, &changed, err) &&
             mt_sequence_find (s, a, mt_str (u->def.name), true, &q, err) && q && q->made &&
             u->def.made && strcmp (q->made, u->def.made) == 0;
   mt_arena_free (a);
   return ok;
}

void mt_sequences_raise (MtSession *s, bool undone)
{
   MtError ignored;
   for (Use *u = s->sequences ? s->sequences->uses : NULL; u; u = u->next) {
      if (u->unsure && !mt_sequence_is_shared (s, &u->def) && (!undone || is_same (s, u, &ignored)))
         raise_one (s, u, &ignored);
      u->unsure = false;
   }
}
