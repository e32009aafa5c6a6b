/* Leases. A session that makes many short writes to a server needs a lease, so that it need not
 * read the catalog's version for each. Below, a look is one read of that version.
 *
 * The rule: a short write is acknowledged only if nobody had changed the catalog by the time its
 * rows arrived. Without a lease, a session looks after it has sent the rows. With a lease, a look
 * sent less than ENDS_US before suffices.
 *
 * A lease is a catalog object. After saving its lease, the session looks once more. A client that
 * changes the catalog first saves the change, and then reads the leases. So either the session's
 * look finds the change, or the client finds the lease. In the second case the client waits WAIT_NS
 * before it does anything that an old description of a table would forbid. Each measures time by
 * its own steady clock.
 *
 * A look that finds a change ends the session's lease. A lease contains the catalog version that
 * its session had read. After waiting, a client removes leases with older versions, even those of
 * dead sessions. The next change removes the other leases. */
#include "session/coordinate/coordinate_int.h"

#include "base/bson.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static const char KIND[] = "lease";

/* BEGINS_US and ENDS_US: the greatest age of the last read of the version when a short statement
 * begins, and when it ends. WAIT_NS: how long a client that changes the catalog waits if there are
 * leases. */
#define BEGINS_US 150000
#define ENDS_US 250000
#define WAIT_NS 400000000
/* A session takes a lease after BURST_LOOKS consecutive reads of the version without a change, each
 * at most BURST_US after the preceding one. */
#define BURST_US 200000
enum { BURST_LOOKS = 8 };

bool mt_leases_apply (const MtSession *s)
{
   const MtCaps *caps = mt_engine_caps (s->engine);
   return !caps->savepoints && !caps->read_only && !caps->atomic_write && caps->adjusts &&
          !s->options.catalog && !mt_engine_in_txn (s->engine);
}

bool mt_look_is_fresh (const MtSession *s) { return mt_catalog_age_us (s->catalog) < BEGINS_US; }

/* ---- the session's own lease ---- */

/* Saves the session's lease. This does not change the catalog's version, because clients read
 * leases only when they change the catalog. */
static bool write_lease (MtSession *s, MtArena *a)
{
   bson_t first = BSON_INITIALIZER;
   bson_oid_t oid;
   MtError ignored;
   bool found;
   bson_oid_init (&oid, NULL);
   /* Set first, because the lease may be stored even if the server's reply is lost. */
   bson_oid_to_string (&oid, s->coordination->lease.name);
   mt_doc_add_text (&first, "kind", KIND);
   mt_doc_add_text (&first, "name", s->coordination->lease.name);
   mt_doc_add (&first, "at", mt_v_date (mt_wall_ms ()));
   mt_doc_add (&first, "version", mt_v_int64 (mt_catalog_known (s->catalog)));
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

/* Replaces the session's lease by a new one with another name, because other clients may remove the
 * old one at any time. */
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

/* ---- sessions that change the catalog ---- */

/* Another session's lease. */
typedef struct Other {
   const char *name;
   bool ends; /* its session had read only an older version of the catalog */
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
      MtVal name = mt_doc_field (mt_v_doc (doc), "name"),
            version = mt_doc_field (mt_v_doc (doc), "version");
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

/* Waits until other sessions' leases have run out, ignoring errors. If the leases can't be read,
 * waits as if another session had one. */
void mt_leases_run_out_behind (MtSession *s)
{
   enum { MOST_MS = 5000 };
   MtError ignored;
   MtSuspended h = mt_cancel_suspend (s, mt_now_ms () + MOST_MS);
   if (!mt_leases_run_out (s, false, &ignored))
      wait_out ();
   mt_cancel_resume (s, h);
}
