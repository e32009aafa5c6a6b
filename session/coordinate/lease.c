/* Leases: how a session that writes many short statements to a server, one after the other, needn't
 * ask before or after each whether tables changed.
 *
 * The rule: a short statement that wrote says so only when it knows that nobody had changed the
 * catalog when its rows were acknowledged. It knows by a look behind them; or by a lease, if the
 * last look was sent less than ENDS_US before. A lease is an object of the catalog. Its session has
 * looked once more after it was there, and found nothing new: so who changes the catalog either was
 * seen by that look, or reads the leases after what was changed, finds it, and waits for WAIT_NS
 * before anything is said or done that the old description doesn't allow. Each measures by its own
 * steady clock, and neither asks for the other's.
 *
 * A look that finds something new ends the session's lease. A lease says which version its session
 * knew: one that knew an older one than who has waited knows ends by itself, and may be removed,
 * those of dead sessions, too; one that may know what was changed is only waited for, and left to
 * the next change. */
#include "session/coordinate/coordinate_int.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static const char KIND[] = "lease";

#define BEGINS_US \
   150000 /* so old may a look be when a short statement begins, which has time to end then */
#define ENDS_US 250000
#define WAIT_NS 400000000
#define BURST_US \
   200000 /* so many looks, none of them later than this after the one before, all of which found \
             nothing new, and it is worth a lease */
enum { BURST_LOOKS = 8 };

bool mt_leases_apply (const MtSession *s)
{
   const MtCaps *caps = mt_engine_caps (s->engine);
   return !caps->savepoints && !caps->read_only && !caps->atomic_write && caps->adjusts &&
          !s->options.catalog && !mt_engine_in_txn (s->engine);
}

bool mt_look_is_fresh (const MtSession *s) { return mt_catalog_age_us (s->catalog) < BEGINS_US; }

/* ---- the session's own ---- */

/* Others needn't be told of it: they read it when they change something. */
static bool write_lease (MtSession *s, MtArena *a)
{
   bson_t first = BSON_INITIALIZER;
   bson_oid_t oid;
   MtError ignored;
   bool found;
   bson_oid_init (&oid, NULL);
   bson_oid_to_string (
      &oid, s->coordination->lease.name); /* it may be there even when the answer is lost */
   mt_v_append (&first, "kind", -1, mt_v_str (KIND, sizeof KIND - 1));
   mt_v_append (&first, "name", -1,
                mt_v_str (s->coordination->lease.name, strlen (s->coordination->lease.name)));
   mt_v_append (&first, "at", -1, mt_v_date (mt_wall_ms ()));
   mt_v_append (&first, "version", -1, mt_v_int64 (mt_catalog_known (s->catalog)));
   bool ok = mt_engine_adjust (s->engine, MT_CATALOG_COLLECTION,
                               mt_catalog_object_id (a, KIND, s->coordination->lease.name),
                               &(MtAdjust) {.first = &first}, &found, &ignored);
   bson_destroy (&first);
   return ok;
}

static bool remove_lease (MtSession *s, MtArena *a, const char *name)
{
   bool gone;
   MtError ignored;
   return mt_engine_delete_id (s->engine, MT_CATALOG_COLLECTION,
                               mt_catalog_object_id (a, KIND, name), &gone, &ignored);
}

static bool holds (const MtSession *s)
{
   return s->coordination->lease.held &&
          s->coordination->lease.generation == mt_catalog_generation (s->catalog);
}

/* Another name than before: who has read that one may yet remove it. */
static bool register_lease (MtSession *s)
{
   MtArena *a = mt_arena_new ("lease", NULL);
   if (*s->coordination->lease.name)
      remove_lease (s, a, s->coordination->lease.name);
   bool ok = write_lease (s, a);
   s->coordination->lease.looks = 0;
   mt_arena_free (a);
   return ok;
}

static bool is_burst (MtSession *s)
{
   MtLease *l = &s->coordination->lease;
   int64_t now = mt_now_us ();
   if (l->generation != mt_catalog_generation (s->catalog) || !l->looks ||
       now - l->looked_us > BURST_US) {
      l->held = false;
      l->generation = mt_catalog_generation (s->catalog);
      l->looks = 0;
   }
   l->looked_us = now;
   return ++l->looks > BURST_LOOKS;
}

bool mt_lease_confirms (MtSession *s, bool *same, MtError *err)
{
   *same = holds (s) && mt_catalog_age_us (s->catalog) < ENDS_US;
   if (*same)
      return true;
   bool registered = !holds (s) && is_burst (s) && register_lease (s);
   if (!mt_catalog_unchanged (s->catalog, same, err))
      return false;
   if (registered && *same)
      s->coordination->lease.held = true;
   return true;
}

void mt_lease_end (MtSession *s)
{
   if (!*s->coordination->lease.name || !mt_leases_apply (s))
      return;
   MtArena *a = mt_arena_new ("lease", NULL);
   remove_lease (s, a, s->coordination->lease.name);
   mt_arena_free (a);
}

/* ---- those who change the catalog ---- */

/* Another session's. */
typedef struct Other {
   const char *name;
   bool ends; /* its session doesn't know the version that is known here */
} Other;

static bool others (MtSession *s, MtArena *a, Other **list, size_t *count, MtError *err)
{
   MtCursor *cur;
   const bson_t *doc;
   size_t cap = 0;
   bool ok = mt_catalog_documents (s->catalog, KIND, &cur, err);
   *list = NULL;
   *count = 0;
   if (!ok)
      return false;
   while ((ok = mt_cursor_next (cur, &doc, err)) && doc) {
      MtVal name = mt_doc_get (mt_v_doc (doc), "name", 4),
            version = mt_doc_get (mt_v_doc (doc), "version", 7);
      if (name.type != MT_STRING || mt_v_is_text (name, s->coordination->lease.name))
         continue;
      MT_GROW_IN (a, *list, *count, cap, 8);
      (*list)[(*count)++] = (Other) {mt_strndup (a, (const char *) name.p, name.len),
                                     version.type != MT_INT64 ||
                                        version.i < mt_catalog_known (s->catalog)};
   }
   mt_cursor_free (cur);
   return ok;
}

static void wait_out (void)
{
   struct timespec t = {.tv_nsec = WAIT_NS};
   while (nanosleep (&t, &t) && errno == EINTR)
      ;
}

bool mt_leases_run_out (MtSession *s, bool always, MtError *err)
{
   Other *list;
   size_t n;
   if (!mt_leases_apply (s))
      return true;
   MtArena *a = mt_arena_new ("leases", NULL);
   bool ok = others (s, a, &list, &n, err);
   if (n || always)
      wait_out ();
   for (size_t i = 0; i < n; i++)
      if (list[i].ends)
         remove_lease (s, a, list[i].name);
   mt_arena_free (a);
   return ok;
}

/* Where they can't be read, they are waited for. */
void mt_leases_run_out_behind (MtSession *s)
{
   enum { MOST_MS = 5000 };
   MtError ignored;
   MtSuspended h = mt_cancel_suspend (s, mt_now_ms () + MOST_MS);
   if (!mt_leases_run_out (s, false, &ignored))
      wait_out ();
   mt_cancel_resume (s, h);
}
