/* The session's own intents. An intent is a note in the catalog of what a statement is about to
 * write. On a server without transactions, a statement saves an intent before it writes to several
 * collections.
 *
 * While there is an intent about a table, readers use only the collection that is right by itself
 * (mt_leaf_trusted). A statement removes its intent when it ends. If its writer dies, or could not
 * undo all its writes, the intent stays until REPAIR. */
#include "session/coordinate/coordinate_int.h"

#include "base/bson.h"
#include "layouts/cell_state.h"

#include <string.h>

enum { TAKING_BACK_MS = 5000 };

bool mt_intents_apply (const MtSession *s)
{
   const MtCaps *caps = mt_engine_caps (s->engine);
   return !caps->savepoints && !caps->read_only && !s->options.catalog &&
          !mt_engine_in_txn (s->engine);
}

/* Returns whether a statement with this purpose reads documents and rewrites them. Then it must not
 * read rows that another statement may undo. */
static bool remakes (const char *what)
{
   return !mt_intent_is_of_table (what) && strcmp (what, MT_INTENDS_DROP_LAYOUT) &&
          strcmp (what, MT_INTENDS_TRUNCATE);
}

static bool looks (const MtStatement *st)
{
   return st->stmt && (st->stmt->kind == MT_STMT_UPDATE || st->stmt->kind == MT_STMT_DELETE);
}

/* ---- removing intents ---- */

/* Removes the session's intents (notes of planned writes) after a cancel request, by a background
 * job of the engine, so that the statement need not wait for a server that does not respond. */
static void retire (MtSession *s)
{
   mt_catalog_beat (s->catalog, MT_INTENT_KIND, (const char (*)[25]) s->coordination->intents,
                    s->coordination->intent_count);
   mt_engine_retire (s->engine);
   mt_catalog_invalidate (s->catalog);
   mt_intents_leave (s);
}

/* Removes all intents (notes of planned writes) of the session after saving the last one has
 * failed. The last one is removed, too: it may be stored if only the server's reply was lost. */
static void withdraw (MtSession *s)
{
   MtError lost;
   if (s->txn.state == MT_TRANSACTION_NONE && !mt_cancel_check (&s->cancel, NULL)) {
      retire (s);
      return;
   }
   const char *name = s->coordination->intents[--s->coordination->intent_count];
   MtSuspended h = mt_cancel_suspend (s, mt_now_ms () + TAKING_BACK_MS);
   if (!mt_catalog_withdraw_object (s->catalog, MT_INTENT_KIND, name, &lost))
      mt_catalog_withdraw_object (s->catalog, MT_INTENT_KIND, name, &lost);
   mt_cancel_resume (s, h);
   mt_intents_end (s);
}

size_t mt_intents_drop (MtSession *s)
{
   bool dropped, again = true;
   MtError lost;
   size_t missing = 0;
   if (!s->coordination->intent_count)
      return 0;
   mt_catalog_beat (s->catalog, MT_INTENT_KIND, NULL, 0);
   MtSuspended h = mt_cancel_suspend (s, mt_now_ms () + TAKING_BACK_MS);
   for (size_t i = 0; i < s->coordination->intent_count; i++)
      if (mt_catalog_drop_object (s->catalog, MT_INTENT_KIND, s->coordination->intents[i], &dropped,
                                  &lost))
         missing += !dropped;
      else if (again) /* one more try, because the first may have lost the connection */
         again = mt_catalog_drop_object (s->catalog, MT_INTENT_KIND, s->coordination->intents[i],
                                         &dropped, &lost);
   mt_cancel_resume (s, h);
   s->coordination->intent_count = 0;
   return missing;
}

void mt_intents_leave (MtSession *s)
{
   if (s->coordination->intent_count)
      mt_catalog_beat (s->catalog, MT_INTENT_KIND, NULL, 0);
   s->coordination->intent_count = 0;
}

void mt_intents_end (MtSession *s)
{
   if (mt_intents_drop (s))
      mt_notice (s, "WARNING", "Run CHECK TABLE to find rows that not all layouts have.",
                 "another client's REPAIR TABLE ran as if this statement had ended");
}

/* ---- saving ---- */

/* Returns whether the session already has an intent (a note of a planned write) to write rows to
 * the table, from an earlier statement of the transaction. False if `what` is another purpose. */
static bool is_said (MtStatement *st, const MtTable *t, const char *what)
{
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (st->session->catalog, MT_INTENT_KIND, &n);
   bool said = false;
   for (size_t i = 0; i < n && !said && !strcmp (what, MT_INTENDS_WRITE); i++)
      said = mt_intent_is_own (st->session, all[i].name) &&
             mt_v_is_text (mt_intent_part (&all[i], "table"), t->name) &&
             mt_v_is_text (mt_intent_part (&all[i], "what"), what) &&
             looks (st) == (mt_intent_part (&all[i], MT_INTENT_LOOKS).type != MT_MISSING);
   return said;
}

static void note_since (MtSession *s, const MtTable *t)
{
   MtCoordination *c = s->coordination;
   size_t i = c->intent_count;
   c->intent_since[i].joins = false;
   c->intent_since[i].version = t->version;
   c->intent_since[i].writes = t->writes;
   for (size_t l = 0; l < t->layout_count; l++)
      for (size_t k = 0; k < t->layouts[l].store_count; k++)
         c->intent_since[i].joins |= mt_store_joins (&t->layouts[l], &t->layouts[l].stores[k]);
}

bool mt_intend (MtStatement *st, const MtTable *t, const char *what, const char *const *collections,
                size_t count, MtError *err)
{
   MtSession *s = st->session;
   bson_t body = BSON_INITIALIZER, list;
   bson_oid_t oid;
   if (!mt_intents_apply (s) || is_said (st, t, what))
      return true;
   if (s->coordination->intent_count == MT_MAX_INTENTS)
      return mt_error (
         err, MT_E_LIMIT,
         "a statement or transaction block can write to at most %d tables of several collections "
         "on a server",
         MT_MAX_INTENTS);
   bson_oid_init (&oid, NULL);
   char *name = s->coordination->intents[s->coordination->intent_count];
   bson_oid_to_string (&oid, name);
   mt_doc_add_text (&body, "table", t->name);
   mt_doc_add_text (&body, "what", what);
   mt_doc_add (&body, "at", mt_v_date (mt_wall_ms ()));
   if (looks (st))
      mt_doc_add (&body, MT_INTENT_LOOKS, mt_v_bool (true));
   mt_array_begin (&body, "collections", &list);
   for (size_t i = 0; i < count; i++)
      mt_doc_push (&list, mt_v_cstr (collections[i]));
   mt_array_end (&body, &list);
   note_since (s, t);
   /* Counted before it is saved, because it may be stored even if the server's reply is lost. */
   s->coordination->intent_count++;
   s->coordination->intent_table = mt_strdup (st->arena, t->name);
   s->coordination->intents_plain = (s->coordination->intents_plain &&
                                     s->coordination->intent_count > 1) ||
                                    strcmp (what, MT_INTENDS_WRITE);
   bool ok = mt_catalog_save_object (s->catalog, MT_INTENT_KIND, name, &body, err);
   bson_destroy (&body);
   if (!ok) {
      withdraw (s);
      return false;
   }
   mt_catalog_beat (s->catalog, MT_INTENT_KIND, (const char (*)[25]) s->coordination->intents,
                    s->coordination->intent_count);
   if (!strcmp (what, MT_INTENDS_WRITE) || !strcmp (what, MT_INTENDS_CREATE) ||
       !strcmp (what, MT_INTENDS_REFRESH))
      return true;
   s->coordination->announced = true;
   if (mt_leases_run_out (s, remakes (what), err))
      return true;
   mt_intents_drop (s);
   return false;
}

/* ---- rows that other clients may have read ---- */

/* Returns whether other clients have written to the table of intent (a note of a planned write)
 * number i since it was saved. */
static bool is_shared (MtSession *s, MtArena *a, size_t i)
{
   MtCoordination *c = s->coordination;
   const MtTable *t;
   MtError lost;
   size_t n, others = 0;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, MT_INTENT_KIND, &n);
   const char *name = NULL;
   for (size_t k = 0; k < n && !name; k++)
      if (!strcmp (all[k].name, c->intents[i]))
         name = mt_intent_text (a, &all[k], "table");
   if (!name || !mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, name, true, &t, &lost) ||
       !t)
      return false;
   mt_intents_of (s, a, t, &others);
   return others || t->version != c->intent_since[i].version ||
          t->writes != c->intent_since[i].writes;
}

bool mt_undone_was_read (MtSession *s)
{
   MtCoordination *c = s->coordination;
   bool joins = false, shared = false;
   MtError lost;
   for (size_t i = 0; i < c->intent_count; i++)
      joins = joins || c->intent_since[i].joins;
   if (!joins)
      return false;
   MtArena *a = mt_arena_new ("intents", NULL);
   MtSuspended h = mt_cancel_suspend (s, mt_now_ms () + TAKING_BACK_MS);
   shared = !mt_catalog_refresh (s->catalog, NULL, &lost);
   for (size_t i = 0; i < c->intent_count && !shared; i++)
      shared = c->intent_since[i].joins && is_shared (s, a, i);
   mt_cancel_resume (s, h);
   mt_arena_free (a);
   if (shared)
      mt_notice (
         s, "WARNING", "Run REPAIR TABLE to make the roll-ups again.",
         "roll-ups may include rows of the undone statement, because another client wrote to "
         "the table meanwhile");
   return shared;
}

bool mt_intends_collection (MtStatement *st, const char *collection)
{
   MtSession *s = st->session;
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, MT_INTENT_KIND, &n);
   for (size_t i = 0; i < n; i++) {
      MtVal made = mt_intent_part (&all[i], "collections"), name;
      MtDocIter it = mt_doc_iter (made);
      MtStr key;
      while (made.type == MT_ARRAY && mt_intent_is_own (s, all[i].name) &&
             mt_doc_next (&it, &key, &name))
         if (mt_v_is_text (name, collection))
            return true;
   }
   return false;
}

/* ---- intents that other clients have removed ---- */

static bool ended_by_others (MtSession *s, MtError *err)
{
   s->coordination->interference = MT_DISPLACED;
   mt_error (err, MT_E_SERIALIZATION, "table \"%s\" was emptied, dropped or repaired meanwhile",
             s->coordination->intent_table);
   return mt_error_hint (err, "Run the statement again.");
}

bool mt_intents_stand (MtSession *s, MtError *err)
{
   bool yes = true;
   int64_t beats;
   if (mt_engine_caps (s->engine)->atomic_write && !s->coordination->intents_plain)
      return true;
   if (s->coordination->intent_count == 1 && mt_catalog_intent_was_met (s->catalog, &yes))
      return yes || ended_by_others (s, err);
   for (size_t i = 0; i < s->coordination->intent_count && yes; i++)
      if (!mt_catalog_object_stands (s->catalog, MT_INTENT_KIND, s->coordination->intents[i], &yes,
                                     &beats, err))
         return false;
   return yes || ended_by_others (s, err);
}
