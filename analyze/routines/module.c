/* The functions of extensions: rows like those of built-in functions. */
#include "analyze/routines/module.h"

#include "base/memory.h"
#include "functions/signature.h"
#include "functions/template.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- operators ---- */

/* The local executor calls an operator without checking for NULL. So the operator of a strict
 * function checks itself. */
static bool call_strict (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   const MtOpRow *op = ev->user;
   MtEval inner = *ev;
   inner.user = op->user;
   for (int i = 0; i < argc; i++)
      if (mt_is_nullish (args[i])) {
         *out = mt_v_null ();
         return true;
      }
   return op->fn (&inner, args, argc, out);
}

/* The operators of one extension: for each function one that is strict, and one that isn't. The
 * last row has no name. */
typedef struct ModuleOps {
   const MtModule *module;
   MtOpRow *rows;
} ModuleOps;

/* Operators are made once, and live as long as the process. `lock` guards them. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ModuleOps *made;
static size_t made_count, made_cap;

static const char *op_name (MtArena *a, const MtModule *m, const MtFunc *row, bool strict)
{
   return mt_printf (a, "$_mt_%s_%s%s", m->name, row->name, strict ? "" : "_null");
}

static MtOpRow *make_ops (const MtModule *m)
{
   static MtArena *a; /* lives as long as the process */
   size_t n = 0;
   a = a ? a : mt_arena_new ("extensions", NULL);
   for (const MtFunc *row = m->functions; row && row->name; row++)
      n += row->op ? 2 : 0;
   MtOpRow *rows = MT_NEW_N (a, MtOpRow, n + 1), *to = rows;
   for (const MtFunc *row = m->functions; row && row->name; row++)
      for (int strict = 0; row->op && strict < 2; strict++, to++) {
         *to = *row->op;
         to->name = op_name (a, m, row, strict);
         to->summary = row->summary;
         if (row->flags & MT_F_VOLATILE)
            to->flags &= ~MT_OP_FOLD;
         if (strict) {
            to->fn = call_strict;
            to->user = (void *) row->op;
         }
      }
   return rows;
}

static const MtOpRow *ops_of (const MtModule *m)
{
   const MtOpRow *rows = NULL;
   pthread_mutex_lock (&lock);
   for (size_t i = 0; i < made_count && !rows; i++)
      rows = made[i].module == m ? made[i].rows : NULL;
   if (!rows) {
      MT_GROW ("extensions", made, made_count, made_cap, 8);
      made[made_count] = (ModuleOps) {m, make_ops (m)};
      rows = made[made_count++].rows;
   }
   pthread_mutex_unlock (&lock);
   return rows;
}

const MtOpRow *mt_module_ops (size_t i)
{
   pthread_mutex_lock (&lock);
   const MtOpRow *rows = i < made_count ? made[i].rows : NULL;
   pthread_mutex_unlock (&lock);
   return rows;
}

static const MtOpRow *op_of (MtArena *a, const MtModule *m, const MtFunc *row, unsigned flags)
{
   const MtOpRow *op = ops_of (m);
   const char *name = op_name (a, m, row, !(flags & MT_F_NOT_STRICT));
   while (op->name && strcmp (op->name, name) != 0)
      op++;
   return op;
}

/* ---- functions ---- */

static const MtFunc *find_symbol (const MtModule *m, const char *name)
{
   for (const MtFunc *f = m->functions; f && f->name; f++)
      if (f->op && strcmp (f->name, name) == 0)
         return f;
   return NULL;
}

bool mt_module_link (MtArena *a, const char *file, const char *symbol, MtFunc *f, MtError *err)
{
   const MtModule *m;
   if (!mt_extension_open (file, &m, err))
      return false;
   const MtFunc *row = find_symbol (m, symbol);
   if (!row)
      return mt_error (err, MT_E_UNDEFINED_FUNCTION,
                       "could not find function \"%s\" in library \"%s\"", symbol, file);
   f->op = op_of (a, m, row, f->flags);
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
         f->op = op_of (a, m, row, f->flags);
      else if (f->mql)
         f->here = mt_template_read (a, f);
      list[i++] = f;
   }
   *functions = list;
   *count = n;
   return true;
}
