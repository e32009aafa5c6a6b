/* Files in FROM: read_csv ('path', option => value), and FROM 'path'. */
#include "analyze/calls/call.h"
#include "analyze/calls/fold.h"
#include "analyze/from/from_int.h"
#include "analyze/types/coerce.h"

#include <ctype.h>
#include <string.h>

/* Returns the name of a function that reads a file, such as read_csv, if e is a call of one;
 * otherwise NULL. */
static const char *file_function (const MtExpr *e)
{
   const MtNameList *name = e->call.name;
   if (name->next || e->call.star || e->call.distinct || e->call.order || e->call.filter ||
       e->call.over || e->call.within_group)
      return NULL;
   return mt_reads_file (name->name.text);
}

/* Analyzes and computes an argument of a function that reads a file. Fails if the argument is not
 * constant. */
static bool constant (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   if (!mt_bind_x (b, s, e, out) || !mt_settle_unknown (b, out) || !mt_fold (b, out))
      return false;
   if ((*out)->kind == MT_X_CONST && !mt_is_nullish ((*out)->value))
      return true;
   mt_error_at (b->err, e->span, MT_E_FEATURE, "arguments of this function must be constants");
   return mt_error_hint (b->err, "Write the name of the file and the options as literals.");
}

static bool as_text (MtBinder *b, MtType type, MtVal v, MtStr *out)
{
   MtBuf text = {0};
   bool ok = mt_value_print (type, v, &b->env->style, &text, b->err);
   *out = (MtStr) {mt_strndup (b->a, text.p ? text.p : "", text.n), text.n};
   mt_buf_free (&text);
   return ok;
}

/* Stores the value x of an option in *o: one text, or several texts if x is an array. */
static bool option_value (MtBinder *b, const MtX *x, MtFileOption *o)
{
   MtType element = {.id = mt_type_element (x->type.id), .mod1 = -1, .mod2 = -1};
   bool is_array = mt_type_is_array (x->type.id) && x->value.type == MT_ARRAY;
   o->values = MT_NEW_N (b->a, MtStr, (is_array ? mt_doc_count (x->value) : 0) + 1u);
   if (!is_array) {
      o->count = 1;
      return as_text (b, x->type, x->value, &o->values[0]);
   }
   MtDocIter it = mt_doc_iter (x->value);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      if (!as_text (b, element, v, &o->values[o->count++]))
         return false;
   return true;
}

static bool add_option (MtBinder *b, const MtName *name, const MtX *x, MtFileCall *call)
{
   MtFileOption *o = &call->options[call->option_count++];
   char *lower = mt_strdup (b->a, name->text);
   for (char *p = lower; *p; p++)
      *p = (char) tolower ((unsigned char) *p);
   *o = (MtFileOption) {.name = lower, .span = name->span};
   for (size_t i = 0; i + 1 < call->option_count; i++)
      if (strcmp (call->options[i].name, lower) == 0)
         return mt_error_at (b->err, name->span, MT_E_SYNTAX,
                             "argument name \"%s\" used more than once", lower);
   return option_value (b, x, o);
}

static bool bind_arguments (MtBinder *b, MtScope *s, const MtExpr *e, MtFileCall *call)
{
   const MtNameList *name = e->call.arg_names;
   call->options = MT_NEW_N (b->a, MtFileOption, (size_t) mt_list_length (e->call.args) + 1);
   for (const MtExprList *l = e->call.args; l; l = l->next) {
      MtX *x;
      bool named = name && name->name.text;
      if (!constant (b, s, l->expr, &x))
         return false;
      if (named && !add_option (b, &name->name, x, call))
         return false;
      if (!named && call->path.p) {
         mt_error_at (b->err, l->expr->span, MT_E_SYNTAX, "an option needs its name");
         return mt_error_hint (b->err, "Write it as name => value, such as header => true.");
      }
      if (!named && !as_text (b, x->type, x->value, &call->path))
         return false;
      if (!named)
         call->path_span = l->expr->span;
      name = name ? name->next : NULL;
   }
   return call->path.p ||
          mt_error_at (b->err, e->span, MT_E_PARAMETER, "the name of the file is missing");
}

bool mt_bind_file (MtBinder *b, MtScope *s, const MtFrom *f, MtRel *rel, bool *done)
{
   const MtExpr *e = f->function.call;
   const MtTable *t;
   MtFileCall call = {.function = e->kind == MT_EXPR_CALL ? file_function (e) : NULL};
   *done = call.function && b->env->file;
   if (!*done)
      return true;
   if (f->with_ordinality || f->function.fields)
      return mt_refuse (b, f->span, "WITH ORDINALITY or a column definition list for a file is");
   if (!bind_arguments (b, s, e, &call) || !b->env->file (b->env->ctx, b->a, &call, &t, b->err))
      return false;
   mt_bind_table_rel (b, t, rel);
   rel->alias = f->alias.text ? f->alias.text : t->name;
   return true;
}
