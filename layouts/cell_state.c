#include "layouts/cell_state.h"

#include "layouts/stored.h"
#include "types/bucket.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading a call ---- */

static void skip_spaces (const char **p) { *p += strspn (*p, " \t\r\n"); }

static bool take (const char **p, char c)
{
   skip_spaces (p);
   if (**p != c)
      return false;
   ++*p;
   return true;
}

static bool is_word (char c) { return isalnum ((unsigned char) c) || c == '_' || (c & 0x80); }

static MtStr word (const char **p)
{
   const char *from = *p;
   while (is_word (**p))
      ++*p;
   return (MtStr) {from, (size_t) (*p - from)};
}

/* Reads a quoted text at *p, in which a doubled quote stands for one, and moves *p behind it. *out
 * is allocated in arena a. Returns false if the closing quote is missing. */
static bool quoted (MtArena *a, const char **p, MtStr *out)
{
   char quote = *(*p)++, *to = mt_strdup (a, *p);
   *out = (MtStr) {to, 0};
   for (; **p; ++*p) {
      if (**p == quote && *++*p != quote)
         return true;
      to[out->n++] = **p;
   }
   return false;
}

static bool number (const char **p, MtVal *out)
{
   char *end;
   errno = 0;
   long long whole = strtoll (*p, &end, 10);
   if (errno || *end == '.' || *end == 'e' || *end == 'E') {
      errno = 0;
      *out = mt_v_double (strtod (*p, &end));
   } else
      *out = whole == (int32_t) whole ? mt_v_int32 ((int32_t) whole) : mt_v_int64 (whole);
   if (end == *p || errno || is_word (*end))
      return false;
   *p = end;
   return true;
}

/* Reads the rest of a call of time_bucket: the width, and a column. */
static bool read_bucket (MtArena *a, const char **p, MtStr *width, MtStr *column)
{
   skip_spaces (p);
   if (**p != '\'' || !quoted (a, p, width) || !take (p, ','))
      return false;
   skip_spaces (p);
   if (**p == '"' && !quoted (a, p, column))
      return false;
   if (!column->p)
      *column = word (p);
   return column->n && take (p, ')');
}

static bool read_arg (MtArena *a, const char **p, MtStateCall *c)
{
   static const char bucket[] = "time_bucket";
   MtStr text;
   skip_spaces (p);
   if (c->argc == MT_STATE_ARGS)
      return false;
   int i = c->argc++;
   if (**p == '\'' && quoted (a, p, &text)) {
      c->args[i].constant = mt_v_str (text.p, text.n);
      return true;
   }
   if (**p == '"')
      return quoted (a, p, &c->args[i].column);
   if (isdigit ((unsigned char) **p) || **p == '-')
      return number (p, &c->args[i].constant);
   text = word (p);
   if (mt_ieq (mt_strndup (a, text.p, text.n), bucket) && take (p, '('))
      return read_bucket (a, p, &c->args[i].width, &c->args[i].column);
   c->args[i].column = text;
   return text.n > 0;
}

bool mt_state_call_read (MtArena *a, const char **text, MtStateCall *out)
{
   *out = (MtStateCall) {0};
   skip_spaces (text);
   MtStr name = word (text);
   out->function = mt_strndup (a, name.p, name.n);
   if (!name.n || !take (text, '('))
      return false;
   while (read_arg (a, text, out))
      if (!take (text, ','))
         return take (text, ')');
   return false;
}

/* ---- choosing the aggregate ---- */

/* Returns how well a column of type `is` fits a parameter of type `parameter`: 0 not at all, 1
 * after a conversion, 2 exactly. */
static int fits (MtTypeId is, MtTypeId parameter)
{
   if (is == parameter || (parameter == MT_T_TEXT && mt_is_text_type (is)) ||
       !mt_type_exists (parameter))
      return 2;
   if (mt_type_is_integer (is) && mt_type_is_integer (parameter))
      return parameter > is;
   return mt_type_is_number (is) && parameter == MT_T_FLOAT8;
}

static int constant_fits (MtVal v, MtTypeId parameter)
{
   if (v.type == MT_STRING)
      return 2 * (parameter == MT_T_TEXT || parameter == MT_T_INTERVAL);
   if (v.type == MT_DOUBLE)
      return 2 * (parameter == MT_T_FLOAT8);
   return mt_type_is_number (parameter) ? 1 + mt_type_is_integer (parameter) : 0;
}

/* Returns how well the arguments of a call fit parameters of these types: the greater, the better;
 * 0 if an argument does not fit. */
static int fit (const MtTable *t, const MtStateCall *c, const int *columns, const MtTypeId *types,
                bool ranks)
{
   int sum = 1;
   for (int i = 0; i < c->argc; i++) {
      MtTypeId is = columns[i] >= 0 ? t->columns[columns[i]].type.id : MT_T_UNKNOWN;
      int one = columns[i] < 0 ? constant_fits (c->args[i].constant, types[i])
                               : fits (is, types[i]);
      if (t->sketch && columns[i] >= 0)
         one = 1;
      else if (c->args[i].width.p && is != MT_T_TIMESTAMPTZ)
         one = 0;
      if (!one || (ranks && mt_type_order_has_rank (is)))
         return 0;
      sum += one;
   }
   return sum;
}

static bool keeps_state (const MtStateAccumulator *acc)
{
   return mt_type_is_state (acc->result) && !acc->state->ordered &&
          strcmp (acc->function, "rollup") != 0;
}

/* Returns the accumulator of a call to an aggregate whose result is a state (such as uddsketch), or
 * NULL if the arguments don't fit. *named is set if an aggregate has this name. */
static const MtStateAccumulator *two_step (const MtTable *t, const MtStateCall *call,
                                           const int *columns, bool *named)
{
   const MtStateAccumulator *acc, *found = NULL;
   int best = 0;
   for (size_t place = 0; (acc = mt_accumulator_at (place)); place++) {
      if (!keeps_state (acc) || !mt_ieq (acc->function, call->function))
         continue;
      *named = true;
      int one = acc->argc - acc->takes_type == call->argc
                   ? fit (t, call, columns, acc->types, acc->state->ranks)
                   : 0;
      if (one > best) {
         best = one;
         found = acc;
      }
   }
   return found;
}

/* Returns the accumulator whose states can compute a call to a plain aggregate such as stddev, or
 * NULL if there is none. *named is set if an aggregate has this name. */
static const MtStateAccumulator *kept_for (const MtTable *t, const MtStateCall *call,
                                           const int *columns, bool *named)
{
   const MtStateAccumulator *found = NULL;
   size_t count;
   const MtKeptAggregate *list = mt_kept_aggregates (&count);
   int best = 0;
   for (size_t i = 0; i < count; i++) {
      if (!mt_ieq (list[i].function, call->function))
         continue;
      *named = true;
      int one = list[i].argc == call->argc ? fit (t, call, columns, list[i].types, false) : 0;
      for (int k = 0; k < call->argc; k++)
         one = columns[k] < 0 ? 0 : one;
      if (one > best) {
         best = one;
         found = list[i].acc;
      }
   }
   return found;
}

static const char *none_fits (MtArena *a, const MtStateCall *call, bool named)
{
   return named ? mt_printf (a, "no aggregate \"%s\" takes these arguments", call->function)
                : mt_printf (a, "there is no aggregate \"%s\" that gives a state", call->function);
}

/* Sets an argument that is a constant or a time_bucket. False: it is out of range. */
static bool set_arg (MtArena *a, MtTypeId type, MtVal constant, MtStr width, MtStateArg *to)
{
   MtInterval iv;
   MtError ignored;
   int64_t start;
   to->bucketed = width.p != NULL;
   if (to->bucketed)
      return mt_interval_in (width.p, width.n, &to->width, &ignored) &&
             mt_bucket_start (&(MtBuckets) {.width = to->width}, 0, &start, &ignored);
   if (to->column >= 0)
      return true;
   if (type != MT_T_INTERVAL)
      return mt_value_normalize (a, mt_type (type), constant, &to->constant, NULL);
   bool ok = mt_interval_in ((const char *) constant.p, constant.len, &iv, &ignored);
   to->constant = ok ? mt_v_interval (a, iv) : mt_v_null ();
   return ok;
}

/* Sets the arguments. The name of the type that a polymorphic argument stands for comes last. */
static const char *set_args (MtArena *a, const MtTable *t, const MtStateCall *call,
                             const int *columns, MtCellState *out)
{
   const MtStateAccumulator *acc = out->acc;
   out->argc = acc->argc;
   out->args = MT_NEW_N (a, MtStateArg, acc->argc + 1);
   for (int i = 0; i < call->argc; i++) {
      MtStateArg *to = &out->args[i];
      *to = (MtStateArg) {.column = columns[i], .constant = mt_v_null ()};
      if (!set_arg (a, acc->types[i], call->args[i].constant, call->args[i].width, to))
         return "an argument is out of range";
      if (acc->takes_type && columns[i] >= 0 && !mt_type_exists (acc->types[i]))
         out->args[acc->argc - 1] = (MtStateArg) {
            .column = -1, .constant = mt_v_cstr (mt_type_handle (t->columns[columns[i]].type.id))};
   }
   return NULL;
}

const char *mt_cell_state_make (MtArena *a, const MtTable *t, const MtStateCall *call,
                                const int *columns, MtCellState *out)
{
   bool named = false;
   out->acc = two_step (t, call, columns, &named);
   if (!out->acc)
      out->acc = kept_for (t, call, columns, &named);
   if (!out->acc)
      return none_fits (a, call, named);
   out->rollup = out->acc->rollup ? out->acc->rollup : mt_state_rollup (out->acc->result);
   return set_args (a, t, call, columns, out);
}

/* ---- the call as text ---- */

static void print_name (MtBuf *out, const char *name)
{
   size_t plain = strspn (name, "abcdefghijklmnopqrstuvwxyz_0123456789");
   if (!name[plain] && !isdigit ((unsigned char) *name))
      mt_buf_adds (out, name);
   else
      mt_buf_quoted (out, '"', mt_str (name));
}

static void print_interval (MtBuf *out, MtInterval iv)
{
   mt_buf_addc (out, '\'');
   mt_interval_out (iv, out);
   mt_buf_addc (out, '\'');
}

static void print_column (MtBuf *out, const MtTable *t, const MtStateArg *arg)
{
   if (arg->bucketed) {
      mt_buf_adds (out, "time_bucket(");
      print_interval (out, arg->width);
      mt_buf_adds (out, ", ");
   }
   print_name (out, t->columns[arg->column].name);
   mt_buf_adds (out, arg->bucketed ? ")" : "");
}

static void print_constant (MtBuf *out, MtVal v)
{
   if (v.type == MT_DOC)
      print_interval (out, mt_v_to_interval (v));
   else if (v.type == MT_STRING)
      mt_buf_quoted (out, '\'', (MtStr) {(const char *) v.p, v.len});
   else
      mt_v_to_json (v, false, out);
}

const char *mt_cell_state_text (MtArena *a, const MtTable *t, const MtCellState *s)
{
   MtBuf b = {0};
   mt_buf_printf (&b, "%s(", s->acc->function);
   for (int i = 0; i < s->argc - s->acc->takes_type; i++) {
      mt_buf_adds (&b, i ? ", " : "");
      if (s->args[i].column >= 0)
         print_column (&b, t, &s->args[i]);
      else
         print_constant (&b, s->args[i].constant);
   }
   mt_buf_addc (&b, ')');
   const char *text = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return text;
}

/* ---- questions ---- */

static bool same_arg (const MtStateArg *a, const MtStateArg *b)
{
   if (a->column != b->column || a->bucketed != b->bucketed)
      return false;
   return a->column < 0 ? mt_v_compare (a->constant, b->constant) == 0
                        : !a->bucketed || mt_same_width (a->width, b->width);
}

bool mt_same_width (MtInterval a, MtInterval b)
{
   return a.months == b.months && a.days == b.days && a.us == b.us;
}

bool mt_cell_state_same (const MtCellState *a, const MtCellState *b)
{
   bool same = a->acc == b->acc;
   for (int i = 0; i < a->argc && same; i++)
      same = same_arg (&a->args[i], &b->args[i]);
   return same;
}

MtVal mt_cell_state_arg (const MtStateArg *arg, MtVal column)
{
   int64_t start;
   MtError ignored;
   if (arg->column < 0)
      return arg->constant;
   /* A time without a bucket, such as infinity, is refused by the aggregate. */
   if (!arg->bucketed || column.type != MT_DATE ||
       !mt_bucket_start (&(MtBuckets) {.width = arg->width}, column.i, &start, &ignored))
      return column;
   return mt_v_date (start);
}

void mt_cell_state_args (const MtCellState *s, const MtVal *row, MtVal *args)
{
   for (int i = 0; i < s->argc; i++)
      args[i] = mt_cell_state_arg (&s->args[i],
                                   s->args[i].column < 0 ? mt_v_null () : row[s->args[i].column]);
}

bool mt_bucket_holds (MtInterval width, MtUnit u)
{
   const int64_t monday = INT64_C (946857600000); /* 2000-01-03, from which buckets are counted */
   int64_t unit = mt_unit_ms (u);
   if (width.months)
      return u <= MT_UNIT_DAY || u == MT_UNIT_MONTH ||
             (u == MT_UNIT_YEAR && width.months % 12 == 0);
   return unit && mt_utc_floor (monday, u) == monday &&
          (width.days * MT_DAY_MS * 1000 + width.us) % (unit * 1000) == 0;
}

bool mt_cell_state_uses (const MtCellState *s, int column)
{
   for (int i = 0; i < s->argc; i++)
      if (s->args[i].column == column)
         return true;
   return false;
}

const MtStateAccumulator *mt_state_rollup (MtTypeId state)
{
   const MtStateAccumulator *acc;
   for (size_t place = 0; (acc = mt_accumulator_at (place)); place++)
      if (acc->result == state && strcmp (acc->function, "rollup") == 0)
         return acc;
   return NULL;
}

/* ---- states of points in the order of time ---- */

bool mt_cell_state_joins (const MtLayout *l, const MtCellState *s)
{
   return l->keeps == MT_KEEPS_ROLLUP && mt_type_is_sequence (s->acc->result);
}

bool mt_store_joins (const MtLayout *l, const MtStoreDesc *s)
{
   bool joins = false;
   for (size_t i = 0; i < s->node_count && !joins; i++)
      for (size_t k = 0; k < s->nodes[i]->agg.state_count && !joins; k++)
         joins = mt_cell_state_joins (l, &s->nodes[i]->agg.states[k]);
   return joins;
}

bool mt_sequence_span (MtTypeId type, MtVal state, int64_t *first, int64_t *last)
{
   static const struct {
      MtTypeId type;
      const char *first, *last;
   } paths[] = {{MT_T_COUNTERSUMMARY, "first.t", "last.t"},
                {MT_T_GAUGESUMMARY, "first.t", "last.t"},
                {MT_T_TIMEWEIGHTSUMMARY, "first.t", "last.t"},
                {MT_T_STATEAGG, "t", "end"},
                {MT_T_COMPACTSTATEAGG, "start", "end"}};
   size_t i = 0;
   while (i < sizeof paths / sizeof *paths && paths[i].type != type)
      i++;
   if (i == sizeof paths / sizeof *paths)
      return false;
   MtVal from = mt_path_get (state, paths[i].first), to = mt_path_get (state, paths[i].last);
   if (from.type == MT_ARRAY)
      from = mt_doc_at (from, 0);
   *first = from.i;
   *last = to.i;
   return from.type == MT_DATE && to.type == MT_DATE;
}
