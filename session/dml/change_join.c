/* UPDATE … FROM, DELETE … USING, and conditions over more than one row of the table. A query finds
 * the changed rows and their new values. Rows have no identity except their values, so all records
 * with the same values are changed. */
#include "layouts/read/patch.h"
#include "session/core/core.h"
#include "session/dml/change.h"

#include <string.h>

typedef struct Entry {
   uint64_t hash;
   MtVal *row; /* the row, followed by its new values; NULL: a free slot */
} Entry;

struct MtRowMap {
   MtArena *a;
   size_t width, values;
   bool equal; /* compare by value: 1.0 equals 1.00; else by representation */
   Entry *entries;
   size_t capacity, count; /* capacity is a power of two */
};

/* ---- rows by their values ---- */

static uint64_t hash_row (const MtRowMap *m, const MtVal *row)
{
   uint64_t h = 1;
   for (size_t i = 0; i < m->width; i++)
      h = mt_v_hash (row[i], h);
   return h;
}

/* Returns whether two values are equal bit by bit: 1.0 differs from 1.00, and 0 from -0. */
static bool is_same_value (MtVal a, MtVal b)
{
   if (a.type == MT_DECIMAL && b.type == MT_DECIMAL)
      return memcmp (a.p, b.p, 16) == 0;
   if (a.type == MT_DOUBLE && b.type == MT_DOUBLE)
      return a.i == b.i;
   return mt_v_compare (a, b) == 0;
}

static bool same_row (const MtRowMap *m, const MtVal *a, const MtVal *b)
{
   for (size_t i = 0; i < m->width; i++)
      if (mt_is_nullish (a[i]) != mt_is_nullish (b[i]) ||
          (!mt_is_nullish (a[i]) &&
           !(m->equal ? mt_v_compare (a[i], b[i]) == 0 : is_same_value (a[i], b[i]))))
         return false;
   return true;
}

static Entry *find_slot (const MtRowMap *m, const MtVal *row, uint64_t hash)
{
   size_t i = hash & (m->capacity - 1);
   while (m->entries[i].row &&
          (m->entries[i].hash != hash || !same_row (m, m->entries[i].row, row)))
      i = (i + 1) & (m->capacity - 1);
   return &m->entries[i];
}

MtVal *mt_row_map_find (const MtRowMap *m, const MtVal *row)
{
   const Entry *e = find_slot (m, row, hash_row (m, row));
   return e->row ? e->row + m->width : NULL;
}

static void grow_map (MtRowMap *m)
{
   MtRowMap larger = *m;
   larger.capacity = mt_room ("changes", m->capacity, m->capacity + 1, 1024, sizeof (Entry),
                              sizeof m->capacity);
   larger.entries = MT_NEW_N (m->a, Entry, larger.capacity);
   for (size_t i = 0; i < m->capacity; i++)
      if (m->entries[i].row)
         *find_slot (&larger, m->entries[i].row, m->entries[i].hash) = m->entries[i];
   *m = larger;
}

MtRowMap *mt_row_map_new (MtArena *a, size_t width, size_t values, bool equal)
{
   MtRowMap *m = MT_NEW (a, MtRowMap);
   *m = (MtRowMap) {
      .a = mt_arena_new ("changed rows", a), .width = width, .values = values, .equal = equal};
   grow_map (m);
   return m;
}

/* If the query returns several new values for a row, the first is used. PostgreSQL may use any of
 * them. */
void mt_row_map_keep (MtRowMap *m, const MtVal *row)
{
   if (m->count + 1 > m->capacity / 4 * 3)
      grow_map (m);
   uint64_t hash = hash_row (m, row);
   Entry *e = find_slot (m, row, hash);
   if (e->row)
      return;
   e->hash = hash;
   e->row = MT_NEW_N (m->a, MtVal, m->width + m->values + 1);
   for (size_t i = 0; i < m->width + m->values; i++)
      e->row[i] = mt_v_copy (m->a, row[i]);
   m->count++;
}

MtVal *mt_row_map_next (const MtRowMap *m, size_t *at)
{
   while (*at < m->capacity && !m->entries[*at].row)
      ++*at;
   return *at < m->capacity ? m->entries[(*at)++].row : NULL;
}

/* ---- the query ---- */

/* Returns the expression table.column, with the alias if the table has one. */
static MtExpr *qualified_column (MtChange *c, const MtColumn *column)
{
   MtArena *a = c->st->arena;
   const MtName *alias = &c->st->stmt->change.alias;
   MtExpr *e = mt_column_expr (a, column, c->st->stmt->change.table.span);
   MtNameList *table = MT_NEW (a, MtNameList);
   table->name = (MtName) {alias->text ? alias->text : c->table->name, true, e->span};
   table->next = e->column.parts;
   e->column.parts = table;
   return e;
}

/* Returns whether an item of FROM may refer to items on its left, that is, whether it is a function
 * or LATERAL. */
static bool refers_left (const MtFrom *f)
{
   for (; f; f = f->next)
      if (f->lateral || f->kind == MT_FROM_FUNCTION ||
          (f->kind == MT_FROM_JOIN && (refers_left (f->join.left) || refers_left (f->join.right))))
         return true;
   return false;
}

/* Checks that LATERAL items of FROM do not refer to the changed table: they must be valid if FROM
 * is analyzed without this table. */
static bool check_items (MtChange *c, MtError *err)
{
   const MtStmt *s = c->st->stmt;
   MtStatement looks = *c->st;
   MtSelect *select = MT_NEW (c->st->arena, MtSelect);
   MtQuery *q;
   if (!refers_left (s->change.from))
      return true;
   select->kind = MT_SELECT_PLAIN;
   select->span = s->span;
   select->plain.from = s->change.from;
   select->with = s->change.with;
   select->with_recursive = s->change.with_recursive;
   bool before = mt_look_begin (&looks),
        ok = mt_bind_select (c->st->arena, &looks.env, select, &q, err);
   mt_look_end (&looks, before);
   return ok;
}

bool mt_change_bind_join (MtChange *c, MtTarget *values, MtError *err)
{
   MtStatement *st = c->st;
   const MtStmt *s = st->stmt;
   size_t width = c->table->column_count;
   MtTarget *first = NULL, **last = &first;
   if (!check_items (c, err))
      return false;
   const MtColumn **columns = MT_NEW_N (st->arena, const MtColumn *, width + c->count + 1);
   for (size_t i = 0; i < width; i++) {
      MtTarget *t = MT_NEW (st->arena, MtTarget);
      t->expr = qualified_column (c, &c->table->columns[i]);
      columns[i] = &c->table->columns[i];
      *last = t;
      last = &t->next;
   }
   for (size_t i = 0; i < c->count; i++)
      columns[width + i] = &c->table->columns[c->columns[i]];
   *last = values;
   MtSelect *select = mt_rows_select (st, c->table, &s->change.alias, first, s->change.where);
   if (!s->change.alias.text)
      select->plain.from->alias = (MtName) {c->table->name, true, s->change.table.span};
   select->plain.from->next = s->change.from;
   select->with = s->change.with;
   select->with_recursive = s->change.with_recursive;
   if (!mt_bind_assigned (st->arena, &st->env, select,
                          (MtAssignment) {columns, width + c->count, NULL}, &c->source, err)) {
      return err->topic == MT_TOPIC_UNGROUPED && values
                ? mt_error_at (err, values->expr->span, MT_E_GROUPING,
                               "aggregate functions are not allowed in %s", c->verb)
                : false;
   }
   c->joined = true;
   return true;
}

/* ---- a condition that is true for all changed rows ---- */

enum { FEW = 64 };

/* Returns the condition `column IN ($n …)` with all values that the changed rows have in the
 * column. NULL: there are more than FEW values, or one is NULL. */
static MtExpr *few_values (MtChange *c, size_t column, MtParams *p)
{
   const MtRowMap *m = c->map;
   MtArena *a = c->st->arena;
   MtVal found[FEW];
   size_t n = 0;
   for (size_t i = 0; i < m->capacity; i++) {
      const MtVal *row = m->entries[i].row;
      size_t k = 0;
      while (row && k < n && mt_v_compare (found[k], row[column]) != 0)
         k++;
      if (!row || k < n)
         continue;
      if (n == FEW || mt_is_nullish (row[column]))
         return NULL;
      found[n++] = row[column];
   }
   MtExpr *in = MT_NEW (a, MtExpr);
   MtExprList **last = &in->in.list;
   in->kind = MT_EXPR_IN;
   in->span = c->st->stmt->span;
   in->in.value = mt_column_expr (a, &c->table->columns[column], in->span);
   for (size_t k = 0; k < n; k++) {
      MtExprList *l = MT_NEW (a, MtExprList);
      l->expr = MT_NEW (a, MtExpr);
      *l->expr = (MtExpr) {.kind = MT_EXPR_PARAM, .span = in->span, .param = ++p->count};
      p->types[p->count - 1] = c->table->columns[column].type;
      p->values[p->count - 1] = found[k];
      *last = l;
      last = &l->next;
   }
   return n ? in : NULL;
}

/* Returns the condition `time BETWEEN $n AND $m` with the first and last time of the changed rows.
 * NULL: the time of a row is NULL. */
static MtExpr *time_span (MtChange *c, MtParams *p)
{
   const MtRowMap *m = c->map;
   int tc = c->table->time_column;
   MtArena *a = c->st->arena;
   MtExpr *e = MT_NEW (a, MtExpr), *ends = MT_NEW_N (a, MtExpr, 2);
   MtVal low = mt_v_null (), high = mt_v_null ();
   for (size_t i = 0; i < m->capacity; i++) {
      const MtVal *row = m->entries[i].row;
      if (row && row[tc].type != MT_DATE)
         return NULL;
      if (row && (low.type != MT_DATE || row[tc].i < low.i))
         low = row[tc];
      if (row && (high.type != MT_DATE || row[tc].i > high.i))
         high = row[tc];
   }
   for (int i = 0; i < 2; i++) {
      ends[i] = (MtExpr) {.kind = MT_EXPR_PARAM, .span = c->st->stmt->span, .param = ++p->count};
      p->types[p->count - 1] = c->table->columns[tc].type;
      p->values[p->count - 1] = i ? high : low;
   }
   *e = (MtExpr) {.kind = MT_EXPR_BETWEEN, .span = c->st->stmt->span};
   e->between.value = mt_column_expr (a, &c->table->columns[tc], e->span);
   e->between.low = &ends[0];
   e->between.high = &ends[1];
   return e;
}

/* Binds c->query: SELECT the table's columns WHERE a condition on time and dimensions that is true
 * for all changed rows. Documents for which it is false need not be read. */
static bool bind_common (MtChange *c, MtError *err)
{
   MtArena *a = c->st->arena;
   size_t width = c->table->column_count;
   MtParams params = {.types = MT_NEW_N (a, MtType, width * FEW + 2),
                      .values = MT_NEW_N (a, MtVal, width * FEW + 2)};
   MtBindEnv env = c->st->env;
   MtExpr *all = MT_NEW (a, MtExpr);
   MtExprList **last = &all->list;
   int parts = 0;
   all->kind = MT_EXPR_AND;
   all->span = c->st->stmt->span;
   for (size_t i = 0; i < width; i++) {
      MtExpr *e = NULL;
      if ((int) i == c->table->time_column)
         e = time_span (c, &params);
      else if (c->table->columns[i].role == MT_COL_DIMENSION)
         e = few_values (c, i, &params);
      if (!e)
         continue;
      *last = MT_NEW (a, MtExprList);
      (*last)->expr = e;
      last = &(*last)->next;
      parts++;
   }
   env.params = &params;
   MtExpr *where = parts > 1 ? all : NULL;
   if (parts == 1)
      where = all->list->expr;
   return mt_bind_select (
      a, &env, mt_rows_select (c->st, c->table, NULL, mt_rows_columns (c->st, c->table), where),
      &c->query, err);
}

/* ---- reading the query ---- */

static bool report_too_many (MtError *err)
{
   mt_error (err, MT_E_OUT_OF_MEMORY, "the changed rows do not fit in work_mem");
   return mt_error_hint (err, "Increase work_mem, or change the rows in several statements.");
}

static bool keep_row (MtChange *c, MtResult *r, MtVal *row, MtArena *a, MtError *err)
{
   MtRowMap *m = c->map;
   for (size_t i = 0; i < m->width + m->values; i++) {
      int column = i < m->width ? (int) i : c->columns[i - m->width];
      if (!mt_value_normalize (a, c->table->columns[column].type, r->values[i], &row[i], err))
         return false;
   }
   mt_row_map_keep (m, row);
   c->hits++;
   return mt_arena_bytes (m->a) <= (size_t) c->st->session->settings.work_mem ||
          report_too_many (err);
}

bool mt_change_gather_rows (MtChange *c, MtError *err)
{
   MtStatement *st = c->st;
   MtPlan *plan;
   MtRowMap *m = c->map = mt_row_map_new (st->arena, c->table->column_count, c->count, false);
   MtVal *row = MT_NEW_N (st->arena, MtVal, m->width + m->values + 1);
   MtArena *a = mt_arena_new ("row", st->arena);
   if (!mt_plan_bound (st, c->source, &plan, err))
      return false;
   MtResult *r = mt_result_new (st->session, mt_arena_new ("select", NULL));
   r->unprinted = true;
   bool more = true, ok = mt_result_run (r, plan, false, err);
   while (ok && (ok = mt_result_next (r, &more, err)) && more) {
      ok = keep_row (c, r, row, a, err);
      mt_arena_reset (a);
   }
   mt_result_free (r);
   c->gathered = true;
   return ok;
}

bool mt_change_gather (MtChange *c, MtError *err)
{
   return (c->gathered || mt_change_gather_rows (c, err)) && bind_common (c, err);
}

bool mt_change_is_empty (const MtChange *c) { return c->map && c->map->count == 0; }
