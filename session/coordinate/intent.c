/* Intents: where a statement's writes aren't one commit, and go to several collections, the catalog
 * says so before the first of them.
 *
 * Readers take only the collection that is right by itself (mt_leaf_trusted) while there is one.
 * Who ends, ends it; what a dead writer, or one that couldn't undo all that it did, leaves is
 * REPAIR's. */
#include "layouts/collections/partition.h"
#include "session/coordinate/coordinate.h"

#include <ctype.h>
#include <string.h>

static const char KIND[] = "intent";

bool mt_intents_apply (const MtSession *s)
{
   const MtCaps *caps = mt_engine_caps (s->engine);
   return !caps->savepoints && !caps->read_only && !s->options.catalog &&
          !mt_engine_in_txn (s->engine);
}

/* ---- a writer's own ---- */

/* The table itself comes or goes: nobody writes to it beside. */
static bool is_of_table (const char *what)
{
   return !strcmp (what, MT_INTENDS_CREATE) || !strcmp (what, MT_INTENDS_DROP);
}

/* Documents are read, and written anew: of what is taken back meanwhile nothing may have been
 * read. */
static bool remakes (const char *what)
{
   return !is_of_table (what) && strcmp (what, MT_INTENDS_DROP_LAYOUT) &&
          strcmp (what, MT_INTENDS_TRUNCATE);
}

/* ---- also where the statement was cancelled ---- */

enum { TAKING_BACK_MS = 5000 };

MtHushed mt_hush (MtSession *s, int64_t until_ms)
{
   MtHushed h = {atomic_exchange (&s->cancel.requested, false), s->cancel.deadline_ms,
                 mt_memory_hush (&s->shortage)};
   s->cancel.deadline_ms = until_ms;
   return h;
}

void mt_unhush (MtSession *s, MtHushed h)
{
   s->cancel.deadline_ms = h.deadline_ms;
   mt_memory_unhush (&s->shortage, h.shortage);
   if (h.requested && atomic_exchange (&s->cancel.requested, true))
      atomic_store (&s->cancel.insisted, true);
}

/* All of a statement that is to end: nobody waits for a server that doesn't answer. */
static void retire (MtSession *s)
{
   mt_catalog_beat (s->catalog, KIND, (const char (*)[25]) s->intents, s->intent_count);
   mt_engine_retire (s->engine);
   mt_catalog_invalidate (s->catalog);
   mt_intents_leave (s);
}

/* The last one, which couldn't be saved: the answer alone may be lost, and the connection with it.
 * Those before it go, too. */
static void withdraw (MtSession *s)
{
   MtError lost;
   if (s->txn.state == MT_TRANSACTION_NONE && !mt_cancel_check (&s->cancel, NULL)) {
      retire (s);
      return;
   }
   const char *name = s->intents[--s->intent_count];
   MtHushed h = mt_hush (s, mt_now_ms () + TAKING_BACK_MS);
   if (!mt_catalog_withdraw_object (s->catalog, KIND, name, &lost))
      mt_catalog_withdraw_object (s->catalog, KIND, name, &lost);
   mt_unhush (s, h);
   mt_intents_end (s);
}

static bool looks (const MtStatement *st)
{
   return st->stmt && (st->stmt->kind == MT_STMT_UPDATE || st->stmt->kind == MT_STMT_DELETE);
}

static bool is_own (const MtSession *s, const char *name);
static MtVal part (const MtCatalogObject *o, const char *name);

/* An earlier statement of what is undone together has said it already. */
static bool is_said (MtStatement *st, const MtTable *t, const char *what)
{
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (st->session->catalog, KIND, &n);
   bool said = false;
   for (size_t i = 0; i < n && !said && !strcmp (what, "write"); i++)
      said = is_own (st->session, all[i].name) && mt_v_is_text (part (&all[i], "table"), t->name) &&
             mt_v_is_text (part (&all[i], "what"), what) &&
             looks (st) == (part (&all[i], MT_INTENT_LOOKS).type != MT_MISSING);
   return said;
}

bool mt_intend (MtStatement *st, const MtTable *t, const char *what, const char *const *collections,
                size_t count, MtError *err)
{
   MtSession *s = st->session;
   bson_t body = BSON_INITIALIZER, list;
   bson_oid_t oid;
   if (!mt_intents_apply (s) || is_said (st, t, what))
      return true;
   if (s->intent_count == MT_MAX_INTENTS)
      return mt_error (
         err, MT_E_LIMIT,
         "a statement or transaction block can write to at most %d tables of several collections on a server",
         MT_MAX_INTENTS);
   bson_oid_init (&oid, NULL);
   char *name = s->intents[s->intent_count];
   bson_oid_to_string (&oid, name);
   mt_v_append (&body, "table", -1, mt_v_str (t->name, strlen (t->name)));
   mt_v_append (&body, "what", -1, mt_v_str (what, strlen (what)));
   mt_v_append (&body, "at", -1, mt_v_date (mt_wall_ms ()));
   if (looks (st))
      mt_v_append (&body, MT_INTENT_LOOKS, -1, mt_v_bool (true));
   bson_append_array_begin (&body, "collections", -1, &list);
   for (size_t i = 0; i < count; i++)
      mt_v_append (&list, mt_printf (st->arena, "%zu", i), -1,
                   mt_v_str (collections[i], strlen (collections[i])));
   bson_append_array_end (&body, &list);
   s->intent_count++; /* it may be there even when the answer is lost */
   s->intent_table = mt_strdup (st->arena, t->name);
   s->intents_plain = (s->intents_plain && s->intent_count > 1) || strcmp (what, "write");
   bool ok = mt_catalog_save_object (s->catalog, KIND, name, &body, err);
   bson_destroy (&body);
   if (!ok) {
      withdraw (s);
      return false;
   }
   mt_catalog_beat (s->catalog, KIND, (const char (*)[25]) s->intents, s->intent_count);
   if (!strcmp (what, "write") || !strcmp (what, MT_INTENDS_CREATE) ||
       !strcmp (what, MT_INTENDS_REFRESH))
      return true;
   s->announced = true;
   if (mt_leases_run_out (s, remakes (what), err))
      return true;
   mt_intents_drop (s);
   return false;
}

bool mt_intends_collection (MtStatement *st, const char *collection)
{
   MtSession *s = st->session;
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, KIND, &n);
   for (size_t i = 0; i < n; i++) {
      MtVal made = part (&all[i], "collections"), name;
      MtDocIter it = mt_doc_iter (made);
      MtStr key;
      while (made.type == MT_ARRAY && is_own (s, all[i].name) && mt_doc_next (&it, &key, &name))
         if (mt_v_is_text (name, collection))
            return true;
   }
   return false;
}

size_t mt_intents_drop (MtSession *s)
{
   bool dropped, again = true;
   MtError lost;
   size_t missing = 0;
   if (!s->intent_count)
      return 0;
   mt_catalog_beat (s->catalog, KIND, NULL, 0);
   MtHushed h = mt_hush (s, mt_now_ms () + TAKING_BACK_MS);
   for (size_t i = 0; i < s->intent_count; i++)
      if (mt_catalog_drop_object (s->catalog, KIND, s->intents[i], &dropped, &lost))
         missing += !dropped;
      else if (again) /* the connection was lost: over another one, of which may be none */
         again = mt_catalog_drop_object (s->catalog, KIND, s->intents[i], &dropped, &lost);
   mt_unhush (s, h);
   s->intent_count = 0;
   return missing;
}

/* What is left of them is told of by the catalog, until REPAIR. */
void mt_intents_leave (MtSession *s)
{
   if (s->intent_count)
      mt_catalog_beat (s->catalog, KIND, NULL, 0);
   s->intent_count = 0;
}

void mt_intents_end (MtSession *s)
{
   if (mt_intents_drop (s))
      mt_notice (s, "WARNING", "CHECK TABLE says whether all layouts have it.",
                 "REPAIR took the statement for one whose writer had died");
}

enum { MOST_SHORT = 1000 }; /* rows that are written out */

/* Others see what such a statement has sent long before it ends, and it may still be taken back. */
static bool takes_long (const MtStatement *st)
{
   const MtStmt *s = st->stmt;
   const MtSelect *source = s->kind == MT_STMT_INSERT ? s->insert.source : NULL;
   size_t n = 0;
   if (source && source->kind == MT_SELECT_VALUES)
      for (const MtRowList *r = source->values.rows; r && n <= MOST_SHORT; r = r->next)
         n++;
   return s->kind == MT_STMT_COPY || (source && source->kind != MT_SELECT_VALUES) || n > MOST_SHORT;
}

static bool others_remake (MtStatement *st, const MtTable *t);

bool mt_table_step_begin (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   size_t stores = 0;
   for (size_t i = 0; i < t->layout_count; i++)
      stores += t->layouts[i].store_count;
   bool seen = !t->temporary && takes_long (st) && !mt_engine_caps (s->engine)->atomic_write;
   bool told = mt_leases_apply (s) && !t->temporary && others_remake (st, t);
   if ((stores > 1 || seen || told) && !mt_intend (st, t, "write", NULL, 0, err))
      return false;
   if (mt_step_begin (s, err))
      return true;
   mt_intents_end (s);
   return false;
}

static bool ended_by_others (MtSession *s, MtError *err)
{
   s->displaced = true;
   mt_error (err, MT_E_SERIALIZATION, "table \"%s\" was emptied, dropped or repaired meanwhile",
             s->intent_table);
   return mt_error_hint (err, "Run the statement again.");
}

bool mt_intents_stand (MtSession *s, MtError *err)
{
   bool yes = true;
   int64_t beats;
   if (mt_engine_caps (s->engine)->atomic_write && !s->intents_plain)
      return true;
   if (s->intent_count == 1 && mt_catalog_intent_was_met (s->catalog, &yes))
      return yes || ended_by_others (s, err);
   for (size_t i = 0; i < s->intent_count && yes; i++)
      if (!mt_catalog_object_stands (s->catalog, KIND, s->intents[i], &yes, &beats, err))
         return false;
   return yes || ended_by_others (s, err);
}

bool mt_intents_break (MtStatement *st, const MtTable *t, MtError *err)
{
   size_t n;
   bool dropped, ok = true;
   const MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   for (size_t i = 0; i < n && ok && mt_intents_apply (st->session); i++)
      ok = strcmp (list[i].what, "write") ||
           mt_catalog_drop_object (st->session->catalog, KIND, list[i].name, &dropped, err);
   return ok;
}

/* ---- others' ---- */

static MtVal part (const MtCatalogObject *o, const char *name)
{
   return mt_doc_get (mt_v_doc (o->body), name, strlen (name));
}

const char *mt_intent_text (MtArena *a, const MtCatalogObject *o, const char *name)
{
   MtVal v = part (o, name);
   return v.type == MT_STRING ? mt_strndup (a, (const char *) v.p, v.len) : NULL;
}

static bool is_own (const MtSession *s, const char *name)
{
   for (size_t i = 0; i < s->intent_count; i++)
      if (!strcmp (s->intents[i], name))
         return true;
   return false;
}

MtIntent *mt_intents_of (MtSession *s, MtArena *a, const MtTable *t, size_t *count)
{
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, KIND, &n);
   MtIntent *out = MT_NEW_N (a, MtIntent, n + 1);
   *count = 0;
   for (size_t i = 0; i < n; i++) {
      MtVal table = part (&all[i], "table"), what = part (&all[i], "what"),
            at = part (&all[i], "at");
      if (table.type != MT_STRING || what.type != MT_STRING || is_own (s, all[i].name) ||
          table.len != strlen (t->name) || memcmp (table.p, t->name, table.len))
         continue;
      out[(*count)++] = (MtIntent) {.name = mt_strdup (a, all[i].name),
                                    .what = mt_strndup (a, (const char *) what.p, what.len),
                                    .at_ms = at.type == MT_DATE ? at.i : 0,
                                    .collections = mt_v_copy (a, part (&all[i], "collections"))};
   }
   return out;
}

/* ---- around what a short statement sends ---- */

/* Who makes a table's documents anew, or takes them away. Those who add rows are no matter to each
 * other. */
static bool others_remake (MtStatement *st, const MtTable *t)
{
   size_t n;
   const MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   bool yes = false;
   for (size_t i = 0; i < n; i++)
      yes |= strcmp (list[i].what, "write") != 0;
   return yes;
}

/* The table as it is now; NULL: it is another one. */
static bool look_again (MtSession *s, const MtTable *t, const MtTable **now, MtError *err)
{
   if (!mt_catalog_refresh (s->catalog, NULL, err) ||
       !mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, t->name, true, now, err))
      return false;
   if (*now && ((*now)->version != t->version || (*now)->made != t->made))
      *now = NULL;
   return true;
}

bool mt_write_ahead (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   const MtTable *now;
   s->announced = mt_leases_apply (s) && !t->temporary && others_remake (st, t);
   return !s->announced ||
          (look_again (s, t, &now, err) && (now || mt_catalog_changed_meanwhile (t->name, err)));
}

bool mt_write_confirm (MtStatement *st, const MtTable *t, const MtTable **now, MtError *err)
{
   MtSession *s = st->session;
   uint64_t made;
   bool same;
   *now = NULL;
   if (!mt_leases_apply (s) || t->temporary)
      return true;
   if (!mt_engine_incremented (
          s->engine, &made,
          err)) /* all of it is sent, before the description says so: whoever drops the table takes
                   its place first, and the collection then */
      return false;
   if (t->unique || s->announced || s->intent_count || others_remake (st, t))
      return true; /* what the catalog gets then says itself whether the description is the one that
                      was read */
   if (!mt_lease_confirms (s, &same, err))
      return false;
   if (same)
      *now = t;
   if (same || !look_again (s, t, now, err))
      return same;
   if (*now && others_remake (st, *now))
      *now = NULL;
   return true;
}

void mt_write_ambiguous (MtSession *s, const char *table, int64_t made, int64_t version,
                         size_t layouts, MtError *err)
{
   const MtTable *now;
   MtError ignored;
   if (s->announced || !mt_leases_apply (s) || !mt_catalog_refresh (s->catalog, NULL, &ignored) ||
       !mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, table, true, &now, &ignored) ||
       !now || now->made != made || (now->layout_count <= layouts && now->version == version))
      return;
   mt_error_detail (
      err,
      now->layout_count > layouts
         ? "A layout that was added meanwhile may have rows of the statement, which were taken back elsewhere."
         : "Its rows were taken back; where all of the table's were written anew meanwhile, they may be among those.");
   mt_error_hint (
      err,
      now->layout_count > layouts
         ? "CHECK TABLE says whether it does, REPAIR TABLE mends it. Then run the statement again."
         : "Look whether they are there, and else run the statement again.");
}

static const char *time_text (MtStatement *st, int64_t ms)
{
   MtBuf text = {0};
   mt_value_print (mt_type (MT_T_TIMESTAMPTZ), mt_v_date (ms / 1000 * 1000), &st->env.style, &text,
                   NULL);
   const char *out = mt_strndup (st->arena, text.p ? text.p : "", text.n);
   mt_buf_free (&text);
   return out;
}

void mt_tell_intents (MtStatement *st, const MtTable *t)
{
   size_t n;
   const MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   for (size_t i = 0; i < n; i++)
      mt_notice (
         st->session, "NOTICE", "REPAIR TABLE does what is left of it when its writer has died.",
         "a statement (%s) that began to change table \"%s\" at %s goes on, or wasn't finished",
         list[i].what, t->name, time_text (st, list[i].at_ms));
}

bool mt_no_live_intents (MtStatement *st, const MtTable *t, MtError *err)
{
   size_t n;
   const MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   for (size_t i = 0; i < n; i++) {
      if (!mt_intent_may_live (st->session, &list[i]))
         continue;
      mt_error (err, MT_E_IN_USE,
                "a statement (%s) that began to change table \"%s\" at %s may still go on",
                list[i].what, t->name, time_text (st, list[i].at_ms));
      return mt_error_hint (
         err,
         "Run the statement again when that one has ended. A writer that gives no sign of life for intent_timeout is taken for dead.");
   }
   return true;
}

bool mt_not_written_meanwhile (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   const MtTable *now;
   const char *name = mt_strdup (st->arena, t->name);
   int64_t version = t->version, writes = t->writes;
   MtTableScope among = t->temporary ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES;
   if (!mt_intents_apply (s))
      return true;
   if (!mt_catalog_refresh (s->catalog, NULL, err) ||
       !mt_catalog_find_among (s->catalog, among, name, true, &now, err))
      return false;
   if (now && now->version == version && now->writes == writes)
      return mt_no_live_intents (st, now, err);
   mt_error (err, MT_E_SERIALIZATION, "table \"%s\" was written to meanwhile", name);
   return mt_error_hint (err, "Run the statement again while nobody writes to the table.");
}

/* ---- what dead writers leave ---- */

static bool drop_unowned (MtSession *s, const char *collection, MtError *err)
{
   bool attached;
   return mt_collection_owner (s, collection, &attached) ||
          mt_engine_drop_collection (s->engine, collection, err);
}

static const struct {
   MtUnit unit;
   const char *suffix;
} PARTITIONS[] = {{MT_UNIT_MONTH, "_YYYY_MM"}, {MT_UNIT_DAY, "_YYYY_MM_DD"}};
#define PARTITION_KINDS (sizeof PARTITIONS / sizeof *PARTITIONS)

const char *mt_intended_name (MtArena *a, const MtStoreDesc *s)
{
   for (size_t i = 0; i < PARTITION_KINDS && s->parts; i++)
      if (s->parts->unit == PARTITIONS[i].unit)
         return mt_printf (a, "%s%s", s->collection, PARTITIONS[i].suffix);
   return s->collection;
}

/* The store that such a name is of. */
static MtStoreDesc intended_store (MtArena *a, const char *name, MtPartitions *parts)
{
   size_t n = strlen (name);
   for (size_t i = 0; i < PARTITION_KINDS; i++) {
      size_t k = strlen (PARTITIONS[i].suffix);
      if (n <= k || strcmp (name + n - k, PARTITIONS[i].suffix))
         continue;
      *parts = (MtPartitions) {.unit = PARTITIONS[i].unit};
      return (MtStoreDesc) {.collection = mt_strndup (a, name, n - k), .parts = parts};
   }
   return (MtStoreDesc) {.collection = name};
}

/* What an intent says that it makes (there was none of it before: mt_intend_layout, mt_fresh_name),
 * or takes the place of: it stays where the catalog has it. */
static bool drop_made (MtStatement *st, const char *name, MtError *err)
{
   const char **names;
   size_t n;
   MtPartitions parts;
   const MtStoreDesc made = intended_store (st->arena, name, &parts);
   if (!made.parts)
      return drop_unowned (st->session, name, err);
   if (!mt_engine_collections (st->session->engine, st->arena, &names, &n, err))
      return false;
   for (size_t i = 0; i < n; i++)
      if (mt_store_owns (&made, names[i]) && !drop_unowned (st->session, names[i], err))
         return false;
   return true;
}

bool mt_clear_intents (MtStatement *st, const MtTable *t, const MtIntent *list, size_t count,
                       MtError *err)
{
   MtSession *s = st->session;
   for (size_t i = 0; i < count; i++) {
      bool dropped;
      MtDocIter it = mt_doc_iter (list[i].collections);
      MtStr key;
      MtVal name;
      while (list[i].collections.type == MT_ARRAY && mt_doc_next (&it, &key, &name))
         if (name.type == MT_STRING &&
             !drop_made (st, mt_strndup (st->arena, (const char *) name.p, name.len), err))
            return false;
      if (!mt_catalog_drop_object (s->catalog, KIND, list[i].name, &dropped, err))
         return false;
   }
   return true;
}

bool mt_clear_creation (MtStatement *st, const MtTable *t, MtError *err)
{
   size_t n, created = 0;
   const MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   for (size_t i = 0; i < n && !t->temporary; i++)
      created += is_of_table (list[i].what);
   return !created || (mt_no_live_intents (st, t, err) && mt_clear_intents (st, t, list, n, err));
}

bool mt_clear_dead_intents (MtStatement *st, const MtTable *t, MtError *err)
{
   size_t n, dead = 0;
   MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   for (size_t i = 0; i < n && !t->temporary; i++)
      if (!mt_intent_may_live (st->session, &list[i]))
         list[dead++] = list[i];
   return mt_clear_intents (st, t, list, dead, err);
}

bool mt_collection_intended (MtStatement *st, const MtTable *t, const char *collection,
                             MtError *err)
{
   size_t n;
   const MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   for (size_t i = 0; i < n; i++) {
      MtDocIter it = mt_doc_iter (list[i].collections);
      MtStr key;
      MtVal name;
      while (list[i].collections.type == MT_ARRAY && mt_doc_next (&it, &key, &name))
         if (mt_v_is_text (name, collection)) {
            mt_error (
               err, MT_E_STATE,
               "collection \"%s\" is being filled by another statement, or was left half filled",
               collection);
            return mt_error_hint (
               err, "REPAIR TABLE %s removes it when that statement's writer has died.",
               mt_quoted (st->arena, t->name));
         }
   }
   return true;
}

bool mt_collection_stays (MtSession *s, MtArena *a, const char *collection, MtError *err)
{
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, KIND, &n);
   for (size_t i = 0; i < n; i++) {
      MtVal what = part (&all[i], "what"), made = part (&all[i], "collections"), name;
      if (what.type != MT_STRING || made.type != MT_ARRAY ||
          !is_of_table (mt_strndup (a, (const char *) what.p, what.len)))
         continue;
      MtDocIter it = mt_doc_iter (made);
      MtStr key;
      while (mt_doc_next (&it, &key, &name)) {
         MtPartitions parts;
         MtStoreDesc store = {.collection = ""};
         if (name.type == MT_STRING)
            store = intended_store (a, mt_strndup (a, (const char *) name.p, name.len), &parts);
         if (!mt_store_owns (&store, collection))
            continue;
         mt_error (
            err, MT_E_STATE,
            "collection \"%s\" is being made or dropped by another statement, or was left by one that died",
            collection);
         return mt_error_hint (err, "CREATE TABLE of that table's name removes what was left.");
      }
   }
   return true;
}
