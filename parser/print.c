/* Prints syntax trees as SQL: keywords in capitals, names as the user wrote them, parentheses
 * only where precedence needs them. The recursion is bounded by MT_MAX_EXPR_DEPTH, because the
 * builders reject deeper trees. */
#include "parser/lexer_int.h"
#include "parser/print_int.h"

#include <string.h>

/* The precedence of operators, the lowest first, as in PostgreSQL's table. */
typedef enum Level {
   ANY_LEVEL,
   OR_LEVEL,
   AND_LEVEL,
   NOT_LEVEL,
   IS_LEVEL,
   COMPARISON_LEVEL,
   LIKE_LEVEL, /* BETWEEN, IN and LIKE */
   OTHER_LEVEL,
   SUM_LEVEL,
   PRODUCT_LEVEL,
   POWER_LEVEL,
   AT_LEVEL,
   COLLATE_LEVEL,
   SIGN_LEVEL,
   CAST_LEVEL,
   PRIMARY_LEVEL
} Level;

static void print (const MtExpr *e, Level least, bool restricted, MtBuf *out);

/* ---- names, strings, types ---- */

static bool plain_name (const char *s)
{
   if (!((*s >= 'a' && *s <= 'z') || *s == '_'))
      return false;
   for (; *s; s++)
      if (!((*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9') || *s == '_'))
         return false;
   return true;
}

/* Appends a name, with quotes if it was quoted or otherwise needs them. An unquoted name keeps the
 * user's spelling. */
void mt_print_name (MtName n, MtBuf *out)
{
   if (!n.text)
      return;
   bool quote = n.quoted || (!plain_name (n.text) && strpbrk (n.text, " \"'.,;()") != NULL);
   if (!quote) {
      mt_buf_adds (out, n.text);
      return;
   }
   mt_buf_quoted (out, '"', mt_str (n.text));
}

static void print_string (MtStr s, MtBuf *out) { mt_buf_quoted (out, '\'', s); }

static void names (const MtNameList *l, const char *separator, MtBuf *out)
{
   for (; l; l = l->next) {
      mt_print_name (l->name, out);
      if (l->next)
         mt_buf_adds (out, separator);
   }
}

void mt_print_names (const MtNameList *l, MtBuf *out) { names (l, ", ", out); }
static void print_dotted (const MtNameList *l, MtBuf *out) { names (l, ".", out); }

static void type_modifiers (const MtTypeName *t, MtBuf *out)
{
   if (t->modifiers[0] < 0)
      return;
   mt_buf_printf (out, "(%d", t->modifiers[0]);
   if (t->modifiers[1] >= 0)
      mt_buf_printf (out, ",%d", t->modifiers[1]);
   mt_buf_addc (out, ')');
}

static void interval_fields (const MtTypeName *t, MtBuf *out)
{
   if (!t->interval_fields)
      return;
   mt_buf_printf (out, " %s", t->interval_fields);
   type_modifiers (t, out);
}

void mt_print_type (const MtTypeName *t, MtBuf *out)
{
   if (t->schema.text) {
      mt_print_name (t->schema, out);
      mt_buf_addc (out, '.');
   }
   mt_print_name (t->name, out);
   if (t->interval_fields)
      interval_fields (t, out);
   else
      type_modifiers (t, out);
   for (int i = 0; i < t->array_dims; i++)
      mt_buf_adds (out, "[]");
}

/* ---- lists ---- */

void mt_print_exprs (const MtExprList *l, MtBuf *out)
{
   for (; l; l = l->next) {
      print (l->expr, ANY_LEVEL, false, out);
      if (l->next)
         mt_buf_adds (out, ", ");
   }
}

void mt_print_orders (const MtOrderItem *o, MtBuf *out)
{
   for (; o; o = o->next) {
      if (mt_order_is_all (o))
         mt_buf_adds (out, "ALL");
      else
         print (o->expr, ANY_LEVEL, false, out);
      if (o->using_op)
         mt_buf_printf (out, " USING %s", o->using_op);
      if (o->descending)
         mt_buf_adds (out, " DESC");
      if (o->nulls)
         mt_buf_adds (out, o->nulls == 1 ? " NULLS FIRST" : " NULLS LAST");
      if (o->next)
         mt_buf_adds (out, ", ");
   }
}

/* ---- operators ---- */

static Level infix_level (const char *op)
{
   static const struct {
      const char *op;
      Level level;
   } known[] = {{"+", SUM_LEVEL},         {"-", SUM_LEVEL},         {"*", PRODUCT_LEVEL},
                {"/", PRODUCT_LEVEL},     {"%", PRODUCT_LEVEL},     {"^", POWER_LEVEL},
                {"<", COMPARISON_LEVEL},  {">", COMPARISON_LEVEL},  {"=", COMPARISON_LEVEL},
                {"<=", COMPARISON_LEVEL}, {">=", COMPARISON_LEVEL}, {"<>", COMPARISON_LEVEL}};
   for (size_t i = 0; i < sizeof (known) / sizeof (known[0]); i++)
      if (strcmp (known[i].op, op) == 0)
         return known[i].level;
   return OTHER_LEVEL;
}

static Level prefix_level (const char *op)
{
   return strcmp (op, "+") == 0 || strcmp (op, "-") == 0 ? SIGN_LEVEL : OTHER_LEVEL;
}

static Level level_of (const MtExpr *e)
{
   switch (e->kind) {
   case MT_EXPR_OR: return OR_LEVEL;
   case MT_EXPR_AND: return AND_LEVEL;
   case MT_EXPR_NOT: return NOT_LEVEL;
   case MT_EXPR_IS: return IS_LEVEL;
   case MT_EXPR_BETWEEN:
   case MT_EXPR_IN:
   case MT_EXPR_LIKE: return LIKE_LEVEL;
   case MT_EXPR_QUANTIFIED: return OTHER_LEVEL;
   case MT_EXPR_OPERATOR: return e->op.left ? infix_level (e->op.op) : prefix_level (e->op.op);
   case MT_EXPR_AT_TIME_ZONE: return AT_LEVEL;
   case MT_EXPR_COLLATE: return COLLATE_LEVEL;
   case MT_EXPR_CAST: return CAST_LEVEL;
   case MT_EXPR_DEFAULT: return ANY_LEVEL;
   case MT_EXPR_NULL:
   case MT_EXPR_BOOL:
   case MT_EXPR_INTEGER:
   case MT_EXPR_DECIMAL:
   case MT_EXPR_STRING:
   case MT_EXPR_BITSTRING:
   case MT_EXPR_TYPED_STRING:
   case MT_EXPR_PARAM:
   case MT_EXPR_COLUMN:
   case MT_EXPR_STAR:
   case MT_EXPR_CALL:
   case MT_EXPR_CASE:
   case MT_EXPR_SUBQUERY:
   case MT_EXPR_EXISTS:
   case MT_EXPR_ARRAY:
   case MT_EXPR_ROW:
   case MT_EXPR_SUBSCRIPT:
   case MT_EXPR_PART:
   case MT_EXPR_FIELD: break;
   }
   return PRIMARY_LEVEL;
}

/* Returns whether e must be in parentheses where the grammar allows only a b_expr. This restricted
 * expression has no AND, OR, NOT, IS NULL, IN, LIKE, BETWEEN, COLLATE, AT TIME ZONE, ANY or ALL. */
static bool outside_bexpr (const MtExpr *e)
{
   Level l = level_of (e);
   bool distinct = e->kind == MT_EXPR_IS && e->is.test == MT_IS_DISTINCT_FROM;
   return (l < COMPARISON_LEVEL && !distinct) || l == LIKE_LEVEL || l == AT_LEVEL ||
          l == COLLATE_LEVEL || e->kind == MT_EXPR_QUANTIFIED;
}

/* Returns whether operators of this precedence can be chained without parentheses, as in a + b + c.
 * Comparisons, IS, and operators such as LIKE cannot. */
static bool chains (Level l) { return l != COMPARISON_LEVEL && l != LIKE_LEVEL && l != IS_LEVEL; }

static void print_infix (const MtExpr *e, bool restricted, MtBuf *out)
{
   Level l = level_of (e);
   print (e->op.left, chains (l) ? l : l + 1, restricted, out);
   mt_buf_printf (out, " %s ", e->op.op);
   print (e->op.right, l + 1, restricted, out);
}

/* Appends a prefix operator and its operand. A space between them keeps "- -1" from becoming a
 * comment, and "@ -1" from becoming one operator. */
static void print_prefix (const MtExpr *e, bool restricted, MtBuf *out)
{
   const MtExpr *r = e->op.right;
   mt_buf_adds (out, e->op.op);
   if (level_of (e) != SIGN_LEVEL || level_of (r) < CAST_LEVEL || r->kind == MT_EXPR_CAST)
      mt_buf_addc (out, ' ');
   print (r, level_of (e), restricted, out);
}

static void print_operator (const MtExpr *e, bool restricted, MtBuf *out)
{
   if (e->op.left)
      print_infix (e, restricted, out);
   else
      print_prefix (e, restricted, out);
}

static void print_junction (const MtExpr *e, MtBuf *out)
{
   Level l = level_of (e);
   for (const MtExprList *i = e->list; i; i = i->next) {
      print (i->expr, l + 1, false, out);
      if (i->next)
         mt_buf_adds (out, e->kind == MT_EXPR_AND ? " AND " : " OR ");
   }
}

static void print_is (const MtExpr *e, bool restricted, MtBuf *out)
{
   static const char *const tests[] = {"NULL", "TRUE", "FALSE", "UNKNOWN", "DISTINCT FROM "};
   print (e->is.left, IS_LEVEL + 1, restricted, out);
   mt_buf_printf (out, " IS %s%s", e->is.negated ? "NOT " : "", tests[e->is.test]);
   if (e->is.right)
      print (e->is.right, IS_LEVEL + 1, restricted, out);
}

static void print_between (const MtExpr *e, MtBuf *out)
{
   print (e->between.value, LIKE_LEVEL + 1, false, out);
   mt_buf_printf (out, " %sBETWEEN %s", e->between.negated ? "NOT " : "",
                  e->between.symmetric ? "SYMMETRIC " : "");
   print (e->between.low, OTHER_LEVEL, true, out);
   mt_buf_adds (out, " AND ");
   print (e->between.high, LIKE_LEVEL + 1, false, out);
}

static void print_in (const MtExpr *e, MtBuf *out)
{
   print (e->in.value, LIKE_LEVEL + 1, false, out);
   mt_buf_printf (out, " %sIN ", e->in.negated ? "NOT " : "");
   if (e->in.subquery) {
      mt_print_paren_select (e->in.subquery, out);
   } else {
      mt_buf_addc (out, '(');
      mt_print_exprs (e->in.list, out);
      mt_buf_addc (out, ')');
   }
}

static void print_like (const MtExpr *e, MtBuf *out)
{
   static const char *const words[] = {"LIKE", "ILIKE", "SIMILAR TO"};
   print (e->like.value, LIKE_LEVEL + 1, false, out);
   mt_buf_printf (out, " %s%s ", e->like.negated ? "NOT " : "", words[e->like.kind]);
   print (e->like.pattern, LIKE_LEVEL + 1, false, out);
   if (e->like.escape) {
      mt_buf_adds (out, " ESCAPE ");
      print (e->like.escape, LIKE_LEVEL + 1, false, out);
   }
}

static void print_quantified (const MtExpr *e, MtBuf *out)
{
   print (e->quantified.left, OTHER_LEVEL + 1, false, out);
   mt_buf_printf (out, " %s %s ", e->quantified.op, e->quantified.all ? "ALL" : "ANY");
   if (e->quantified.subquery) {
      mt_print_paren_select (e->quantified.subquery, out);
      return;
   }
   /* If the array is a sub-select, it is put into two pairs of parentheses; with one pair, ANY
    * (SELECT …) would compare with all its rows. */
   bool select = e->quantified.array->kind == MT_EXPR_SUBQUERY;
   mt_buf_adds (out, select ? "((" : "(");
   print (e->quantified.array, ANY_LEVEL, false, out);
   mt_buf_adds (out, select ? "))" : ")");
}

/* ---- calls ---- */

static void print_args (const MtExpr *e, MtBuf *out)
{
   const MtNameList *n = e->call.arg_names;
   for (const MtExprList *i = e->call.args; i; i = i->next) {
      if (e->call.variadic && !i->next)
         mt_buf_adds (out, "VARIADIC ");
      if (n && n->name.text) {
         mt_print_name (n->name, out);
         mt_buf_adds (out, " => ");
      }
      print (i->expr, ANY_LEVEL, false, out);
      if (i->next)
         mt_buf_adds (out, ", ");
      if (n)
         n = n->next;
   }
}

static bool named (const MtExpr *e, const char *name)
{
   const MtNameList *n = e->call.name;
   return !n->next && !n->name.quoted && mt_ieq (n->name.text, name);
}

/* Prints a call that has a special syntax: EXTRACT, POSITION, and words such as current_timestamp.
 * Returns false for other calls. */
static bool print_special (const MtExpr *e, MtBuf *out)
{
   static const char *const niladic[] = {"current_date",    "current_role", "current_user",
                                         "session_user",    "user",         "current_time",
                                         "current_catalog", "localtime",    "current_timestamp",
                                         "localtimestamp"};
   const MtExprList *args = e->call.args;
   if (!args) {
      for (size_t i = 0; i < sizeof (niladic) / sizeof (niladic[0]); i++)
         if (named (e, niladic[i])) {
            mt_buf_adds (out, e->call.name->name.text);
            return true;
         }
      return false;
   }
   bool two = args->next && !args->next->next;
   if (two && named (e, "extract") && args->expr->kind == MT_EXPR_STRING) {
      mt_buf_adds (out, "extract(");
      print (args->expr, ANY_LEVEL, false, out);
      mt_buf_adds (out, " FROM ");
      print (args->next->expr, ANY_LEVEL, false, out);
   } else if (two && named (e, "position")) {
      mt_buf_adds (out, "position(");
      print (args->next->expr, OTHER_LEVEL, true, out);
      mt_buf_adds (out, " IN ");
      print (args->expr, OTHER_LEVEL, true, out);
   } else {
      return false;
   }
   mt_buf_addc (out, ')');
   return true;
}

static void print_call_clauses (const MtExpr *e, MtBuf *out)
{
   if (e->call.within_group) {
      mt_buf_adds (out, " WITHIN GROUP (ORDER BY ");
      mt_print_orders (e->call.within_group, out);
      mt_buf_addc (out, ')');
   }
   if (e->call.filter) {
      mt_buf_adds (out, " FILTER (WHERE ");
      print (e->call.filter, ANY_LEVEL, false, out);
      mt_buf_addc (out, ')');
   }
   if (e->call.ignore_nulls)
      mt_buf_adds (out, e->call.ignore_nulls == 1 ? " IGNORE NULLS" : " RESPECT NULLS");
   if (e->call.over) {
      mt_buf_adds (out, " OVER ");
      mt_print_window (e->call.over, out);
   }
}

static void print_call (const MtExpr *e, MtBuf *out)
{
   if (print_special (e, out))
      return;
   print_dotted (e->call.name, out);
   mt_buf_addc (out, '(');
   if (e->call.star)
      mt_buf_addc (out, '*');
   if (e->call.distinct)
      mt_buf_adds (out, "DISTINCT ");
   print_args (e, out);
   if (e->call.order) {
      mt_buf_adds (out, " ORDER BY ");
      mt_print_orders (e->call.order, out);
   }
   mt_buf_addc (out, ')');
   print_call_clauses (e, out);
}

static void print_bound (const MtFrameBound *b, MtBuf *out)
{
   static const char *const words[] = {"UNBOUNDED PRECEDING", " PRECEDING", "CURRENT ROW",
                                       " FOLLOWING", "UNBOUNDED FOLLOWING"};
   if (b->offset)
      print (b->offset, ANY_LEVEL, false, out);
   mt_buf_adds (out, words[b->kind]);
}

static void print_frame (const MtWindow *w, MtBuf *out)
{
   static const char *const modes[] = {"ROWS", "RANGE", "GROUPS"};
   mt_buf_printf (out, "%s BETWEEN ", modes[w->mode]);
   print_bound (&w->start, out);
   mt_buf_adds (out, " AND ");
   print_bound (&w->end, out);
   if (!w->exclude)
      return;
   mt_buf_adds (out, " EXCLUDE ");
   for (const char *c = w->exclude; *c; c++)
      mt_buf_addc (out, (char) (*c == ' ' ? ' ' : *c & ~0x20));
}

static void space (MtBuf *out, size_t since)
{
   if (out->n > since)
      mt_buf_addc (out, ' ');
}

void mt_print_window (const MtWindow *w, MtBuf *out)
{
   if (w->is_reference) {
      mt_print_name (w->name, out);
      return;
   }
   mt_buf_addc (out, '(');
   size_t start = out->n;
   mt_print_name (w->base, out);
   if (w->partition) {
      space (out, start);
      mt_buf_adds (out, "PARTITION BY ");
      mt_print_exprs (w->partition, out);
   }
   if (w->order) {
      space (out, start);
      mt_buf_adds (out, "ORDER BY ");
      mt_print_orders (w->order, out);
   }
   if (w->has_frame) {
      space (out, start);
      print_frame (w, out);
   }
   mt_buf_addc (out, ')');
}

/* ---- other expressions ---- */

static void print_typed (const MtExpr *e, MtBuf *out)
{
   const MtTypeName *t = e->typed.type;
   MtTypeName bare = *t;
   if (t->interval_fields) {
      bare.interval_fields = NULL;
      bare.modifiers[0] = -1;
   }
   mt_print_type (&bare, out);
   mt_buf_addc (out, ' ');
   print_string (e->typed.str, out);
   interval_fields (t, out);
}

static void print_case (const MtExpr *e, MtBuf *out)
{
   mt_buf_adds (out, "CASE");
   if (e->case_.operand) {
      mt_buf_addc (out, ' ');
      print (e->case_.operand, ANY_LEVEL, false, out);
   }
   const MtExprList *then = e->case_.thens;
   for (const MtExprList *when = e->case_.whens; when; when = when->next, then = then->next) {
      mt_buf_adds (out, " WHEN ");
      print (when->expr, ANY_LEVEL, false, out);
      mt_buf_adds (out, " THEN ");
      print (then->expr, ANY_LEVEL, false, out);
   }
   if (e->case_.otherwise) {
      mt_buf_adds (out, " ELSE ");
      print (e->case_.otherwise, ANY_LEVEL, false, out);
   }
   mt_buf_adds (out, " END");
}

static void print_list (const char *before, const MtExprList *l, const char *after, MtBuf *out)
{
   mt_buf_adds (out, before);
   mt_print_exprs (l, out);
   mt_buf_adds (out, after);
}

static void print_array (const MtExpr *e, MtBuf *out)
{
   if (e->subquery) {
      mt_buf_adds (out, "ARRAY");
      mt_print_paren_select (e->subquery, out);
   } else {
      print_list ("ARRAY[", e->list, "]", out);
   }
}

/* Prints the expression before .name (`field`) or [i], in parentheses if the grammar needs them. */
static void print_base (const MtExpr *e, bool field, MtBuf *out)
{
   bool bare = e->kind == MT_EXPR_PARAM || e->kind == MT_EXPR_SUBQUERY ||
               e->kind == MT_EXPR_SUBSCRIPT || e->kind == MT_EXPR_FIELD ||
               (e->kind == MT_EXPR_COLUMN && !field);
   if (!bare)
      mt_buf_addc (out, '(');
   print (e, ANY_LEVEL, false, out);
   if (!bare)
      mt_buf_addc (out, ')');
}

static void print_subscript (const MtExpr *e, MtBuf *out)
{
   print_base (e->subscript.array, false, out);
   mt_buf_addc (out, '[');
   if (e->subscript.low)
      print (e->subscript.low, ANY_LEVEL, false, out);
   if (e->subscript.slice)
      mt_buf_addc (out, ':');
   if (e->subscript.high)
      print (e->subscript.high, ANY_LEVEL, false, out);
   mt_buf_addc (out, ']');
}

static void print_star_item (const MtStarItem *i, MtBuf *out)
{
   if (i->expr) {
      print (i->expr, ANY_LEVEL, false, out);
      mt_buf_adds (out, " AS ");
   }
   if (i->table.text) {
      mt_print_name (i->table, out);
      mt_buf_addc (out, '.');
   }
   mt_print_name (i->name, out);
   if (i->as.text) {
      mt_buf_adds (out, " AS ");
      mt_print_name (i->as, out);
   }
}

static void print_star (const MtExpr *e, MtBuf *out)
{
   static const char *const words[] = {" EXCLUDE (", " REPLACE (", " RENAME ("};
   if (e->column.of)
      print_base (e->column.of, true, out);
   else
      print_dotted (e->column.parts, out);
   mt_buf_adds (out, e->column.parts || e->column.of ? ".*" : "*");
   for (const MtStarItem *i = e->column.changes, *before = NULL; i; before = i, i = i->next) {
      mt_buf_adds (out, before && before->kind == i->kind ? ", " : words[i->kind]);
      print_star_item (i, out);
      if (!i->next || i->next->kind != i->kind)
         mt_buf_addc (out, ')');
   }
}

static void print_select_in (const char *before, const MtSelect *s, MtBuf *out)
{
   mt_buf_adds (out, before);
   mt_print_paren_select (s, out);
}

static void print_bits (const MtExpr *e, MtBuf *out)
{
   mt_buf_addc (out, e->str.p[0]);
   print_string ((MtStr) {e->str.p + 1, e->str.n - 1}, out);
}

static void print_postfix (const MtExpr *e, bool restricted, MtBuf *out)
{
   switch (e->kind) { /* the callers have handled the kinds that are missing here */
   case MT_EXPR_CAST:
      print (e->cast.arg, CAST_LEVEL, restricted, out);
      mt_buf_adds (out, "::");
      mt_print_type (e->cast.type, out);
      break;
   case MT_EXPR_COLLATE:
      print (e->collate.arg, COLLATE_LEVEL, restricted, out);
      mt_buf_adds (out, " COLLATE ");
      mt_print_name (e->collate.collation, out);
      break;
   case MT_EXPR_FIELD:
      print_base (e->field.arg, true, out);
      mt_buf_addc (out, '.');
      mt_print_name (e->field.name, out);
      break;
   default:
      print (e->op.left, AT_LEVEL, restricted, out);
      mt_buf_adds (out, " AT TIME ZONE ");
      print (e->op.right, AT_LEVEL + 1, restricted, out);
      break;
   }
}

static void print_node (const MtExpr *e, bool restricted, MtBuf *out)
{
   switch (e->kind) {
   case MT_EXPR_NULL: mt_buf_adds (out, "NULL"); break;
   case MT_EXPR_BOOL: mt_buf_adds (out, e->boolean ? "TRUE" : "FALSE"); break;
   case MT_EXPR_INTEGER:
   case MT_EXPR_DECIMAL: mt_buf_adds (out, e->text); break;
   case MT_EXPR_STRING: print_string (e->str, out); break;
   case MT_EXPR_BITSTRING: print_bits (e, out); break;
   case MT_EXPR_TYPED_STRING: print_typed (e, out); break;
   case MT_EXPR_PARAM: mt_buf_printf (out, "$%d", e->param); break;
   case MT_EXPR_COLUMN: print_dotted (e->column.parts, out); break;
   case MT_EXPR_STAR: print_star (e, out); break;
   case MT_EXPR_OPERATOR: print_operator (e, restricted, out); break;
   case MT_EXPR_AND:
   case MT_EXPR_OR: print_junction (e, out); break;
   case MT_EXPR_NOT:
      mt_buf_adds (out, "NOT ");
      print (e->arg, NOT_LEVEL, false, out);
      break;
   case MT_EXPR_IS: print_is (e, restricted, out); break;
   case MT_EXPR_BETWEEN: print_between (e, out); break;
   case MT_EXPR_IN: print_in (e, out); break;
   case MT_EXPR_LIKE: print_like (e, out); break;
   case MT_EXPR_CALL: print_call (e, out); break;
   case MT_EXPR_CASE: print_case (e, out); break;
   case MT_EXPR_CAST:
   case MT_EXPR_COLLATE:
   case MT_EXPR_FIELD:
   case MT_EXPR_AT_TIME_ZONE: print_postfix (e, restricted, out); break;
   case MT_EXPR_SUBQUERY: print_select_in ("", e->subquery, out); break;
   case MT_EXPR_PART: print_select_in ("", e->part.row->subquery, out); break;
   case MT_EXPR_EXISTS: print_select_in ("EXISTS ", e->subquery, out); break;
   case MT_EXPR_QUANTIFIED: print_quantified (e, out); break;
   case MT_EXPR_ARRAY: print_array (e, out); break;
   case MT_EXPR_ROW: print_list (e->bare ? "(" : "ROW(", e->list, ")", out); break;
   case MT_EXPR_SUBSCRIPT: print_subscript (e, out); break;
   case MT_EXPR_DEFAULT: mt_buf_adds (out, "DEFAULT"); break;
   }
}

/* Prints e, in parentheses if its precedence is below `least`, or if `restricted` (only a b_expr is
 * allowed) and e is not a b_expr. Within the parentheses any expression is allowed. */
static void print (const MtExpr *e, Level least, bool restricted, MtBuf *out)
{
   bool parens = (level_of (e) < least && e->kind != MT_EXPR_DEFAULT) ||
                 (restricted && outside_bexpr (e));
   if (parens)
      mt_buf_addc (out, '(');
   print_node (e, restricted && !parens, out);
   if (parens)
      mt_buf_addc (out, ')');
}

void mt_print_expr (const MtExpr *e, MtBuf *out) { print (e, ANY_LEVEL, false, out); }
const char *mt_expr_text (MtArena *a, const MtExpr *e)
{
   MtBuf b = {0};
   mt_print_expr (e, &b);
   const char *text = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return text;
}
