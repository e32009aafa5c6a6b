/* Functions and aggregates of extensions (shared libraries). They are described by the same
 * structures as built-in functions. */
#include "analyze/routines/module.h"

#include "base/memory.h"
#include "engine/local/group/state.h"
#include "functions/agg.h"
#include "functions/signature.h"
#include "functions/template.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- operators ---- */

/* The data of an operator that calls a function of an extension. Operators are the functions that
 * the local executor can call in expressions. */
typedef struct ModuleFunc {
   const MtOpRow *op;
   MtSig sig;
   bool strict;
} ModuleFunc;

/* Converts argument i from its stored value to the BSON type of its parameter. So a function for
 * doubles gets 69.0 if a document has the integer 69. All arguments from the last parameter on have
 * its type, if the function is variadic. */
static bool convert (const MtEval *ev, const MtSig *sig, int i, MtVal v, MtVal *out)
{
   int last = sig->argc - 1;
   *out = v;
   if (last < 0 || mt_is_nullish (v))
      return true;
   MtTypeId type = sig->args[i < last ? i : last];
   return !mt_type_exists (type) || mt_value_normalize (ev->arena, mt_type (type), v, out, ev->err);
}

/* Calls an extension's function for the local executor. The executor does not check for NULL
 * arguments, so this operator returns NULL itself if the function is strict. */
static bool call_function (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   const ModuleFunc *f = ev->user;
   MtEval inner = *ev;
   MtVal few[MT_SIG_MAX_ARGS],
      *own = argc <= MT_SIG_MAX_ARGS ? few : MT_NEW_N (ev->arena, MtVal, (size_t) argc);
   inner.user = f->op->user;
   for (int i = 0; i < argc; i++) {
      if (f->strict && mt_is_nullish (args[i])) {
         *out = mt_v_null ();
         return true;
      }
      if (!convert (ev, &f->sig, i, args[i], &own[i]))
         return false;
   }
   return f->op->fn (&inner, own, argc, out);
}

/* The operators of one extension, which the local executor calls by name. Each function has two:
 * one that returns NULL for NULL arguments (strict), and one that passes NULL to the function. Each
 * aggregate has one that computes its result. The last row has no name. */
typedef struct ModuleOps {
   const MtModule *module;
   MtOpRow *rows;
   MtStateAgg *aggs; /* by index of MtModule.aggregates */
} ModuleOps;

/* The operators of each extension are made once, and live as long as the process. The mutex `lock`
 * protects the list. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ModuleOps *made;
static size_t made_count, made_cap;

/* Returns "extension:name" as the name of row `at` in a list of functions or aggregates. If earlier
 * rows have the same name (with other argument types), adds a number. No name contains ':', so
 * names of different extensions differ. first: the address of the first row's name; size: the bytes
 * of a row. */
static const char *row_name (MtArena *a, const MtModule *m, const char *const *first, size_t size,
                             size_t at)
{
   const char *p = (const char *) first,
              *name = *(const char *const *) (const void *) (p + at * size);
   int earlier = 0;
   for (size_t i = 0; i < at; i++)
      earlier += mt_ieq (*(const char *const *) (const void *) (p + i * size), name);
   return earlier ? mt_printf (a, "%s:%s:%d", m->name, name, earlier + 1)
                  : mt_printf (a, "%s:%s", m->name, name);
}

static const char *op_name (MtArena *a, const MtModule *m, size_t i, bool strict)
{
   return mt_printf (a, "$_mt_%s%s", row_name (a, m, &m->functions->name, sizeof *m->functions, i),
                     strict ? "" : ":null");
}

static ModuleFunc *function_of (MtArena *a, const MtFunc *row, bool strict)
{
   ModuleFunc *f = MT_NEW (a, ModuleFunc);
   f->op = row->op;
   f->strict = strict;
   mt_sig_parse (row->name, row->signature, row->flags, &f->sig);
   return f;
}

static MtOpRow *add_function_ops (MtArena *a, const MtModule *m, MtOpRow *to)
{
   for (size_t i = 0; m->functions && m->functions[i].name; i++)
      for (int strict = 0; m->functions[i].op && strict < 2; strict++, to++) {
         const MtFunc *row = &m->functions[i];
         *to = *row->op;
         to->name = op_name (a, m, i, strict);
         to->summary = row->summary;
         if (row->flags & MT_F_VOLATILE)
            to->flags &= ~MT_OP_FOLD;
         to->fn = call_function;
         to->user = function_of (a, row, strict);
      }
   return to;
}

static void make_agg (MtArena *a, const MtModule *m, size_t i, MtStateAgg *to, MtOpRow *op)
{
   const MtAgg *row = &m->aggregates[i];
   mt_state_agg_make (a, row,
                      mt_printf (a, "$_mtAgg_%s",
                                 row_name (a, m, &m->aggregates->name, sizeof *m->aggregates, i)),
                      to, op);
}

static ModuleOps make_ops (const MtModule *m)
{
   static MtArena *a; /* lives as long as the process */
   size_t n = 0, aggs = 0;
   a = a ? a : mt_arena_new ("extensions", NULL);
   for (const MtFunc *row = m->functions; row && row->name; row++)
      n += row->op ? 2 : 0;
   while (m->aggregates && m->aggregates[aggs].name)
      aggs++;
   ModuleOps made_now = {m, MT_NEW_N (a, MtOpRow, n + aggs + 1),
                         MT_NEW_N (a, MtStateAgg, aggs + 1)};
   MtOpRow *to = add_function_ops (a, m, made_now.rows);
   for (size_t i = 0; i < aggs; i++)
      make_agg (a, m, i, &made_now.aggs[i], to++);
   return made_now;
}

static ModuleOps ops_of (const MtModule *m)
{
   ModuleOps found = {0};
   pthread_mutex_lock (&lock);
   for (size_t i = 0; i < made_count && !found.module; i++)
      if (made[i].module == m)
         found = made[i];
   if (!found.module) {
      found = make_ops (m);
      MT_GROW ("extensions", made, made_count, made_cap, 8);
      made[made_count++] = found;
   }
   pthread_mutex_unlock (&lock);
   return found;
}

const MtOpRow *mt_module_ops (size_t i)
{
   pthread_mutex_lock (&lock);
   const MtOpRow *rows = i < made_count ? made[i].rows : NULL;
   pthread_mutex_unlock (&lock);
   return rows;
}

static const MtOpRow *op_of (MtArena *a, const MtModule *m, size_t i, unsigned flags)
{
   const MtOpRow *op = ops_of (m).rows;
   const char *name = op_name (a, m, i, !(flags & MT_F_NOT_STRICT));
   while (op->name && strcmp (op->name, name) != 0)
      op++;
   return op;
}

/* ---- checking ---- */

static bool invalid (const MtModule *m, const char *kind, const char *name, MtError *err)
{
   return mt_error (err, MT_E_INVALID_DEFINITION,
                    "%s \"%s\" of extension \"%s\" has an invalid definition", kind, name, m->name);
}

static bool is_function (const MtFunc *f)
{
   MtSig sig;
   return f->signature && (f->op || f->mql || f->sql) &&
          mt_sig_parse (f->name, f->signature, f->flags, &sig);
}

/* The maximum size in bytes of an aggregate's state for one group. Memory to which the state points
 * does not count. */
enum { MOST_STATE_BYTES = 1 << 16 };

static bool is_aggregate (const MtAgg *row)
{
   const MtAggState *s = row->state;
   MtSig sig;
   return row->signature && mt_sig_parse (row->name, row->signature, 0, &sig) && sig.argc > 0 &&
          sig.argc <= MT_AGG_MAX_ARGS / 2 && !(row->flags & ~MT_F_NOT_STRICT) && s && s->size > 0 &&
          s->size <= MOST_STATE_BYTES && s->step && s->merge && s->final && !s->save == !s->load;
}

/* Checks all functions and aggregates of the extension. Fails if one is invalid, so that operators
 * are made only of valid ones. */
static bool check_rows (const MtModule *m, MtError *err)
{
   for (const MtFunc *f = m->functions; f && f->name; f++)
      if (!is_function (f))
         return invalid (m, "function", f->name, err);
   for (const MtAgg *g = m->aggregates; g && g->name; g++)
      if (!is_aggregate (g))
         return invalid (m, "aggregate", g->name, err);
   return true;
}

/* ---- functions ---- */

/* Returns the index of the function `name` in m->functions, if it is implemented in C. -1: there is
 * none. */
static long find_symbol (const MtModule *m, const char *name)
{
   for (long i = 0; m->functions && m->functions[i].name; i++)
      if (m->functions[i].op && strcmp (m->functions[i].name, name) == 0)
         return i;
   return -1;
}

bool mt_module_link (MtArena *a, const char *file, const char *symbol, MtFunc *f, MtError *err)
{
   const MtModule *m;
   if (!mt_extension_open (file, &m, err) || !check_rows (m, err))
      return false;
   long row = find_symbol (m, symbol);
   if (row < 0)
      return mt_error (err, MT_E_UNDEFINED_FUNCTION,
                       "could not find function \"%s\" in library \"%s\"", symbol, file);
   f->op = op_of (a, m, (size_t) row, f->flags);
   f->summary = m->functions[row].summary;
   return true;
}

/* ---- all rows ---- */

static void read_functions (MtArena *a, const MtModule *m, MtModuleRows *out)
{
   size_t n = 0;
   while (m->functions && m->functions[n].name)
      n++;
   const MtFunc **list = MT_NEW_N (a, const MtFunc *, n + 1);
   for (size_t i = 0; i < n; i++) {
      MtFunc *f = MT_NEW (a, MtFunc);
      *f = m->functions[i];
      f->flags |= MT_F_INFINITE;
      if (f->op)
         f->op = op_of (a, m, i, f->flags);
      else if (f->mql)
         f->here = mt_template_read (a, f);
      list[i] = f;
   }
   out->functions = list;
   out->function_count = n;
}

static void read_aggregates (MtArena *a, const MtModule *m, MtModuleRows *out)
{
   size_t n = 0;
   while (m->aggregates && m->aggregates[n].name)
      n++;
   const MtAgg **list = MT_NEW_N (a, const MtAgg *, n + 1);
   const MtStateAgg *aggs = n ? ops_of (m).aggs : NULL;
   for (size_t i = 0; i < n; i++)
      list[i] = &aggs[i].agg;
   out->aggregates = list;
   out->aggregate_count = n;
}

bool mt_module_rows (MtArena *a, const MtModule *m, MtModuleRows *out, MtError *err)
{
   if (!check_rows (m, err))
      return false;
   read_functions (a, m, out);
   read_aggregates (a, m, out);
   return true;
}
