/* Checks PRIMARY KEY and UNIQUE. After rows are written, the same step searches for duplicates
 * among the rows whose keys could equal the keys of the written rows. */
#include "layouts/expire.h"
#include "layouts/collections/partition.h"
#include "engine/pipe.h"
#include "session/core/core.h"
#include "session/core/rows.h"
#include "session/core/schemas.h"
#include "session/dml/dml.h"

#include <string.h>

static MtExpr *new_expr (MtStatement *st, MtExprKind kind)
{
   MtExpr *e = MT_NEW (st->arena, MtExpr);
   e->kind = kind;
   e->span = e->outer = st->stmt->span;
   return e;
}

/* ---- keys of expired rows ---- */

int64_t mt_keys_since (const MtStatement *st, const MtTable *t)
{
   int64_t now = st->env.style.now_ms;
   size_t longest = t->unique_count && mt_expires (t) ? mt_longest_records (t, now)
                                                      : t->layout_count;
   int64_t since = longest < t->layout_count ? mt_layout_horizon (t, &t->layouts[longest], now)
                                             : MT_NEVER_EXPIRES;
   return since > mt_expiry_horizon (t, now) ? since : MT_NEVER_EXPIRES;
}

bool mt_key_can_be_told (MtStatement *st, const MtTable *t, int64_t since_ms, const MtVal *row,
                         MtError *err)
{
   if (since_ms == MT_NEVER_EXPIRES || row[t->time_column].i >= since_ms ||
       row[t->time_column].i < mt_expiry_horizon (t, st->env.style.now_ms))
      return true;
   MtBuf time = {0};
   mt_timestamptz_out (since_ms, st->env.style.zone, &time);
   mt_error (err, MT_E_FEATURE, "%s of expired rows into table \"%s\" is not supported",
             st->stmt->kind == MT_STMT_UPDATE ? "UPDATE" : "INSERT", t->name);
   mt_error_detail (err, "Only sums are left of rows before %s, so duplicate keys cannot be found.",
                    time.p);
   mt_error_hint (
      err,
      "Use a table without PRIMARY KEY and UNIQUE to add late rows to layouts that still keep their "
      "time.");
   mt_buf_free (&time);
   return false;
}

/* ---- the rows with a key ---- */

static void add_condition (MtStatement *st, MtExprList ***last, MtExpr *e)
{
   **last = MT_NEW (st->arena, MtExprList);
   (**last)->expr = e;
   *last = &(**last)->next;
}

static MtExpr *is_null (MtStatement *st, const MtColumn *c, bool negated)
{
   MtExpr *e = new_expr (st, MT_EXPR_IS);
   e->is.test = MT_IS_NULL;
   e->is.negated = negated;
   e->is.left = mt_column_expr (st->arena, c, e->span);
   return e;
}

/* Returns the condition `time >= since`. */
static MtExpr *not_before (MtStatement *st, const MtTable *t, int64_t since, MtParams *p)
{
   MtExpr *low = new_expr (st, MT_EXPR_OPERATOR);
   const MtColumn *time = &t->columns[t->time_column];
   low->op.op = ">=";
   low->op.op_span = low->span;
   low->op.left = mt_column_expr (st->arena, time, low->span);
   low->op.right = mt_parameter_expr (st, p, time->type, mt_v_date (since));
   return low;
}

/* Returns the condition that a column is between the bounds. NULL: the bounds can't be used. */
static MtExpr *within (MtStatement *st, const MtColumn *c, const MtKeyBounds *b, MtParams *p)
{
   /* The bounds of an enum are ordered as texts, but SQL compares the positions of its labels. */
   bool by_place = mt_type_is_enum (mt_type_element (c->type.id));
   if (!b || b->open || by_place || (!b->any && !b->any_null))
      return NULL;
   MtExpr *between = new_expr (st, MT_EXPR_BETWEEN), *either = new_expr (st, MT_EXPR_OR);
   if (!b->any)
      return is_null (st, c, false);
   between->between.value = mt_column_expr (st->arena, c, between->span);
   between->between.low = mt_parameter_expr (st, p, c->type, b->low);
   between->between.high = mt_parameter_expr (st, p, c->type, b->high);
   if (!b->any_null)
      return between;
   MtExprList **last = &either->list;
   add_condition (st, &last, between);
   add_condition (st, &last, is_null (st, c, false));
   either->depth = 2;
   return either;
}

/* The rows among which duplicates of a key are searched: rows between the bounds; bounds NULL: all
 * rows. */
typedef struct KeyRows {
   const MtTable *t;
   const MtTableKey *k;
   const MtKeyBounds *bounds;
} KeyRows;

/* Sets *out to the condition for the rows in which duplicates are searched: between the bounds,
 * with a time for which keys are known, with no NULL in the key (unless NULLs are equal), and with
 * the condition of a partial index. NULL: all rows. */
static bool key_condition (MtStatement *st, const KeyRows *rows, MtParams *p, MtExpr **out,
                           MtError *err)
{
   const MtTable *t = rows->t;
   const MtTableKey *k = rows->k;
   MtExpr *all = new_expr (st, MT_EXPR_AND), *e;
   MtExprList **last = &all->list;
   int64_t since = mt_keys_since (st, t);
   if ((e = within (st, &t->columns[k->columns[0]], rows->bounds, p)))
      add_condition (st, &last, e);
   if (since != MT_NEVER_EXPIRES)
      add_condition (st, &last, not_before (st, t, since, p));
   for (size_t i = 0; i < k->count && !k->nulls_equal; i++)
      if (!t->columns[k->columns[i]].not_null)
         add_condition (st, &last, is_null (st, &t->columns[k->columns[i]], true));
   all->depth = 3;
   if (k->where) {
      if (!mt_parse_expr (st->arena, k->where->sql, strlen (k->where->sql), &e, err))
         return false;
      add_condition (st, &last, e);
      all->depth = e->depth + 3;
   }
   *out = all->list && !all->list->next ? all->list->expr : all;
   if (!all->list)
      *out = NULL;
   return true;
}

/* Sets *out to SELECT key FROM t WHERE the condition of key_condition. */
static bool select_keys (MtStatement *st, const KeyRows *rows, MtParams *p, MtSelect **out,
                         MtError *err)
{
   const MtTableKey *k = rows->k;
   MtTarget *first = NULL, **last = &first;
   MtExpr *where;
   for (size_t i = 0; i < k->count; i++) {
      *last = MT_NEW (st->arena, MtTarget);
      (*last)->expr = mt_column_expr (st->arena, &rows->t->columns[k->columns[i]], st->stmt->span);
      last = &(*last)->next;
   }
   p->types = MT_NEW_N (st->arena, MtType, 3);
   p->values = MT_NEW_N (st->arena, MtVal, 3);
   if (!key_condition (st, rows, p, &where, err))
      return false;
   *out = mt_rows_select (st, rows->t, NULL, first, where);
   return true;
}

static bool run_keys (MtStatement *st, const MtTable *t, MtSelect *select, MtParams *p,
                      MtResult **out, MtError *err)
{
   MtBindEnv env = st->env;
   MtQuery *q;
   MtPlan *plan;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.layout = settings.cut = NULL;
   settings.require_full_pushdown = false;
   env.params = p;
   if (!mt_bind_select (st->arena, &env, select, &q, err) ||
       !mt_plan_query (st->arena, q, &settings, &plan, err))
      return false;
   *out = mt_result_new (st->session, mt_arena_new ("keys", NULL));
   (*out)->unprinted = true;
   if (mt_result_run (*out, plan, false, err))
      return true;
   mt_result_free (*out);
   return false;
}

bool mt_keys_there (MtStatement *st, const MtTable *t, const MtTableKey *k,
                    const MtKeyBounds *bounds, MtResult **out, MtError *err)
{
   MtParams p = {0};
   MtSelect *select;
   return select_keys (st, &(KeyRows) {t, k, bounds}, &p, &select, err) &&
          run_keys (st, t, select, &p, out, err);
}

/* Returns whether MongoDB may order two values differently from SQL. In MongoDB, NaN is the least
 * number, and binary data are ordered by their length first. */
static bool other_order (MtVal a, MtVal b)
{
   return a.type == MT_DOC || a.type == MT_ARRAY || (a.type == MT_BINARY && a.len != b.len) ||
          mt_v_is_nan (a);
}

/* Returns a copy of a bound. A text is copied to the buffer *text, of *room bytes, which grows if
 * necessary. So many rows with ascending texts need little memory. */
static MtVal keep_bound (MtArena *a, MtVal v, char **text, size_t *room)
{
   if (v.type != MT_STRING)
      return mt_v_copy (a, v);
   if (v.len > *room) {
      *room = 2 * (size_t) v.len;
      *text = MT_NEW_N (a, char, *room);
   }
   memcpy (*text, v.p, v.len);
   return mt_v_str (*text, v.len);
}

void mt_key_bounds_add (MtArena *a, const MtTableKey *k, MtKeyBounds *b, const MtVal *row)
{
   MtVal v = row[k->columns[0]];
   if (!mt_key_counts (k, row))
      return;
   if (mt_is_nullish (v)) {
      b->any_null = true;
      return;
   }
   b->open |= other_order (v, b->any ? b->low : v);
   if (!b->any || mt_v_compare (v, b->low) < 0)
      b->low = keep_bound (a, v, &b->low_text, &b->low_room);
   if (!b->any || mt_v_compare (v, b->high) > 0)
      b->high = keep_bound (a, v, &b->high_text, &b->high_room);
   b->any = true;
}

void mt_keys_bounds_add (MtArena *a, const MtTable *t, MtKeyBounds *bounds, const MtVal *row)
{
   for (size_t i = 0; i < t->unique_count; i++)
      mt_key_bounds_add (a, &t->keys[i], &bounds[i], row);
}

/* ---- finding duplicate keys ---- */

/* Adds GROUP BY key HAVING count (*) > 1 LIMIT 1 to the query s, whose first targets are the key's
 * columns. */
static void add_group_by_key (MtStatement *st, MtSelect *s, size_t key_count)
{
   MtGroupItem **last = &s->plain.group_by;
   MtTarget *t = s->plain.targets;
   for (size_t i = 0; i < key_count; i++, t = t->next) {
      *last = MT_NEW (st->arena, MtGroupItem);
      **last = (MtGroupItem) {.kind = MT_GROUP_EXPR, .span = st->stmt->span, .expr = t->expr};
      last = &(*last)->next;
   }
   MtExpr *count = new_expr (st, MT_EXPR_CALL), *one = new_expr (st, MT_EXPR_INTEGER),
          *more = new_expr (st, MT_EXPR_OPERATOR);
   count->call.name = MT_NEW (st->arena, MtNameList);
   count->call.name->name = (MtName) {.text = "count", .span = st->stmt->span};
   count->call.star = true;
   one->text = "1";
   more->op.op = ">";
   more->op.op_span = st->stmt->span;
   more->op.left = count;
   more->op.right = one;
   s->plain.having = more;
   s->limit = one;
}

/* Returns whether the statement creates a unique index over existing rows. PostgreSQL's message is
 * different then. */
static bool builds (const MtStatement *st)
{
   MtStmtKind kind = st->stmt->kind;
   return kind == MT_STMT_ALTER_TABLE || kind == MT_STMT_CREATE_INDEX || kind == MT_STMT_REFRESH;
}

/* Sets PostgreSQL's message for a duplicate of key k. */
static void tell_duplicate (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err)
{
   const char *key = mt_unqualified (st->session, k->name);
   mt_error (err, MT_E_UNIQUE,
             builds (st) ? "could not create unique index \"%s\""
                         : "duplicate key value violates unique constraint \"%s\"",
             key);
   mt_error_of_table (st->session, t, NULL, key, err);
}

bool mt_report_duplicate (MtStatement *st, const MtTable *t, const MtTableKey *k,
                          const MtVal *values, MtError *err)
{
   MtBuf names = {0}, shown = {0};
   for (size_t i = 0; i < k->count; i++) {
      const MtColumn *c = &t->columns[k->columns[i]];
      MtError ignored;
      mt_buf_printf (&names, "%s%s", i ? ", " : "", mt_quoted (st->arena, c->name));
      mt_buf_adds (&shown, i ? ", " : "");
      if (mt_is_nullish (values[i]))
         mt_buf_adds (&shown, "null");
      else
         mt_value_print (c->type, values[i], &st->env.style, &shown, &ignored);
   }
   tell_duplicate (st, t, k, err);
   mt_error_detail (err, "Key (%.200s)=(%.200s) %s.", names.p ? names.p : "",
                    shown.p ? shown.p : "", builds (st) ? "is duplicated" : "already exists");
   mt_buf_free (&names);
   mt_buf_free (&shown);
   return false;
}

/* Returns the key whose index is named in a server's message: "index: NAME dup key" or "Index
 * 'NAME'". If no key has such an index, returns the PRIMARY KEY, whose index has another name. */
static const MtTableKey *key_in_message (MtArena *a, const MtTable *t, const char *message)
{
   for (size_t i = 0; i < t->unique_count; i++)
      if (strstr (message, mt_printf (a, "index: %s dup", t->keys[i].name)) ||
          strstr (message, mt_printf (a, "Index '%s'", t->keys[i].name)))
         return &t->keys[i];
   return mt_primary_key (t);
}

void mt_key_refused_row (MtStatement *st, const MtTable *t, const MtVal *row, MtError *err)
{
   MtError said = *err;
   bool by_server = said.topic == MT_TOPIC_ID || said.topic == MT_TOPIC_KEY;
   if (!by_server || !mt_engine_caps (st->session->engine)->unique_indexes)
      return;
   const MtTableKey *k = key_in_message (st->arena, t, said.message);
   if (!k)
      return;
   if (row) {
      MtVal *values = MT_NEW_N (st->arena, MtVal, k->count + 1);
      for (size_t i = 0; i < k->count; i++)
         values[i] = row[k->columns[i]];
      mt_report_duplicate (st, t, k, values, err);
   } else {
      tell_duplicate (st, t, k, err);
      mt_error_detail (err, "The server says: %s.", said.message);
   }
   if (said.context[0])
      mt_error_context (err, "%s", said.context);
}

void mt_key_refused (MtStatement *st, const MtTable *t, MtError *err)
{
   mt_key_refused_row (st, t, NULL, err);
}

static bool check_key (MtStatement *st, const KeyRows *rows, MtError *err)
{
   MtParams p = {0};
   MtResult *r;
   MtSelect *select;
   bool more;
   const MtKeyBounds *b = rows->bounds;
   if (b && !b->any && !b->any_null)
      return true;
   if (!select_keys (st, rows, &p, &select, err))
      return false;
   add_group_by_key (st, select, rows->k->count);
   if (!run_keys (st, rows->t, select, &p, &r, err))
      return false;
   bool ok = mt_result_next (r, &more, err) &&
             (!more || mt_report_duplicate (st, rows->t, rows->k, r->values, err));
   mt_result_free (r);
   return ok;
}

/* Makes the rows that the open step has written visible to a query, also in partitions that the
 * step has created. */
static bool see_rows (MtStatement *st, const MtTable *t, MtError *err)
{
   return mt_engine_see (st->session->engine, err) &&
          mt_partitions_look (st->session->engine, &t, 1, err);
}

bool mt_check_key (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err)
{
   return see_rows (st, t, err) && check_key (st, &(KeyRows) {t, k, NULL}, err);
}

bool mt_check_unique (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtError *err)
{
   bool any = !bounds && t->unique_count;
   for (size_t i = 0; bounds && i < t->unique_count; i++)
      any |= bounds[i].any || bounds[i].any_null;
   if (any && !see_rows (st, t, err))
      return false;
   for (size_t i = 0; i < t->unique_count; i++)
      if (!check_key (st, &(KeyRows) {t, &t->keys[i], bounds ? &bounds[i] : NULL}, err))
         return false;
   return true;
}
