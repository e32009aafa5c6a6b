/* Prints typed trees as text, for EXPLAIN and tests. */
#include "query/aggregate.h"
#include "query/window.h"
#include "query/x.h"

#include <ctype.h>
#include <string.h>

static void print (const MtX *x, const MtQuery *q, MtBuf *out);

static void print_const (const MtX *x, MtBuf *out)
{
   MtBuf text = {0};
   MtError ignored;
   MtTypeId t = x->type.id;
   if (mt_is_nullish (x->value)) {
      mt_buf_adds (out, "NULL");
      return;
   }
   bool bare = mt_type_is_number (t) || t == MT_T_BOOL;
   if (t == MT_T_BOOL)
      mt_buf_adds (&text, x->value.i ? "true" : "false");
   else if (!mt_value_print (x->type, x->value, NULL, &text, &ignored))
      mt_buf_adds (&text, "?");
   if (bare)
      mt_buf_add (out, text.p, text.n);
   else
      mt_buf_quoted (out, '\'', (MtStr) {text.p, text.n});
   if (t != MT_T_INT4 && t != MT_T_BOOL && t != MT_T_NUMERIC && t != MT_T_TEXT)
      mt_buf_printf (out, "::%s", mt_type_info (t)->name);
   mt_buf_free (&text);
}

static void print_name (const char *name, MtBuf *out)
{
   bool plain = *name && !isdigit ((unsigned char) *name);
   for (const char *p = name; *p && plain; p++)
      plain = isalnum ((unsigned char) *p) || *p == '_' || (*p & 0x80);
   mt_buf_printf (out, plain ? "%s" : "\"%s\"", name);
}

static void print_list (MtX *const *list, int n, const MtQuery *q, const char *between, MtBuf *out)
{
   for (int i = 0; i < n; i++) {
      if (i)
         mt_buf_adds (out, between);
      print (list[i], q, out);
   }
}

/* Returns the number of arguments of call x without hidden ones, such as time zones. */
static int shown_args (const MtX *x)
{
   const char *sig = x->call.fn->signature, *arrow = strstr (sig, "->");
   int n = x->call.argc;
   for (const char *p = sig; p && p < arrow; p = strchr (p, ',')) {
      p += strspn (p, ", ");
      n -= *p == '_';
   }
   return n < 0 ? 0 : n;
}

static void print_call (const MtX *x, const MtQuery *q, MtBuf *out)
{
   const MtFunc *f = x->call.fn;
   int n = shown_args (x);
   if (f->flags & MT_F_CAST) {
      print (x->call.args[0], q, out);
      mt_buf_printf (out, "::%s", mt_type_info (x->type.id)->name);
   } else if (f->flags & MT_F_OPERATOR && n == 2) {
      mt_buf_addc (out, '(');
      print (x->call.args[0], q, out);
      mt_buf_printf (out, " %s ", f->name);
      print (x->call.args[1], q, out);
      mt_buf_addc (out, ')');
   } else if (f->flags & MT_F_OPERATOR) {
      mt_buf_printf (out, "(%s ", f->name);
      print (x->call.args[0], q, out);
      mt_buf_addc (out, ')');
   } else {
      mt_buf_printf (out, "%s(", f->name[0] == '$' ? f->name + 1 : f->name);
      print_list (x->call.args, n, q, ", ", out);
      mt_buf_addc (out, ')');
   }
}

static void print_case (const MtX *x, const MtQuery *q, MtBuf *out)
{
   mt_buf_adds (out, "CASE");
   for (int i = 0; i + 1 < x->count; i += 2) {
      mt_buf_adds (out, " WHEN ");
      print (x->list[i], q, out);
      mt_buf_adds (out, " THEN ");
      print (x->list[i + 1], q, out);
   }
   mt_buf_adds (out, " ELSE ");
   print (x->list[x->count - 1], q, out);
   mt_buf_adds (out, " END");
}

/* Prints the arguments of an aggregate that has several, and then the keys of its ORDER BY. */
static void print_row_of (const MtAggCall *c, const MtQuery *q, MtBuf *out)
{
   int args = c->arg->call.argc - (mt_agg_flags (c) & MT_AGG_ORDERED ? c->order_count : 0);
   for (int i = 0; i < c->arg->call.argc; i++) {
      if (i)
         mt_buf_adds (out, i == args ? " ORDER BY " : ", ");
      print (c->arg->call.args[i], q, out);
      if (i >= args)
         mt_buf_adds (out, c->order[i - args].descending ? " DESC" : "");
   }
}

static void print_agg (const MtAggCall *c, const MtQuery *q, MtBuf *out)
{
   mt_buf_printf (out, "%s(%s", c->agg->name, c->distinct ? "DISTINCT " : "");
   bool row = c->arg && c->arg->kind == MT_X_CALL && c->arg->call.fn == &mt_agg_row;
   if (row)
      print_row_of (c, q, out);
   else if (c->arg)
      print (c->arg, q, out);
   else
      mt_buf_addc (out, '*');
   mt_buf_addc (out, ')');
   if (c->filter) {
      mt_buf_adds (out, " FILTER (WHERE ");
      print (c->filter, q, out);
      mt_buf_addc (out, ')');
   }
}

static const char *index_name (MtXKind kind)
{
   switch (kind) {
   case MT_X_KEY: return "key";
   case MT_X_AGG: return "agg";
   case MT_X_WINDOW: return "window";
   default: return "target";
   }
}

static void print_index (const MtX *x, const MtQuery *q, MtBuf *out)
{
   if (x->kind == MT_X_KEY && q && x->index < q->key_count)
      print (q->keys[x->index], q, out);
   else if (x->kind == MT_X_AGG && q && x->index < q->agg_count)
      print_agg (&q->aggs[x->index], q, out);
   else if (x->kind == MT_X_TARGET && q && x->index < q->target_count)
      print (q->targets[x->index].expr, q, out);
   else
      mt_buf_printf (out, "%s#%d", index_name (x->kind), x->index);
}

/* Prints the expression that the sub-select rel has for a column. False: rel is not a sub-select,
 * or has no such column. */
static bool print_target (const MtRel *rel, int column, MtBuf *out)
{
   int i = rel->kind == MT_REL_QUERY ? column : -1;
   if (i < 0 || i >= rel->query->target_count)
      return false;
   print (rel->query->targets[i].expr, rel->query, out);
   return true;
}

/* Prints a column of FROM, with the table's name if FROM is a join. */
static void print_rel_column (const MtRel *rel, int column, MtBuf *out)
{
   const MtRel *item = rel;
   const char *name = rel->columns[column].name;
   int i = column;
   while (item->kind == MT_REL_JOIN) {
      bool left = i < item->join->left->column_count;
      if (item->join->mark && i == item->column_count - 1) {
         mt_buf_adds (out, "matched");
         return;
      }
      i -= left ? 0 : item->join->left->column_count;
      item = left ? item->join->left : item->join->right;
   }
   /* The binder made the FROM item, so its column names mean nothing to the user. */
   bool made = !item->alias || strcmp (item->alias, "unnamed") == 0,
        within = i < item->column_count;
   if ((!name || !*name || made) && within &&
       print_target (item, item->targets ? item->targets[i] : i, out))
      return;
   if (name && item != rel && !made && within) {
      print_name (item->alias, out);
      mt_buf_addc (out, '.');
   }
   name ? print_name (name, out) : mt_buf_printf (out, "column#%d", column);
}

/* Prints a column of a block with window functions: a window call, or a column of the sub-select
 * that they are computed over. */
static void print_window_column (const MtQuery *q, int column, MtBuf *out)
{
   int calls = q->windows->call_count;
   if (column < calls || !print_target (&q->rel, column - calls, out))
      print_rel_column (&q->rel, column, out);
}

static void print_column (const MtX *x, const MtQuery *q, MtBuf *out)
{
   if (q && q->arm_count && x->column < q->arms[0]->visible_count)
      print_name (q->arms[0]->targets[x->column].name, out);
   else if (q && q->windows)
      print_window_column (q, x->column, out);
   else if (q && x->column < q->rel.column_count)
      print_rel_column (&q->rel, x->column, out);
   else
      mt_buf_printf (out, "column#%d", x->column);
}

static void print_nary (const MtX *x, const MtQuery *q, const char *between, MtBuf *out)
{
   mt_buf_addc (out, '(');
   print_list (x->list, x->count, q, between, out);
   mt_buf_addc (out, ')');
}

static void print (const MtX *x, const MtQuery *q, MtBuf *out)
{
   switch (x->kind) {
   case MT_X_CONST: print_const (x, out); break;
   case MT_X_COLUMN: print_column (x, q, out); break;
   case MT_X_CALL: print_call (x, q, out); break;
   case MT_X_AND: print_nary (x, q, " AND ", out); break;
   case MT_X_OR: print_nary (x, q, " OR ", out); break;
   case MT_X_NOT:
      mt_buf_adds (out, "(NOT ");
      print (x->list[0], q, out);
      mt_buf_addc (out, ')');
      break;
   case MT_X_IS_NULL:
      mt_buf_addc (out, '(');
      print (x->list[0], q, out);
      mt_buf_adds (out, " IS NULL)");
      break;
   case MT_X_IN:
      mt_buf_addc (out, '(');
      print (x->list[0], q, out);
      mt_buf_adds (out, " IN (");
      print_list (x->list + 1, x->count - 1, q, ", ", out);
      mt_buf_adds (out, "))");
      break;
   case MT_X_CASE: print_case (x, q, out); break;
   case MT_X_COALESCE:
      mt_buf_adds (out, "COALESCE(");
      print_list (x->list, x->count, q, ", ", out);
      mt_buf_addc (out, ')');
      break;
   case MT_X_KEY:
   case MT_X_AGG:
   case MT_X_TARGET:
   case MT_X_WINDOW: print_index (x, q, out); break;
   case MT_X_OUTER:
      if (x->outer.name)
         mt_buf_adds (out, x->outer.name);
      else
         mt_buf_printf (out, "outer%d.column#%d", x->outer.scope, x->outer.column);
      break;
   }
}

/* Prints x as SQL. The recursion is bounded, because the binder limits the depth of expressions to
 * MT_MAX_EXPR_DEPTH. */
void mt_x_print (const MtX *x, const MtQuery *q, MtBuf *out) { print (x, q, out); }
