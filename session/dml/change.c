/* UPDATE and DELETE; see change.h. */
#include "session/dml/change.h"

#include "layouts/expire.h"
#include "layouts/collections/partition.h"
#include "layouts/read/patch.h"
#include "layouts/stats.h"
#include "planner/plan/affected.h"
#include "query/x.h"
#include "session/coordinate/coordinate.h"
#include "session/core/checks.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/sequence.h"
#include "session/dml/dml.h"

#include <string.h>

/* ---- SET ---- */

static MtExpr *new_expr (MtStatement *st, MtExprKind kind, MtSpan span)
{
   MtExpr *e = MT_NEW (st->arena, MtExpr);
   e->kind = kind;
   e->span = e->outer = span;
   return e;
}

/* Sets *out to the expression that DEFAULT stands for in SET column = DEFAULT: the column's
 * default, or NULL. */
static bool default_expr (MtStatement *st, const MtColumn *c, MtSpan span, MtExpr **out,
                          MtError *err)
{
   if (!c->default_sql) {
      *out = new_expr (st, MT_EXPR_NULL, span);
      return true;
   }
   return mt_parse_default (st, c, out, err);
}

static bool set_column (MtChange *c, const MtName *name, MtExpr *value, MtTarget ***last,
                        MtError *err)
{
   int at;
   if (!mt_need_column (c->table, name, &at, err))
      return false;
   for (size_t i = 0; i < c->count; i++)
      if (c->columns[i] == at)
         return mt_error (err, MT_E_SYNTAX, "multiple assignments to same column \"%s\"",
                          c->table->columns[at].name);
   if (c->table->columns[at].always && value->kind != MT_EXPR_DEFAULT) {
      mt_error (err, MT_E_GENERATED_ALWAYS, "column \"%s\" can only be updated to DEFAULT",
                c->table->columns[at].name);
      return mt_not_always (&c->table->columns[at], false, err);
   }
   MtTarget *t = MT_NEW (c->st->arena, MtTarget);
   t->expr = value;
   if (value->kind == MT_EXPR_DEFAULT &&
       !default_expr (c->st, &c->table->columns[at], value->span, &t->expr, err))
      return false;
   c->columns[c->count++] = at;
   **last = t;
   *last = &t->next;
   return true;
}

/* Adds the assignments of SET (a, b) = (SELECT 1, 2) to the list of targets at *last. */
static bool set_parts (MtChange *c, const MtAssign *s, MtTarget ***last, MtError *err)
{
   int count = 0, i = 0;
   for (const MtNameList *n = s->columns; n; n = n->next)
      count++;
   for (const MtNameList *n = s->columns; n; n = n->next) {
      MtExpr *part = new_expr (c->st, MT_EXPR_PART, s->value->span);
      part->part.row = s->value;
      part->part.index = i++;
      part->part.count = count;
      if (!set_column (c, &n->name, part, last, err))
         return false;
   }
   return true;
}

/* Adds the assignments of SET (a, b) = (1, 2) to the list of targets at *last. */
static bool set_row (MtChange *c, const MtAssign *s, MtTarget ***last, MtError *err)
{
   const MtNameList *n = s->columns;
   if (s->value->kind == MT_EXPR_SUBQUERY)
      return set_parts (c, s, last, err);
   if (s->value->kind != MT_EXPR_ROW && n->next)
      return mt_error_at (
         err, s->value->span, MT_E_FEATURE,
         "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression");
   if (s->value->kind != MT_EXPR_ROW)
      return set_column (c, &n->name, s->value, last, err);
   for (const MtExprList *v = s->value->list; v; v = v->next, n = n->next) {
      if (!n)
         break;
      if (!set_column (c, &n->name, v->expr, last, err))
         return false;
      if (!v->next != !n->next)
         return mt_error_at (err, s->value->span, MT_E_SYNTAX,
                             "number of columns does not match number of values");
   }
   return true;
}

/* Sets the error for SET a.b = … and SET a[1] = …: only a whole column can be set. Returns
 * false. */
static bool part_of_column (MtChange *c, const MtName *name, MtError *err)
{
   const MtName *alias = &c->st->stmt->change.alias;
   int at;
   if (mt_need_column (c->table, name, &at, err))
      return mt_error_at (err, name->span, MT_E_FEATURE,
                          "assigning to a part of a column is not supported");
   if (mt_ieq (name->text, alias->text ? alias->text : c->table->name))
      mt_error_hint (err, "SET target columns cannot be qualified with the relation name.");
   return false;
}

/* Fails with 0A000 if the router of a sharded cluster cannot replace the documents. The router
 * finds a document's shard by the shard key. To delete a document, _id alone is enough. */
static bool can_replace (const MtChange *c, MtError *err)
{
   if (!mt_engine_caps (c->st->session->engine)->router)
      return true;
   for (size_t i = 0; i < c->table->layout_count; i++)
      for (size_t k = 0; k < c->table->layouts[i].store_count; k++) {
         const MtStoreDesc *s = &c->table->layouts[i].stores[k];
         bool rows = mt_store_is_rows (s);
         if (!s->shard_count || strcmp (s->shard->at, "_id") == 0 || (rows && !c->update))
            continue;
         mt_error (err, MT_E_FEATURE,
                   "%s is not supported for table \"%s\": layout \"%s\" is sharded by columns",
                   c->verb, c->table->name, c->table->layouts[i].name);
         return mt_error_hint (
            err, "%s",
            rows ? "Use DELETE and INSERT, or set shard_key = '_id'."
                 : "Set shard_key = '_id': its documents hold several rows and are replaced.");
      }
   return true;
}

bool mt_change_targets (MtChange *c, MtTarget **out, MtError *err)
{
   MtTarget **last = out;
   *out = NULL;
   if (!can_replace (c, err))
      return false;
   c->columns = MT_NEW_N (c->st->arena, int, c->table->column_count + 1);
   for (const MtAssign *s = c->st->stmt->change.set; s; s = s->next) {
      if (s->part && !part_of_column (c, &s->columns->name, err))
         return false;
      bool ok = s->row ? set_row (c, s, &last, err)
                       : set_column (c, &s->columns->name, s->value, &last, err);
      if (!ok)
         return false;
   }
   return true;
}

/* ---- analysis of WHERE, SET and RETURNING ---- */

static MtX *new_x (MtArena *a, MtXKind kind, MtType type)
{
   MtX *x = MT_NEW (a, MtX);
   *x = (MtX) {.kind = kind, .type = type, .nullable = true, .depth = 1, .span = MT_NO_SPAN};
   return x;
}

/* Returns CASE WHEN where THEN value END, so that the new value is not computed for rows that WHERE
 * excludes. */
static MtX *case_when (MtArena *a, MtX *where, MtX *value)
{
   if (!where)
      return value;
   MtX *x = new_x (a, MT_X_CASE, value->type), *null = new_x (a, MT_X_CONST, value->type);
   null->value = mt_v_null ();
   x->list = MT_NEW_N (a, MtX *, 3);
   x->list[0] = where;
   x->list[1] = value;
   x->list[2] = null;
   x->count = 3;
   x->depth = 1 + (where->depth > value->depth ? where->depth : value->depth);
   x->is_volatile = value->is_volatile;
   return x;
}

static bool plan_verdict (MtChange *c, MtError *err)
{
   MtArena *a = c->st->arena;
   MtQuery *v = MT_NEW (a, MtQuery);
   MtX *yes = new_x (a, MT_X_CONST, mt_type (MT_T_BOOL));
   yes->value = mt_v_bool (true);
   *v = *c->query;
   v->where = NULL;
   v->targets = MT_NEW_N (a, MtTargetX, c->count + 1);
   v->targets[0] = (MtTargetX) {"hit", c->query->where ? c->query->where : yes};
   for (size_t i = 0; i < c->count; i++)
      v->targets[i + 1] = (MtTargetX) {"value",
                                       case_when (a, c->query->where, c->query->targets[i].expr)};
   v->target_count = v->visible_count = (int) c->count + 1;
   return mt_rows_plan (c->st, v, &c->verdict, err);
}

/* Fails if WHERE or SET has volatile functions. WHERE is computed twice, and SET once for each
 * store, so their results would differ. */
static bool check_volatile (const MtChange *c, MtError *err)
{
   bool many = c->table->layout_count > 1 || c->table->layouts[0].store_count > 1;
   if (c->joined) /* the query runs only once, so volatile functions are allowed */
      return true;
   for (size_t i = 0; i <= c->count; i++) {
      const MtX *x = i < c->count ? c->query->targets[i].expr : c->query->where;
      if (!x || !x->is_volatile || (i < c->count && !many))
         continue;
      mt_error_at (err, x->span, MT_E_FEATURE, "a volatile function in %s is not supported here",
                   i < c->count ? "SET" : "WHERE");
      return mt_error_hint (err, i < c->count ? "Each layout of the table would store other values."
                                              : "Select the keys first, and use them in WHERE.");
   }
   return true;
}

/* Returns whether an expression can be computed from a row of the changed table alone, without
 * sub-selects and the like. */
static bool is_from_row (MtX *x)
{
   int n;
   switch (x->kind) {
   case MT_X_CONST:
   case MT_X_COLUMN:
   case MT_X_CALL:
   case MT_X_AND:
   case MT_X_OR:
   case MT_X_NOT:
   case MT_X_IS_NULL:
   case MT_X_IN:
   case MT_X_CASE:
   case MT_X_COALESCE: break;
   case MT_X_KEY:
   case MT_X_AGG:
   case MT_X_TARGET:
   case MT_X_WINDOW:
   case MT_X_OUTER: return false;
   }
   MtX **kids = mt_x_children (x, &n);
   for (int i = 0; kids && i < n; i++)
      if (!is_from_row (kids[i]))
         return false;
   return true;
}

static bool is_over_rows (const MtChange *c)
{
   const MtQuery *q = c->query;
   bool ok = q->arm_count == 0 && q->rel.kind == MT_REL_TABLE && !q->grouped && !q->windows &&
             (!q->where || is_from_row (q->where));
   for (size_t i = 0; i < c->count && ok; i++)
      ok = is_from_row (q->targets[i].expr);
   return ok;
}

static bool check_no_aggregates (const MtChange *c, const MtQuery *q, const MtTarget *targets,
                                 MtError *err)
{
   MtSpan span = targets ? targets->expr->span : c->st->stmt->span;
   if (q->grouped)
      return mt_error_at (err, span, MT_E_GROUPING, "aggregate functions are not allowed in %s",
                          c->verb);
   if (q->windows)
      return mt_error_at (err, span, MT_E_WINDOWING, "window functions are not allowed in %s",
                          c->verb);
   return true;
}

/* Checks that RETURNING reads only columns of the changed table. The values of FROM and USING
 * tables are no longer at hand when rows are returned. */
static bool only_own_columns (const MtStmt *s, MtError *err)
{
   for (const MtTarget *t = s->change.from ? s->change.returning : NULL; t; t = t->next)
      if (t->expr->kind == MT_EXPR_STAR && !t->expr->column.parts && !t->expr->column.of) {
         mt_error_at (err, t->expr->span, MT_E_FEATURE,
                      "RETURNING the columns of other tables is not supported");
         return mt_error_hint (err,
                               "Use columns of the changed table only, or its name followed by .*");
      }
   return true;
}

/* Call it if RETURNING cannot be bound with the changed table alone. If the reason is a column of a
 * FROM or USING table, replaces the error by 0A000. Always returns false. */
static bool returns_other_tables (MtChange *c, MtError *err)
{
   MtStatement *st = c->st;
   const MtStmt *s = st->stmt;
   MtError why = *err;
   MtQuery *q;
   MtSelect *select = mt_rows_select (st, c->table, &s->change.alias, s->change.returning, NULL);
   if (!s->change.from)
      return false;
   if (!s->change.alias.text)
      select->plain.from->alias = (MtName) {c->table->name, true, s->change.table.span};
   select->plain.from->next = s->change.from;
   select->with = s->change.with;
   select->with_recursive = s->change.with_recursive;
   if (!mt_bind_select (st->arena, &st->env, select, &q, err))
      return false;
   mt_error_at (err, why.span, MT_E_FEATURE,
                "RETURNING the columns of other tables is not supported");
   return mt_error_hint (err, "Read them with a SELECT before or after the statement.");
}

/* Sets c->times (the time ranges for which WHERE can be true) and c->whole (DELETE removes all rows
 * in these ranges, so whole partitions can be dropped). Attached collections are never dropped, and
 * a server drops nothing in a transaction block. */
static void find_times (MtChange *c)
{
   MtSession *s = c->st->session;
   bool alone = false,
        drops = mt_engine_caps (s->engine)->local_operators || s->txn.state == MT_TRANSACTION_NONE;
   c->times = c->joined ? mt_ranges_all (c->st->arena)
                        : mt_affected_times (c->st->arena, c->query, &c->st->env.style, &alone);
   for (size_t i = 0; i < c->table->layout_count; i++)
      drops = drops &&
              /* in a store of newest records, each removed key must be read */
              c->table->layouts[i].keeps != MT_KEEPS_LATEST;
   c->whole = alone && drops && !c->update && !c->joined && !c->st->stmt->change.returning;
}

static bool bind_change (MtChange *c, MtError *err)
{
   MtStatement *st = c->st;
   const MtStmt *s = st->stmt;
   MtTarget *targets;
   if (!mt_change_targets (c, &targets, err))
      return false;
   const MtColumn **columns = MT_NEW_N (st->arena, const MtColumn *, c->count + 1);
   for (size_t i = 0; i < c->count; i++)
      columns[i] = &c->table->columns[c->columns[i]];
   MtExpr *where;
   if (!mt_change_unexpired (st, c->table, s->change.where, &where, err))
      return false;
   MtSelect *select = mt_rows_select (st, c->table, &s->change.alias, targets, where);
   select->with = s->change.with;
   select->with_recursive = s->change.with_recursive;
   if (s->change.from
          ? !mt_change_bind_join (c, targets, err)
          : !mt_bind_assigned (st->arena, &st->env, select,
                               (MtAssignment) {columns, c->count, NULL}, &c->query, err))
      return false;
   if (!c->joined && !is_over_rows (c) && !check_no_aggregates (c, c->query, targets, err))
      return false;
   if (!c->joined && !is_over_rows (c) && !mt_change_bind_join (c, targets, err))
      return false;
   if (!check_no_aggregates (c, c->joined ? c->source : c->query, targets, err) ||
       !check_volatile (c, err) || (!c->joined && !plan_verdict (c, err)))
      return false;
   if (!only_own_columns (s, err))
      return false;
   find_times (c);
   MtReturningClause clause = {&s->change.alias, s->change.returning, s->change.with};
   return mt_returning_open (st, c->table, &clause, &c->returning, err) ||
          returns_other_tables (c, err);
}

/* ---- stores ---- */

MtVal *mt_change_of_id (const MtStoreChange *s, const char *collection, MtVal id)
{
   MtVal *known = NULL;
   for (size_t i = 0; i < s->part_count; i++)
      if (s->parts[i].ids && strcmp (s->parts[i].desc.collection, collection) == 0)
         known = mt_row_map_find (s->parts[i].ids, &id);
   return known;
}

/* A callback of the writer (MtWriterOptions.takes). Returns true, once for each _id, if the
 * document with this _id was read and is to be deleted: then the writer replaces it by its new
 * document. */
static bool is_replaced (void *ctx, const char *collection, MtVal id)
{
   MtVal *done = mt_change_of_id (ctx, collection, id);
   bool yes = done && !done->i;
   if (yes)
      *done = mt_v_bool (true);
   return yes;
}

static bool replace_same (void *ctx, const char *collection, const bson_t *doc, MtError *err)
{
   return mt_change_same (ctx, collection, mt_doc_field (mt_v_doc (doc), "_id"), doc, err);
}

/* Returns whether all records of partition `part` of the store lie within the ranges `times`; false
 * if it is no partition. */
static bool change_covers (const MtStoreChange *s, size_t part, MtRangeSet times)
{
   const MtPartition *p = s->desc->parts ? &s->desc->parts->list[part] : NULL;
   bool covers = false;
   for (int i = 0; p && i < times.count && !covers; i++)
      covers = times.ranges[i].lo <= p->start_ms && p->end_ms <= times.ranges[i].hi;
   return covers;
}

static void init_store (MtChange *c, size_t layout, size_t store, MtStoreChange *s)
{
   const MtLayout *l = &c->table->layouts[layout];
   *s = (MtStoreChange) {.c = c,
                         .layout = layout,
                         .store = store,
                         .l = l,
                         .desc = &l->stores[store],
                         .alone = *c->table};
   s->records = l->keeps == MT_KEEPS_RECORDS && mt_store_records (s->desc);
   s->patches = mt_store_is_rows (s->desc) &&
                mt_can_patch (c->table, s->desc, c->columns, c->count);
}

/* Makes s->parts, which describes the change of each collection of the store. returns: documents
 * may be written again with the same _id. */
static void open_parts (MtStoreChange *s, bool returns)
{
   MtArena *a = s->c->st->arena;
   size_t n;
   const char *const *names = mt_store_collections_of (a, s->desc, &n);
   s->parts = MT_NEW_N (a, MtPartChange, n + 1);
   s->part_count = n;
   for (size_t i = 0; i < n; i++) {
      MtPartChange *p = &s->parts[i];
      *p = (MtPartChange) {.layout = *s->l,
                           .desc = mt_store_alone (s->desc, names[i]),
                           .deleted = mt_spool_new (a),
                           .replaced = mt_spool_new (a)};
      p->layout.stores = &p->desc;
      p->layout.store_count = 1;
      p->layout.stats = s->l->stats ? &s->l->stats[s->store] : NULL;
      p->ids = returns ? mt_row_map_new (a, 1, 2, false) : NULL;
      p->drop = s->c->whole && !s->l->attached && change_covers (s, i, s->c->times);
   }
}

bool mt_change_meets (const MtStoreChange *s, size_t part, MtRangeSet times)
{
   const MtPartition *p = s->desc->parts ? &s->desc->parts->list[part] : NULL;
   bool meets = !p;
   for (int i = 0; i < times.count && !meets; i++)
      meets = p->start_ms < times.ranges[i].hi && times.ranges[i].lo < p->end_ms;
   return meets;
}

static bool open_store (MtChange *c, size_t layout, size_t store, MtStoreChange *s, MtError *err)
{
   MtStatement *st = c->st;
   const MtLayout *l = &c->table->layouts[layout];
   init_store (c, layout, store, s);
   if (l->attached && (!s->records || (mt_store_is_rows (s->desc) && c->update && !s->patches))) {
      mt_error (err, MT_E_FEATURE,
                "%s is not supported for the attached documents of layout \"%s\"", c->verb,
                l->name);
      return mt_error_hint (
         err,
         "Drop the layout from the table, or change the documents with the program that writes "
         "them.");
   }
   if (s->desc->timeseries && !mt_engine_caps (st->session->engine)->local_operators) {
      mt_error (err, MT_E_FEATURE, "%s of a time-series collection is not supported", c->verb);
      return mt_error_hint (
         err, "Collection \"%s\" only accepts new records. Use TRUNCATE to remove all of them.",
         s->desc->collection);
   }
   MtLayout *only = MT_NEW (st->arena, MtLayout);
   *only = *l;
   only->stores = &l->stores[store];
   only->stats = l->stats ? &l->stats[store] : NULL;
   only->store_count = 1;
   s->alone.layouts = only;
   s->alone.layout_count = 1;
   s->added = mt_spool_new (st->arena);
   if (l->keeps == MT_KEEPS_LATEST)
      s->keys = mt_row_map_new (st->arena, l->key_count, 1, false);
   bool returns = (s->keys || !mt_store_is_rows (s->desc) || (c->update && !s->patches)) &&
                  !s->desc->repeats;
   s->guarded = returns && mt_change_is_guarded (s);
   open_parts (s, returns);
   MtWriterOptions o = {.takes = returns ? is_replaced : NULL,
                        .takes_ctx = s,
                        .replace = s->guarded ? replace_same : NULL,
                        .made = mt_partition_made,
                        .made_ctx = st,
                        .cancel = &st->session->cancel,
                        .progress = &st->session->progress,
                        .memory = (size_t) 64 << 20,
                        .leaves = c->leaf != NULL};
   return mt_writer_open (st->session->engine, &s->alone, &o, &s->writer, err);
}

/* Fails with 0A000 if WHERE includes times for which the table has only sums, because the records
 * have expired. */
static bool records_are_kept (const MtChange *c, MtError *err)
{
   int64_t now = c->st->env.style.now_ms;
   size_t first = mt_longest_records (c->table, now);
   int64_t since = first < c->table->layout_count
                      ? mt_layout_horizon (c->table, &c->table->layouts[first], now)
                      : MT_NEVER_EXPIRES;
   bool alone, kept = true;
   if (since <= mt_expiry_horizon (c->table, now))
      return true;
   MtRangeSet times = mt_affected_times (c->st->arena, c->query, &c->st->env.style, &alone);
   for (int i = 0; i < times.count && kept; i++)
      kept = times.ranges[i].lo >= since;
   if (kept)
      return true;
   const MtColumn *time = &c->table->columns[c->table->time_column];
   MtBuf text = {0};
   mt_timestamptz_out (since, c->st->env.style.zone, &text);
   mt_error (err, MT_E_FEATURE, "%s of expired rows of table \"%s\" is not supported", c->verb,
             c->table->name);
   mt_error_detail (err, "Only sums are left of rows before %s.", text.p);
   mt_error_hint (err, "Add the condition %s >= '%s'.", mt_quoted (c->st->arena, time->name),
                  text.p);
   mt_buf_free (&text);
   return false;
}

/* Opens the stores in order. The first one finds the changed rows: the store that keeps records
 * longest or, in a table without records, the store of c->leaf. The other stores with records come
 * next, then stores of sums and newest records. */
static bool open_stores (MtChange *c, MtError *err)
{
   size_t n = 0;
   size_t first = c->leaf ? c->leaf->layout
                          : mt_longest_records (c->table, c->st->env.style.now_ms);
   for (size_t i = 0; i < c->table->layout_count; i++)
      n += c->table->layouts[i].store_count;
   c->stores = MT_NEW_N (c->st->arena, MtStoreChange, n + 1);
   for (int turn = 0; turn < 3; turn++)
      for (size_t i = 0; i < c->table->layout_count; i++)
         for (size_t j = 0; j < c->table->layouts[i].store_count; j++) {
            const MtLayout *l = &c->table->layouts[i];
            bool has = c->leaf ? i == c->leaf->layout && j == c->leaf->store
                               : l->keeps == MT_KEEPS_RECORDS && mt_store_records (&l->stores[j]);
            int own_turn = has ? i != first : 2;
            if (own_turn != turn)
               continue;
            if (!open_store (c, i, j, &c->stores[c->store_count++], err))
               return false;
         }
   if (c->store_count && (c->stores[0].records || mt_change_has_leaf (&c->stores[0])))
      return true;
   return mt_error (err, MT_E_INTERNAL, "no layout of table \"%s\" can be changed", c->table->name);
}

static bool report_disagreement (const MtChange *c, const MtStoreChange *s, MtError *err)
{
   mt_error (err, MT_E_CORRUPT, "the layouts of table \"%s\" do not have the same rows",
             c->table->name);
   return mt_error_detail (
      err, "The condition holds for %llu in collection \"%s\", and for %llu in collection \"%s\".",
      (unsigned long long) c->rows, c->stores[0].desc->collection, (unsigned long long) s->rows,
      s->desc->collection);
}

/* Returns whether a store may lack changed rows that other stores have, because its layout expires
 * rows earlier. Some of its expired documents may still exist. */
static bool may_lack_rows (const MtChange *c, const MtStoreChange *s)
{
   return c->any_time && c->first_ms < mt_layout_horizon (c->table, s->l, c->st->env.style.now_ms);
}

static bool read_store (MtStoreChange *s, MtError *err)
{
   if (s->records || mt_change_has_leaf (s))
      return mt_change_records (s, err);
   return s->keys ? mt_change_latest (s, err) : mt_change_sums (s, err);
}

static bool read_stores (MtChange *c, MtError *err)
{
   for (size_t i = 0; i < c->store_count; i++) {
      MtStoreChange *s = &c->stores[i];
      if (i > 0 && c->rows == 0)
         return true;
      if (!read_store (s, err))
         return false;
      if (i == 0)
         c->rows = s->rows;
      else if (s->rows != c->rows && !may_lack_rows (c, s))
         return report_disagreement (c, s, err);
   }
   return true;
}

/* ---- writing ---- */

static bool delete_documents (MtStoreChange *s, MtPartChange *p, MtError *err)
{
   const bson_t *doc;
   bson_iter_t it;
   if (p->drop)
      return mt_engine_drop_collection (s->c->st->session->engine, p->desc.collection, err);
   bool ok = mt_spool_rewind (p->deleted, err), deleted;
   while (ok && (ok = mt_spool_next (p->deleted, &doc, err)) && doc) {
      if (!bson_iter_init_find (&it, doc, "_id"))
         continue;
      MtVal id = mt_v_from_iter (&it);
      const MtVal *written = p->ids ? mt_row_map_find (p->ids, &id) : NULL;
      if (written && written->i)
         continue;
      ok = s->guarded ? mt_change_same (s, p->desc.collection, id, NULL, err)
                      : mt_engine_delete_id (s->c->st->session->engine, p->desc.collection, id,
                                             &deleted, err);
   }
   return ok;
}

static bool replace_documents (MtStoreChange *s, MtPartChange *p, MtError *err)
{
   const bson_t *doc;
   bool ok = mt_spool_rewind (p->replaced, err);
   while (ok && (ok = mt_spool_next (p->replaced, &doc, err)) && doc)
      ok = mt_engine_replace (s->c->st->session->engine, p->desc.collection, doc, err);
   return ok;
}

static bool add_rows (MtStoreChange *s, MtError *err)
{
   size_t width = s->c->table->column_count;
   MtVal *row = MT_NEW_N (s->c->st->arena, MtVal, width + 1);
   const bson_t *doc;
   bool ok = mt_spool_rewind (s->added, err);
   while (ok && (ok = mt_spool_next (s->added, &doc, err)) && doc) {
      mt_row_read (doc, width, row);
      ok = mt_writer_add (s->writer, row, err);
   }
   return ok;
}

static bool write_store (MtStoreChange *s, MtStoreStats *out, MtError *err)
{
   MtArena *a = s->c->st->arena;
   MtStoreStats **written;
   /* Writes new documents before it deletes old ones. If the step is not atomic, readers see too
    * many rows for a moment rather than too few. */
   for (size_t i = 0; i < s->part_count; i++)
      if (!replace_documents (s, &s->parts[i], err))
         return false;
   if (!add_rows (s, err) || !mt_writer_finish (s->writer, a, &written, err))
      return false;
   for (size_t i = 0; i < s->part_count; i++)
      if (!delete_documents (s, &s->parts[i], err))
         return false;
   *out = (MtStoreStats) {0};
   if (s->l->stats)
      mt_stats_add (a, s->desc, out, &s->l->stats[s->store]);
   mt_stats_take (s->desc, out, &s->removed);
   MtStoreStats more = written[0][0];
   if (s->c->leaf) { /* sums contain no NULLs, so the counted NULLs do not change */
      more.nulls = MT_NEW_N (a, uint64_t, s->c->table->column_count);
      more.null_columns = s->c->table->column_count;
   }
   mt_stats_add (a, s->desc, out, &more);
   return true;
}

/* Returns whether the UPDATE sets a column of key k, or a column in the condition of k. */
static bool changes_key (const MtChange *c, const MtTableKey *k)
{
   for (size_t i = 0; c->update && i < c->count; i++)
      if (mt_in_key (k->columns, k->count, c->columns[i]) ||
          (k->where && mt_check_mentions (k->where, c->table->columns[c->columns[i]].name)))
         return true;
   return false;
}

/* After all rows were written, checks the uniqueness of the keys that the UPDATE changes. */
static bool check_keys (MtChange *c, MtError *err)
{
   const MtTable *t = c->table;
   MtKeyBounds *bounds = MT_NEW_N (c->st->arena, MtKeyBounds, t->unique_count + 1);
   for (size_t i = 0; i < t->unique_count; i++)
      if (changes_key (c, &t->keys[i]))
         bounds[i] = c->bounds[i];
   return mt_check_unique (c->st, t, bounds, err);
}

static bool write_all (MtChange *c, MtError *err)
{
   MtArena *a = c->st->arena;
   MtTable next = *c->table;
   if (!mt_touch_save (c->touch, err))
      return false;
   next.layouts = MT_NEW_N (a, MtLayout, next.layout_count);
   memcpy (next.layouts, c->table->layouts, next.layout_count * sizeof (MtLayout));
   for (size_t i = 0; i < next.layout_count; i++)
      next.layouts[i].stats = MT_NEW_N (a, MtStoreStats, next.layouts[i].store_count);
   for (size_t i = 0; i < c->store_count; i++)
      if (!write_store (&c->stores[i], &next.layouts[c->stores[i].layout].stats[c->stores[i].store],
                        err))
         return false;
   for (size_t i = 0; i < next.layout_count; i++)
      if (mt_is_uncounted (&c->table->layouts[i]))
         next.layouts[i].stats = c->table->layouts[i].stats;
   if (!check_keys (c, err))
      return false;
   if (mt_catalog_grow (c->st->session->catalog, c->table, &next, err))
      return true;
   if (mt_error_is (
          err,
          MT_E_SERIALIZATION)) /* another client wrote to the table since this statement read it */
      mt_note_outrun (c->st->session);
   return false;
}

bool mt_report_second_hit (MtError *err)
{
   mt_error (err, MT_E_CARDINALITY, "MERGE command cannot affect row a second time");
   return mt_error_hint (err,
                         "Ensure that not more than one source row matches any one target row.");
}

/* Checks for MERGE that each row was found once. Rows with the same values are one entry of the
 * map, but are found as often as there are such rows. */
static bool is_hit_once (const MtChange *c, MtError *err)
{
   if (!c->once || c->hits == c->rows)
      return true;
   return c->hits > c->rows
             ? mt_report_second_hit (err)
             : mt_error (err, MT_E_SERIALIZATION,
                         "another client changed table \"%s\" at the same time", c->table->name);
}

static bool read_and_write (MtChange *c, MtError *err)
{
   bool ok = mt_touch_open (c->st, c->table, &c->touch, err) && mt_change_find_leaf (c, err) &&
             (!c->joined || mt_change_gather (c, err)) &&
             (mt_change_is_empty (c) || (records_are_kept (c, err) && open_stores (c, err) &&
                                         read_stores (c, err) && is_hit_once (c, err))) &&
             mt_returning_end (&c->returning, err) &&
             (c->rows == 0 || (mt_change_is_next (c, err) && write_all (c, err) &&
                               mt_touch_confirm (c->touch, err)));
   for (size_t i = 0; i < c->store_count; i++)
      if (c->stores[i].writer)
         mt_writer_close (c->stores[i].writer);
   return ok;
}

bool mt_change_step (MtChange *c, bool *stale, MtError *err)
{
   MtSession *s = c->st->session;
   if (!mt_table_step_begin (c->st, c->table, err))
      return false;
   bool ok = mt_catalog_refresh (s->catalog, stale, err);
   mt_note_catalog_read (s);
   ok = ok && (*stale || read_and_write (c, err));
   if (ok && !*stale && c->rows && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   if (!ok)
      mt_key_refused (c->st, c->table, err);
   return ok && (*stale ? mt_catalog_refresh (s->catalog, NULL, err) : c->rows == 0);
}

/* ---- the statement ---- */

bool mt_change_begin (MtStatement *st, MtChange *c, MtError *err)
{
   const MtStmt *s = st->stmt;
   *c = (MtChange) {.st = st, .update = s->kind == MT_STMT_UPDATE};
   c->verb = c->update ? "UPDATE" : "DELETE";
   if (!mt_need_table (st, &s->change.table, &c->table, err))
      return false;
   st->env.changed = c->table;
   st->env.out_of_reach = (MtOutOfReach) {c->table, s->change.alias.text ? s->change.alias.text
                                                                         : c->table->name};
   c->bounds = MT_NEW_N (st->arena, MtKeyBounds, c->table->unique_count + 1);
   return bind_change (c, err);
}

bool mt_check_change (MtStatement *st, const MtPlan **returned, MtError *err)
{
   MtChange c;
   bool ok = mt_change_begin (st, &c, err);
   *returned = ok ? c.returning.plan : NULL;
   return ok;
}

bool mt_change_for (MtStatement *st, MtReturning *returning, uint64_t *rows, MtError *err)
{
   MtChange c;
   bool stale;
   if (!mt_change_begin (st, &c, err) || !mt_check_shapes (st, c.table, NULL, err))
      return false;
   c.returning = *returning;
   bool ok = mt_change_step (&c, &stale, err);
   *returning = c.returning;
   *rows = c.rows;
   return ok;
}

bool mt_run_change (MtStatement *st, MtError *err)
{
   MtChange c;
   bool stale = true;
   while (stale) {
      if (!mt_change_begin (st, &c, err))
         return false;
      if (mt_engine_caps (st->session->engine)->read_only)
         return mt_error (err, MT_E_READ_ONLY,
                          "cannot write to table \"%s\": the target is read-only", c.table->name);
      if (!mt_check_shapes (st, c.table, NULL, err) || !mt_change_step (&c, &stale, err))
         return false;
   }
   return mt_returning_finish (
      &c.returning, mt_printf (st->arena, "%s %llu", c.verb, (unsigned long long) c.rows), err);
}

/* ---- EXPLAIN ---- */

static const char *store_action (const MtStoreChange *s)
{
   if (s->l->keeps == MT_KEEPS_LATEST)
      return "keys that lose their newest record get the newest of the others";
   if (mt_change_has_leaf (s))
      return "documents are written again with their remaining sums";
   if (!s->records)
      return s->c->leaf ? "made again from the finest sums of the changed span of time"
                        : "made again from the records of the changed span of time";
   if (!mt_store_is_rows (s->desc))
      return "documents are written again with their remaining records";
   if (!s->c->update)
      return "documents are deleted";
   return s->patches ? "documents are changed in place" : "documents are deleted and inserted";
}

static void add_store_plan (MtStatement *st, MtWritePlan *out, const MtStorePlan *p)
{
   MtStorePlan *more = MT_NEW_N (st->arena, MtStorePlan, out->store_count + 1);
   if (out->store_count)
      memcpy (more, out->stores, out->store_count * sizeof *more);
   more[out->store_count++] = *p;
   out->stores = more;
}

/* Returns how many consecutive partitions from index i on are dropped. */
static size_t drops_from (const MtStoreChange *s, size_t i)
{
   size_t n = 0;
   while (i + n < s->part_count && s->parts[i + n].drop)
      n++;
   return n;
}

/* Adds the collections of a store that the statement changes to the plan for EXPLAIN. A store
 * without such collections is listed, too. */
static bool plan_store (MtChange *c, size_t layout, size_t store, MtWritePlan *out,
                        const MtPlanSettings *settings, MtError *err)
{
   MtStatement *st = c->st;
   MtStoreChange s;
   bool any = false;
   init_store (c, layout, store, &s);
   open_parts (&s, false);
   for (size_t i = 0; i < s.part_count; i++) {
      MtPartChange *p = &s.parts[i];
      MtStorePlan plan = {s.l->name, p->desc.collection, store_action (&s), NULL};
      size_t drops = drops_from (&s, i);
      if (!mt_change_meets (&s, i, c->times))
         continue;
      if (drops == 1)
         plan.how = "the partition is dropped";
      else if (drops)
         plan.how = mt_printf (st->arena,
                               "the partition is dropped, and all partitions up to \"%s\"",
                               s.parts[i + drops - 1].desc.collection);
      i += drops ? drops - 1 : 0;
      if ((s.records || mt_change_has_leaf (&s)) && !p->drop && !c->joined &&
          !mt_plan_affected (st->arena,
                             &(MtAffected) {c->query, &p->layout, &p->desc,
                                            c->leaf ? c->leaf->leaf : NULL},
                             settings, &plan.affected, err))
         return false;
      add_store_plan (st, out, &plan);
      any = true;
   }
   if (!any)
      add_store_plan (
         st, out, &(MtStorePlan) {s.l->name, s.desc->collection, "none of its partitions", NULL});
   return true;
}

bool mt_plan_change (MtStatement *st, MtWritePlan *out, MtError *err)
{
   MtChange c;
   if (!mt_change_begin (st, &c, err) || !mt_check_shapes (st, c.table, NULL, err) ||
       !mt_change_find_leaf (&c, err) || (!c.joined && !records_are_kept (&c, err)))
      return false;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.skip_malformed = st->malformed;
   *out = (MtWritePlan) {.verb = c.update ? "Update" : "Delete",
                         .each = c.joined ? NULL : c.verdict->remote,
                         .of_sums = c.leaf != NULL};
   if (c.joined && !mt_plan_bound (st, c.source, &out->source, err))
      return false;
   out->table = c.table->name;
   out->commit = mt_commit_promise (st, c.table);
   for (size_t i = 0; i < c.table->layout_count; i++)
      for (size_t j = 0; j < c.table->layouts[i].store_count; j++)
         if (!plan_store (&c, i, j, out, &settings, err))
            return false;
   return true;
}
