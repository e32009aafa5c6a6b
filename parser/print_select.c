/* Prints the syntax tree of a SELECT as SQL. */
#include "parser/lexer_int.h"
#include "parser/print_int.h"

static void print_from (const MtFrom *f, MtBuf *out);

void mt_print_paren_select (const MtSelect *s, MtBuf *out)
{
   mt_buf_addc (out, '(');
   mt_print_select (s, out);
   mt_buf_addc (out, ')');
}

static void print_targets (const MtTarget *t, MtBuf *out)
{
   for (; t; t = t->next) {
      mt_print_expr (t->expr, out);
      if (t->alias.text) {
         mt_buf_adds (out, " AS ");
         mt_print_name (t->alias, out);
      }
      if (t->next)
         mt_buf_adds (out, ", ");
   }
}

static void print_alias (const MtFrom *f, MtBuf *out)
{
   if (!f->alias.text)
      return;
   mt_buf_adds (out, " AS ");
   mt_print_name (f->alias, out);
   if (!f->column_aliases)
      return;
   mt_buf_adds (out, " (");
   mt_print_names (f->column_aliases, out);
   mt_buf_addc (out, ')');
}

static void print_table (const MtFrom *f, MtBuf *out)
{
   if (f->table.only)
      mt_buf_adds (out, "ONLY ");
   if (f->table.schema.text) {
      mt_print_name (f->table.schema, out);
      mt_buf_addc (out, '.');
   }
   mt_print_name (f->table.name, out);
   print_alias (f, out);
   if (!f->table.sample)
      return;
   mt_buf_adds (out, " TABLESAMPLE ");
   mt_print_expr (f->table.sample, out);
   if (f->table.repeatable) {
      mt_buf_adds (out, " REPEATABLE (");
      mt_print_expr (f->table.repeatable, out);
      mt_buf_addc (out, ')');
   }
}

static void print_function (const MtFrom *f, MtBuf *out)
{
   if (f->function.call) {
      mt_print_expr (f->function.call, out);
   } else {
      mt_buf_adds (out, "ROWS FROM (");
      mt_print_exprs (f->function.rows_from, out);
      mt_buf_addc (out, ')');
   }
   if (f->with_ordinality)
      mt_buf_adds (out, " WITH ORDINALITY");
   print_alias (f, out);
   if (!f->function.fields)
      return;
   mt_buf_adds (out, f->alias.text ? " (" : " AS (");
   for (const MtFieldDef *d = f->function.fields; d; d = d->next) {
      mt_print_name (d->name, out);
      mt_buf_addc (out, ' ');
      mt_print_type (d->type, out);
      if (d->next)
         mt_buf_adds (out, ", ");
   }
   mt_buf_addc (out, ')');
}

/* Prints an expression, in parentheses if it had them in the source. */
static void print_value (const MtExpr *e, MtBuf *out)
{
   bool paren = e->outer.start != e->span.start;
   mt_buf_adds (out, paren ? "(" : "");
   mt_print_expr (e, out);
   mt_buf_adds (out, paren ? ")" : "");
}

static void print_join_qual (const MtFrom *f, MtBuf *out)
{
   if (f->join.on) {
      mt_buf_adds (out, " ON ");
      mt_print_expr (f->join.on, out);
   } else if (f->join.using_columns) {
      mt_buf_adds (out, " USING (");
      mt_print_names (f->join.using_columns, out);
      mt_buf_addc (out, ')');
      if (f->join.using_alias.text) {
         mt_buf_adds (out, " AS ");
         mt_print_name (f->join.using_alias, out);
      }
   }
}

static void print_bound_of_join (const MtJoinBound *b, MtBuf *out)
{
   if (b->unbounded)
      mt_buf_adds (out, "UNBOUNDED");
   else if (b->width)
      print_value (b->width, out);
   else
      mt_buf_adds (out, "CURRENT ROW");
   if (b->unbounded || b->width)
      mt_buf_adds (out, b->following ? " FOLLOWING" : " PRECEDING");
}

static void print_range (const MtJoinRange *r, MtBuf *out)
{
   mt_buf_adds (out, " RANGE BETWEEN ");
   print_bound_of_join (&r->from, out);
   mt_buf_adds (out, " AND ");
   print_bound_of_join (&r->to, out);
   mt_buf_adds (out, r->exclude ? " EXCLUDE PREVAILING" : " INCLUDE PREVAILING");
}

static void print_join (const MtFrom *f, MtBuf *out)
{
   static const char *const words[] = {" JOIN",       " LEFT JOIN", " RIGHT JOIN", " FULL JOIN",
                                       " CROSS JOIN", " JOIN",      " WINDOW JOIN"};
   bool right_paren = f->join.right->kind == MT_FROM_JOIN && !f->join.right->alias.text;
   if (f->alias.text)
      mt_buf_addc (out, '(');
   print_from (f->join.left, out);
   if (f->join.natural)
      mt_buf_adds (out, " NATURAL");
   if (f->join.kind == MT_JOIN_ASOF)
      mt_buf_adds (out, f->join.nearest ? " ASOF NEAREST" : " ASOF");
   mt_buf_adds (out, words[f->join.asof_left ? MT_JOIN_LEFT : f->join.kind]);
   mt_buf_addc (out, ' ');
   if (right_paren)
      mt_buf_addc (out, '(');
   print_from (f->join.right, out);
   if (right_paren)
      mt_buf_addc (out, ')');
   print_join_qual (f, out);
   if (f->join.tolerance) {
      mt_buf_adds (out, " TOLERANCE ");
      print_value (f->join.tolerance, out);
   }
   if (f->join.range)
      print_range (f->join.range, out);
   if (f->alias.text)
      mt_buf_addc (out, ')');
   print_alias (f, out);
}

static void print_from (const MtFrom *f, MtBuf *out)
{
   if (f->lateral)
      mt_buf_adds (out, "LATERAL ");
   switch (f->kind) {
   case MT_FROM_TABLE: print_table (f, out); break;
   case MT_FROM_FUNCTION: print_function (f, out); break;
   case MT_FROM_JOIN: print_join (f, out); break;
   case MT_FROM_SUBQUERY:
      mt_print_paren_select (f->subquery, out);
      print_alias (f, out);
      break;
   }
}

static void print_groups (const MtGroupItem *g, MtBuf *out)
{
   static const char *const words[] = {"", "ALL", "", "ROLLUP ", "CUBE ", "GROUPING SETS "};
   for (; g; g = g->next) {
      if (g->kind == MT_GROUP_EXPR) {
         mt_print_expr (g->expr, out);
      } else if (g->kind == MT_GROUP_ALL) {
         mt_buf_adds (out, words[g->kind]);
      } else {
         mt_buf_printf (out, "%s(", words[g->kind]);
         print_groups (g->items, out);
         mt_buf_addc (out, ')');
      }
      if (g->next)
         mt_buf_adds (out, ", ");
   }
}

static void print_with (const MtSelect *s, MtBuf *out)
{
   static const char *const materialized[] = {"", "MATERIALIZED ", "NOT MATERIALIZED "};
   if (!s->with)
      return;
   mt_buf_adds (out, s->with_recursive ? "WITH RECURSIVE " : "WITH ");
   for (const MtCte *c = s->with; c; c = c->next) {
      mt_print_name (c->name, out);
      if (c->columns) {
         mt_buf_adds (out, " (");
         mt_print_names (c->columns, out);
         mt_buf_addc (out, ')');
      }
      mt_buf_printf (out, " AS %s", materialized[c->materialized]);
      if (c->query)
         mt_print_paren_select (c->query, out);
      else { /* binding refuses it, whatever it changes: WITH may do so only at the top level */
         mt_buf_adds (out, "(DELETE FROM ");
         mt_print_name (c->name, out);
         mt_buf_addc (out, ')');
      }
      mt_buf_adds (out, c->next ? ", " : " ");
   }
}

static void print_distinct (const MtSelect *s, MtBuf *out)
{
   if (!s->plain.distinct)
      return;
   mt_buf_adds (out, " DISTINCT");
   if (!s->plain.distinct_on)
      return;
   mt_buf_adds (out, " ON (");
   mt_print_exprs (s->plain.distinct_on, out);
   mt_buf_addc (out, ')');
}

static void print_window_clause (const MtWindow *w, MtBuf *out)
{
   if (w)
      mt_buf_adds (out, " WINDOW ");
   for (; w; w = w->next) {
      mt_print_name (w->name, out);
      mt_buf_adds (out, " AS ");
      mt_print_window (w, out);
      if (w->next)
         mt_buf_adds (out, ", ");
   }
}

static void print_froms (const MtFrom *f, MtBuf *out)
{
   for (; f; f = f->next) {
      print_from (f, out);
      if (f->next)
         mt_buf_adds (out, ", ");
   }
}

static void print_fills (const MtSampleFill *f, MtBuf *out)
{
   static const char *const words[] = {"NONE", "PREV", "LINEAR"};
   mt_buf_adds (out, " FILL (");
   for (; f; f = f->next) {
      if (f->kind == MT_FILL_VALUE)
         print_value (f->value, out);
      else
         mt_buf_adds (out, words[f->kind]);
      mt_buf_adds (out, f->next ? ", " : ")");
   }
}

static void print_part (const char *words, const MtExpr *e, MtBuf *out)
{
   if (!e)
      return;
   mt_buf_adds (out, words);
   mt_print_expr (e, out);
}

static void print_sample (const MtSampleBy *s, MtBuf *out)
{
   print_part (" SAMPLE BY ", s->width, out);
   print_part (" FROM ", s->from, out);
   print_part (" TO ", s->to, out);
   if (s->fills)
      print_fills (s->fills, out);
   if (s->first_observation)
      mt_buf_adds (out, " ALIGN TO FIRST OBSERVATION");
   if (s->zone || s->offset)
      mt_buf_adds (out, " ALIGN TO CALENDAR");
   print_part (" TIME ZONE ", s->zone, out);
   print_part (" WITH OFFSET ", s->offset, out);
}

static void print_latest (const MtLatest *l, MtBuf *out)
{
   print_part (" LATEST ON ", l->time, out);
   mt_buf_adds (out, " PARTITION BY ");
   mt_print_exprs (l->keys, out);
}

static void print_plain (const MtSelect *s, MtBuf *out)
{
   mt_buf_adds (out, "SELECT");
   print_distinct (s, out);
   if (s->plain.targets)
      mt_buf_addc (out, ' ');
   print_targets (s->plain.targets, out);
   if (s->plain.from)
      mt_buf_adds (out, " FROM ");
   print_froms (s->plain.from, out);
   print_part (" WHERE ", s->plain.where, out);
   if (s->plain.latest)
      print_latest (s->plain.latest, out);
   if (s->plain.sample)
      print_sample (s->plain.sample, out);
   if (s->plain.group_by) {
      mt_buf_adds (out, s->plain.group_distinct ? " GROUP BY DISTINCT " : " GROUP BY ");
      print_groups (s->plain.group_by, out);
   }
   print_part (" HAVING ", s->plain.having, out);
   print_window_clause (s->plain.windows, out);
   print_part (" QUALIFY ", s->plain.qualify, out);
}

static void print_values (const MtSelect *s, MtBuf *out)
{
   mt_buf_adds (out, "VALUES ");
   for (const MtRowList *r = s->values.rows; r; r = r->next) {
      mt_buf_addc (out, '(');
      mt_print_exprs (r->row, out);
      mt_buf_adds (out, r->next ? "), " : ")");
   }
}

static bool has_tail (const MtSelect *s)
{
   return s->with || s->order || s->limit || s->offset || s->locking || s->limit_with_ties;
}

static int setop_level (const MtSelect *s)
{
   if (s->kind != MT_SELECT_SETOP)
      return 3;
   return s->setop.op == MT_INTERSECT ? 2 : 1;
}

static void print_operand (const MtSelect *s, int least, MtBuf *out)
{
   if (has_tail (s) || setop_level (s) < least)
      mt_print_paren_select (s, out);
   else
      mt_print_select (s, out);
}

static void print_setop (const MtSelect *s, MtBuf *out)
{
   static const char *const words[] = {" UNION ", " INTERSECT ", " EXCEPT "};
   int level = setop_level (s);
   print_operand (s->setop.left, level, out);
   mt_buf_adds (out, words[s->setop.op]);
   if (s->setop.all)
      mt_buf_adds (out, "ALL ");
   print_operand (s->setop.right, level + 1, out);
}

static void print_summary (const MtSelect *s, MtBuf *out)
{
   static const char *const words[] = {"SUMMARIZE ", "DESCRIBE ", "SHOW TABLES", "SHOW ALL TABLES"};
   mt_buf_adds (out, words[s->summary.what]);
   if (s->summary.query)
      mt_print_select (s->summary.query, out);
}

static void print_tail (const MtSelect *s, MtBuf *out)
{
   if (s->order) {
      mt_buf_adds (out, " ORDER BY ");
      mt_print_orders (s->order, out);
   }
   if (s->limit && !s->limit_with_ties) {
      mt_buf_adds (out, " LIMIT ");
      mt_print_expr (s->limit, out);
   }
   if (s->offset) {
      mt_buf_adds (out, " OFFSET ");
      mt_print_expr (s->offset, out);
   }
   if (s->limit && s->limit_with_ties) {
      mt_buf_adds (out, " FETCH FIRST (");
      mt_print_expr (s->limit, out);
      mt_buf_adds (out, ") ROWS WITH TIES");
   }
   static const char *const waits[] = {"", " NOWAIT", " SKIP LOCKED"};
   if (s->locking) {
      mt_buf_adds (out, " FOR ");
      for (const char *c = s->locking; *c; c++)
         mt_buf_addc (out, (char) (*c == ' ' ? ' ' : *c & ~0x20));
      for (const MtNameList *n = s->lock_of; n; n = n->next) {
         mt_buf_adds (out, n == s->lock_of ? " OF " : ", ");
         mt_print_name (n->name, out);
      }
      mt_buf_adds (out, waits[s->lock_wait]);
   }
}

void mt_print_select (const MtSelect *s, MtBuf *out)
{
   print_with (s, out);
   switch (s->kind) {
   case MT_SELECT_PLAIN: print_plain (s, out); break;
   case MT_SELECT_VALUES: print_values (s, out); break;
   case MT_SELECT_SETOP: print_setop (s, out); break;
   case MT_SELECT_SUMMARY: print_summary (s, out); break;
   }
   print_tail (s, out);
}
