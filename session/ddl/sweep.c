/* Removes expired rows: drops whole partitions, and deletes documents in which all rows have
 * expired. Used by drop_chunks and VACUUM, and from time to time by sessions that write. */
#include "base/spool.h"
#include "layouts/collections/partition.h"
#include "layouts/read/patch.h"
#include "layouts/stats.h"
#include "planner/plan/affected.h"
#include "planner/emit/eval.h"
#include "engine/pipe.h"
#include "session/coordinate/coordinate.h"
#include "session/ddl/ddl.h"
#include "session/dml/dml.h"
#include "session/ddl/expire.h"
#include "session/core/core.h"
#include "session/continuous/continuous.h"
#include "session/core/rows.h"
#include "session/core/schemas.h"

#include <string.h>
#include <strings.h>

typedef struct Sweep {
   MtStatement *st;
   const MtTable *t;
   /* rows before the time all_before (in ms) are removed from all layouts; rows before the time
    * `before`, from the layout that is being swept */
   int64_t all_before, before;
   uint64_t left; /* the number of documents that may still be removed */
   MtSwept *out;
} Sweep;

static void note_removed (Sweep *w, const char *collection, uint64_t documents, bool dropped)
{
   MtSwept *o = w->out;
   MT_GROW_IN (w->st->arena, o->list, o->count, o->capacity, 16);
   o->list[o->count++] = (MtSweptCollection) {mt_strdup (w->st->arena, collection), documents,
                                              dropped};
}

/* ---- documents ---- */

/* A copy of layout l of table t with only one store s, which has only one collection. */
typedef struct Alone {
   MtStatement *st;
   const MtTable *t;
   MtLayout l;
   MtStoreDesc s;
} Alone;

static Alone *single_collection (MtStatement *st, const MtTable *t, const MtLayout *l, size_t store,
                                 const char *collection)
{
   Alone *x = MT_NEW (st->arena, Alone);
   x->st = st;
   x->t = t;
   x->l = *l;
   x->s = mt_store_alone (&l->stores[store], collection);
   x->l.stores = &x->s;
   x->l.store_count = 1;
   x->l.stats = l->stats ? &l->stats[store] : NULL;
   return x;
}

static bool plan_before (const Alone *x, int64_t before, bool edge, MtPlan **out, MtError *err)
{
   MtStatement *st = x->st;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.layout = settings.cut = NULL;
   settings.require_full_pushdown = false;
   return mt_plan_before (st->arena, &(MtBefore) {x->t, &x->l, before, edge}, &settings, out, err);
}

/* Returns whether a plan consists only of a $match stage, so that its condition, in *filter, can be
 * used to delete documents. */
static bool only_match (const MtPlan *p, bson_t *filter)
{
   MtVal stages = mt_v_array (p->remote), first = mt_doc_at (stages, 0),
         match = mt_doc_field (first, "$match");
   return !p->local && !p->arm_count && mt_doc_count (stages) == 1 && match.type == MT_DOC &&
          bson_init_static (filter, match.p, match.len);
}

static bool read_ids (MtStatement *st, MtPlan *plan, uint64_t most, MtSpool *ids, MtError *err)
{
   const bson_t *doc;
   bson_iter_t it;
   MtResult *r = mt_result_new (st->session, mt_arena_new ("expired", NULL));
   bool ok = mt_result_run (r, plan, false, err);
   for (uint64_t n = 0; ok && n < most && (ok = mt_result_next_doc (r, &doc, err)) && doc; n++) {
      bson_t id = BSON_INITIALIZER;
      if (bson_iter_init_find (&it, doc, "_id")) {
         mt_doc_add (&id, "_id", mt_v_from_iter (&it));
         ok = mt_spool_add (ids, &id, err);
      }
      bson_destroy (&id);
   }
   mt_result_free (r);
   return ok && mt_spool_rewind (ids, err);
}

static bool delete_ids (Sweep *w, const char *collection, MtPlan *plan, uint64_t *count,
                        MtError *err)
{
   MtSpool *ids = mt_spool_new (w->st->arena);
   const bson_t *doc = NULL;
   bson_iter_t it;
   bool ok = read_ids (w->st, plan, w->left, ids, err), deleted = false;
   while (ok && (ok = mt_spool_next (ids, &doc, err)) && doc) {
      ok = !bson_iter_init_find (&it, doc, "_id") ||
           mt_engine_delete_id (w->st->session->engine, collection, mt_v_from_iter (&it), &deleted,
                                err);
      *count += ok && deleted;
   }
   return ok;
}

static bool sweep_documents (Sweep *w, const Alone *x, uint64_t *count, MtError *err)
{
   MtPlan *plan;
   bson_t filter;
   *count = 0;
   if (!plan_before (x, w->before, false, &plan, err))
      return false;
   if (!plan)
      return true;
   bool ok = w->left == UINT64_MAX && only_match (plan, &filter)
                ? mt_engine_delete_matching (w->st->session->engine, x->s.collection, &filter,
                                             count, err)
                : delete_ids (w, x->s.collection, plan, count, err);
   if (*count)
      note_removed (w, x->s.collection, *count, false);
   w->left -= w->left == UINT64_MAX ? 0 : *count;
   return ok;
}

/* ---- stores ---- */

/* Reduces the statistics of a store in proportion to the `gone` removed documents. all: no row
 * before w->before is left, so the least time grows. */
static void reduce_stats (Sweep *w, size_t layout, size_t store, uint64_t gone, bool all)
{
   const MtStoreDesc *s = &w->out->next.layouts[layout].stores[store];
   MtStoreStats *stats = &w->out->next.layouts[layout].stats[store], own = {0};
   if (!stats->present || !gone)
      return;
   mt_stats_add (w->st->arena, s, &own, stats);
   double left = own.documents - (double) gone;
   mt_stats_scale (s, &own, left > 0 && own.documents > 0 ? left / own.documents : 0);
   if (all && own.has_time && own.min_ms < w->before)
      own.min_ms = w->before < own.max_ms ? w->before : own.max_ms;
   *stats = own;
}

/* Removes the expired documents of the one collection in x, and stores their number in *gone. part:
 * the collection's partition; NULL: it is not a partition. */
static bool sweep_collection (Sweep *w, const Alone *x, const MtPartition *part, uint64_t *gone,
                              MtError *err)
{
   const char *collection = x->s.collection;
   MtEngine *e = w->st->session->engine;
   MtCollStats stats;
   bool has;
   *gone = 0;
   if (part && part->start_ms >= w->before)
      return true;
   if (!mt_engine_has_collection (e, collection, &has, err))
      return false;
   if (!has)
      return true;
   if (!part || part->end_ms > w->before || x->l.attached)
      return sweep_documents (w, x, gone, err);
   if (!mt_engine_stats (e, collection, &stats, err) ||
       !mt_engine_drop_collection (e, collection, err))
      return false;
   *gone = stats.documents;
   note_removed (w, collection, stats.documents, true);
   return true;
}

static bool sweep_store (Sweep *w, size_t layout, size_t store, MtError *err)
{
   const MtLayout *l = &w->t->layouts[layout];
   const MtStoreDesc *s = &l->stores[store];
   uint64_t all = 0, one;
   int64_t own = mt_layout_horizon (w->t, l, w->st->env.style.now_ms);
   size_t n;
   w->before = own > w->all_before ? own : w->all_before;
   if (w->before == MT_NEVER_EXPIRES)
      return true;
   if (s->timeseries && !mt_engine_caps (w->st->session->engine)->local_operators)
      return true; /* a server cannot delete single documents of a time-series collection */
   const char *const *names = mt_store_collections_of (w->st->arena, s, &n);
   for (size_t i = 0; i < n && w->left; i++) {
      const Alone *x = single_collection (w->st, w->t, l, store, names[i]);
      if (!sweep_collection (w, x, s->parts ? &s->parts->list[i] : NULL, &one, err))
         return false;
      all += one;
   }
   reduce_stats (w, layout, store, all, w->left == UINT64_MAX && !s->root->range.present);
   return true;
}

bool mt_sweep (MtStatement *st, const MtTable *t, int64_t before_ms, uint64_t most, MtSwept *out,
               MtError *err)
{
   *out = (MtSwept) {.next = mt_table_to_change (st->arena, t)};
   Sweep w = {
      .st = st, .t = t, .all_before = before_ms, .left = most ? most : UINT64_MAX, .out = out};
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t k = 0; k < t->layouts[i].store_count; k++)
         if (!sweep_store (&w, i, k, err))
            return false;
   return true;
}

/* ---- remaining rows ---- */

static bool collection_leaves (const Alone *x, int64_t before, bool *leaves, MtError *err)
{
   MtStatement *st = x->st;
   MtPlan *plan;
   const bson_t *doc = NULL;
   bool has;
   if (!mt_engine_has_collection (st->session->engine, x->s.collection, &has, err))
      return false;
   if (!has)
      return true;
   MtUnit unit;
   if (!x->s.root->range.present && !mt_store_is_rows (&x->s) &&
       !mt_root_time (x->t, &x->s, &unit)) {
      *leaves = true;
      return true;
   }
   if (!plan_before (x, before, true, &plan, err))
      return false;
   if (!plan)
      return true;
   MtResult *r = mt_result_new (st->session, mt_arena_new ("edge", NULL));
   bool ok = mt_result_run (r, plan, false, err) && mt_result_next_doc (r, &doc, err);
   *leaves = *leaves || (ok && doc);
   mt_result_free (r);
   return ok;
}

bool mt_sweep_leaves (MtStatement *st, const MtTable *t, int64_t before_ms, bool *leaves,
                      MtError *err)
{
   *leaves = false;
   for (size_t i = 0; i < t->layout_count && before_ms != MT_NEVER_EXPIRES; i++)
      for (size_t k = 0; k < t->layouts[i].store_count; k++) {
         size_t n;
         const MtStoreDesc *s = &t->layouts[i].stores[k];
         const char *const *names = mt_store_collections_of (st->arena, s, &n);
         if (s->timeseries && !mt_engine_caps (st->session->engine)->local_operators)
            *leaves = true;
         for (size_t c = 0; c < n && !*leaves; c++)
            if (!collection_leaves (single_collection (st, t, &t->layouts[i], k, names[c]),
                                    before_ms, leaves, err))
               return false;
      }
   return true;
}

/* ---- write steps ---- */

static void report_removed (MtStatement *st, const MtTable *t, const MtSwept *o)
{
   uint64_t documents = 0;
   size_t partitions = 0;
   for (size_t i = 0; i < o->count; i++) {
      documents += o->list[i].dropped ? 0 : o->list[i].documents;
      partitions += o->list[i].dropped;
   }
   if (partitions)
      mt_notice (st->session, "NOTICE", NULL,
                 "table \"%s\": %zu partition%s of expired rows dropped", t->name, partitions,
                 partitions == 1 ? "" : "s");
   if (documents)
      mt_notice (st->session, "NOTICE", NULL,
                 "table \"%s\": %llu document%s of expired rows deleted", t->name,
                 (unsigned long long) documents, documents == 1 ? "" : "s");
}

/* Other clients need no intent (a note in the catalog), although the collections change one after
 * the other: queries already hide expired rows. */
bool mt_sweep_expired (MtStatement *st, const MtTable *t, uint64_t most, bool tells, MtError *err)
{
   MtSession *s = st->session;
   int64_t before = mt_expiry_horizon (t, st->env.style.now_ms);
   MtSwept swept;
   if (mt_latest_horizon (t, st->env.style.now_ms) == MT_NEVER_EXPIRES)
      return true;
   if (!mt_step_begin (s, err))
      return false;
   bool ok = mt_sweep (st, t, before, most, &swept, err) &&
             (!swept.count || mt_catalog_save (s->catalog, &swept.next, NULL, err));
   if (!ok || !mt_step_commit (s, err)) {
      mt_step_rollback (s);
      return false;
   }
   if (tells)
      report_removed (st, t, &swept);
   return true;
}

/* mt_sweep_all removes at most this many documents from each table. */
#define SWEEP_DOCUMENTS 10000

/* Removes expired rows of all tables, at most SWEEP_DOCUMENTS documents from each. The caller has
 * read the catalog while it holds the writer's lock. */
bool mt_sweep_all (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const MtTable *t;
   size_t n;
   bool ok = true;
   const MtTable *const *all = mt_catalog_tables (s->catalog, &n);
   const char **names = MT_NEW_N (st->arena, const char *, n + 1);
   for (size_t i = 0; i < n; i++)
      names[i] = mt_expires (all[i]) ? mt_strdup (st->arena, all[i]->name) : NULL;
   for (size_t i = 0; i < n && ok; i++)
      if (names[i])
         ok = mt_catalog_find (s->catalog, names[i], true, &t, err) &&
              (!t || mt_sweep_expired (st, t, SWEEP_DOCUMENTS, false, err));
   return ok;
}

bool mt_any_expires (MtSession *s)
{
   size_t n;
   const MtTable *const *all = mt_catalog_tables (s->catalog, &n);
   while (n > 0 && !mt_expires (all[n - 1]))
      n--;
   return n > 0;
}

/* ---- drop_chunks ---- */

typedef struct DropChunks {
   MtStatement *st;
   const MtTable *t;
   bool has_older;
   int64_t older;
} DropChunks;

enum { RELATION, OLDER_THAN, NEWER_THAN, ARGUMENTS };

static bool refuse_newer_than (const MtExpr *e, MtError *err)
{
   mt_error_at (err, e->span, MT_E_FEATURE, "newer_than of drop_chunks is not supported");
   return mt_error_hint (err, "Use DELETE with a range of time: it also drops whole partitions.");
}

/* Puts the arguments of drop_chunks, given by position or by name as in TimescaleDB, into out[] in
 * the order of the parameters. */
static bool sort_arguments (const MtExpr *call, MtExpr *out[ARGUMENTS], MtError *err)
{
   static const char *const names[ARGUMENTS] = {"relation", "older_than", "newer_than"};
   const MtNameList *n = call->call.arg_names;
   size_t at = 0;
   for (const MtExprList *e = call->call.args; e; e = e->next, at++, n = n ? n->next : NULL) {
      bool named = n && n->name.text;
      size_t k = named ? 0 : at;
      while (named && k < ARGUMENTS && !mt_ieq (n->name.text, names[k]))
         k++;
      if (k >= ARGUMENTS || out[k]) {
         mt_error_at (err, e->expr->span, MT_E_UNDEFINED_FUNCTION,
                      "drop_chunks has no such argument");
         return mt_error_hint (err, "Its arguments are relation and older_than.");
      }
      out[k] = e->expr;
   }
   if (out[NEWER_THAN])
      return refuse_newer_than (out[NEWER_THAN], err);
   return out[RELATION] || mt_error_at (err, call->span, MT_E_UNDEFINED_FUNCTION,
                                        "drop_chunks needs the name of a table");
}

/* Binds and evaluates the constant expression e, an argument of drop_chunks. Sets *type and
 * *out. */
static bool evaluate (MtStatement *st, MtExpr *e, MtType *type, MtVal *out, MtError *err)
{
   MtSelect *s = MT_NEW (st->arena, MtSelect);
   MtQuery *q;
   s->kind = MT_SELECT_PLAIN;
   s->span = e->span;
   s->plain.targets = MT_NEW (st->arena, MtTarget);
   s->plain.targets->expr = e;
   if (!mt_bind_select (st->arena, &st->env, s, &q, err))
      return false;
   *type = q->targets[0].expr->type;
   return mt_eval_const (st->arena, q->targets[0].expr, &st->env, out, err);
}

/* Finds the table that the argument e of drop_chunks names. If it is temporary, later write steps
 * use the engine's temporary store. */
static bool find_relation (DropChunks *d, MtExpr *e, MtError *err)
{
   MtType type;
   MtVal v;
   MtBuf text = {0};
   MtName schema, as;
   if (!evaluate (d->st, e, &type, &v, err))
      return false;
   if (mt_is_nullish (v))
      return mt_error_at (err, e->span, MT_E_PARAMETER,
                          "drop_chunks needs the name of a table, not NULL");
   if (!mt_value_print (type, v, &d->st->env.style, &text, err))
      return false;
   mt_read_relation (d->st->arena, (MtStr) {text.p, text.n}, &schema, &as);
   schema.span = as.span = e->span;
   mt_buf_free (&text);
   if (!mt_place_name (d->st->session, d->st->arena, &schema, &as, NULL, err) ||
       !mt_may_change (d->st, &schema, &as, err) || !mt_need_table (d->st, &as, &d->t, err))
      return false;
   mt_engine_aim_temporary (d->st->session->engine, d->t->temporary);
   return true;
}

static bool read_older (DropChunks *d, MtExpr *e, MtError *err)
{
   MtStatement *st = d->st;
   MtType type;
   MtVal v;
   MtInterval iv;
   if (!evaluate (st, e, &type, &v, err))
      return false;
   if (mt_is_nullish (v))
      return true;
   d->has_older = true;
   if (v.type == MT_DATE) {
      d->older = v.i;
      return true;
   }
   MtBuf text = {0};
   bool ok = type.id == MT_T_INTERVAL || type.id == MT_T_TEXT ||
             mt_error_at (err, e->span, MT_E_DATATYPE_MISMATCH,
                          "older_than must be an interval or a time");
   ok = ok && mt_value_print (type, v, &st->env.style, &text, err) &&
        mt_interval_in (text.p ? text.p : "", text.n, &iv, err);
   mt_buf_free (&text);
   if (!ok)
      return false;
   iv = (MtInterval) {-iv.months, -iv.days, -iv.us};
   return mt_ts_add_interval (st->env.style.now_ms, iv, NULL, &d->older, err);
}

/* Hides the rows before the time `before` that cannot be removed, because their documents also
 * contain newer rows. Otherwise the layouts would show different rows. */
static bool hide_rest (DropChunks *d, int64_t before, MtTable *next, bool leaves, MtError *err)
{
   const MtTable *t = d->t;
   bool single = t->layout_count == 1 && t->layouts[0].store_count == 1;
   if (!leaves || single || mt_expiry_horizon (t, d->st->env.style.now_ms) >= before)
      return true;
   if (!t->columns[t->time_column].not_null) {
      mt_error (err, MT_E_FEATURE,
                "some documents of table \"%s\" have rows before and after this time", t->name);
      return mt_error_hint (err, "Use DELETE, which removes single rows.");
   }
   MtExpiry *x = MT_NEW (d->st->arena, MtExpiry);
   if (t->expiry)
      *x = *t->expiry;
   x->ended = true;
   x->before_ms = before;
   next->expiry = x;
   return mt_expiry_unit (next, &x->unit, err);
}

static bool drop_before (DropChunks *d, int64_t before, MtSwept *swept, MtError *err)
{
   MtSession *s = d->st->session;
   MtTable hides = *d->t;
   bool leaves;
   if (!mt_sweep_leaves (d->st, d->t, before, &leaves, err) ||
       !hide_rest (d, before, &hides, leaves, err) || !mt_table_step_begin (d->st, d->t, err))
      return false;
   bool ok = mt_sweep (d->st, d->t, before, 0, swept, err) &&
             mt_continuous_expired (s, d->st->arena, d->t->name, before, err);
   swept->next.expiry = hides.expiry;
   if (ok &&
       (!(swept->count || swept->next.expiry != d->t->expiry) ||
        mt_catalog_save (s->catalog, &swept->next, NULL, err)) &&
       mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

static void show_removed (MtStatement *st, const MtSwept *o)
{
   static const char *const columns[] = {"drop_chunks"};
   mt_result_text_columns (st->result, 1, columns);
   for (size_t i = 0; i < o->count; i++) {
      const MtSweptCollection *c = &o->list[i];
      const char *n = c->dropped ? c->name
                                 : mt_printf (st->result->arena, "%s (%llu document%s)", c->name,
                                              (unsigned long long) c->documents,
                                              c->documents == 1 ? "" : "s");
      mt_result_add_row (st->result, &n);
   }
}

bool mt_run_drop_chunks (MtStatement *st, MtError *err)
{
   DropChunks d = {.st = st};
   MtExpr *args[ARGUMENTS] = {NULL};
   MtExpiry x = {.ages = false};
   MtSwept swept = {0};
   if (!sort_arguments (st->stmt->call.x, args, err) || !find_relation (&d, args[RELATION], err) ||
       (args[OLDER_THAN] && !read_older (&d, args[OLDER_THAN], err)))
      return false;
   if (mt_engine_caps (st->session->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot write to table \"%s\": the target is read-only",
                       d.t->name);
   if (d.t->time_column < 0)
      return mt_error (err, MT_E_WRONG_OBJECT, "table \"%s\" has no TIME column", d.t->name);
   if (args[OLDER_THAN] && !d.has_older && !mt_expires (d.t)) {
      mt_error_at (err, args[OLDER_THAN]->span, MT_E_PARAMETER,
                   "older_than of drop_chunks is NULL, and rows of table \"%s\" do not expire",
                   d.t->name);
      return mt_error_hint (err, "Set older_than to an interval or a time.");
   }
   if (!d.has_older && !mt_expires (d.t)) {
      mt_error (err, MT_E_PARAMETER, "rows of table \"%s\" do not expire", d.t->name);
      return mt_error_hint (err,
                            "Set older_than, or use ALTER TABLE ... SET (expire_after = '...').");
   }
   if (!mt_expiry_unit (d.t, &x.unit, err))
      return false;
   int64_t expired = mt_expiry_horizon (d.t, st->env.style.now_ms),
           older = d.has_older ? mt_expiry_floor (&x, d.older) : expired;
   if (!drop_before (&d, older > expired ? older : expired, &swept, err))
      return false;
   show_removed (st, &swept);
   return true;
}
