/* The option `keep` of roll-ups: a list of aggregate calls, such as sum(v), max(v),
 * percentile_agg(v). Each cell stores their results or states. */
#include "layouts/cell_state.h"
#include "layouts/presets/preset_int.h"

#include <string.h>

/* The aggregates whose results are stored as plain numbers. Their paths are in "measures" of the
 * layout's descriptor. */
static const struct {
   const char *name;
   unsigned kept;
} numbers[] = {{"sum", MT_KEEP_SUM},
               {"min", MT_KEEP_MIN},
               {"max", MT_KEEP_MAX},
               {"count", MT_KEEP_COUNT},
               {"avg", MT_KEEP_SUM | MT_KEEP_COUNT}};

static bool bad_keep (MtPresetBuild *b)
{
   return mt_preset_bad_value (b, mt_preset_option (b, "keep"),
                               "It must be a list of calls, such as sum(v), max(v), "
                               "percentile_agg(v).");
}

static bool column_of (MtPresetBuild *b, MtStr name, int *out)
{
   *out = mt_table_column (b->t, mt_strndup (b->a, name.p, name.n), false);
   return *out >= 0 ||
          mt_error_at (b->err, mt_preset_option (b, "keep")->span, MT_E_UNDEFINED_COLUMN,
                       "column \"%.*s\" does not exist", (int) name.n, name.p);
}

/* If call c is one of the plain aggregates `numbers`, sets *taken, and adds the number to k.
 * Returns false on an error. */
static bool keep_number (MtPresetBuild *b, const MtStateCall *c, MtKeep *k, bool *taken)
{
   int column;
   *taken = false;
   for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      if (!mt_ieq (numbers[i].name, c->function))
         continue;
      *taken = true;
      if (c->argc != 1 || !c->args[0].column.p)
         return bad_keep (b);
      if (!column_of (b, c->args[0].column, &column))
         return false;
      if (b->t->columns[column].role != MT_COL_MEASURE)
         return mt_error_at (b->err, mt_preset_option (b, "keep")->span, MT_E_PARAMETER,
                             "column \"%s\" in option \"keep\" is not a measure",
                             b->t->columns[column].name);
      k->numbers[column] |= numbers[i].kept;
   }
   return true;
}

/* Returns a field name for the state of call c: the function's name and its columns, with a number
 * if the name is in use. */
static const char *field_of (MtPresetBuild *b, const char *name, const MtStateCall *c,
                             const MtKeep *k)
{
   size_t same = 0;
   for (int i = 0; i < c->argc; i++)
      if (c->args[i].column.p)
         name = mt_printf (b->a, "%s_%.*s", name, (int) c->args[i].column.n, c->args[i].column.p);
   char *field = mt_strdup (b->a, name);
   for (char *p = field; *p; p++)
      if (*p == '.' || *p == '$')
         *p = '_';
   for (size_t i = 0; i < k->state_count; i++)
      same += !strncmp (k->states[i].at, field, strlen (field));
   return same ? mt_printf (b->a, "%s_%zu", field, same + 1) : field;
}

/* Returns whether k already has the state of `call`. If neither this call (`plain`) nor the stored
 * one is of an aggregate that gives no state itself, such as stddev, they count as different. */
static bool is_kept (const MtKeep *k, const char *call, bool plain)
{
   for (size_t i = 0; i < k->state_count; i++)
      if (!strcmp (k->states[i].call, call) && (plain || k->states[i].plain))
         return true;
   return false;
}

static bool keep_state (MtPresetBuild *b, const MtStateCall *c, MtKeep *k)
{
   MtCellState s;
   int columns[MT_STATE_ARGS];
   for (int i = 0; i < c->argc; i++) {
      columns[i] = -1;
      if (c->args[i].column.p && !column_of (b, c->args[i].column, &columns[i]))
         return false;
   }
   const char *why = mt_cell_state_make (b->a, b->t, c, columns, &s);
   if (why)
      return mt_error_at (b->err, mt_preset_option (b, "keep")->span, MT_E_PARAMETER,
                          "option \"keep\": %s", why);
   const char *call = mt_cell_state_text (b->a, b->t, &s);
   bool plain = !mt_type_is_state (s.acc->result) || !mt_ieq (s.acc->function, c->function);
   if (is_kept (k, call, plain))
      return true;
   MT_GROW_IN (b->a, k->states, k->state_count, k->state_cap, 4);
   MtKeptCall *to = &k->states[k->state_count];
   *to = (MtKeptCall) {call, field_of (b, s.acc->function, c, k), plain};
   k->state_count++;
   return true;
}

bool mt_preset_keep (MtPresetBuild *b, MtKeep *out)
{
   const MtPresetOption *o = mt_preset_option (b, "keep");
   const char *p = o ? o->value : "";
   *out = (MtKeep) {.numbers = MT_NEW_N (b->a, unsigned, b->t->column_count + 1)};
   while (*(p += strspn (p, " \t\r\n"))) {
      MtStateCall call;
      bool taken;
      if (!mt_state_call_read (b->a, &p, &call))
         return bad_keep (b);
      p += strspn (p, " \t\r\n");
      if (*p && *p++ != ',')
         return bad_keep (b);
      if (!keep_number (b, &call, out, &taken) || (!taken && !keep_state (b, &call, out)))
         return false;
   }
   return true;
}

/* ---- the descriptor ---- */

void mt_preset_kept_paths (MtPresetBuild *b, unsigned kept, const MtKeptNames *names,
                           const char *field)
{
   const struct {
      unsigned kept;
      const char *what, *name;
   } parts[] = {{MT_KEEP_SUM, "sum", names->sum},
                {MT_KEEP_MIN, "min", names->min},
                {MT_KEEP_MAX, "max", names->max},
                {MT_KEEP_COUNT, "nonnull", names->count}};
   const char *before = "";
   for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
      if (!(kept & parts[i].kept))
         continue;
      char *path = mt_printf (b->a, "%s%s", parts[i].name, field);
      for (char *p = path; *p; p++)
         if (*p == '.' || *p == '$')
            *p = '_';
      mt_preset_raw (b, mt_printf (b->a, "%s\"%s\": ", before, parts[i].what));
      mt_preset_str (b, path);
      before = ", ";
   }
}

void mt_preset_kept_states (MtPresetBuild *b, const MtKeep *k)
{
   for (size_t i = 0; i < k->state_count; i++) {
      mt_preset_raw (b, i ? ", {\"keep\": " : ", \"states\": [{\"keep\": ");
      mt_preset_str (b, k->states[i].call);
      mt_preset_raw (b, ", \"at\": ");
      mt_preset_str (b, k->states[i].at);
      mt_preset_raw (b, "}");
   }
   mt_preset_raw (b, k->state_count ? "]" : "");
}
