/* REPAIR TABLE and REPAIR LAYOUT. First corrects stored sums from the records of the same document,
 * then writes other layouts again from the correct layout.
 *
 * In the embedded engine the whole repair is one step. On a server each document is replaced
 * separately. A store that is written again gets new collections, which become visible in the
 * catalog when they are complete. */
#include "layouts/collections/partition.h"
#include "layouts/read/faults.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/ddl/ddl.h"
#include "session/dml/dml.h"
#include "session/maintain/maintain.h"

#include <string.h>

typedef struct Repair {
   MtStatement *st;
   const MtTable *t;
   int layout; /* the number of the only layout to repair; -1: all layouts */
   const MtLeafWay *right;
   const MtLeafWay *ways;
   size_t way_count;
   MtTable next;
   bool **anew; /* by layout and store: whether the store must be written again */
   /* in the current collection: how many documents were corrected, and how many stay although they
    * have rows of another partition */
   uint64_t mended, strayed;
   const MtPartition *part; /* the current partition; NULL: the store has none */
   const MtLayout *l;       /* the current layout */
   size_t store;
   const char *collection;
   bool changed;
} Repair;

/* ---- sums ---- */

/* If the document has rows of another partition, marks its store to be written again, which moves
 * them, or counts the document in r->strayed. */
static bool check_partition (Repair *r, MtArena *a, const bson_t *doc, MtError *err)
{
   size_t layout = (size_t) (r->l - r->t->layouts);
   const MtLeafWay *w = r->part ? mt_way_of_store (r->ways, r->way_count, layout, r->store) : NULL;
   bool *anew = &r->anew[layout][r->store];
   MtStray stray;
   if (!w || *anew)
      return true;
   if (!mt_document_strays (a, &(MtPartitionWay) {r->t, w, r->part}, doc, &stray, err))
      return false;
   *anew = stray.strays && mt_strays_move (r->st->session, r->right, w);
   r->strayed += stray.strays && !*anew;
   return true;
}

/* Replaces a document by its corrected form `mended`. *done is false if another client (of a
 * server) has changed the document since it was read. */
static bool put_mended (const Repair *r, const bson_t *doc, const bson_t *mended, bool *done,
                        MtError *err)
{
   MtEngine *e = r->st->session->engine;
   const MtCaps *caps = mt_engine_caps (e);
   *done = true;
   if (caps->savepoints || !caps->unique_indexes)
      return mt_engine_replace (e, r->collection, mended, err);
   if (mt_engine_replace_same (
          e, &(MtReplaceSame) {.collection = r->collection, .old = doc, .doc = mended}, done, err))
      return true;
   if (!mt_error_is (err, MT_E_FEATURE))
      return false;
   /* The server cannot compare the document with the version that was read: a field's name contains
    * characters that a path cannot have. */
   mt_error_clear (err);
   *done = true;
   return mt_engine_replace (e, r->collection, mended, err);
}

/* Corrects the sums of a document. *done is false if another client has changed the document since
 * it was read. */
static bool mend_once (Repair *r, MtArena *a, const bson_t *doc, bool *done, MtError *err)
{
   const MtStoreDesc *s = &r->l->stores[r->store];
   size_t layout = (size_t) (r->l - r->t->layouts), count;
   MtFault *faults;
   *done = true;
   if (!mt_document_faults (a, &(MtTableStore) {r->t, r->l, s}, mt_v_doc (doc), &faults, &count,
                            err)) {
      bool corrupt = mt_error_is (err, MT_E_CORRUPT), malformed = corrupt && r->right->s != s;
      /* the store is written again without this malformed document */
      r->anew[layout][r->store] |= malformed;
      return malformed ||
             (corrupt &&
              mt_error_hint (
                 err,
                 "Correct or delete the document: all other layouts are made from this layout."));
   }
   if (!check_partition (r, a, doc, err))
      return false;
   if (!count)
      return true;
   bson_t out = BSON_INITIALIZER;
   bool ok = mt_document_mend (doc, faults, count, &out) ||
             mt_error (err, MT_E_LIMIT, "a document would be too large");
   ok = ok && put_mended (r, doc, &out, done, err);
   bson_destroy (&out);
   r->mended += ok && *done;
   return ok;
}

enum { MEND_TRIES = 10 };

static bool mend_document (void *ctx, MtArena *a, const bson_t *doc, MtError *err)
{
   Repair *r = ctx;
   MtVal id = mt_doc_field (mt_v_doc (doc), "_id");
   bool done = false;
   for (int i = 0; i < MEND_TRIES && doc; i++) {
      bson_t *now = NULL;
      if (!mend_once (r, a, doc, &done, err))
         return false;
      if (done)
         return true;
      if (!mt_engine_find_id (r->st->session->engine, a, r->collection, id, &now, err))
         return false;
      doc = now;
   }
   if (!doc)
      return true; /* the document was deleted */
   mt_error_outrun (err);
   return mt_error_hint (
      err,
      "Other clients write to a document of collection \"%s\" that is being corrected. Run the "
      "statement again.",
      r->collection);
}

static bool mend_collection (Repair *r, const char *collection, MtError *err)
{
   bool has;
   if (!mt_engine_has_collection (r->st->session->engine, collection, &has, err))
      return false;
   r->mended = r->strayed = 0;
   r->collection = collection;
   MtDocumentVisit v = {mt_printf (r->st->arena, "correcting %s", r->l->name), mend_document, r};
   if (has && !mt_each_document (r->st, collection, NULL, &v, err))
      return false;
   if (r->mended)
      mt_notice (r->st->session, "NOTICE", NULL,
                 "layout \"%s\": %llu document%s of collection \"%s\" corrected", r->l->name,
                 (unsigned long long) r->mended, r->mended == 1 ? "" : "s", collection);
   if (r->strayed)
      mt_notice (
         r->st->session, "WARNING",
         "Move the documents that CHECK TABLE lists, or use REPAIR ... FROM another layout.",
         "layout \"%s\": %llu document%s of collection \"%s\" left in another partition than that "
         "of their time",
         r->l->name, (unsigned long long) r->strayed, r->strayed == 1 ? "" : "s", collection);
   return true;
}

static bool mend_layout (Repair *r, size_t layout, MtError *err)
{
   r->l = &r->t->layouts[layout];
   for (r->store = 0; r->store < r->l->store_count; r->store++) {
      size_t n;
      const MtPartitions *parts = r->l->stores[r->store].parts;
      const char *const *names = mt_store_collections_of (r->st->arena, &r->l->stores[r->store],
                                                          &n);
      for (size_t i = 0; i < n; i++) {
         r->part = parts ? &parts->list[i] : NULL;
         if (!mend_collection (r, names[i], err))
            return false;
      }
   }
   return true;
}

/* ---- layouts ---- */

static bool find_differing (Repair *r, MtError *err)
{
   for (size_t i = 0; i < r->way_count; i++) {
      const MtLeafWay *w = &r->ways[i];
      bool *anew = &r->anew[w->layout][w->store];
      uint64_t count;
      if (w == r->right || *anew || (r->layout >= 0 && w->layout != (size_t) r->layout) ||
          !mt_comparable (r->right, w))
         continue;
      MtLeafComparison x = {.table = r->t, .right = r->right, .other = w};
      if (!mt_compare_leaves (r->st, &x, &count, err))
         return false;
      *anew = count > 0;
   }
   return true;
}

static bool make_again (Repair *r, size_t layout, size_t store, MtError *err)
{
   const MtLayout *l = &r->t->layouts[layout];
   if (l->attached && l->keeps == MT_KEEPS_LATEST && r->right->records) {
      r->changed = true;
      mt_notice (r->st->session, "NOTICE",
                 "Newer documents and other keys stay: the layout is attached.",
                 "layout \"%s\": newest records added to collection \"%s\" from layout \"%s\"",
                 l->name, l->stores[store].collection, r->right->l->name);
      return mt_bring_newest (r->st, r->right, &r->next, layout,
                              mt_printf (r->st->arena, "repairing %s", l->name), err);
   }
   MtStorePlace place = {layout, store, mt_printf (r->st->arena, "repairing %s", l->name)};
   if (!mt_rebuild_store (r->st, r->right, &r->next, &place, err))
      return false;
   r->changed = true;
   mt_notice (r->st->session, "NOTICE", NULL,
              "layout \"%s\": collection \"%s\" made again from layout \"%s\"", l->name,
              l->stores[store].collection, r->right->l->name);
   return true;
}

/* Writes the stores that are marked in r->anew again. The store of the correct layout comes last,
 * because the others are written from it. */
static bool make_layouts (Repair *r, MtError *err)
{
   for (size_t i = 0; i < r->t->layout_count; i++)
      for (size_t j = 0; j < r->t->layouts[i].store_count; j++)
         if (r->anew[i][j] && !(i == r->right->layout && j == r->right->store) &&
             !make_again (r, i, j, err))
            return false;
   return !r->anew[r->right->layout][r->right->store] ||
          make_again (r, r->right->layout, r->right->store, err);
}

static bool repair_layouts (Repair *r, MtError *err)
{
   MtSession *s = r->st->session;
   if (!make_layouts (r, err))
      return false;
   return !r->changed || (mt_make_indexes (r->st, &r->next, err) &&
                          mt_catalog_save_unwritten (s->catalog, r->t, &r->next, err));
}

/* ---- the statement ---- */

static bool mend_all (Repair *r, MtError *err)
{
   for (size_t i = 0; i < r->t->layout_count; i++)
      if ((r->layout < 0 || (size_t) r->layout == i) && !mend_layout (r, i, err))
         return false;
   return find_differing (r, err);
}

static bool any_anew (const Repair *r)
{
   bool any = false;
   for (size_t i = 0; i < r->t->layout_count; i++)
      for (size_t j = 0; j < r->t->layouts[i].store_count; j++)
         any |= r->anew[i][j];
   return any;
}

static bool repair_table (Repair *r, MtError *err)
{
   MtSession *s = r->st->session;
   bool one_step = mt_engine_caps (s->engine)->savepoints;
   if (!mt_touch_table (r->st, r->t, err))
      return false;
   if (!one_step && !mend_all (r, err))
      return false;
   if (!one_step && !any_anew (r))
      return true;
   const MtTable *now = r->t; /* the table as the catalog has it now */
   if (!mt_intend_moves (r->st, &now, NULL, "rebuild", err) || !mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   if ((!one_step || mend_all (r, err)) && repair_layouts (r, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

static bool find_right (Repair *r, MtError *err)
{
   const MtStmt *s = r->st->stmt;
   size_t layout = 0, from = 0;
   if (s->maintain.layout.text && !mt_need_layout (r->t, &s->maintain.layout, &layout, err))
      return false;
   if (s->maintain.from.text && !mt_need_layout (r->t, &s->maintain.from, &from, err))
      return false;
   r->layout = s->maintain.layout.text ? (int) layout : -1;
   r->ways = mt_leaf_ways (r->st->arena, r->t, &r->way_count);
   r->right = mt_leaf_trusted (r->t, r->ways, r->way_count,
                               s->maintain.from.text ? (int) from : -1);
   return r->right ||
          mt_error (err, MT_E_FEATURE, "table \"%s\" has no layout from which others can be made",
                    r->t->name);
}

bool mt_run_repair (MtStatement *st, MtError *err)
{
   Repair r = {.st = st};
   size_t intents;
   if (!mt_need_table (st, &st->stmt->maintain.table, &r.t, err) || !find_right (&r, err))
      return false;
   if (mt_engine_caps (st->session->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot write to table \"%s\": the target is read-only",
                       r.t->name);
   const MtIntent *left = mt_intents_of (st->session, st->arena, r.t, &intents);
   if (!mt_no_live_intents (st, r.t, err))
      return false;
   mt_result_set_tag (st->result,
                      st->stmt->maintain.layout.text ? "REPAIR LAYOUT" : "REPAIR TABLE");
   r.next = mt_table_to_change (st->arena, r.t);
   r.anew = MT_NEW_N (st->arena, bool *, r.t->layout_count + 1);
   for (size_t i = 0; i < r.t->layout_count; i++)
      r.anew[i] = MT_NEW_N (st->arena, bool, r.t->layouts[i].store_count + 1);
   /* Once all layouts agree, the intents of dead writers are no longer needed. */
   return repair_table (&r, err) &&
          (r.layout >= 0 || mt_clear_intents (st, &r.next, left, intents, err));
}
