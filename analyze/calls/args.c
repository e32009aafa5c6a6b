/* Calls with named arguments (name => value) and defaults: finds candidates and sorts arguments. */
#include "analyze/calls/choose.h"
#include "analyze/types/coerce.h"
#include "parser/parser.h"

#include <string.h>

static const char *default_of (const MtSig *s, int p)
{
   return s->fn && s->fn->defaults ? s->fn->defaults[p] : NULL;
}

/* Returns the index of the parameter of s that receives argument i of the call. -1: s has no such
 * parameter. */
static int param_of (const MtSig *s, const MtName *names, int i)
{
   int total = mt_visible_args (s);
   if (!names || !names[i].text)
      return i < total ? i : -1;
   for (int p = 0; p < total; p++)
      if (mt_str_ieq (s->arg_names[p], mt_str (names[i].text)))
         return p;
   return -1;
}

/* Makes *seen from signature s for a call with named arguments: its parameters are in the order of
 * the call's arguments, without hidden parameters and without those that take their default.
 * *defaults: the number of parameters that take their default. Returns false if the call does not
 * fit s. */
static bool seen_by_call (const MtSig *s, const MtName *names, int argc, MtSig *seen, int *defaults)
{
   int total = mt_visible_args (s);
   bool given[MT_SIG_MAX_ARGS] = {0};
   *seen = *s;
   seen->argc = total;
   *defaults = 0;
   if (s->variadic)
      return !names;
   seen->argc = argc;
   if (argc > total)
      return false;
   for (int i = 0; i < argc; i++) {
      int p = param_of (s, names, i);
      if (p < 0 || given[p])
         return false;
      given[p] = true;
      seen->args[i] = s->args[p];
   }
   for (int p = 0; p < total; p++)
      if (!given[p] && !default_of (s, p))
         return false;
   *defaults = total - argc;
   return true;
}

/* Returns signature s with its parameters in the order of the call's arguments, or s itself if they
 * already are. NULL: the call does not fit s. */
static const MtSig *as_seen (MtArena *a, const MtSig *s, const MtName *names, int argc,
                             int *defaults)
{
   *defaults = 0;
   if (!names && !s->variadic && argc == s->argc && mt_visible_args (s) == argc)
      return s;
   MtSig *other = MT_NEW (a, MtSig);
   return seen_by_call (s, names, argc, other, defaults) ? other : NULL;
}

static bool same_types (const MtSig *s, const MtSig *t)
{
   return s->argc == t->argc && s->variadic == t->variadic &&
          memcmp (s->args, t->args, (size_t) s->argc * sizeof *s->args) == 0;
}

/* The candidate functions of a call: rows[i] is a function's signature, and seen[i] the same
 * signature with its parameters in the order of the call's arguments. defaults[i]: how many
 * parameters take their default. */
typedef struct Candidates {
   const MtSig **rows, **seen;
   int *defaults;
   int count;
} Candidates;

static bool is_builtin (const MtSig *s) { return s->fn->summary && *s->fn->summary; }

/* Adds a candidate. If the list already has a candidate with the same parameter types, only the one
 * with fewer defaults is kept. Returns false if the call is ambiguous: two user-defined functions
 * differ only by parameters that take their defaults. */
static bool add (Candidates *c, const MtSig *row, const MtSig *seen, int defaults)
{
   /* Two built-in functions never have the same signature, so they need no comparison if their
    * parameters were not rearranged. */
   bool changed = seen != row || !is_builtin (row);
   for (int i = 0; i < c->count; i++) {
      if ((!changed && c->seen[i] == c->rows[i] && is_builtin (c->rows[i])) ||
          !same_types (c->seen[i], seen))
         continue;
      if ((defaults || c->defaults[i]) && !is_builtin (row) && !is_builtin (c->rows[i]))
         return false;
      if (defaults < c->defaults[i]) {
         c->rows[i] = row;
         c->seen[i] = seen;
         c->defaults[i] = defaults;
      }
      return true;
   }
   c->rows[c->count] = row;
   c->seen[c->count] = seen;
   c->defaults[c->count++] = defaults;
   return true;
}

const MtSig *mt_choose_call (MtBinder *b, const MtCallArgs *call, bool *ambiguous)
{
   MtTypeId types[call->argc + 1];
   size_t room = (size_t) call->count + 1;
   for (int i = 0; i < call->argc; i++)
      types[i] = call->args[i]->type.id;
   *ambiguous = false;
   if (call->is_operator && call->argc == 2) {
      const MtSig *obvious = mt_obvious_operator (call->sigs, call->count, types);
      if (obvious)
         return obvious;
   }
   Candidates c = {MT_NEW_N (b->a, const MtSig *, room), MT_NEW_N (b->a, const MtSig *, room),
                   MT_NEW_N (b->a, int, room), 0};
   const MtSig *alike = NULL;
   for (int i = 0; i < call->count; i++) {
      int defaults;
      const MtSig *row = as_seen (b->a, call->sigs[i], call->names, call->argc, &defaults);
      if (row && !add (&c, call->sigs[i], row, defaults))
         alike = row;
   }
   const MtSig *s = mt_choose_sig (c.seen, c.count, types, call->argc, call->is_operator,
                                   ambiguous);
   for (int i = 0; i < c.count; i++)
      if (s && c.seen[i] == s) {
         *ambiguous = alike && same_types (alike, s);
         return *ambiguous ? NULL : c.rows[i];
      }
   return NULL;
}

/* Analyzes the default of parameter p. A default can't refer to columns. */
static bool bind_default (MtBinder *b, const MtSig *s, int p, MtX **out)
{
   MtExpr *e;
   MtScope none = {.clause = MT_CLAUSE_DEFAULT};
   const char *text = default_of (s, p);
   return mt_parse_expr (b->a, text, strlen (text), &e, b->err) && mt_bind_x (b, &none, e, out) &&
          ((s->args[p] >= MT_T_COUNT && s->args[p] < MT_SIG_END) ||
           mt_coerce (b, *out, mt_type (s->args[p]), MT_COERCE_ASSIGN, out));
}

bool mt_place_args (MtBinder *b, const MtSig *s, MtCallArgs *call)
{
   int total = mt_visible_args (s);
   if (s->variadic || (!call->names && call->argc == total))
      return true;
   MtX **placed = MT_NEW_N (b->a, MtX *, (size_t) total + 1);
   for (int i = 0; i < call->argc; i++)
      placed[param_of (s, call->names, i)] = call->args[i];
   for (int p = 0; p < total; p++)
      if (!placed[p] && !bind_default (b, s, p, &placed[p]))
         return false;
   call->args = placed;
   call->argc = total;
   return true;
}
