/* The builders of names and types, and the functions that all builders use. */
#include "parser/build_int.h"

#include <stdlib.h>
#include <string.h>

bool mt_b_fail (MtParser *p, MtSpan span, const char *sqlstate, const char *fmt, ...)
{
   if (p->failed)
      return false;
   p->failed = true;
   va_list ap;
   va_start (ap, fmt);
   char *text = mt_vprintf (p->a, fmt, ap);
   va_end (ap);
   return mt_error_at (p->err, span, sqlstate, "%s", text);
}

void mt_b_syntax_error (MtParser *p, MtToken t)
{
   if (p->failed)
      return;
   p->failed = p->syntax_error = true;
   p->error_span = t.span;
   mt_lex_error (p->text, p->len, t.span, "syntax error", p->err);
}

void mt_b_too_deep (MtParser *p)
{
   if (p->failed)
      return;
   mt_b_fail (p, MT_NO_SPAN, MT_E_TOO_COMPLEX, "statement is too complex");
   mt_error_detail (p->err, "Expressions and sub-selects can be nested at most %d levels deep.",
                    MT_MAX_EXPR_DEPTH);
}

void mt_b_refuse (MtParser *p, MtToken t, const char *what)
{
   mt_b_fail (p, t.span, MT_E_FEATURE, "%s is not supported", what);
}

MtExpr *mt_b_refuse_expr (MtParser *p, MtToken t, const char *what)
{
   mt_b_refuse (p, t, what);
   return mt_b_null (p, t);
}

int mt_b_depth (MtParser *p, int a, int b, int c)
{
   int deepest = a > b ? a : b;
   if (c > deepest)
      deepest = c;
   if (deepest >= MT_MAX_EXPR_DEPTH)
      mt_b_too_deep (p);
   return deepest + 1;
}

MtSpan mt_b_join_spans (MtSpan first, MtSpan last)
{
   if (first.start < 0)
      return last;
   if (last.start < 0)
      return first;
   return (MtSpan) {first.start, last.start + last.len - first.start};
}

MtName mt_b_name (MtToken t) { return (MtName) {t.text, t.quoted, t.span}; }
MtStr mt_b_str (MtToken t) { return (MtStr) {t.text, t.n}; }
void mt_b_input_stmt (MtParser *p, MtStmt *s) { p->stmt = s; }
void mt_b_input_expr (MtParser *p, MtExpr *e) { p->expr = e; }

/* ---- names ---- */

static MtNameList *name_node (MtParser *p, MtToken t)
{
   MtNameList *n = MT_NEW (p->a, MtNameList);
   n->name = mt_b_name (t);
   return n;
}

MtNames mt_b_names (MtParser *p, MtToken t)
{
   MtNameList *n = name_node (p, t);
   return (MtNames) {n, n};
}

void mt_b_push_name (MtParser *p, MtNames *names, MtToken t)
{
   MtNameList *n = name_node (p, t);
   MT_PUSH (*names, n);
}

MtNames mt_b_names_before (MtParser *p, MtToken first, MtNames rest)
{
   MtNameList *n = name_node (p, first);
   n->next = rest.first;
   return (MtNames) {n, rest.last ? rest.last : n};
}

MtNames mt_b_func_name (MtParser *p, MtToken first, MtSteps steps)
{
   MtNames names = mt_b_names (p, first);
   for (MtStep *s = steps.first; s; s = s->next) {
      if (s->kind != MT_STEP_NAME) {
         mt_b_syntax_error (p, (MtToken) {.span = s->span});
         break;
      }
      mt_b_push_name (p, &names, s->name);
   }
   return names;
}

MtQualified mt_b_qualified (MtParser *p, MtToken schema, MtToken name)
{
   return (MtQualified) {.schema = mt_b_name (schema),
                         .name = mt_b_name (name),
                         .span = mt_b_join_spans (schema.span, name.span)};
}

MtQualified mt_b_qualified_if (MtQualified q)
{
   q.flag = true;
   return q;
}

MtQualified mt_b_qualified_alias (MtQualified q, MtToken alias)
{
   q.alias = mt_b_name (alias);
   q.span = mt_b_join_spans (q.span, alias.span);
   return q;
}

static MtQualified b_qualified_end (MtQualified q, MtToken end)
{
   q.span = mt_b_join_spans (q.span, end.span);
   return q;
}

MtQualified mt_b_qualified_args (MtParser *p, MtQualified q, MtFuncArgs args, MtToken end)
{
   MtTypes types = {0};
   for (const MtFunctionArg *a = args.first; a; a = a->next)
      if (types.first)
         mt_b_push_type (p, &types, a->type);
      else
         types = mt_b_types (p, a->type);
   q.has_types = true;
   q.types = types.first;
   return b_qualified_end (q, end);
}

MtQualified mt_b_function_of (MtParser *p, MtToken schema, MtToken name)
{
   if (!mt_ieq (schema.text, "public"))
      mt_b_fail (p, schema.span, MT_E_FEATURE,
                 "a function in schema \"%s\" is not supported: functions are in public",
                 schema.text);
   return mt_b_qualified (p, MT_NO_TOKEN, name);
}

MtToken mt_b_dotted (MtParser *p, MtToken a, MtToken b)
{
   MtToken t = a;
   t.text = mt_printf (p->a, "%s.%s", a.text, b.text);
   t.n = a.n + 1 + b.n;
   t.quoted = a.quoted || b.quoted;
   t.span = mt_b_join_spans (a.span, b.span);
   return t;
}

MtToken mt_b_string_name (MtParser *p, MtToken t)
{
   if (strlen (t.text) != t.n || t.n > MT_MAX_IDENTIFIER_BYTES)
      mt_b_fail (p, t.span, MT_E_NAME_TOO_LONG, "identifier is too long");
   t.quoted = true;
   return t;
}

/* ---- types ---- */

MtTypeName *mt_b_type (MtParser *p, MtToken first, const char *name, MtToken last)
{
   MtTypeName *t = MT_NEW (p->a, MtTypeName);
   t->span = mt_b_join_spans (first.span, last.span);
   t->name = (MtName) {name, false, t->span};
   t->modifiers[0] = t->modifiers[1] = -1;
   return t;
}

MtTypeName *mt_b_type_named (MtParser *p, MtNames names)
{
   MtTypeName *t = MT_NEW (p->a, MtTypeName);
   t->name = names.last->name;
   t->span = mt_b_join_spans (names.first->name.span, names.last->name.span);
   t->modifiers[0] = t->modifiers[1] = -1;
   if (names.first != names.last) {
      t->schema = names.first->name;
      if (names.first->next != names.last)
         mt_b_fail (p, t->span, MT_E_SYNTAX, "improper qualified name (too many dotted names)");
   }
   return t;
}

MtTypeName *mt_b_type_args (MtParser *p, MtNames names, MtArgs args, MtOrders order, MtToken end)
{
   MtTypeName *t = mt_b_type_named (p, names);
   if (order.first)
      mt_b_fail (p, end.span, MT_E_SYNTAX, "type modifier cannot have ORDER BY");
   if (args.named)
      mt_b_fail (p, end.span, MT_E_SYNTAX, "type modifier cannot have parameter name");
   return mt_b_type_modified (p, t, mt_b_modifiers (p, args.list, end));
}

MtTypeName *mt_b_type_modified (MtParser *p, MtTypeName *t, MtModifiers m)
{
   t->modifiers[0] = m.value[0];
   t->modifiers[1] = m.value[1];
   if (m.n)
      t->span = mt_b_join_spans (t->span, m.span);
   return t;
}

/* Sets the default length of a type in a column: char becomes char(1), and bit becomes bit(1). A
 * typed literal has no default length. */
MtTypeName *mt_b_type_default_length (MtTypeName *t)
{
   bool one = strcmp (t->name.text, "bpchar") == 0 || strcmp (t->name.text, "bit") == 0;
   if (one && t->modifiers[0] < 0)
      t->modifiers[0] = 1;
   return t;
}

MtTypeName *mt_b_type_array (MtTypeName *t, MtBounds b)
{
   t->array_dims = b.n;
   if (b.n)
      t->span = mt_b_join_spans (t->span, b.span);
   return t;
}

MtTypeName *mt_b_type_setof (MtParser *p, MtToken t, MtTypeName *type)
{
   mt_b_refuse (p, t, "SETOF");
   return type;
}

static int small_int (MtParser *p, MtToken n)
{
   long long v = n.n > 9 ? -1 : atoll (n.text);
   if (v < 0)
      mt_b_fail (p, n.span, MT_E_PARAMETER, "type modifier \"%s\" is out of range", n.text);
   return (int) v;
}

MtTypeName *mt_b_type_float (MtParser *p, MtToken t, MtToken precision, MtToken end)
{
   int bits = small_int (p, precision);
   if (bits < 1)
      mt_b_fail (p, precision.span, MT_E_PARAMETER,
                 "precision for type float must be at least 1 bit");
   if (bits > 53)
      mt_b_fail (p, precision.span, MT_E_PARAMETER,
                 "precision for type float must be less than 54 bits");
   return mt_b_type (p, t, bits <= 24 ? "float4" : "float8", end);
}

MtTypeName *mt_b_type_char (MtParser *p, MtToken t, MtToken varying)
{
   return mt_b_type (p, t, varying.text ? "varchar" : "bpchar", varying.text ? varying : t);
}

MtTypeName *mt_b_type_time (MtParser *p, MtToken t, const char *name, MtModifiers m, MtZoneClause z)
{
   MtTypeName *type = mt_b_type (p, t, z.with ? mt_printf (p->a, "%stz", name) : name, t);
   mt_b_type_modified (p, type, m);
   if (z.span.len)
      type->span = mt_b_join_spans (type->span, z.span);
   return type;
}

MtTypeName *mt_b_type_interval (MtParser *p, MtToken t, MtToken precision, MtFields f)
{
   MtTypeName *type = mt_b_type (p, t, "interval", t);
   type->interval_fields = f.text;
   if (f.has_precision)
      type->modifiers[0] = f.precision;
   if (precision.text)
      type->modifiers[0] = small_int (p, precision);
   if (f.span.len)
      type->span = mt_b_join_spans (type->span, f.span);
   return type;
}

MtBounds mt_b_bounds (MtBounds b, MtToken end) { return (MtBounds) {b.n + 1, end.span}; }

MtModifiers mt_b_modifiers (MtParser *p, MtExprs e, MtToken end)
{
   MtModifiers m = {0, {-1, -1}, end.span};
   for (MtExprList *i = e.first; i; i = i->next, m.n++) {
      if (i->expr->kind == MT_EXPR_OPERATOR) {
         mt_b_fail (p, i->expr->span, MT_E_FEATURE, "negative type modifiers are not supported");
         break;
      }
      if (i->expr->kind != MT_EXPR_INTEGER || m.n == 2) {
         mt_b_fail (p, i->expr->span, MT_E_SYNTAX, "invalid type modifier");
         break;
      }
      m.value[m.n] = small_int (p, (MtToken) {i->expr->span, i->expr->text,
                                              (uint32_t) strlen (i->expr->text), 0, false});
   }
   return m;
}

MtModifiers mt_b_length (MtParser *p, MtToken n, MtToken end)
{
   return (MtModifiers) {1, {small_int (p, n), -1}, end.span};
}
MtZoneClause mt_b_zone (bool with, MtToken t) { return (MtZoneClause) {with, t.span}; }
MtFields mt_b_fields (const char *text, MtToken t) { return (MtFields) {text, 0, false, t.span}; }

MtFields mt_b_fields_to (MtFields f, const char *text)
{
   f.text = text;
   return f;
}

MtFields mt_b_fields_second (MtParser *p, MtToken n, MtToken end)
{
   return (MtFields) {"second", small_int (p, n), true, end.span};
}

MtFields mt_b_fields_end (MtToken end) { return (MtFields) {NULL, 0, false, end.span}; }
