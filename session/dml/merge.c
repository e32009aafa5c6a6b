/* MERGE. Each clause WHEN is bound as an UPDATE … FROM, DELETE … USING or INSERT … SELECT of its
 * own, with the conditions of the clauses before it negated. All of them are read before anything
 * is written, so that none sees the changes of another one. Then rows are deleted, updated and
 * inserted, in this order. */
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/dml/change.h"
#include "session/dml/dml.h"

#include <string.h>

typedef struct Merge {
   MtStatement *st;
   const MtTable *table;
   MtFrom *source;
   MtCte *with;
   MtChange *deletes, *updates; /* what each clause changes */
   size_t delete_count, update_count;
   const MtStmt **inserts; /* a statement for each clause */
   size_t insert_count;
   MtSpool *rows; /* the rows to insert */
   uint64_t affected;
} Merge;

/* ---- conditions ---- */

static MtExpr *new_expr (const Merge *m, MtExprKind kind, int depth)
{
   MtExpr *e = MT_NEW (m->st->arena, MtExpr);
   *e = (MtExpr) {.kind = kind, .span = m->st->stmt->span, .depth = depth + 1};
   e->outer = e->span;
   return e;
}

/* Makes left AND right. NULL: no condition. */
static MtExpr *both (const Merge *m, MtExpr *left, MtExpr *right)
{
   if (!left || !right)
      return left ? left : right;
   MtExpr *e = new_expr (m, MT_EXPR_AND, left->depth > right->depth ? left->depth : right->depth);
   e->list = MT_NEW (m->st->arena, MtExprList);
   e->list->expr = left;
   e->list->next = MT_NEW (m->st->arena, MtExprList);
   e->list->next->expr = right;
   return e;
}

static MtExpr *is_not_true (const Merge *m, MtExpr *x)
{
   MtExpr *e = new_expr (m, MT_EXPR_IS, x->depth);
   e->is.test = MT_IS_TRUE;
   e->is.negated = true;
   e->is.left = x;
   return e;
}

static const MtName *target_alias (const Merge *m)
{
   const MtName *alias = &m->st->stmt->change.alias;
   MtName *own = MT_NEW (m->st->arena, MtName);
   *own = alias->text ? *alias : (MtName) {m->table->name, true, m->st->stmt->change.table.span};
   return own;
}

/* Makes NOT EXISTS (SELECT FROM target WHERE the condition behind ON). */
static MtExpr *is_missing (const Merge *m)
{
   MtExpr *on = m->st->stmt->change.where;
   MtExpr *exists = new_expr (m, MT_EXPR_EXISTS, on->depth + 1),
          *e = new_expr (m, MT_EXPR_NOT, exists->depth);
   exists->subquery = mt_rows_select (m->st, m->table, target_alias (m), NULL, on);
   e->arg = exists;
   return e;
}

/* Returns the condition of a clause: its own, and that no clause before it applies. NULL: none. */
static MtExpr *condition_of (const Merge *m, const MtMergeWhen *w)
{
   MtExpr *all = NULL;
   for (const MtMergeWhen *before = m->st->stmt->change.whens; before != w; before = before->next)
      if (before->matched == w->matched)
         all = both (m, all, is_not_true (m, before->where));
   return both (m, all, w->where);
}

/* ---- the source ---- */

static MtSelect *select_from (const Merge *m, MtFrom *from, MtTarget *targets, MtExpr *where)
{
   MtSelect *s = MT_NEW (m->st->arena, MtSelect);
   *s = (MtSelect) {.kind = MT_SELECT_PLAIN,
                    .span = m->st->stmt->span,
                    .with = m->with,
                    .with_recursive = m->st->stmt->change.with_recursive,
                    .plain.targets = targets,
                    .plain.from = from,
                    .plain.where = where};
   return s;
}

/* Sets *varies to whether the query can give other rows when it runs again. */
static bool may_vary (const Merge *m, const MtSelect *s, MtQuery **q, bool *varies, MtError *err)
{
   MtStatement *st = m->st;
   int before = st->env.sharing->varied;
   if (!mt_bind_select (st->arena, &st->env, s, q, err))
      return false;
   *varies = mt_query_is_volatile (*q) || st->env.sharing->varied != before;
   return true;
}

static MtTarget *star (const Merge *m)
{
   MtTarget *t = MT_NEW (m->st->arena, MtTarget);
   t->expr = new_expr (m, MT_EXPR_STAR, 0);
   return t;
}

/* Computes the rows of the source once, and replaces the source by an entry of WITH with them. */
static bool fix_source (Merge *m, const MtQuery *q, MtError *err)
{
   MtStatement *st = m->st;
   MtArena *a = st->arena;
   const MtFrom *f = m->source;
   MtPlan *plan;
   if (f->kind == MT_FROM_JOIN) {
      mt_error_at (err, f->span, MT_E_FEATURE,
                   "a volatile function in a join as the source of MERGE is not supported");
      return mt_error_hint (err, "Use a sub-select with an alias.");
   }
   MtCteRows *rows = MT_NEW (a, MtCteRows);
   MtResult *r = mt_result_new (st->session, mt_arena_new ("source", NULL));
   r->style = st->env.style;
   bool ok = mt_plan_bound (st, q, &plan, err) && mt_result_run (r, plan, false, err) &&
             mt_gather_entry (a, r, rows, err);
   mt_result_free (r);
   MtCte *c = MT_NEW (a, MtCte);
   *c = (MtCte) {.name = {"source of MERGE", true, f->span}, .rows = rows, .uses = 3};
   c->query = select_from (m, NULL, NULL, NULL);
   c->next = m->with;
   m->with = c;
   m->source = MT_NEW (a, MtFrom);
   *m->source = (MtFrom) {.kind = MT_FROM_TABLE, .span = f->span, .alias = f->alias};
   m->source->table.name = c->name;
   if (!f->alias.text && f->kind == MT_FROM_TABLE)
      m->source->alias = f->table.name;
   return ok;
}

/* Fails with 42712 if the source has the name of the target. */
static bool other_name (const Merge *m, MtError *err)
{
   const MtFrom *f = m->source;
   const MtName *name = f->alias.text || f->kind != MT_FROM_TABLE ? &f->alias : &f->table.name;
   if (!name->text || strcmp (name->text, target_alias (m)->text) != 0)
      return true;
   mt_error (err, MT_E_DUPLICATE_ALIAS, "name \"%s\" specified more than once", name->text);
   return mt_error_detail (err, "The name is used both as MERGE target table and data source.");
}

/* Binds the conditions of clauses of one kind by themselves. Each is computed several times, so
 * they must not be volatile. */
static bool check_conditions (const Merge *m, bool matched, MtError *err)
{
   const MtStmt *s = m->st->stmt;
   MtExpr *all = matched ? s->change.where : NULL;
   MtFrom *from = m->source;
   MtQuery *q;
   bool varies;
   for (const MtMergeWhen *w = s->change.whens; w; w = w->next)
      if (w->matched == matched)
         all = both (m, all, w->where);
   if (matched) {
      from = mt_rows_select (m->st, m->table, target_alias (m), NULL, NULL)->plain.from;
      from->next = m->source;
   }
   if (!may_vary (m, select_from (m, from, NULL, all), &q, &varies, err))
      return false;
   if (!varies)
      return true;
   mt_error_at (err, s->span, MT_E_FEATURE,
                "a volatile function in a condition of MERGE is not supported");
   return mt_error_hint (err, "Compute its value in the source of MERGE.");
}

/* Prepares the source. runs: rows of a volatile source are computed. */
static bool open_source (Merge *m, bool runs, MtError *err)
{
   MtQuery *q;
   bool varies;
   MtStatement looks = *m->st, *st = m->st;
   if (!other_name (m, err))
      return false;
   if (!may_vary (m, select_from (m, m->source, star (m), NULL), &q, &varies, err) ||
       (varies && runs && !fix_source (m, q, err)))
      return false;
   m->st = &looks;
   bool before = mt_look_begin (&looks),
        ok = (varies && !runs) ||
             (check_conditions (m, true, err) && check_conditions (m, false, err));
   mt_look_end (&looks, before);
   m->st = st;
   return ok;
}

/* ---- clauses ---- */

static bool bind_change (Merge *m, const MtMergeWhen *w, MtError *err)
{
   MtStatement *inner = MT_NEW (m->st->arena, MtStatement);
   MtStmt *s = MT_NEW (m->st->arena, MtStmt);
   bool update = w->action == MT_MERGE_UPDATE;
   *s = *m->st->stmt;
   s->kind = update ? MT_STMT_UPDATE : MT_STMT_DELETE;
   s->change.whens = NULL;
   s->change.set = w->set;
   s->change.from = m->source;
   s->change.with = m->with;
   s->change.where = both (m, m->st->stmt->change.where, condition_of (m, w));
   *inner = *m->st;
   inner->stmt = s;
   return mt_change_begin (
      inner, update ? &m->updates[m->update_count++] : &m->deletes[m->delete_count++], err);
}

static void add_column (const Merge *m, MtNameList ***last, MtName name)
{
   **last = MT_NEW (m->st->arena, MtNameList);
   (**last)->name = name;
   *last = &(**last)->next;
}

/* Splits the row of INSERT into names of columns and a select list. Columns with DEFAULT are left
 * out. */
static bool split_row (const Merge *m, const MtMergeWhen *w, MtNameList **columns,
                       MtTarget **targets, MtError *err)
{
   const MtNameList *name = w->columns;
   size_t i = 0;
   for (const MtExprList *v = w->values->row; v; v = v->next, i++) {
      if (w->columns ? !name : i == m->table->column_count)
         return mt_error_at (err, v->expr->span, MT_E_SYNTAX,
                             "INSERT has more expressions than target columns");
      MtName column = name ? name->name : (MtName) {m->table->columns[i].name, true, v->expr->span};
      name = name ? name->next : NULL;
      if (v->expr->kind == MT_EXPR_DEFAULT)
         continue;
      add_column (m, &columns, column);
      *targets = MT_NEW (m->st->arena, MtTarget);
      (*targets)->expr = v->expr;
      targets = &(*targets)->next;
   }
   return !name || mt_error_at (err, name->name.span, MT_E_SYNTAX,
                                "INSERT has more target columns than expressions");
}

static bool make_insert (Merge *m, const MtMergeWhen *w, MtError *err)
{
   MtStmt *s = MT_NEW (m->st->arena, MtStmt);
   MtNameList *columns = NULL;
   MtTarget *targets = NULL;
   if (w->values && !split_row (m, w, &columns, &targets, err))
      return false;
   *s = (MtStmt) {.kind = MT_STMT_INSERT, .span = m->st->stmt->span};
   s->insert.schema = m->st->stmt->change.schema;
   s->insert.table = m->st->stmt->change.table;
   s->insert.columns = columns;
   /* without a value, no column gets one in place of its default */
   s->insert.overriding = columns ? w->overriding : MT_OVERRIDING_USER;
   s->insert.source = select_from (m, m->source, targets,
                                   both (m, is_missing (m), condition_of (m, w)));
   m->inserts[m->insert_count++] = s;
   return true;
}

static bool bind_clauses (Merge *m, MtError *err)
{
   bool ok = true;
   for (const MtMergeWhen *w = m->st->stmt->change.whens; w && ok; w = w->next)
      if (w->action == MT_MERGE_INSERT)
         ok = make_insert (m, w, err);
      else if (w->action != MT_MERGE_NOTHING)
         ok = bind_change (m, w, err);
   return ok;
}

static bool open_merge (MtStatement *st, Merge *m, bool runs, MtError *err)
{
   const MtStmt *s = st->stmt;
   size_t n = 1;
   for (const MtMergeWhen *w = s->change.whens; w; w = w->next)
      n++;
   *m = (Merge) {.st = st,
                 .source = s->change.from,
                 .with = s->change.with,
                 .deletes = MT_NEW_N (st->arena, MtChange, n),
                 .updates = MT_NEW_N (st->arena, MtChange, n),
                 .inserts = MT_NEW_N (st->arena, const MtStmt *, n),
                 .rows = mt_spool_new (st->arena)};
   return mt_need_table (st, &s->change.table, &m->table, err) && open_source (m, runs, err) &&
          bind_clauses (m, err);
}

/* ---- reading ---- */

/* Returns the columns that some of the clauses set, each once. */
static void unite_columns (const Merge *m, const MtChange *list, size_t n, MtChange *out)
{
   out->columns = MT_NEW_N (m->st->arena, int, m->table->column_count + 1);
   out->count = 0;
   for (size_t c = 0; c < m->table->column_count; c++) {
      bool set = false;
      for (size_t i = 0; i < n; i++)
         for (size_t k = 0; k < list[i].count; k++)
            set |= list[i].columns[k] == (int) c;
      if (set)
         out->columns[out->count++] = (int) c;
   }
}

/* Adds the rows that one clause changes to those of all. */
static bool unite_rows (const MtChange *one, MtChange *all, MtVal *row, MtError *err)
{
   size_t width = one->table->column_count, at = 0;
   const MtVal *from;
   while ((from = mt_row_map_next (one->map, &at))) {
      if (mt_row_map_find (all->map, from))
         return mt_report_second_hit (err);
      memcpy (row, from, width * sizeof *row);
      for (size_t i = 0; i < all->count; i++) {
         row[width + i] = from[all->columns[i]];
         for (size_t k = 0; k < one->count; k++)
            if (one->columns[k] == all->columns[i])
               row[width + i] = from[width + k];
      }
      mt_row_map_keep (all->map, row);
   }
   all->hits += one->hits;
   return true;
}

/* Makes one change of the changes of several clauses, in list[0]. */
static bool unite (const Merge *m, MtChange *list, size_t n, MtError *err)
{
   MtArena *a = m->st->arena;
   size_t width = m->table->column_count;
   if (n < 2)
      return true;
   MtChange all = list[0];
   unite_columns (m, list, n, &all);
   all.hits = 0;
   all.map = mt_row_map_new (a, width, all.count, false);
   MtVal *row = MT_NEW_N (a, MtVal, width + all.count + 1);
   for (size_t i = 0; i < n; i++)
      if (!unite_rows (&list[i], &all, row, err))
         return false;
   list[0] = all;
   return true;
}

static bool are_apart (const MtChange *a, const MtChange *b, MtError *err)
{
   const MtVal *row;
   size_t at = 0;
   while ((row = mt_row_map_next (a->map, &at)))
      if (mt_row_map_find (b->map, row))
         return mt_report_second_hit (err);
   return true;
}

/* Reads what all clauses change and add. */
static bool read_clauses (Merge *m, MtError *err)
{
   for (size_t i = 0; i < m->delete_count; i++)
      if (!mt_change_gather_rows (&m->deletes[i], err))
         return false;
   for (size_t i = 0; i < m->update_count; i++)
      if (!mt_change_gather_rows (&m->updates[i], err))
         return false;
   for (size_t i = 0; i < m->insert_count; i++) {
      MtStatement inner = *m->st;
      inner.stmt = m->inserts[i];
      if (!mt_insert_gather (&inner, m->rows, err))
         return false;
   }
   return unite (m, m->deletes, m->delete_count, err) &&
          unite (m, m->updates, m->update_count, err) &&
          (!m->delete_count || !m->update_count || are_apart (m->deletes, m->updates, err));
}

/* ---- writing ---- */

/* Finds the table again, which has new statistics after a change. */
static bool find_again (Merge *m, MtError *err)
{
   const MtTable *t = m->table;
   return mt_catalog_find_among (m->st->session->catalog,
                                 t->temporary ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES, t->name,
                                 true, &m->table, err);
}

static bool write_change (Merge *m, MtChange *list, size_t count, MtError *err)
{
   bool stale;
   if (!count || mt_change_is_empty (&list[0]))
      return true;
   list[0].table = m->table;
   list[0].once = true;
   if (!mt_check_shapes (list[0].st, m->table, NULL, err) ||
       !mt_change_step (&list[0], &stale, err))
      return false;
   if (stale) {
      mt_note_outrun (m->st->session);
      return mt_error (err, MT_E_SERIALIZATION,
                       "another client changed table \"%s\" at the same time", m->table->name);
   }
   m->affected += list[0].rows;
   return find_again (m, err);
}

static bool feed_rows (void *ctx, MtWriteStep *w, MtError *err)
{
   Merge *m = ctx;
   MtVal *row = MT_NEW_N (m->st->arena, MtVal, m->table->column_count + 1);
   const bson_t *doc;
   bool ok = mt_spool_rewind (m->rows, err);
   while (ok && (ok = mt_spool_next (m->rows, &doc, err)) && doc) {
      mt_row_read (doc, m->table->column_count, row);
      ok = mt_write_add (w, row, err);
      m->affected++;
   }
   return ok;
}

static bool write_inserts (Merge *m, MtError *err)
{
   if (!m->insert_count)
      return true;
   MtStatement inner = *m->st;
   inner.stmt = m->inserts[0];
   return mt_write_step (&inner, m->table, feed_rows, m, err);
}

/* On a server, each kind of change would be committed by itself. */
static bool is_atomic (const Merge *m, MtError *err)
{
   MtEngine *e = m->st->session->engine;
   int steps = (m->delete_count > 0) + (m->update_count > 0) + (m->insert_count > 0);
   if (mt_engine_caps (e)->savepoints || steps < 2 || mt_engine_in_txn (e))
      return true;
   mt_error_at (err, m->st->stmt->span, MT_E_FEATURE,
                "MERGE with several kinds of changes is not supported on this server");
   return mt_error_hint (err, "Use INSERT ... ON CONFLICT, or run MERGE in a transaction block.");
}

bool mt_run_merge (MtStatement *st, MtError *err)
{
   Merge m;
   if (mt_engine_caps (st->session->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot write to table \"%s\": the target is read-only",
                       st->stmt->change.table.text);
   if (!open_merge (st, &m, true, err) || !is_atomic (&m, err) || !read_clauses (&m, err) ||
       !write_change (&m, m.deletes, m.delete_count, err) ||
       !write_change (&m, m.updates, m.update_count, err) || !write_inserts (&m, err))
      return false;
   mt_result_set_tag (st->result,
                      mt_printf (st->arena, "MERGE %llu", (unsigned long long) m.affected));
   return true;
}

bool mt_check_merge (MtStatement *st, MtError *err)
{
   Merge m;
   const MtPlan *returned;
   if (!open_merge (st, &m, false, err))
      return false;
   for (size_t i = 0; i < m.insert_count; i++) {
      MtStatement inner = *st;
      inner.stmt = m.inserts[i];
      if (!mt_check_insert (&inner, &returned, err))
         return false;
   }
   return true;
}
