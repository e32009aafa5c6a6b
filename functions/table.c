/* The table of built-in functions with their signatures, and look-ups by name. */
#include "functions/agg.h"
#include "functions/core/rows.h"
#include "functions/core/row.h"
#include "functions/signature.h"
#include "functions/template.h"
#include "functions/timeseries/kept.h"
#include "base/memory.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const MtFunc *const tables[] = {
   mt_fn_arithmetic,    mt_fn_numeric,     mt_fn_math,         mt_fn_compare,   mt_fn_text,
   mt_fn_text_more,     mt_fn_text_format, mt_fn_sql,          mt_fn_bytea,     mt_fn_unicode,
   mt_fn_ident,         mt_fn_pictures,    mt_fn_pattern,      mt_fn_regex,     mt_fn_time,
   mt_fn_time_make,     mt_fn_time_arith,  mt_fn_bucket,       mt_fn_gapfill,   mt_fn_format,
   mt_fn_format_number, mt_fn_format_read, mt_fn_json,         mt_fn_json_make, mt_fn_json_text,
   mt_fn_cast,          mt_fn_catalog,     mt_fn_enum,         mt_fn_domain,    mt_fn_session,
   mt_fn_hidden,        mt_fn_record,      mt_fn_array_hidden, mt_fn_set,       mt_fn_json_set,
   mt_fn_json_path,     mt_fn_size,        mt_fn_forms,        mt_fn_array,     mt_fn_array_compare,
   mt_fn_array_text,    mt_fn_summary,     mt_fn_stats,        mt_fn_counter,   mt_fn_time_weight,
   mt_fn_candlestick,   mt_fn_series,      mt_fn_timeline,     mt_fn_durations, mt_fn_heartbeat,
   mt_fn_uddsketch,     mt_fn_tdigest,     mt_fn_hyperloglog,  mt_fn_nmost,     mt_fn_frequency,
   mt_fn_count_min};
#define TABLE_COUNT (sizeof tables / sizeof *tables)

static const MtAgg *const agg_tables[] = {mt_agg_rows,        mt_agg_stats,       mt_agg_counter,
                                          mt_agg_time_weight, mt_agg_candlestick, mt_agg_timeline,
                                          mt_agg_durations,   mt_agg_heartbeat,   mt_agg_uddsketch,
                                          mt_agg_tdigest,     mt_agg_hyperloglog, mt_agg_nmost,
                                          mt_agg_frequency,   mt_agg_count_min};
#define AGG_TABLE_COUNT (sizeof agg_tables / sizeof *agg_tables)

/* All built-in functions, operators, casts and aggregates. Filled once, and then never changed. */
static struct {
   MtFunc *funcs;
   size_t func_count;
   MtAgg *aggs;
   size_t agg_count, state_count; /* state_count: how many aggregates have a state in C */
   MtStateAgg *states;
   MtSig *sigs; /* functions, sorted by name */
   MtSig *agg_sigs;
   MtOpRow *ops;
   struct EngineOp *engine_ops; /* by function */
   const char **names;
   size_t name_count;
   const MtSig *casts[MT_T_COUNT][MT_T_COUNT];
} all;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* For each function without an operator, its parsed template. Filled at first use. */
static const MtTemplate **templates;
static pthread_once_t templates_once = PTHREAD_ONCE_INIT;

static void trim (MtStr *s)
{
   while (s->n && s->p[0] == ' ') {
      s->p++;
      s->n--;
   }
   while (s->n && s->p[s->n - 1] == ' ')
      s->n--;
}

static const char *const polymorphic[] = {[MT_SIG_ANY - MT_T_COUNT] = "any",
                                          [MT_SIG_ELEMENT - MT_T_COUNT] = "anyelement",
                                          [MT_SIG_ARRAY - MT_T_COUNT] = "anyarray",
                                          [MT_SIG_NONARRAY - MT_T_COUNT] = "anynonarray",
                                          [MT_SIG_COMPATIBLE - MT_T_COUNT] = "anycompatible",
                                          [MT_SIG_COMPATIBLE_ARRAY -
                                             MT_T_COUNT] = "anycompatiblearray",
                                          [MT_SIG_ENUM - MT_T_COUNT] = "anyenum"};

const char *mt_sig_type_name (MtTypeId t)
{
   return mt_type_exists (t) ? mt_type_info (t)->display : polymorphic[t - MT_T_COUNT];
}

/* The types of texts that were read before. The program reads thousands when it starts, of which
 * most are equal. */
typedef struct Seen {
   MtStr text;
   MtTypeId type;
   bool is_type;
} Seen;
#define SEEN 512u

static bool find_type (MtStr s, MtTypeId *out)
{
   for (MtTypeId t = MT_SIG_ANY; t < MT_SIG_END; t++)
      if (mt_str_is (s, polymorphic[t - MT_T_COUNT])) {
         *out = t;
         return true;
      }
   return mt_type_by_name (s, out);
}

/* Finds a type by its name. `seen` has SEEN places for texts that stay; NULL: it isn't used. */
static bool one_type (Seen *seen, MtStr s, MtTypeId *out)
{
   if (!seen || !s.n)
      return find_type (s, out);
   unsigned hash = 0;
   for (size_t i = 0; i < s.n; i++)
      hash = hash * 31 + (uint8_t) s.p[i];
   Seen *at = &seen[hash % SEEN];
   if (at->text.n != s.n || memcmp (at->text.p, s.p, s.n) != 0) {
      at->text = s;
      at->is_type = find_type (s, &at->type);
   }
   if (at->is_type)
      *out = at->type;
   return at->is_type;
}

/* Parses "integer" or "name integer". A flag of the row marks a variadic parameter, not the
 * text. */
static bool one_param (Seen *seen, MtStr s, MtSig *sig)
{
   trim (&s);
   if (sig->argc == MT_SIG_MAX_ARGS)
      return false;
   if (!one_type (seen, s, &sig->args[sig->argc])) {
      const char *space = memchr (s.p, ' ', s.n);
      if (!space)
         return false;
      MtStr rest = {space + 1, s.n - (size_t) (space + 1 - s.p)};
      trim (&rest);
      if (!one_type (seen, rest, &sig->args[sig->argc]))
         return false;
      sig->arg_names[sig->argc] = (MtStr) {s.p, (size_t) (space - s.p)};
   }
   sig->argc++;
   return true;
}

static bool parse (Seen *seen, const char *name, const char *signature, unsigned flags, MtSig *out)
{
   *out = (MtSig) {.name = name, .variadic = flags & MT_F_VARIADIC};
   const char *arrow = strstr (signature, "->");
   if (!arrow)
      return false;
   MtStr ret = mt_str (arrow + 2);
   trim (&ret);
   if (!one_type (seen, ret, &out->ret))
      return false;
   MtStr in = {signature, (size_t) (arrow - signature)};
   trim (&in);
   while (in.n) {
      const char *comma = memchr (in.p, ',', in.n);
      size_t n = comma ? (size_t) (comma - in.p) : in.n;
      if (!one_param (seen, (MtStr) {in.p, n}, out))
         return false;
      in.p += n + (comma ? 1 : 0);
      in.n -= n + (comma ? 1 : 0);
   }
   return true;
}

bool mt_sig_parse (const char *name, const char *signature, unsigned flags, MtSig *out)
{
   return parse (NULL, name, signature, flags, out);
}

static int by_name (const void *a, const void *b)
{
   const MtSig *s = a, *t = b;
   int c = strcasecmp (s->name, t->name);
   return c ? c : (s->fn > t->fn) - (s->fn < t->fn);
}

/* ---- operators for the local executor ---- */

/* Which numbers a parameter expects: doubles, integers, or any. Documents of other programs may
 * contain integers in a column of doubles, and doubles in a column of integers. */
typedef enum Numbers { NUMBERS_UNSET, NUMBERS_REAL, NUMBERS_WHOLE, NUMBERS_ANY } Numbers;

/* An operator for the local executor, which may be shared by several functions. */
typedef struct EngineOp {
   const MtOpRow *op;
   bool strict;
   Numbers takes[MT_SIG_MAX_ARGS]; /* by argument; arguments behind them are like the last one */
} EngineOp;

static Numbers numbers_of (MtTypeId t)
{
   if (t == MT_T_FLOAT4 || t == MT_T_FLOAT8)
      return NUMBERS_REAL;
   return mt_type_is_integer (t) ? NUMBERS_WHOLE : NUMBERS_ANY;
}

/* Adds the parameters of a function to its operator. If functions that share the operator have
 * different types at a position, any number is accepted there. */
static void add_params (EngineOp *e, const MtSig *sig)
{
   int count = sig->variadic && sig->argc ? MT_SIG_MAX_ARGS : sig->argc;
   for (int i = 0; i < count; i++) {
      Numbers n = numbers_of (sig->args[i < sig->argc ? i : sig->argc - 1]);
      if (e->takes[i] != NUMBERS_UNSET && e->takes[i] != n)
         n = NUMBERS_ANY;
      e->takes[i] = n;
   }
}

/* Returns the type to which a stored argument v must be converted, or MT_T_UNKNOWN if it needs no
 * conversion. */
static MtTypeId type_to_read (Numbers takes, MtVal v)
{
   bool whole = v.type == MT_INT32 || v.type == MT_INT64;
   if (takes == NUMBERS_REAL && (whole || v.type == MT_DECIMAL))
      return MT_T_FLOAT8;
   if (takes == NUMBERS_WHOLE && (v.type == MT_DOUBLE || v.type == MT_DECIMAL))
      return MT_T_INT8;
   return MT_T_UNKNOWN;
}

/* Calls a function's operator for a row of a pipeline. Before, returns NULL if the function is
 * strict and an argument is NULL, and converts stored numbers to the expected types, because the
 * local executor does neither. */
static bool call_over_rows (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   const EngineOp *e = ev->user;
   MtVal few[MT_SIG_MAX_ARGS], *own = NULL;
   for (int i = 0; i < argc; i++) {
      if (e->strict && mt_is_nullish (args[i])) {
         *out = mt_v_null ();
         return true;
      }
      int last = MT_SIG_MAX_ARGS - 1;
      MtTypeId t = type_to_read (e->takes[i < last ? i : last], args[i]);
      if (t == MT_T_UNKNOWN)
         continue;
      if (!own) {
         own = argc <= MT_SIG_MAX_ARGS ? few : MT_NEW_N (ev->arena, MtVal, (size_t) argc);
         memcpy (own, args, (size_t) argc * sizeof *own);
      }
      if (!mt_value_normalize (ev->arena, mt_type (t), args[i], &own[i], ev->err))
         return false;
   }
   MtEval inner = *ev;
   inner.user = e->op->user;
   return e->op->fn (&inner, own ? own : args, argc, out);
}

static MtOpRow engine_op (const MtSig *sig, EngineOp *e)
{
   const MtFunc *f = sig->fn;
   MtOpRow op = *f->op;
   *e = (EngineOp) {.op = f->op, .strict = !(f->flags & MT_F_NOT_STRICT)};
   add_params (e, sig);
   op.summary = f->summary;
   if (f->flags & MT_F_VOLATILE)
      op.flags &= ~MT_OP_FOLD;
   op.fn = call_over_rows;
   op.user = e;
   return op;
}

/* Returns the name of the accumulator of an aggregate with a state. It contains the types of the
 * arguments, because each list of types has its own accumulator. */
static const char *state_name (MtArena *a, const MtSig *sig)
{
   MtBuf b = {0};
   mt_buf_printf (&b, "$_mtAgg_%s", sig->name);
   for (int i = 0; i < sig->argc; i++)
      mt_buf_printf (&b, "_%s",
                     mt_type_exists (sig->args[i]) ? mt_type_info (sig->args[i])->name
                                                   : mt_sig_type_name (sig->args[i]));
   const char *name = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return name;
}

/* Completes the table's aggregates with a state (mt_state_agg_make). Their operators are added to
 * all.ops from index *n on. */
static void add_states (size_t *n)
{
   static MtArena *a; /* lives as long as the process */
   size_t states = 0;
   a = mt_arena_new ("functions", NULL);
   all.states = mt_calloc ("functions", all.state_count + 1, sizeof *all.states);
   for (size_t i = 0; i < all.agg_count; i++)
      if (all.aggs[i].state) {
         MtStateAgg *to = &all.states[states++];
         mt_state_agg_make (a, &all.aggs[i], state_name (a, &all.agg_sigs[i]), to,
                            &all.ops[(*n)++]);
         all.aggs[i] = to->agg;
      }
}

/* Returns the accumulator from whose saved states a plain aggregate, such as stddev, can be
 * computed; NULL if there is none. For first and last it must order by times, because these are
 * never NaN. */
static const MtStateAccumulator *kept_of (const MtAggKind *kind, const MtSig *sig)
{
   if (kind->kept)
      return sig->argc == 1 || mt_type_is_datetime (sig->args[1]) ? kind->kept : NULL;
   for (size_t i = 0; i < all.state_count; i++)
      if (all.states[i].acc.result == kind->states && all.states[i].acc.argc == sig->argc &&
          all.states[i].sig.args[0] == MT_T_FLOAT8)
         return &all.states[i].acc;
   return NULL;
}

static void add_kept (void)
{
   MtKeptAggregate *list = mt_calloc ("functions", all.agg_count + 1, sizeof *list);
   size_t count = 0;
   mt_kept_add ();
   for (size_t i = 0; i < all.agg_count; i++) {
      const MtAgg *g = &all.aggs[i];
      const MtSig *sig = &all.agg_sigs[i];
      const MtStateAccumulator *acc = g->rule == MT_AGG_PARTS && !g->state ? kept_of (g->kind, sig)
                                                                           : NULL;
      if (acc)
         list[count++] = (MtKeptAggregate) {g->name, sig->args, sig->argc, acc};
   }
   mt_kept_aggregates_set (list, count);
}

static void add_ops (void)
{
   static const MtOpRow *const finishing[] = {mt_agg_ops,       mt_agg_stat_ops, mt_gapfill_ops,
                                              mt_array_ops,     mt_json_ops,     mt_json_make_ops,
                                              mt_json_text_ops, mt_series_ops,   mt_stats_ops};
   size_t n = 0, agg_ops = all.state_count;
   for (size_t t = 0; t < sizeof finishing / sizeof *finishing; t++)
      for (const MtOpRow *o = finishing[t]; o->name; o++)
         agg_ops++;
   all.ops = mt_calloc ("functions", all.func_count + agg_ops + 1, sizeof *all.ops);
   add_states (&n);
   add_kept ();
   all.engine_ops = mt_calloc ("functions", all.func_count + 1, sizeof *all.engine_ops);
   for (size_t t = 0; t < sizeof finishing / sizeof *finishing; t++)
      for (const MtOpRow *o = finishing[t]; o->name; o++)
         all.ops[n++] = *o;
   MtArena *scratch = mt_arena_new ("functions", NULL);
   MtOpIndex *index = mt_op_index_sized (scratch, all.func_count + agg_ops);
   for (size_t i = 0; i < n; i++)
      mt_op_index_add (index, &all.ops[i]);
   for (size_t i = 0; i < all.func_count; i++) {
      if (!all.funcs[i].op)
         continue;
      all.ops[n] = engine_op (&all.sigs[i], &all.engine_ops[i]);
      const MtOpRow *op = mt_op_index_add (index, &all.ops[n]);
      if (op == &all.ops[n])
         n++;
      else if (op >= all.ops + agg_ops)
         add_params (op->user, &all.sigs[i]);
   }
   all.ops[n] = (MtOpRow) {0}; /* the end, where the last function's row may have been */
   mt_arena_free (scratch);
}

static void add_names (void)
{
   size_t windows;
   const MtWindowFunc *window = mt_builtin_windows (&windows);
   all.names = mt_calloc ("functions", all.func_count + all.agg_count + windows + 1,
                          sizeof *all.names);
   for (size_t i = 0; i < all.func_count; i++) {
      const MtSig *s = &all.sigs[i];
      if (s->name[0] == '$' || (s->fn->flags & (MT_F_OPERATOR | MT_F_CAST)))
         continue;
      if (all.name_count == 0 || strcmp (all.names[all.name_count - 1], s->name))
         all.names[all.name_count++] = s->name;
   }
   for (size_t i = 0; i < all.agg_count; i++)
      if (all.name_count == 0 || strcmp (all.names[all.name_count - 1], all.aggs[i].name))
         all.names[all.name_count++] = all.aggs[i].name;
   for (size_t i = 0; i < windows; i++)
      if (strcmp (all.names[all.name_count - 1], window[i].name))
         all.names[all.name_count++] = window[i].name;
}

static void read_aggregates (Seen *seen)
{
   for (size_t t = 0; t < AGG_TABLE_COUNT; t++)
      for (const MtAgg *g = agg_tables[t]; g->name; g++)
         all.agg_count++;
   all.aggs = mt_calloc ("functions", all.agg_count + 1, sizeof *all.aggs);
   all.agg_sigs = mt_calloc ("functions", all.agg_count + 1, sizeof *all.agg_sigs);
   size_t n = 0;
   for (size_t t = 0; t < AGG_TABLE_COUNT; t++)
      for (const MtAgg *g = agg_tables[t]; g->name; g++, n++) {
         all.aggs[n] = *g;
         all.state_count += g->state != NULL;
         if (!parse (seen, g->name, g->signature, g->flags, &all.agg_sigs[n]))
            abort ();
         all.agg_sigs[n].agg = &all.aggs[n];
      }
}

static void build (void)
{
   Seen seen[SEEN] = {0};
   for (size_t t = 0; t < TABLE_COUNT; t++)
      for (const MtFunc *f = tables[t]; f->name; f++)
         all.func_count++;
   all.funcs = mt_calloc ("functions", all.func_count + 1, sizeof *all.funcs);
   all.sigs = mt_calloc ("functions", all.func_count + 1, sizeof *all.sigs);
   size_t n = 0;
   for (size_t t = 0; t < TABLE_COUNT; t++)
      for (const MtFunc *f = tables[t]; f->name; f++) {
         all.funcs[n] = *f;
         if (!parse (seen, f->name, f->signature, f->flags, &all.sigs[n]))
            abort (); /* an invalid built-in row; the first test that runs finds it */
         all.sigs[n].fn = &all.funcs[n];
         n++;
      }
   read_aggregates (seen);
   add_ops ();
   qsort (all.sigs, n, sizeof *all.sigs, by_name);
   for (size_t i = 0; i < n; i++) {
      if (i && strcasecmp (all.sigs[i].name, all.sigs[i - 1].name) == 0)
         all.sigs[i].name = all.sigs[i - 1].name; /* equal names share one pointer */
      const MtSig *s = &all.sigs[i];
      if ((s->fn->flags & MT_F_CAST) && s->args[0] < MT_T_COUNT && s->ret < MT_T_COUNT)
         all.casts[s->args[0]][s->ret] = s;
   }
   add_names ();
}

static void ready (void) { pthread_once (&once, build); }

const MtFunc *mt_builtin_functions (size_t *count)
{
   ready ();
   *count = all.func_count;
   return all.funcs;
}

const MtAgg *mt_builtin_aggregates (size_t *count)
{
   ready ();
   *count = all.agg_count;
   return all.aggs;
}

const MtOpRow *mt_sql_ops (void)
{
   ready ();
   return all.ops;
}

const char *const *mt_function_names (size_t *count)
{
   ready ();
   *count = all.name_count;
   return all.names;
}

const MtSig *mt_cast_row (MtTypeId from, MtTypeId to)
{
   ready ();
   return from < MT_T_COUNT && to < MT_T_COUNT ? all.casts[from][to] : NULL;
}

static void read_templates (void)
{
   static MtArena *a; /* lives as long as the process */
   a = mt_arena_new ("templates", NULL);
   templates = MT_NEW_N (a, const MtTemplate *, all.func_count + 1);
   for (size_t i = 0; i < all.func_count; i++)
      if (all.funcs[i].mql && !all.funcs[i].op)
         templates[i] = mt_template_read (a, &all.funcs[i]);
}

const MtTemplate *mt_builtin_template (const MtFunc *f)
{
   ready ();
   if (f < all.funcs || f >= all.funcs + all.func_count)
      return NULL;
   pthread_once (&templates_once, read_templates);
   return templates[f - all.funcs];
}

static const MtSig *first_of (const char *name)
{
   size_t lo = 0, hi = all.func_count;
   while (lo < hi) {
      size_t mid = (lo + hi) / 2;
      if (strcasecmp (all.sigs[mid].name, name) < 0)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo < all.func_count && strcasecmp (all.sigs[lo].name, name) == 0 ? &all.sigs[lo] : NULL;
}

const MtFunc *mt_hidden_func (const char *name)
{
   ready ();
   const MtSig *s = first_of (name);
   return s ? s->fn : NULL;
}

#define KIND_FLAGS (MT_F_OPERATOR | MT_F_CAST)

static int add_user (MtArena *a, const MtBindEnv *env, const char *name, unsigned mask,
                     const MtSig **out)
{
   int n = 0;
   for (size_t i = 0; env && i < env->user_function_count; i++) {
      const MtFunc *f = env->user_functions[i];
      if ((f->flags & KIND_FLAGS) != mask || strcasecmp (f->name, name))
         continue;
      MtSig *s = MT_NEW (a, MtSig);
      if (mt_sig_parse (f->name, f->signature, f->flags, s)) {
         s->fn = f;
         out[n++] = s;
      }
   }
   return n;
}

int mt_visible_args (const MtSig *s)
{
   int n = s->argc;
   while (n > 0 && s->arg_names[n - 1].n && s->arg_names[n - 1].p[0] == '_')
      n--;
   return n;
}

const MtSig **mt_sigs_by_name (MtArena *a, const MtBindEnv *env, const char *name, unsigned mask,
                               int *count)
{
   ready ();
   const MtSig *s = name[0] == '$' ? NULL : first_of (name), *end = all.sigs + all.func_count;
   size_t n = env ? env->user_function_count : 0;
   for (const MtSig *t = s; t && t < end && t->name == s->name; t++)
      n++;
   const MtSig **list = MT_NEW_N (a, const MtSig *, n + 1);
   *count = 0;
   for (const MtSig *t = s; t && t < end && t->name == s->name; t++)
      if ((t->fn->flags & KIND_FLAGS) == mask)
         list[(*count)++] = t;
   *count += add_user (a, env, name, mask, list + *count);
   return list;
}

static void add_user_aggregates (MtArena *a, const MtBindEnv *env, const char *name,
                                 const MtSig **list, int *count)
{
   for (size_t i = 0; env && i < env->user_aggregate_count; i++) {
      const MtAgg *agg = env->user_aggregates[i];
      if (strcasecmp (agg->name, name) != 0)
         continue;
      MtSig *s = MT_NEW (a, MtSig);
      if (mt_sig_parse (agg->name, agg->signature, agg->flags, s)) {
         s->agg = agg;
         list[(*count)++] = s;
      }
   }
}

const MtSig **mt_agg_sigs_by_name (MtArena *a, const MtBindEnv *env, const char *name, int *count)
{
   ready ();
   size_t most = all.agg_count + (env ? env->user_aggregate_count : 0);
   const MtSig **list = MT_NEW_N (a, const MtSig *, most + 1);
   *count = 0;
   for (size_t i = 0; i < all.agg_count; i++)
      if ((all.agg_sigs[i].name[0] | 0x20) == (name[0] | 0x20) &&
          strcasecmp (all.agg_sigs[i].name, name) == 0)
         list[(*count)++] = &all.agg_sigs[i];
   add_user_aggregates (a, env, name, list, count);
   return list;
}

const MtFunc *mt_modifier_func (MtType to, bool explicit_cast)
{
   switch (to.id) {
   case MT_T_NUMERIC: return mt_hidden_func ("$numeric");
   case MT_T_VARCHAR: return mt_hidden_func (explicit_cast ? "$varchar_cut" : "$varchar");
   case MT_T_BPCHAR: return mt_hidden_func (explicit_cast ? "$bpchar_cut" : "$bpchar");
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ: return to.mod1 < 6 ? mt_hidden_func ("$timestamp_round") : NULL;
   case MT_T_TIME: return to.mod1 < 6 ? mt_hidden_func ("$time_round") : NULL;
   case MT_T_INTERVAL: return to.mod1 < 6 ? mt_hidden_func ("$interval_round") : NULL;
   case MT_T_UNKNOWN:
   case MT_T_BOOL:
   case MT_T_INT2:
   case MT_T_INT4:
   case MT_T_INT8:
   case MT_T_FLOAT4:
   case MT_T_FLOAT8:
   case MT_T_TEXT:
   case MT_T_DATE:
   case MT_T_UUID:
   case MT_T_BYTEA:
   case MT_T_JSON:
   case MT_T_JSONB:
   case MT_T_OBJECTID:
   case MT_T_DOCUMENT:
   case MT_T_OID:
   case MT_T_REGCLASS:
   case MT_T_REGTYPE:
   case MT_T_REGPROC:
   case MT_T_REGPROCEDURE:
   case MT_T_REGNAMESPACE:
   case MT_T_REGROLE:
   case MT_ANY_STATE:
   case MT_T_RECORD:
   case MT_T_COUNT: break;
   }
   return NULL;
}

bool mt_run_op (MtEval ev, const MtOpRow *op, bool strict, const MtVal *args, int argc, MtVal *out)
{
   ev.user = op->user;
   for (int i = 0; strict && i < argc; i++)
      if (mt_is_nullish (args[i])) {
         *out = mt_v_null ();
         return true;
      }
   return op->fn (&ev, args, argc, out);
}
