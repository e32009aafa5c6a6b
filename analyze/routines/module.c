/* The functions of extensions: rows like those of built-in functions. */
#include "analyze/routines/module.h"

#include "functions/signature.h"
#include "functions/template.h"

#include <string.h>

/* The local executor calls an operator without checking for NULL. So the operator of a strict
 * function checks itself. */
typedef struct Guard {
   const MtOpRow *op;
   bool strict;
} Guard;

static bool guarded (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   const Guard *g = ev->user;
   MtEval inner = *ev;
   inner.user = g->op->user;
   for (int i = 0; g->strict && i < argc; i++)
      if (mt_is_nullish (args[i])) {
         *out = mt_v_null ();
         return true;
      }
   return g->op->fn (&inner, args, argc, out);
}

static MtOpRow *make_op (MtArena *a, const char *name, const MtFunc *row, bool strict)
{
   MtOpRow *op = MT_NEW (a, MtOpRow);
   Guard *g = MT_NEW (a, Guard);
   *g = (Guard) {row->op, strict};
   *op = *row->op;
   op->name = name;
   op->fn = guarded;
   op->summary = row->summary;
   op->user = g;
   if (row->flags & MT_F_VOLATILE)
      op->flags &= ~MT_OP_FOLD;
   return op;
}

static const MtFunc *find_symbol (const MtModule *m, const char *name)
{
   for (const MtFunc *f = m->functions; f && f->name; f++)
      if (f->op && strcmp (f->name, name) == 0)
         return f;
   return NULL;
}

bool mt_module_link (MtArena *a, const char *file, const char *symbol, const char *name, MtFunc *f,
                     MtError *err)
{
   const MtModule *m;
   if (!mt_extension_open (file, &m, err))
      return false;
   const MtFunc *row = find_symbol (m, symbol);
   if (!row)
      return mt_error (err, MT_E_UNDEFINED_FUNCTION,
                       "could not find function \"%s\" in library \"%s\"", symbol, file);
   f->op = make_op (a, mt_printf (a, "$_mt_user_%s", name), row, !(f->flags & MT_F_NOT_STRICT));
   f->summary = row->summary;
   return true;
}

bool mt_module_functions (MtArena *a, const MtModule *m, const MtFunc *const **functions,
                          size_t *count, MtError *err)
{
   size_t n = 0, i = 0;
   MtSig sig;
   for (const MtFunc *row = m->functions; row && row->name; row++)
      n++;
   const MtFunc **list = MT_NEW_N (a, const MtFunc *, n + 1);
   for (const MtFunc *row = m->functions; row && row->name; row++) {
      MtFunc *f = MT_NEW (a, MtFunc);
      *f = *row;
      f->flags |= MT_F_INFINITE;
      if (!f->signature || !(f->op || f->mql || f->sql) ||
          !mt_sig_parse (f->name, f->signature, f->flags, &sig))
         return mt_error (err, MT_E_INVALID_DEFINITION,
                          "function \"%s\" of extension \"%s\" has an invalid definition", f->name,
                          m->name);
      if (f->op)
         f->op = make_op (a, mt_printf (a, "$_mt_%s_%s", m->name, f->name), row,
                          !(f->flags & MT_F_NOT_STRICT));
      else if (f->mql)
         f->here = mt_template_read (a, f);
      list[i++] = f;
   }
   *functions = list;
   *count = n;
   return true;
}
