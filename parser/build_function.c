/* The builders of CREATE FUNCTION. */
#include "parser/build_int.h"

#include <ctype.h>
#include <string.h>

/* Returns whether another word follows the position `end`: an unknown option, which the error
 * should name. */
static bool other_clause (const MtParser *p, MtSpan end)
{
   size_t at = (size_t) end.start + end.len;
   while (at < p->len && isspace ((unsigned char) p->text[at]))
      at++;
   return at < p->len && isalpha ((unsigned char) p->text[at]);
}

MtStmt *mt_b_create_function (MtParser *p, MtToken t, bool or_replace, MtQualified name,
                              MtFuncArgs args, MtFuncOptions o)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_CREATE_FUNCTION, t, o.end.len ? o.end : name.span);
   if (o.end.len && other_clause (p, o.end))
      return s;
   if (!o.returns)
      mt_b_fail (p, name.span, MT_E_FUNCTION_DEFINITION, "function result type must be specified");
   if (!o.body.text)
      mt_b_fail (p, name.span, MT_E_FUNCTION_DEFINITION, "no function body specified");
   if (!o.language.text)
      mt_b_fail (p, name.span, MT_E_FUNCTION_DEFINITION, "no language specified");
   s->create_function.name = name.name;
   s->create_function.or_replace = or_replace;
   s->create_function.args = args.first;
   s->create_function.returns = o.returns;
   s->create_function.language = mt_b_name (o.language);
   s->create_function.body = mt_b_str (o.body);
   s->create_function.body_span = o.body.span;
   s->create_function.body_at = o.body_at;
   s->create_function.symbol = mt_b_str (o.symbol);
   s->create_function.volatility = o.volatility;
   s->create_function.strict = o.strict;
   return s;
}

MtFuncArgs mt_b_func_args (MtFunctionArg *arg) { return (MtFuncArgs) {arg, arg}; }

MtFunctionArg *mt_b_func_arg (MtParser *p, MtToken name, MtTypeName *type)
{
   MtFunctionArg *a = MT_NEW (p->a, MtFunctionArg);
   a->name = mt_b_name (name);
   a->type = type;
   return a;
}

MtFunctionArg *mt_b_func_arg_refused (MtParser *p, MtToken mode, MtTypeName *type)
{
   mt_b_refuse (p, mode, "a function with OUT, INOUT or VARIADIC arguments");
   return mt_b_func_arg (p, MT_NO_TOKEN, type);
}

MtFunctionArg *mt_b_func_arg_default (MtFunctionArg *arg, MtExpr *e)
{
   arg->default_value = e;
   return arg;
}

static void one_option (MtParser *p, bool already, MtSpan span)
{
   if (already)
      mt_b_fail (p, span, MT_E_SYNTAX, "conflicting or redundant options");
}

MtFuncOptions mt_b_func_returns (MtParser *p, MtFuncOptions o, MtTypeName *type)
{
   one_option (p, o.returns != NULL, type->span);
   o.returns = type;
   o.end = type->span;
   return o;
}

MtFuncOptions mt_b_func_returns_table (MtParser *p, MtFuncOptions o, MtToken t)
{
   mt_b_refuse (p, t, "a function that returns a table");
   return o;
}

MtFuncOptions mt_b_func_language (MtParser *p, MtFuncOptions o, MtToken name, MtToken end)
{
   one_option (p, o.language.text != NULL, end.span);
   o.language = name;
   o.end = end.span;
   return o;
}

/* Returns the offset in the statement of the text of literal t, after its opening quote. -1 if the
 * literal has escapes or doubled quotes, so that its text is not contiguous in the statement. */
static int literal_text_at (const MtParser *p, MtToken t)
{
   const char *text = p->text + t.span.start;
   int skip = 1;
   if (text[0] == '$')
      while (text[skip++] != '$')
         ;
   else if (text[0] != '\'')
      return -1;
   return memcmp (text + skip, t.text, t.n) == 0 ? t.span.start + skip : -1;
}

MtFuncOptions mt_b_func_body (MtParser *p, MtFuncOptions o, MtToken body, MtToken symbol)
{
   one_option (p, o.body.text != NULL, body.span);
   o.body = body;
   o.body_at = literal_text_at (p, body);
   o.symbol = symbol;
   o.end = symbol.text ? symbol.span : body.span;
   return o;
}

MtFuncOptions mt_b_func_volatility (MtParser *p, MtFuncOptions o, int volatility, MtToken t)
{
   one_option (p, o.has_volatility, t.span);
   o.has_volatility = true;
   o.volatility = volatility;
   o.end = t.span;
   return o;
}

MtFuncOptions mt_b_func_strict (MtFuncOptions o, bool strict, MtToken t)
{
   o.strict = strict;
   o.end = t.span;
   return o;
}
