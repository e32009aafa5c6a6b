/* SUMMARIZE, DESCRIBE and SHOW TABLES. Each statement is translated to the text of a SELECT, which
 * is then parsed and analyzed. SUMMARIZE computes all its aggregates in one row, and then makes one
 * row for each column from it. */
#include "analyze/block/block_int.h"
#include "parser/parser.h"
#include "types/type.h"

#include <string.h>

typedef struct Text {
   MtArena *a;
   const MtQuery *q; /* the query that SUMMARIZE describes */
   MtBuf out;
} Text;

static void add_string (Text *t, const char *s) { mt_buf_quoted (&t->out, '\'', mt_str (s)); }

static MtType column_type (const MtQuery *q, int i) { return q->targets[i].expr->type; }

/* ---- SUMMARIZE ---- */

/* Kinds of types by the aggregates that SUMMARIZE computes for their columns. Each kind is a bit,
 * so that kinds can be combined. */
typedef enum Values {
   VALUES_OTHER = 1,      /* only counted */
   VALUES_ORDERED = 2,    /* min and max */
   VALUES_BOOL = 4,       /* bool_and and bool_or */
   VALUES_WHOLE = 8,      /* also average, deviation, and quartiles that are values */
   VALUES_FRACTIONS = 16, /* quartiles are interpolated */
   VALUES_TIMES = 32      /* average of the times, no deviation */
} Values;

static Values values_of (MtTypeId id)
{
   switch (mt_type_form (id)) {
   case MT_T_BOOL: return VALUES_BOOL;
   case MT_T_INT2:
   case MT_T_INT4:
   case MT_T_INT8: return VALUES_WHOLE;
   case MT_T_FLOAT4:
   case MT_T_FLOAT8:
   case MT_T_NUMERIC: return VALUES_FRACTIONS;
   case MT_T_DATE:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ: return VALUES_TIMES;
   case MT_T_TEXT:
   case MT_T_VARCHAR:
   case MT_T_BPCHAR:
   case MT_T_TIME:
   case MT_T_INTERVAL:
   case MT_T_OBJECTID:
   case MT_T_OID: return VALUES_ORDERED;
   default: return mt_type_is_array (id) ? VALUES_ORDERED : VALUES_OTHER;
   }
}

#define NUMBERS (VALUES_WHOLE | VALUES_FRACTIONS)
#define SORTED (VALUES_ORDERED | NUMBERS | VALUES_TIMES)
#define ALL (VALUES_OTHER | VALUES_BOOL | SORTED)

/* The aggregates of SUMMARIZE: a name, the kinds of types that have the aggregate, and the
 * expression, in which @ stands for the column. If no row has the name and the kind of a column,
 * the value is NULL. */
static const struct {
   const char *name;
   unsigned kinds; /* the bits of Values */
   const char *expression;
} parts[] = {
   {"min", SORTED, "min(@)::text"},
   {"min", VALUES_BOOL, "bool_and(@)::text"},
   {"max", SORTED, "max(@)::text"},
   {"max", VALUES_BOOL, "bool_or(@)::text"},
   {"approx_unique", ALL, "approx_count_distinct(@)"},
   {"avg", NUMBERS, "avg(@)::float8::text"},
   {"avg", VALUES_TIMES, "to_timestamp(avg(extract(epoch FROM @))::float8)"},
   {"std", NUMBERS, "stddev(@)::float8::text"},
   {"quartiles", VALUES_WHOLE, "approx_quantile(@::int8, ARRAY[0.25, 0.5, 0.75])"},
   {"quartiles", VALUES_FRACTIONS | VALUES_TIMES, "approx_quantile(@, ARRAY[0.25, 0.5, 0.75])"},
   {"missing", ALL, "count(*) - count(@)"},
};

#define PARTS (sizeof parts / sizeof *parts)

/* Appends the aggregates of result column i, such as ", min(c0)::text AS min0". */
static void add_aggregates (Text *t, int i)
{
   Values kind = values_of (column_type (t->q, i).id);
   for (size_t p = 0; p < PARTS; p++) {
      if (!(parts[p].kinds & kind))
         continue;
      mt_buf_adds (&t->out, ", ");
      for (const char *e = parts[p].expression; *e; e++)
         if (*e == '@')
            mt_buf_printf (&t->out, "c%d", i);
         else
            mt_buf_addc (&t->out, *e);
      mt_buf_printf (&t->out, " AS %s%d", parts[p].name, i);
   }
}

/* Appends the aggregate with the name `part` of column i, such as "quartiles0", followed by the
 * text `behind`, such as "[1]". Appends NULL if the column's type has no such aggregate. */
static void add_value (Text *t, const char *part, int i, const char *behind)
{
   Values kind = values_of (column_type (t->q, i).id);
   for (size_t p = 0; p < PARTS; p++)
      if ((parts[p].kinds & kind) && strcmp (parts[p].name, part) == 0) {
         mt_buf_printf (&t->out, "%s%d%s", part, i, behind);
         return;
      }
   mt_buf_adds (&t->out, "NULL");
}

static void add_name (Text *t, int i) { add_string (t, t->q->targets[i].name); }

static void add_type (Text *t, int i)
{
   add_string (t, mt_type_display (t->a, column_type (t->q, i)));
}

/* Appends the average of column i. For date and timestamp, the average is converted to a
 * timestamp. */
static void add_average (Text *t, int i)
{
   MtTypeId id = column_type (t->q, i).id;
   bool local = id == MT_T_DATE || id == MT_T_TIMESTAMP;
   add_value (t, "avg", i, local ? " AT TIME ZONE 'UTC'" : "");
}

static void add_count (Text *t, int i)
{
   (void) i;
   mt_buf_adds (&t->out, "n");
}

static void add_missing (Text *t, int i)
{
   mt_buf_printf (&t->out, "round(100.0 * missing%d / nullif(n, 0), 2)", i);
}

/* A column of SUMMARIZE's result. Either add_value (with part and behind) or the function `add`
 * appends its value for column i. */
typedef struct Result {
   const char *name, *type;
   const char *part, *behind; /* arguments of add_value; part NULL: `add` is called */
   void (*add) (Text *t, int i);
} Result;

static const Result results[] = {
   {"column_name", "text", .add = add_name},
   {"column_type", "text", .add = add_type},
   {"min", "text", .part = "min", .behind = ""},
   {"max", "text", .part = "max", .behind = ""},
   {"approx_unique", "int8", .part = "approx_unique", .behind = ""},
   {"avg", "text", .add = add_average},
   {"std", "text", .part = "std", .behind = ""},
   {"q25", "text", .part = "quartiles", .behind = "[1]"},
   {"q50", "text", .part = "quartiles", .behind = "[2]"},
   {"q75", "text", .part = "quartiles", .behind = "[3]"},
   {"count", "int8", .add = add_count},
   {"null_percentage", "numeric(9,2)", .add = add_missing},
};

static void add_result (Text *t, const Result *r)
{
   mt_buf_adds (&t->out, "unnest(ARRAY[");
   for (int i = 0; i < t->q->visible_count; i++) {
      mt_buf_adds (&t->out, i ? ", (" : "(");
      if (r->part)
         add_value (t, r->part, i, r->behind);
      else
         r->add (t, i);
      mt_buf_printf (&t->out, ")::%s", r->type);
   }
   mt_buf_printf (&t->out, "]) AS \"%s\", ", r->name);
}

static void summarize (Text *t)
{
   mt_buf_adds (&t->out, "SELECT ");
   for (size_t i = 0; i < sizeof results / sizeof *results; i++)
      add_result (t, &results[i]);
   mt_buf_adds (&t->out, "FROM (SELECT count(*) AS n");
   for (int i = 0; i < t->q->visible_count; i++)
      add_aggregates (t, i);
   mt_buf_adds (&t->out, " FROM summarized) s");
}

/* ---- DESCRIBE ---- */

/* Returns the table column from which result column i of q is read. NULL: the result column is an
 * expression. Sets *key if the column is in the PRIMARY KEY. */
static const MtColumn *column_of (const MtQuery *q, int i, bool *key)
{
   const MtX *x = q->targets[i].expr;
   const MtTable *t = q->rel.kind == MT_REL_TABLE && !q->grouped && !q->windows ? q->rel.table
                                                                                : NULL;
   *key = false;
   if (!t || x->kind != MT_X_COLUMN || x->column < 0 || (size_t) x->column >= t->column_count)
      return NULL;
   const MtTableKey *primary = mt_primary_key (t);
   for (size_t k = 0; primary && k < primary->count; k++)
      *key |= primary->columns[k] == x->column;
   return &t->columns[x->column];
}

static const char *role_of (MtArena *a, const MtColumn *c)
{
   switch (c->role) {
   case MT_ROLE_TIME:
      return c->period_ms ? mt_printf (a, "time, period %g s", (double) c->period_ms / 1000)
                          : "time";
   case MT_ROLE_DIMENSION: return "dimension";
   case MT_ROLE_MEASURE: return c->counter ? "measure counter" : "measure";
   default: return NULL;
   }
}

static void add_text (Text *t, const char *value)
{
   mt_buf_adds (&t->out, ", ");
   if (value)
      add_string (t, value);
   else
      mt_buf_adds (&t->out, "NULL");
}

static void describe (Text *t)
{
   const MtQuery *q = t->q;
   mt_buf_adds (&t->out, "SELECT * FROM (VALUES ");
   for (int i = 0; i < q->visible_count; i++) {
      bool key;
      const MtColumn *c = column_of (q, i, &key);
      mt_buf_adds (&t->out, i ? "), (" : "(");
      add_string (t, q->targets[i].name);
      add_text (t, mt_type_display (t->a, column_type (q, i)));
      add_text (t, (c ? !c->not_null && !key : q->targets[i].expr->nullable) ? "YES" : "NO");
      add_text (t, key ? "PRI" : NULL);
      add_text (t, c ? c->default_sql : NULL);
      add_text (t, c ? role_of (t->a, c) : NULL);
   }
   mt_buf_adds (&t->out, ")) d (column_name, column_type, \"null\", key, \"default\", extra)");
}

/* ---- SHOW TABLES ---- */

#define TABLES \
   " FROM information_schema.tables t WHERE t.table_schema NOT IN ('pg_catalog', " \
   "'information_schema')"

static const char show_tables[] = "SELECT t.table_name::text AS name" TABLES " ORDER BY 1";
static const char show_all_tables[] =
   "SELECT t.table_catalog::text AS database, t.table_schema::text AS schema, "
   "t.table_name::text AS name, "
   "(SELECT array_agg(c.column_name::text ORDER BY c.ordinal_position) FROM "
   "information_schema.columns c WHERE c.table_schema = t.table_schema AND c.table_name = "
   "t.table_name) AS column_names, "
   "(SELECT array_agg(c.data_type::text ORDER BY c.ordinal_position) FROM "
   "information_schema.columns c WHERE c.table_schema = t.table_schema AND c.table_name = "
   "t.table_name) AS column_types, t.table_type = 'LOCAL TEMPORARY' AS temporary" TABLES
   " ORDER BY 1, 2, 3";

/* ---- common code ---- */

/* Makes the FROM item (query) AS summarized (c0, c1, …), with `columns` column names. */
static MtFrom *from_query (MtArena *a, const MtSelect *query, int columns)
{
   MtFrom *f = MT_NEW (a, MtFrom);
   *f = (MtFrom) {.kind = MT_FROM_SUBQUERY,
                  .span = query->span,
                  .alias = {"summarized", false, query->span},
                  .depth = query->depth,
                  .subquery = (MtSelect *) (uintptr_t) query};
   MtNameList **last = &f->column_aliases;
   for (int i = 0; i < columns; i++, last = &(*last)->next) {
      *last = MT_NEW (a, MtNameList);
      (*last)->name = (MtName) {mt_printf (a, "c%d", i), false, query->span};
   }
   return f;
}

static bool is_refused (MtBinder *b, const MtSelect *s, const MtQuery *q)
{
   if (q->visible_count)
      return false;
   mt_error_at (b->err, s->summary.query->span, MT_E_SYNTAX, "the query has no columns");
   return true;
}

bool mt_bind_summary (MtBinder *b, const MtSelect *s, MtQuery **out)
{
   Text t = {.a = b->a};
   MtStmt *made;
   const MtSelect *query = s->summary.query;
   MtQuery *q = NULL;
   if (query && (!mt_bind_query (b, query, &q) || is_refused (b, s, q)))
      return false;
   t.q = q;
   switch (s->summary.what) {
   case MT_SUMMARY_SUMMARIZE: summarize (&t); break;
   case MT_SUMMARY_DESCRIBE: describe (&t); break;
   case MT_SUMMARY_TABLES: mt_buf_adds (&t.out, show_tables); break;
   case MT_SUMMARY_ALL_TABLES: mt_buf_adds (&t.out, show_all_tables); break;
   }
   bool ok = mt_parse (b->a, t.out.p, t.out.n, &made, b->err);
   mt_buf_free (&t.out);
   if (!ok)
      return false;
   if (s->summary.what == MT_SUMMARY_SUMMARIZE)
      made->select->plain.from->subquery->plain.from = from_query (b->a, query, q->visible_count);
   bool expands = b->expands;
   b->expands = true;
   ok = mt_bind_query (b, made->select, out);
   b->expands = expands;
   return ok;
}
