/* Analyzes the query of a continuous view: finds its bucket (the time expression in GROUP BY) and
 * the table whose time column the bucket has, and refuses queries that can't be refreshed bucket by
 * bucket. */
#include "session/upkeep/upkeep.h"

#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "types/datetime.h"

#include <string.h>

typedef struct Definition {
   MtStatement *st;
   const MtSelect *select;
   MtQuery *query;
   const char *text;
   const MtTarget *bucket; /* the target whose expression is the bucket */
   int bucket_at;          /* the index of this target */
   MtExprList *time;       /* the argument of the bucket function that is the time */
   const MtFrom *from;     /* the item of FROM to which this time column belongs */
   const MtTable *source;
   MtContinuous *out;
} Definition;

static bool refuse (MtSpan span, const char *what, const char *hint, MtError *err)
{
   mt_error_at (err, span, MT_E_FEATURE, "%s is not supported in a continuous view", what);
   return mt_error_hint (err, "%s", hint);
}

#define PLAIN_HINT "Create an ordinary view over the continuous view for it."

/* ---- clauses ---- */

/* Returns the name of a clause that continuous views cannot have; NULL: there is none. */
static const char *refused_clause (const MtSelect *s)
{
   if (s->kind != MT_SELECT_PLAIN)
      return s->kind == MT_SELECT_SETOP ? "a set operation" : "this form of query";
   const struct {
      bool is;
      const char *name;
   } clauses[] = {{s->with != NULL, "WITH"},
                  {s->order != NULL, "ORDER BY"},
                  {s->limit != NULL, "LIMIT"},
                  {s->offset != NULL, "OFFSET"},
                  {s->plain.distinct || s->plain.distinct_on, "DISTINCT"},
                  {s->plain.windows != NULL, "WINDOW"},
                  {s->plain.qualify != NULL, "QUALIFY"},
                  {s->plain.sample != NULL, "SAMPLE BY"},
                  {s->plain.latest != NULL, "LATEST ON"},
                  {s->locking != NULL, "FOR UPDATE"}};
   for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
      if (clauses[i].is)
         return clauses[i].name;
   return NULL;
}

static bool check_clauses (const Definition *d, MtError *err)
{
   const MtSelect *s = d->select;
   const char *clause = refused_clause (s);
   if (clause)
      return refuse (s->span, clause, PLAIN_HINT, err);
   for (const MtGroupItem *g = s->plain.group_by; g; g = g->next)
      if (g->kind != MT_GROUP_EXPR && g->kind != MT_GROUP_ALL)
         return refuse (g->span, "this form of GROUP BY", "Group by expressions.", err);
   return true;
}

/* Returns the query's text with each character within strings and quoted names replaced by a
 * blank. */
static const char *without_quoted (const Definition *d)
{
   char *text = mt_strdup (d->st->arena, d->text), quote = 0;
   for (char *p = text; *p; p++) {
      if (quote ? *p == quote : *p == '\'' || *p == '"')
         quote = quote ? 0 : *p;
      else if (quote)
         *p = ' ';
   }
   return text;
}

/* Fails if the query has functions whose results change with the time, or sub-selects. */
static bool check_words (const Definition *d, MtError *err)
{
   static const char *const words[] = {
      "now",       "current_timestamp",     "current_date",        "current_time",
      "localtime", "localtimestamp",        "clock_timestamp",     "statement_timestamp",
      "timeofday", "transaction_timestamp", "time_bucket_gapfill", "current_setting"};
   const char *text = without_quoted (d);
   for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (mt_find_word (text, words[i]))
         return refuse (d->select->span, words[i],
                        "Its result must be the same at each refresh. Use the condition when you "
                        "read the view.",
                        err);
   if (mt_find_word (text + 1, "select"))
      return refuse (d->select->span, "a sub-select", "Join the table.", err);
   if (mt_query_is_volatile (d->query))
      return refuse (d->select->span, "a volatile function", "Use it when you read the view.", err);
   if (d->query->windows)
      return refuse (d->select->span, "a window function", PLAIN_HINT, err);
   return true;
}

/* ---- the bucket ---- */

static const MtName *function_name (const MtExpr *e)
{
   const MtNameList *n = e->kind == MT_EXPR_CALL ? e->call.name : NULL;
   while (n && n->next)
      n = n->next;
   return n ? &n->name : NULL;
}

static bool is_bucket (const MtExpr *e)
{
   const MtName *name = function_name (e);
   return name && (mt_ieq (name->text, "time_bucket") || mt_ieq (name->text, "date_trunc"));
}

/* Returns whether GROUP BY contains target t, the one with index `at`: as an expression, by its
 * number or by its name. */
static bool is_key (const Definition *d, const MtTarget *t, int at)
{
   MtArena *a = d->st->arena;
   const char *text = mt_expr_text (a, t->expr), *number = mt_printf (a, "%d", at + 1),
              *name = d->query->targets[at].name;
   for (const MtGroupItem *g = d->select->plain.group_by; g; g = g->next) {
      if (g->kind == MT_GROUP_ALL)
         return true;
      const char *key = mt_expr_text (a, g->expr);
      if (!strcmp (key, text) || !strcmp (key, number) ||
          (g->expr->kind == MT_EXPR_COLUMN && !g->expr->column.parts->next &&
           mt_ieq (g->expr->column.parts->name.text, name)))
         return true;
   }
   return false;
}

static bool no_bucket (const Definition *d, const char *what, MtError *err)
{
   mt_error_at (err, d->select->span, MT_E_FEATURE, "a continuous view needs %s", what);
   return mt_error_hint (err, "Select time_bucket (width, time), and group by it.");
}

static bool find_bucket (Definition *d, MtError *err)
{
   int i = 0;
   for (const MtTarget *t = d->select->plain.targets; t; t = t->next, i++) {
      if (t->expr->kind == MT_EXPR_STAR)
         return refuse (t->expr->span, "*", "Name the columns.", err);
      if (mt_type_is_datetime (d->query->targets[i].expr->type.id) && !d->bucket &&
          !(is_bucket (t->expr) && is_key (d, t, i)))
         return no_bucket (d, "a time bucket in GROUP BY as its first date or time column", err);
      if (!is_bucket (t->expr) || !is_key (d, t, i))
         continue;
      if (d->bucket)
         return no_bucket (d, "exactly one time bucket", err);
      d->bucket = t;
      d->bucket_at = i;
   }
   return d->bucket || no_bucket (d, "a time bucket in GROUP BY", err);
}

static bool find_time (Definition *d, MtError *err)
{
   for (MtExprList *e = d->bucket->expr->call.args; e; e = e->next) {
      if (e->expr->kind != MT_EXPR_COLUMN)
         continue;
      if (d->time)
         return no_bucket (d, "buckets of one fixed width", err);
      d->time = e;
   }
   return d->time || no_bucket (d, "a time bucket of a column", err);
}

/* ---- FROM ---- */

static const char *item_name (const MtFrom *f)
{
   return f->alias.text ? f->alias.text : f->table.name.text;
}

static bool is_continuous (const Definition *d, const MtTable *t)
{
   MtContinuous *v;
   MtError ignored;
   return mt_continuous_find (d->st->session, d->st->arena, t->name, &v, &ignored) && v;
}

/* Returns the table that an item of FROM names; NULL: the item is a view or an undeclared
 * collection. */
static const MtTable *table_of (const Definition *d, const MtFrom *f)
{
   const MtTable *t = NULL;
   MtError ignored;
   MtName schema = f->table.schema, name = f->table.name;
   if (!schema.text)
      schema.text = "public"; /* mt_complete_query adds other schemas */
   return mt_place_name (d->st->session, d->st->arena, &schema, &name, NULL, &ignored) &&
                mt_catalog_find_among (d->st->session->catalog, MT_PERMANENT_TABLES, name.text,
                                       mt_name_is_exact (&name), &t, &ignored)
             ? t
             : NULL;
}

/* If f is the item of FROM whose TIME column is the argument of the bucket, sets d->source and
 * d->from to it. Fails if there are two such items. */
static bool see_table (Definition *d, const MtFrom *f, MtError *err)
{
   const MtNameList *parts = d->time->expr->column.parts,
                    *column = parts->next ? parts->next : parts;
   const MtTable *t = table_of (d, f);
   if (column->next || (parts->next && !mt_ieq (parts->name.text, item_name (f))) || !t ||
       t->time_column < 0 || !mt_ieq (t->columns[t->time_column].name, column->name.text))
      return true;
   if (d->source)
      return no_bucket (d, "exactly one table, whose TIME column is bucketed", err);
   d->source = t;
   d->from = f;
   return true;
}

static bool walk_from (Definition *d, const MtFrom *f, MtError *err)
{
   switch (f->kind) {
   case MT_FROM_TABLE: return see_table (d, f, err);
   case MT_FROM_JOIN: return walk_from (d, f->join.left, err) && walk_from (d, f->join.right, err);
   case MT_FROM_SUBQUERY:
   case MT_FROM_FUNCTION: break;
   }
   return refuse (f->span, "a sub-select or function in FROM", "Join tables.", err);
}

/* Returns how often FROM reads the source table. *optional: an outer join can produce rows without
 * a row of the source. */
static int count_source (const Definition *d, const MtFrom *f, bool *optional)
{
   if (f->kind != MT_FROM_JOIN)
      return table_of (d, f) == d->source;
   int left = count_source (d, f->join.left, optional),
       right = count_source (d, f->join.right, optional);
   switch (f->join.kind) {
   case MT_JOIN_INNER:
   case MT_JOIN_CROSS: break;
   case MT_JOIN_LEFT:
   case MT_JOIN_ASOF:
   case MT_JOIN_WINDOW: *optional |= right > 0; break;
   case MT_JOIN_RIGHT: *optional |= left > 0; break;
   case MT_JOIN_FULL: *optional = true; break;
   }
   return left + right;
}

static bool check_source (const Definition *d, MtError *err)
{
   const MtColumn *time = &d->source->columns[d->source->time_column];
   MtSession *s = d->st->session;
   MtSpan span = d->from->span;
   int reads = 0;
   bool optional = false;
   for (const MtFrom *f = d->select->plain.from; f; f = f->next)
      reads += count_source (d, f, &optional);
   if (reads > 1)
      return refuse (span, "a second use of the table whose TIME column is bucketed",
                     "Join other tables only.", err);
   if (optional)
      return refuse (span, "an outer join that adds rows without a time",
                     "Use the table with the time on the side whose rows are kept.", err);
   if (mt_is_matview (s, d->source->name) && !is_continuous (d, d->source))
      return refuse (span, "a materialized view that is not continuous",
                     "Create it WITH (continuous), or read its table.", err);
   if (time->not_null)
      return true;
   mt_error_at (err, span, MT_E_FEATURE, "column \"%s\" of table \"%s\" may be NULL", time->name,
                d->source->name);
   return mt_error_hint (err, "Use ALTER TABLE %s ALTER COLUMN %s SET NOT NULL.",
                         mt_quoted (d->st->arena, d->source->name),
                         mt_quoted (d->st->arena, time->name));
}

static bool find_source (Definition *d, MtError *err)
{
   for (const MtFrom *f = d->select->plain.from; f; f = f->next)
      if (!walk_from (d, f, err))
         return false;
   return d->source ? check_source (d, err)
                    : no_bucket (d, "a bucket of a table's TIME column", err);
}

/* ---- the bucket's width ---- */

static const char *literal (MtArena *a, const MtExpr *e)
{
   if (e->kind == MT_EXPR_STRING)
      return mt_strndup (a, e->str.p, e->str.n);
   return e->kind == MT_EXPR_TYPED_STRING ? mt_strndup (a, e->typed.str.p, e->typed.str.n) : NULL;
}

/* Returns whether all buckets certainly have the same length: no months or years, and no time zone
 * other than UTC. */
static bool is_fixed (const Definition *d)
{
   MtArena *a = d->st->arena;
   const MtExprList *args = d->bucket->expr->call.args,
                    *third = args->next ? args->next->next : NULL;
   const char *first = literal (a, args->expr), *zone = third ? literal (a, third->expr) : NULL;
   MtInterval width;
   MtError ignored;
   if (!first || (third && (third->next || !zone || !mt_ieq (zone, "UTC"))))
      return false;
   if (mt_ieq (function_name (d->bucket->expr)->text, "date_trunc"))
      return !mt_ieq (first, "month") && !mt_ieq (first, "quarter") && !mt_ieq (first, "year") &&
             !mt_ieq (first, "decade") && !mt_ieq (first, "century") &&
             !mt_ieq (first, "millennium");
   return mt_interval_in (first, strlen (first), &width, &ignored) && !width.months;
}

/* Stores the text of the bucket's expression, with $1 instead of the time column. Fails if its
 * result depends on the session's time zone. */
static bool take_bucket (Definition *d, MtError *err)
{
   MtArena *a = d->st->arena;
   const MtTable *t = d->source;
   MtExpr parameter = {.kind = MT_EXPR_PARAM, .param = 1}, *time = d->time->expr;
   MtTypeId type = t->columns[t->time_column].type.id;
   const MtExprList *args = d->bucket->expr->call.args;
   bool trunc = mt_ieq (function_name (d->bucket->expr)->text, "date_trunc");
   if (trunc && (type == MT_T_DATE || (type == MT_T_TIMESTAMPTZ && !args->next->next)))
      return refuse (d->bucket->expr->span, "date_trunc that depends on the session's time zone",
                     "Use time_bucket, or add the time zone: date_trunc ('day', time, 'UTC').",
                     err);
   if (d->query->targets[d->bucket_at].expr->type.id != type)
      return no_bucket (d, "a bucket with the type of the TIME column", err);
   d->out->time = mt_expr_text (a, time);
   d->time->expr = &parameter;
   d->out->bucket = mt_expr_text (a, d->bucket->expr);
   d->time->expr = time;
   d->out->type = type;
   if (mt_bucket_measure (d->st->session, d->out, is_fixed (d), err))
      return true;
   return no_bucket (d, "buckets of one fixed width", err);
}

/* ---- the result ---- */

static const char *column_name (const Definition *d)
{
   const MtNameList *name = d->st->stmt->create_table.as_names;
   for (int i = 0; name && i < d->bucket_at; i++)
      name = name->next;
   return mt_strdup (d->st->arena, name ? name->name.text : d->query->targets[d->bucket_at].name);
}

static bool bind (Definition *d, MtError *err)
{
   MtBuf text = {0};
   MtBindEnv env = d->st->env;
   env.stored = true;
   mt_print_select (d->select, &text);
   d->text = mt_strndup (d->st->arena, text.p, text.n);
   mt_buf_free (&text);
   return mt_bind_select (d->st->arena, &env, d->select, &d->query, err);
}

bool mt_continuous_describe (MtStatement *st, MtContinuous *out, MtError *err)
{
   bson_oid_t oid;
   char id[25];
   Definition d = {.st = st, .out = out};
   if (!mt_complete_query (st, st->stmt->create_table.as, &d.select, err) ||
       !check_clauses (&d, err) || !bind (&d, err) || !check_words (&d, err) ||
       !find_bucket (&d, err) || !find_time (&d, err) || !find_source (&d, err) ||
       !take_bucket (&d, err))
      return false;
   bson_oid_init (&oid, NULL);
   bson_oid_to_string (&oid, id);
   out->name = st->stmt->create_table.name.text;
   out->id = mt_strdup (st->arena, id);
   out->source = mt_strdup (st->arena, d.source->name);
   out->column = column_name (&d);
   out->watermark_ms = out->kept_ms = MT_TIME_MIN;
   return true;
}
