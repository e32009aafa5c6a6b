/* VACUUM: merges small documents that separate loads wrote, and splits documents that grew too
 * large. Then the engine frees the space that single writes have left. */
#include "layouts/collections/partition.h"
#include "layouts/read/patch.h"
#include "layouts/read/decode.h"
#include "engine/pipe.h"
#include "session/coordinate/coordinate.h"
#include "session/core/objects.h"
#include "session/ddl/ddl.h"
#include "session/dml/dml.h"
#include "session/maintain/maintain.h"
#include "session/ddl/expire.h"
#include "session/core/core.h"

#include <math.h>
#include <string.h>

#define DOCUMENT_BYTES (8.0 * (1 << 20)) /* the writer's limit for documents that can be split */
#define DOCUMENT_LEVELS 50000.0

typedef struct Vacuum {
   MtStatement *st;
   const MtTable *t;
   MtTable next;
   bool changed;
   /* the layout and store that are being vacuumed */
   const MtLayout *l;
   const MtStoreDesc *s;
   const char *collection;
   MtCursor *cursor;
   MtArena *a;
   MtBson out;
   bson_t view; /* the bytes of `out`, as a bson_t */
} Vacuum;

/* ---- stores that need it ---- */

/* Reads the next stored document, and sets *out to a document with its key, its size in bytes and
 * its number of entries; NULL: no more documents. An MtNextDoc callback. */
static bool next_size (void *ctx, const bson_t **out, MtError *err)
{
   Vacuum *v = ctx;
   const bson_t *doc;
   MtRecords records;
   mt_arena_reset (v->a);
   *out = NULL;
   if (!mt_cursor_next (v->cursor, &doc, err) || !mt_cancel_check (&v->st->session->cancel, err))
      return false;
   if (!doc)
      return true;
   if (!mt_decode_records (v->a, &(MtTableStore) {v->t, v->l, v->s}, mt_v_doc (doc), &records, err))
      return false;
   double cells = 0;
   for (size_t i = 1; i < v->s->node_count; i++)
      cells += records.seen.nodes[i].cells;
   mt_bson_start (&v->out);
   size_t key = mt_bson_doc (&v->out, "k");
   for (size_t i = 0; i < v->s->root->bind_count; i++) {
      const MtBinding *b = &v->s->root->binds[i];
      MtVal at = b->from == MT_FROM_FIELD ? mt_doc_field (mt_v_doc (doc), b->at) : mt_v_null ();
      mt_bson_put (&v->out, mt_printf (v->a, "k%zu", i), at.type == MT_MISSING ? mt_v_null () : at);
   }
   mt_bson_end (&v->out, key);
   mt_bson_put (&v->out, "b", mt_v_double (doc->len));
   mt_bson_put (&v->out, "c", mt_v_double (cells));
   *out = &v->view;
   return mt_bson_finish (&v->out, &v->view) ||
          mt_error (err, MT_E_LIMIT, "a document is too large");
}

static void add_accumulator (MtArena *a, bson_t *group, const char *name, const char *op,
                             const char *path)
{
   bson_t *x = mt_doc_new (a);
   if (path)
      mt_doc_add_path (a, x, op, path);
   else
      mt_doc_add_int (x, op, 1);
   mt_doc_add_doc (group, name, x);
}

static double number_at (MtVal group, const char *name)
{
   MtVal v = mt_doc_field (group, name);
   return v.type == MT_DOUBLE ? v.d : (double) v.i;
}

/* Returns whether the documents of a key need VACUUM: there are more than necessary, or one is too
 * large. `group` is the result of a $group by key. */
static bool is_loose (const Vacuum *v, MtVal group)
{
   double levels = v->s->flush_levels ? (double) v->s->flush_levels : DOCUMENT_LEVELS;
   double needs = fmax (ceil (number_at (group, "b") / DOCUMENT_BYTES),
                        ceil (number_at (group, "c") / levels));
   bool large = number_at (group, "most") > 1.5 * DOCUMENT_BYTES ||
                number_at (group, "cells") > 2 * levels;
   return number_at (group, "n") > (needs <= 1 ? 1 : needs + 1) || (large && needs > 1);
}

static bool any_loose (Vacuum *v, MtArena *a, bool *yes, MtError *err)
{
   bson_t *group = mt_doc_new (a), none = BSON_INITIALIZER;
   MtPipe *p = mt_pipe_new (a);
   MtCursor *groups;
   const bson_t *doc;
   mt_doc_add_path (a, group, "_id", "k");
   add_accumulator (a, group, "n", "$sum", NULL);
   add_accumulator (a, group, "b", "$sum", "b");
   add_accumulator (a, group, "c", "$sum", "c");
   add_accumulator (a, group, "most", "$max", "b");
   add_accumulator (a, group, "cells", "$max", "c");
   mt_pipe_add (p, "$group", group);
   bool ok = mt_engine_aggregate (
      v->st->session->engine, &(MtAggregateArgs) {.collection = v->collection, .pipeline = &none},
      &v->cursor, err);
   bson_destroy (&none);
   if (!ok)
      return false;
   MtOverArgs over = {.next = next_size, .ctx = v, .pipeline = p->stages};
   ok = mt_engine_aggregate_over (v->st->session->engine, &over, &groups, err);
   while (ok && !*yes && (ok = mt_cursor_next (groups, &doc, err)) && doc)
      *yes = is_loose (v, mt_v_doc (doc));
   if (groups)
      mt_cursor_free (groups);
   mt_cursor_free (v->cursor);
   return ok;
}

static bool is_worth_it (Vacuum *v, bool *yes, MtError *err)
{
   *yes = v->st->stmt->maintain.full;
   if (*yes)
      return true;
   MtArena *a = mt_arena_new ("vacuum", v->st->arena);
   size_t n;
   bool ok = true, has;
   const char *const *names = mt_store_collections_of (a, v->s, &n);
   v->a = mt_arena_new ("document", a);
   for (size_t i = 0; i < n && ok && !*yes; i++) {
      v->collection = names[i];
      ok = mt_engine_has_collection (v->st->session->engine, names[i], &has, err) &&
           (!has || any_loose (v, a, yes, err));
   }
   mt_bson_free (&v->out);
   mt_arena_free (v->a);
   mt_arena_free (a);
   return ok;
}

/* ---- stores ---- */

static bool is_there (Vacuum *v, bool *has, MtError *err)
{
   *has = v->s->parts && v->s->parts->count;
   return v->s->parts ||
          mt_engine_has_collection (v->st->session->engine, v->s->collection, has, err);
}

static bool vacuum_store (Vacuum *v, size_t layout, size_t store, MtError *err)
{
   MtArena *a = v->st->arena;
   bool yes, has;
   size_t count;
   v->l = &v->t->layouts[layout];
   v->s = &v->l->stores[store];
   if (v->l->attached || !v->s->repeats || mt_store_is_rows (v->s))
      return true; /* each key of this store has only one document, so nothing can be merged */
   if (!is_there (v, &has, err) || (has && !is_worth_it (v, &yes, err)))
      return false;
   if (!has || !yes)
      return true;
   MtTable alone = *v->t;
   MtLayout one = *v->l;
   one.stores = &one.stores[store];
   one.store_count = 1;
   alone.layouts = &one;
   alone.layout_count = 1;
   const MtLeafWay *ways = mt_leaf_ways (a, &alone, &count),
                   *from = mt_leaf_trusted (&alone, ways, count, -1);
   double before = v->next.layouts[layout].stats[store].documents;
   MtStorePlace place = {layout, store, mt_printf (a, "packing %s", v->l->name)};
   if (!from || !mt_rebuild_store (v->st, from, &v->next, &place, err))
      return false;
   v->changed = true;
   mt_notice (v->st->session, "NOTICE", NULL, "layout \"%s\": %.0f document%s became %.0f",
              v->l->name, before, before == 1 ? "" : "s",
              v->next.layouts[layout].stats[store].documents);
   return true;
}

static bool vacuum_layouts (Vacuum *v, MtError *err)
{
   for (size_t i = 0; i < v->t->layout_count; i++)
      for (size_t j = 0; j < v->t->layouts[i].store_count; j++)
         if (!vacuum_store (v, i, j, err))
            return false;
   return !v->changed ||
          (mt_not_written_meanwhile (v->st, v->t, err) && mt_make_indexes (v->st, &v->next, err) &&
           mt_catalog_save_unwritten (v->st->session->catalog, v->t, &v->next, err));
}

/* Packs the collections of all layouts that the table owns. A temporary store isn't packed. */
static bool pack_collections (MtStatement *st, const MtTable *t, MtError *err)
{
   size_t n;
   bool ok = true;
   for (size_t i = 0; i < t->layout_count && !t->temporary; i++)
      for (size_t j = 0; ok && j < t->layouts[i].store_count && !t->layouts[i].attached; j++) {
         const char *const *names = mt_store_collections_of (st->arena, &t->layouts[i].stores[j],
                                                             &n);
         ok = mt_engine_pack (st->session->engine, names, n, err);
      }
   return ok;
}

static bool vacuum_table (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   if (!mt_no_live_intents (st, t, err) || !mt_intend_moves (st, &t, NULL, "rebuild", err) ||
       !mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   Vacuum v = {.st = st, .t = t, .next = mt_table_to_change (st->arena, t)};
   if (vacuum_layouts (&v, err) && pack_collections (st, t, err) && mt_step_commit (s, err))
      return !st->stmt->maintain.analyze || mt_analyze (st, v.changed ? &v.next : t, err);
   mt_step_rollback (s);
   return false;
}

/* Removes the expired rows of a table, then vacuums it. The first step changes the table's entry in
 * the catalog, so the table is read again. */
static bool vacuum_one (MtStatement *st, const MtTable *t, MtError *err)
{
   const char *name = mt_strdup (st->arena, t->name);
   return mt_sweep_expired (st, t, 0, true, err) &&
          mt_catalog_find (st->session->catalog, name, true, &t, err) && vacuum_table (st, t, err);
}

bool mt_run_vacuum (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const MtTable *t;
   size_t n;
   mt_result_set_tag (st->result, "VACUUM");
   if (s->txn.state != MT_TRANSACTION_NONE)
      return mt_error (err, MT_E_ACTIVE_TRANSACTION,
                       "VACUUM cannot run inside a transaction block");
   if (mt_engine_caps (s->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot execute VACUUM: the target is read-only");
   if (st->stmt->maintain.table.text)
      return mt_need_table (st, &st->stmt->maintain.table, &t, err) &&
             mt_check_columns (t, st->stmt->maintain.columns, err) && vacuum_one (st, t, err);
   const MtTable *const *all = mt_catalog_tables (s->catalog, &n);
   const char **names = MT_NEW_N (st->arena, const char *, n + 1);
   for (size_t i = 0; i < n; i++)
      names[i] = mt_strdup (st->arena, all[i]->name);
   for (size_t i = 0; i < n; i++)
      if (!mt_catalog_find (s->catalog, names[i], true, &t, err) || (t && !vacuum_one (st, t, err)))
         return false;
   return true;
}
