#include "functions/routine.h"

#include "functions/signature.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FIRST_OID 7000 /* between PostgreSQL's types and its information_schema */
#define FIRST_USER_OID 100000000

typedef struct List {
   MtArena *a;
   MtRoutine *items;
   size_t count;
} List;

static const struct {
   const char *name;
   int64_t oid;
} pseudo[] = {{"any", 2276},          {"anyelement", 2283},    {"anyarray", 2277},
              {"anynonarray", 2776},  {"anycompatible", 5077}, {"anycompatiblearray", 5078},
              {"anyenum", 3500},      {"anyrange", 3831},      {"cstring", 2275},
              {"internal", 2281},     {"void", 2278},          {"trigger", 2279},
              {"event_trigger", 3838}};

const char *mt_pseudo_type (size_t index, int64_t *oid)
{
   if (index >= sizeof pseudo / sizeof *pseudo)
      return NULL;
   *oid = pseudo[index].oid;
   return pseudo[index].name;
}

static int64_t type_oid (MtTypeId t)
{
   if (mt_type_exists (t))
      return mt_type_info (t)->oid;
   for (size_t i = 0; i < sizeof pseudo / sizeof *pseudo; i++)
      if (strcmp (mt_sig_type_name (t), pseudo[i].name) == 0)
         return pseudo[i].oid;
   return 0;
}

static const char *taken (MtArena *a, MtBuf *b)
{
   const char *text = mt_strndup (a, b->p ? b->p : "", b->n);
   mt_buf_free (b);
   return text;
}

/* Copies the parameters of sig to r, except hidden ones, which SQL callers don't write. */
static void add_params (MtArena *a, const MtSig *sig, MtRoutine *r)
{
   MtBuf arguments = {0}, types = {0};
   for (int i = 0; i < sig->argc; i++) {
      const char *type = mt_sig_type_name (sig->args[i]);
      MtStr name = sig->arg_names[i];
      if ((name.n && name.p[0] == '_') || r->argc == MT_ROUTINE_MAX_ARGS)
         continue;
      r->args[r->argc] = type_oid (sig->args[i]);
      r->arg_names[r->argc] = mt_strndup (a, name.p ? name.p : "", name.n);
      mt_buf_printf (&arguments, "%s%s", r->argc ? ", " : "",
                     sig->variadic && i == sig->argc - 1 ? "VARIADIC " : "");
      mt_buf_printf (&arguments, "%s%s%s", r->arg_names[r->argc], name.n ? " " : "", type);
      if (r->fn && r->fn->defaults && r->fn->defaults[i])
         mt_buf_printf (&arguments, " DEFAULT %s", r->fn->defaults[i]);
      mt_buf_printf (&types, "%s%s", r->argc ? "," : "", type);
      r->argc++;
   }
   r->arguments = taken (a, &arguments);
   r->types = taken (a, &types);
}

static void add (List *l, MtRoutine r, const char *signature)
{
   MtSig sig;
   if (!mt_sig_parse (r.name, signature, r.flags, &sig))
      return;
   add_params (l->a, &sig, &r);
   r.ret = type_oid (sig.ret);
   r.result = r.flags & MT_F_SET ? mt_printf (l->a, "SETOF %s", mt_sig_type_name (sig.ret))
                                 : mt_sig_type_name (sig.ret);
   l->items[l->count++] = r;
}

static void add_function (List *l, const MtFunc *f, bool user)
{
   MtRoutineKind kind = MT_ROUTINE_FUNCTION;
   if (f->flags & MT_F_OPERATOR)
      kind = MT_ROUTINE_OPERATOR;
   else if (f->flags & MT_F_CAST)
      kind = MT_ROUTINE_CAST;
   if (f->name[0] != '$')
      add (l,
           (MtRoutine) {.kind = kind,
                        .user = user,
                        .name = f->name,
                        .flags = f->flags,
                        .summary = f->summary,
                        .example = f->example,
                        .fn = f},
           f->signature);
}

static int by_name (const void *x, const void *y)
{
   const MtRoutine *a = x, *b = y;
   int c = strcasecmp (a->name, b->name);
   c = c ? c : (int) a->kind - (int) b->kind;
   c = c ? c : strcmp (a->arguments, b->arguments);
   return c ? c : strcmp (a->result, b->result);
}

static void add_aggregate (List *l, const MtAgg *g, bool user)
{
   add (l,
        (MtRoutine) {.kind = MT_ROUTINE_AGGREGATE,
                     .user = user,
                     .name = g->name,
                     .flags = g->flags,
                     .summary = g->summary,
                     .example = g->example},
        g->signature);
}

const MtRoutine *mt_routines (MtArena *a, const MtBindEnv *env, size_t *count)
{
   size_t nf, na, nw;
   const MtFunc *f = mt_builtin_functions (&nf);
   const MtAgg *g = mt_builtin_aggregates (&na);
   const MtWindowFunc *w = mt_builtin_windows (&nw);
   size_t users = env->user_function_count + env->user_aggregate_count;
   List l = {.a = a, .items = MT_NEW_N (a, MtRoutine, nf + na + nw + users + 1)};
   for (size_t i = 0; i < nf; i++)
      add_function (&l, &f[i], false);
   for (size_t i = 0; i < na; i++)
      add_aggregate (&l, &g[i], false);
   for (size_t i = 0; i < nw; i++)
      add (&l,
           (MtRoutine) {.kind = MT_ROUTINE_WINDOW,
                        .name = w[i].name,
                        .summary = w[i].summary,
                        .example = w[i].example},
           w[i].signature);
   qsort (l.items, l.count, sizeof *l.items, by_name);
   for (size_t i = 0; i < l.count; i++)
      l.items[i].oid = FIRST_OID + (int64_t) i;
   size_t built_in = l.count;
   for (size_t i = 0; i < env->user_function_count; i++)
      add_function (&l, env->user_functions[i], true);
   for (size_t i = 0; i < env->user_aggregate_count; i++)
      add_aggregate (&l, env->user_aggregates[i], true);
   for (size_t i = built_in; i < l.count; i++)
      l.items[i].oid = FIRST_USER_OID + (int64_t) (i - built_in);
   qsort (l.items, l.count, sizeof *l.items, by_name);
   *count = l.count;
   return l.items;
}
