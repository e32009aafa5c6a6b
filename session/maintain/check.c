/* CHECK TABLE and CHECK LAYOUT: compare stored sums with the records from which they were made, and
 * the layouts with each other. */
#include "layouts/cell_state.h"
#include "layouts/collections/partition.h"
#include "layouts/read/faults.h"
#include "layouts/read/decode.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/dml/dml.h"
#include "session/maintain/maintain.h"

#include <string.h>

enum { MOST_REPORTED = 1000 };

/* ---- rows of CHECK's result ---- */

typedef struct Check {
   MtStatement *st;
   const MtTable *t;
   const MtLayout *l; /* the layout that is checked */
   const MtStoreDesc *s;
   const MtPartition *part; /* the partition that is checked; NULL: the store has none */
   const MtLeafWay *way;    /* describes how the partition's records or sums are read */
   /* the correct layout, from which REPAIR can write others again; NULL: none */
   const MtLeafWay *right;
   const MtLeafWay *ways;
   size_t way_count;
   /* faults: the number of all faults. strayed: documents with rows of another partition that
    * REPAIR does not move. shapeless: malformed documents that REPAIR does not replace. */
   uint64_t faults, strayed, shapeless;
} Check;

/* A row of CHECK's result. A NULL pointer, or an id of MT_MISSING, is SQL NULL. */
typedef struct FaultRow {
   const char *layout;
   MtVal id;
   const char *path, *what, *stored, *expected;
} FaultRow;

static void add_fault (Check *c, const FaultRow *f)
{
   MtResult *r = c->st->result;
   MtBuf text = {0};
   c->faults++;
   if (r->cell_rows >= MOST_REPORTED)
      return;
   if (f->id.type != MT_MISSING)
      mt_v_to_json (f->id, false, &text);
   const char *cells[] = {f->layout, text.p ? mt_strndup (r->arena, text.p, text.n) : NULL,
                          f->path,   f->what,
                          f->stored, f->expected};
   for (size_t i = 2; i < 6; i++)
      cells[i] = cells[i] ? mt_strdup (r->arena, cells[i]) : NULL;
   mt_buf_free (&text);
   mt_result_add_row (r, cells);
}

/* ---- sums in documents ---- */

static const char *fault_name (MtArena *a, const MtTable *t, const MtFault *f)
{
   static const char *const names[] = {"count", "count", "sum", "min", "max", "min", "max", "copy"};
   if (f->kind == MT_FAULT_STATE)
      return mt_cell_state_text (a, t, f->state);
   return mt_printf (a, "%s(%s)", names[f->kind], f->column < 0 ? "*" : t->columns[f->column].name);
}

static const char *plain_path (MtArena *a, const char *path)
{
   char *s = mt_strdup (a, path);
   for (char *p = s; *p; p++)
      *p = *p == '\1' ? '.' : *p;
   return s;
}

static const char *stored_text (MtArena *a, MtVal v)
{
   MtBuf text = {0};
   if (mt_is_nullish (v))
      return NULL;
   mt_v_to_json (v, false, &text);
   const char *out = mt_strndup (a, text.p ? text.p : "", text.n);
   mt_buf_free (&text);
   return out;
}

static MtVal id_of (const bson_t *doc)
{
   bson_iter_t it;
   return bson_iter_init_find (&it, doc, "_id") ? mt_v_from_iter (&it) : mt_v_null ();
}

const MtLeafWay *mt_way_of_store (const MtLeafWay *ways, size_t count, size_t layout, size_t store)
{
   for (size_t i = 0; i < count; i++)
      if (ways[i].layout == layout && ways[i].store == store)
         return &ways[i];
   return NULL;
}

bool mt_document_strays (MtArena *a, const MtPartitionWay *way, const bson_t *doc, MtStray *out,
                         MtError *err)
{
   const MtLeafWay *w = way->way;
   const MtPartition *p = way->part;
   MtLeaves leaves;
   *out = (MtStray) {.strays = false};
   if (!mt_decode_leaves (a, way->table, w, mt_v_doc (doc), &leaves, err))
      return false;
   for (size_t i = 0; i < leaves.count && !out->strays; i++) {
      MtVal time = leaves.list[i].row[way->table->time_column];
      out->strays = time.type == MT_DATE && (time.i < p->start_ms || time.i >= p->end_ms);
      out->time = time.i;
   }
   return true;
}

bool mt_strays_move (const MtSession *s, const MtLeafWay *right, const MtLeafWay *w)
{
   return right && !w->l->attached &&
          !(w->s == right->s && mt_store_is_rows (w->s) && mt_engine_caps (s->engine)->savepoints);
}

/* Reports the document as a fault if it has rows whose time belongs to another partition. Other
 * programs can write such documents. */
static bool check_place (Check *c, MtArena *a, const bson_t *doc, MtError *err)
{
   MtStray stray;
   if (!c->part || !c->way)
      return true;
   if (!mt_document_strays (a, &(MtPartitionWay) {c->t, c->way, c->part}, doc, &stray, err))
      return false;
   if (stray.strays)
      add_fault (c, &(FaultRow) {.layout = c->l->name,
                                 .id = id_of (doc),
                                 .what = "partition",
                                 .stored = c->part->collection,
                                 .expected = mt_partition_of (a, c->s, stray.time).collection});
   c->strayed += stray.strays && !mt_strays_move (c->st->session, c->right, c->way);
   return true;
}

static bool check_document (void *ctx, MtArena *a, const bson_t *doc, MtError *err)
{
   Check *c = ctx;
   MtFault *faults;
   size_t count;
   if (!mt_document_faults (a, &(MtTableStore) {c->t, c->l, c->s}, mt_v_doc (doc), &faults, &count,
                            err)) {
      if (!mt_error_is (err, MT_E_CORRUPT))
         return false;
      add_fault (
         c, &(FaultRow) {
               .layout = c->l->name, .id = id_of (doc), .what = "shape", .stored = err->detail});
      c->shapeless += c->l->attached || !c->right || c->s == c->right->s;
      mt_error_clear (err);
      return true;
   }
   for (size_t i = 0; i < count; i++)
      add_fault (c, &(FaultRow) {.layout = c->l->name,
                                 .id = id_of (doc),
                                 .path = plain_path (a, faults[i].path),
                                 .what = fault_name (a, c->t, &faults[i]),
                                 .stored = stored_text (a, faults[i].stored),
                                 .expected = stored_text (a, faults[i].expected)});
   return check_place (c, a, doc, err);
}

static bool check_store (Check *c, size_t layout, size_t store, MtError *err)
{
   MtDocumentVisit v = {mt_printf (c->st->arena, "checking %s", c->l->name), check_document, c};
   c->s = &c->l->stores[store];
   c->part = NULL;
   if (!c->s->parts)
      return mt_each_of_store (c->st, c->s, &v, err);
   c->way = mt_way_of_store (c->ways, c->way_count, layout, store);
   for (size_t i = 0; i < c->s->parts->count; i++) {
      c->part = &c->s->parts->list[i];
      if (!mt_each_document (c->st, c->part->collection, NULL, &v, err))
         return false;
   }
   return true;
}

static bool check_layout (Check *c, size_t layout, MtError *err)
{
   c->l = &c->t->layouts[layout];
   for (size_t i = 0; i < c->l->store_count; i++)
      if (!check_store (c, layout, i, err))
         return false;
   return true;
}

/* ---- layouts against each other ---- */

/* Returns the path of a level's elements in a document, such as "hourly", or "_._" for a map within
 * a map. */
static const char *path_of (MtArena *a, const MtNode *n)
{
   const char *path = n->raw.present && n->raw.many ? n->raw.at : "";
   for (; n; n = n->parent)
      if (*n->at)
         path = mt_printf (a, "%s%s%s", n->at, *path ? "." : "", path);
   return path;
}

static void take_difference (void *ctx, const MtDifference *d)
{
   Check *c = ctx;
   MtArena *a = c->st->arena;
   if (c->faults >= MOST_REPORTED) {
      c->faults++;
      return;
   }
   const char *path = path_of (a, d->way->leaf);
   bool several = d->way->l->store_count > 1;
   path = mt_printf (a, "%s%s%s%s%s", several ? d->way->s->collection : "",
                     several && *path ? ": " : "", path, *path || several ? " " : "", d->cell);
   add_fault (c, &(FaultRow) {d->way->l->name, d->document, path, d->what, d->stored, d->expected});
}

static bool compare_layouts (Check *c, int layout, MtError *err)
{
   const MtLeafWay *ways = c->ways, *right = c->right;
   for (size_t i = 0; i < c->way_count && right; i++) {
      uint64_t ignored;
      if (&ways[i] == right || (layout >= 0 && ways[i].layout != (size_t) layout))
         continue;
      if (!mt_comparable (right, &ways[i])) {
         mt_notice (c->st->session, "NOTICE", NULL,
                    "layout \"%s\" cannot be compared with layout \"%s\"", ways[i].l->name,
                    right->l->name);
         continue;
      }
      MtLeafComparison x = {c->t, right, &ways[i], take_difference, c};
      if (!mt_compare_leaves (c->st, &x, &ignored, err))
         return false;
   }
   return true;
}

/* ---- the statement ---- */

static bool check_all (Check *c, int layout, MtError *err)
{
   c->ways = mt_leaf_ways (c->st->arena, c->t, &c->way_count);
   c->right = mt_leaf_trusted (c->t, c->ways, c->way_count, -1);
   for (size_t i = 0; i < c->t->layout_count; i++)
      if ((layout < 0 || (size_t) layout == i) && !check_layout (c, i, err))
         return false;
   return compare_layouts (c, layout, err);
}

static void set_verdict (Check *c)
{
   MtResult *r = c->st->result;
   if (!c->faults)
      return;
   r->verdict = MT_NEW (r->arena, MtError);
   mt_error (r->verdict, MT_E_CORRUPT, "table \"%s\" has %llu fault%s", c->t->name,
             (unsigned long long) c->faults, c->faults == 1 ? "" : "s");
   if (c->faults > MOST_REPORTED)
      mt_error_detail (r->verdict, "The first %d are shown.", MOST_REPORTED);
   if (c->strayed == c->faults)
      mt_error_hint (
         r->verdict,
         "Move these documents to the partitions of their times: queries by time do not find "
         "them.");
   else if (c->shapeless)
      mt_error_hint (
         r->verdict,
         "Repair or delete the malformed documents%s, or set on_malformed to 'skip' to leave them "
         "out.",
         c->strayed + c->shapeless < c->faults ? ", then run REPAIR for the rest" : "");
   else
      mt_error_hint (r->verdict, "Run REPAIR TABLE %s to correct the stored sums.",
                     mt_quoted (r->arena, c->t->name));
}

bool mt_run_check (MtStatement *st, MtError *err)
{
   static const char *const columns[] = {"layout", "document", "path",
                                         "what",   "stored",   "expected"};
   MtEngine *e = st->session->engine;
   Check c = {.st = st};
   size_t layout = 0;
   const MtName *name = &st->stmt->maintain.layout;
   if (!mt_need_table (st, &st->stmt->maintain.table, &c.t, err) ||
       (name->text && !mt_need_layout (c.t, name, &layout, err)))
      return false;
   mt_result_set_tag (st->result, name->text ? "CHECK LAYOUT" : "CHECK TABLE");
   mt_result_text_columns (st->result, 6, columns);
   mt_tell_intents (st, c.t);
   /* CHECK reads all layouts in one snapshot if the engine has snapshots. */
   bool frozen = mt_engine_caps (e)->snapshots && !mt_engine_in_txn (e);
   if (frozen && !mt_engine_txn_begin (e, err))
      return false;
   bool ok = (!frozen || mt_engine_txn_freeze (e, err)) &&
             check_all (&c, name->text ? (int) layout : -1, err);
   if (frozen)
      mt_engine_txn_rollback (e);
   if (ok)
      set_verdict (&c);
   return ok;
}
