/* Checks the levels of a store, and its ways. A way is the path of levels from the root to a
 * leaf. */
#include "layouts/descriptor/check_int.h"
#include "layouts/stored.h"

#include <stdio.h>
#include <string.h>

/* ---- single levels ---- */

/* Returns whether the names of a map's fields can be values in the encoding of binding b. Field
 * names are text, so the encoding must give text. */
static bool key_encoding_ok (const MtTable *t, const MtBinding *b)
{
   if (b->kind != MT_BIND_COLUMN)
      return b->kind == MT_BIND_TIME_PART ? b->encoding.kind == MT_ENC_TEXT
                                          : b->encoding.kind == MT_ENC_FORMAT;
   if (b->encoding.kind == MT_ENC_NATIVE)
      return t->sketch || mt_is_text_type (t->columns[b->column].type.id);
   return b->encoding.kind == MT_ENC_TEXT || b->encoding.kind == MT_ENC_FORMAT;
}

bool mt_check_format (MtCheck *c, const MtNode *n, size_t i, const MtBinding *b)
{
   char tail[40];
   snprintf (tail, sizeof tail, n ? ".bind[%zu]" : ".id[%zu]", i);
   if (b->encoding.kind != MT_ENC_FORMAT)
      return true;
   MtUnit need = b->kind == MT_BIND_TIME_TRUNC ? b->unit : MT_UNIT_SECOND,
          has = mt_format_grain (b->encoding.format);
   if (need == MT_UNIT_WEEK)
      need = MT_UNIT_DAY;
   if (b->kind == MT_BIND_COLUMN && (c->t->sketch || c->t->columns[b->column].type.id == MT_T_DATE))
      need = MT_UNIT_DAY;
   return has <= need ? true
                      : mt_check_bad (c, n, tail, "format \"%s\" doesn't tell one %s from another",
                                      b->encoding.format, mt_unit_name (need));
}

static bool check_flat (MtCheck *c, const MtNode *n)
{
   const char *what = n->kind == MT_NODE_PAIRS ? "pairs" : "arrays";
   if (n->sub_count)
      return mt_check_bad (c, n, "", "%s have no levels below", what);
   if (n->raw.present && n->raw.many)
      return mt_check_bad (c, n, ".raw", "%s keep one record at each position", what);
   if (n->order_count)
      return mt_check_bad (c, n, ".order", "%s have no order of fields", what);
   if (!n->field_count)
      return mt_check_bad (c, n, "", "%s need values", what);
   for (size_t i = 0; i < n->field_count; i++) {
      char position[24];
      snprintf (position, sizeof position, "%zu", i);
      if (n->kind == MT_NODE_PAIRS && strcmp (n->fields[i], position))
         return mt_check_bad (c, n, "",
                              "the paths of pairs are positions, each once: \"0\" to \"%zu\"",
                              n->field_count - 1);
      if (!*n->fields[i] || strchr (n->fields[i], '.'))
         return mt_check_bad (c, n, "", "an array's path is one name");
   }
   return true;
}

/* Checks a stored aggregate state whose type describes points in time order: an argument must be
 * the table's time column. Such states can be merged only if their periods do not overlap. If the
 * points have the table's time, the cells (array or map elements) of the same key have separate
 * periods. */
static bool check_time (MtCheck *c, const MtNode *n, const MtCellState *s)
{
   bool ok = !mt_type_is_sequence (s->acc->result) || c->t->sketch;
   for (int i = 0; i < s->argc && !ok; i++)
      ok = s->args[i].column >= 0 && s->args[i].column == c->t->time_column;
   return ok || mt_check_bad (c, n, ".agg", "a state of %s must be of the table's time column",
                              s->acc->function);
}

/* Returns the finest unit in which the levels above n, and n itself, give the time. */
static MtUnit unit_at (const MtCheck *c, const MtNode *n)
{
   MtUnit finest = n->parent ? unit_at (c, n->parent) : MT_UNIT_EPOCH;
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      if (b->kind != MT_BIND_COLUMN && b->unit < finest)
         finest = b->unit;
      else if (b->kind == MT_BIND_COLUMN && b->column == c->t->time_column)
         finest = MT_UNIT_MS;
   }
   return finest;
}

/* Returns whether the value of argument i may differ between records of one cell. */
static bool varies (const MtCheck *c, const MtNode *n, const MtStateArg *arg)
{
   MtUnit unit = unit_at (c, n);
   if (arg->column != c->t->time_column)
      return arg->bucketed;
   return arg->bucketed ? !mt_bucket_holds (arg->width, unit) : unit != MT_UNIT_MS;
}

/* Checks that all records of a cell have the same period, for each state of one period. */
static bool check_period (MtCheck *c, const MtNode *n, const MtCellState *s)
{
   bool period = s->acc->result == MT_T_HEARTBEATAGG;
   for (int i = 0; i < s->argc && !c->t->sketch; i++) {
      if (!(s->args[i].bucketed || (period && i == 1)) || !varies (c, n, &s->args[i]))
         continue;
      mt_check_bad (c, n, ".agg", "the records of an entry can have several periods of %s",
                    s->acc->function);
      return mt_error_hint (c->blame->err, "Use time_bucket of the TIME column, with a width that "
                                           "is a multiple of the time of each entry.");
   }
   return true;
}

static bool check_states (MtCheck *c, const MtNode *n)
{
   if (!n->agg.state_count)
      return true;
   if (c->l->keeps == MT_KEEPS_SUMS)
      return mt_check_bad (c, n, ".agg", "a layout of sums keeps no states");
   for (size_t i = 0; i < n->agg.state_count; i++)
      if (!check_time (c, n, &n->agg.states[i]) || !check_period (c, n, &n->agg.states[i]))
         return false;
   if (mt_is_flat (n))
      return mt_check_bad (c, n, ".agg", "a level of pairs or arrays keeps no states");
   if (n->raw.present && !n->raw.many)
      return mt_check_bad (c, n, ".agg", "a cell that is one record keeps no states");
   return true;
}

static bool check_level (MtCheck *c, const MtNode *n)
{
   if (mt_is_flat (n) && !check_flat (c, n))
      return false;
   if (n->kind == MT_NODE_MAP && !n->bind_count)
      return mt_check_bad (c, n, "", "a map must bind its keys");
   if (n->kind == MT_NODE_MAP && !key_encoding_ok (c->t, &n->binds[0]))
      return mt_check_bad (
         c, n, ".bind[0]",
         "a map's key is text: its encoding must be \"text\", or a format for a time");
   if (n->kind == MT_NODE_SLOTS && !n->bind_count)
      return mt_check_bad (c, n, "", "slots must bind their index");
   if (n->kind == MT_NODE_SLOTS) {
      const MtBinding *b = &n->binds[0];
      if (b->kind != MT_BIND_TIME_PART || b->of == MT_UNIT_EPOCH)
         return mt_check_bad (
            c, n, ".bind[0]",
            "an index must be a part of the time with a fixed bound, such as the minute of the "
            "day");
      if (mt_part_count (b->unit, b->of) > 100000)
         return mt_check_bad (c, n, ".bind[0]", "%lld slots are too many (at most 100000)",
                              (long long) mt_part_count (b->unit, b->of));
      if (b->encoding.kind != MT_ENC_NATIVE)
         return mt_check_bad (c, n, ".bind[0]", "an index has no encoding");
   }
   for (size_t i = 0; i < n->bind_count; i++) {
      if (!mt_check_format (c, n, i, &n->binds[i]))
         return false;
      if (n->binds[i].from == MT_FROM_FIELD && n->binds[i].at && !*n->binds[i].at) {
         char tail[40];
         snprintf (tail, sizeof tail, ".bind[%zu]", i);
         return mt_check_bad (c, n, tail, "a binding's field needs a name");
      }
   }
   if (n->raw.present && n->sub_count)
      return mt_check_bad (c, n, "", "records and further levels exclude each other");
   if (n->raw.present && (c->l->keeps == MT_KEEPS_SUMS || c->l->keeps == MT_KEEPS_ROLLUP))
      return mt_check_bad (c, n, ".raw", "a layout of %s keeps no records",
                           c->l->keeps == MT_KEEPS_SUMS ? "sums" : "roll-ups");
   for (size_t i = 0; c->l->keeps == MT_KEEPS_SUMS && i < n->agg.measure_count; i++)
      if (n->agg.measures[i].min || n->agg.measures[i].max)
         return mt_check_bad (c, n, ".agg",
                              "a layout of sums keeps no minimum or maximum of \"%s\"",
                              mt_check_column (c, n->agg.measures[i].column));
   return check_states (c, n) && mt_check_paths (c, n);
}

/* ---- ways ---- */

/* The columns and times that the levels from the root down to a node store. */
typedef struct Way {
   /* For each column: some level stores it. Without a table, the last element is the time. */
   bool bound[MT_MAX_COLUMNS + 1];
   bool exact; /* the time is known exactly */
   bool timed;
   MtUnit units[MT_MAX_LEVELS * 4];
   size_t unit_count;
} Way;

/* Returns whether a level above n is an array with one element a month. Then the number of days in
 * an element varies. */
static bool month_in_slots (const MtNode *n)
{
   for (const MtNode *p = n ? n->parent : NULL; p; p = p->parent)
      for (size_t i = 0; i < p->bind_count; i++)
         if (p->binds[i].kind == MT_BIND_TIME_PART && p->binds[i].unit == MT_UNIT_MONTH &&
             p->binds[i].from == MT_FROM_INDEX)
            return true;
   return false;
}

/* Adds binding b of a truncated time, or of a part of the time such as the hour, to w. Checks
 * that it follows the coarser times of the nesting levels above. `tail` is the binding's path in
 * node n. */
static bool way_time (MtCheck *c, const MtNode *n, const char *tail, const MtBinding *b, Way *w)
{
   if (w->exact)
      return mt_check_bad (c, n, tail, "the time is exact already");
   if (b->kind == MT_BIND_TIME_TRUNC) {
      if (w->timed)
         return mt_check_bad (c, n, tail,
                              "the time is truncated or divided already: a \"trunc\" comes first");
   } else if (b->of == MT_UNIT_EPOCH) {
      if (w->timed)
         return mt_check_bad (c, n, tail, "a part of the epoch comes first");
   } else {
      bool found = false;
      for (size_t i = 0; i < w->unit_count; i++)
         found = found || w->units[i] == b->of;
      if (!found)
         return mt_check_bad (c, n, tail,
                              "the %s of the %s can't be composed: no level above has the %s",
                              mt_unit_name (b->unit), mt_unit_name (b->of), mt_unit_name (b->of));
      if (b->of == MT_UNIT_MONTH && month_in_slots (n))
         return mt_check_bad (
            c, n, tail,
            "a part of the month can't lie below slots of months: bind the month as a map's key or "
            "in a field");
      if (b->of == MT_UNIT_YEAR && w->unit_count > 1 && w->units[1] == MT_UNIT_MONTH)
         return mt_check_bad (
            c, n, tail, "a part of the year can't lie below its month: count it from the month");
      if (w->units[w->unit_count - 1] <= b->unit)
         return mt_check_bad (c, n, tail, "the time is known to the %s already",
                              mt_unit_name (w->units[w->unit_count - 1]));
   }
   if (w->unit_count == sizeof w->units / sizeof w->units[0])
      return mt_check_bad (c, n, tail, "too many parts of the time");
   w->timed = true;
   w->units[w->unit_count++] = b->unit;
   return true;
}

/* Adds the bindings of node n to w, and checks that no column is bound twice. */
static bool way_node (MtCheck *c, const MtNode *n, Way *w)
{
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      char tail[40];
      snprintf (tail, sizeof tail, ".bind[%zu]", i);
      if (b->kind != MT_BIND_COLUMN) {
         if (!way_time (c, n, tail, b, w))
            return false;
         continue;
      }
      if (w->bound[b->column])
         return mt_check_bad (c, n, tail, "column \"%s\" is bound twice on the way",
                              mt_check_column (c, b->column));
      if (c->t->columns[b->column].role == MT_COL_MEASURE)
         return mt_check_bad (c, n, tail, "column \"%s\" is a measure, and measures aren't bound",
                              mt_check_column (c, b->column));
      w->bound[b->column] = true;
      if (b->column == c->t->time_column)
         w->exact = w->timed = true;
   }
   return true;
}

static bool not_kept (MtCheck *c, const MtNode *n, int column)
{
   return mt_check_bad (c, n, "",
                        "column \"%s\" is neither bound on the way nor kept in the records",
                        mt_check_column (c, column));
}

/* Checks records whose time is not stored, but computed from its parts, such as day and minute. The
 * table's period must be a multiple of the smallest part's unit. */
static bool way_grain (MtCheck *c, const MtNode *n, const Way *w)
{
   const MtColumn *time = &c->t->columns[c->t->time_column];
   MtUnit unit = w->units[w->unit_count - 1];
   int64_t g = mt_unit_ms (unit);
   if (g && (c->t->sketch || (time->period_ms && time->period_ms % g == 0)))
      return true;
   mt_check_bad (c, n, "", "the records' time is known to the %s only", mt_unit_name (unit));
   return !g ? mt_error_hint (c->blame->err, "Bind the time exactly.")
             : mt_error_hint (c->blame->err,
                              "Give column \"%s\" a PERIOD of whole %ss, or bind the time exactly.",
                              time->name, mt_unit_name (unit));
}

/* In a sketch (without a table): checks that a path of nesting levels to records stores all
 * columns. If it has parts of the time, one missing column may be the time. A stored column may be
 * the exact time. */
static bool way_sketch (MtCheck *c, const MtNode *n, Way *w)
{
   int time = -1;
   for (int i = 0; i < (int) c->t->column_count; i++) {
      bool may = mt_sketch_may_be_time (c->t, i);
      if (i == c->t->time_column || (w->bound[i] && !may))
         continue;
      if (w->bound[i])
         w->exact = true;
      else if (!may || time >= 0 || !w->timed)
         return not_kept (c, n, i);
      else
         time = i;
   }
   w->exact = w->exact && time < 0;
   if (!w->exact && !w->timed && c->t->time_column >= 0)
      return mt_check_bad (c, n, "",
                           "the time is neither bound on the way nor kept in the records");
   return true;
}

static bool way_records (MtCheck *c, const MtNode *n, Way *w)
{
   for (size_t i = 0; i < n->raw.count; i++) {
      int col = n->raw.columns[i];
      if (w->bound[col])
         return mt_check_bad (c, n, ".raw", "column \"%s\" is bound on the way already",
                              mt_check_column (c, col));
      w->bound[col] = true;
      if (col == c->t->time_column)
         w->exact = true;
   }
   c->raw_way = true;
   if (c->t->sketch)
      return way_sketch (c, n, w) && (w->exact || !w->timed || way_grain (c, n, w));
   for (size_t i = 0; i < c->t->column_count; i++)
      if (!w->bound[i] && ((int) i != c->t->time_column || !w->timed))
         return not_kept (c, n, (int) i);
   return c->t->time_column < 0 || w->bound[c->t->time_column] || way_grain (c, n, w);
}

/* In a sketch (without a table): checks that a path of nesting levels to sums stores the sums of
 * all measures, and all dimensions. One missing column may be the time. If other levels store the
 * records, any column may be missing. */
static bool way_sketched_sums (MtCheck *c, const MtNode *n, const Way *w)
{
   int time = -1;
   for (int i = 0; i < (int) c->t->column_count; i++) {
      bool measure = c->t->columns[i].role == MT_COL_MEASURE,
           may = mt_sketch_may_be_time (c->t, i) && time < 0;
      if (w->bound[i] || i == c->t->time_column || c->l->keeps != MT_KEEPS_SUMS)
         continue;
      if (measure)
         return mt_check_bad (c, n, "", "the sum of measure \"%s\" is not kept",
                              mt_check_column (c, i));
      if (!may)
         return mt_check_bad (c, n, "", "column \"%s\" is not bound on the way",
                              mt_check_column (c, i));
      time = i;
   }
   return true;
}

/* Returns whether `leaf` keeps all pre-aggregates (counts, sums, minima, maxima and states) of
 * `above`. A roll-up computes the pre-aggregates of upper levels from the leaf's. */
static bool keeps_as_much (const MtPreagg *leaf, const MtPreagg *above)
{
   bool all = leaf->n || !above->n;
   for (size_t i = 0; i < above->measure_count && all; i++) {
      const MtMeasureAgg *m = &above->measures[i], *own = NULL;
      for (size_t k = 0; k < leaf->measure_count; k++)
         own = leaf->measures[k].column == m->column ? &leaf->measures[k] : own;
      all = own && (own->sum || !m->sum) && (own->min || !m->min) && (own->max || !m->max) &&
            (own->nonnull || !m->nonnull);
   }
   for (size_t i = 0; i < above->state_count && all; i++) {
      all = false;
      for (size_t k = 0; k < leaf->state_count; k++)
         all = all || mt_cell_state_same (&leaf->states[k], &above->states[i]);
   }
   return all;
}

/* Checks the path of nesting levels to leaf n of a roll-up. New records are merged into the leaf's
 * pre-aggregates, so it must have a count of records, and all that upper levels keep. */
static bool way_rollup (MtCheck *c, const MtNode *n)
{
   if (!n->agg.n)
      return mt_check_bad (c, n, ".agg", "a roll-up needs the number of records, \"n\"");
   if (n->agg.zero_is_absent)
      return mt_check_bad (c, n, ".agg", "a roll-up stores no zeros for absent records");
   for (const MtNode *p = n->parent; p; p = p->parent)
      if (!keeps_as_much (&n->agg, &p->agg))
         return mt_check_bad (c, p, ".agg", "the last level must keep the same");
   for (const MtNode *p = n; p; p = p->parent)
      for (size_t i = 0; i < p->bind_count; i++)
         if (p->binds[i].kind == MT_BIND_COLUMN &&
             !mt_in_key (c->l->key, c->l->key_count, p->binds[i].column))
            return mt_check_bad (c, p, "", "column \"%s\" is not in the key",
                                 mt_check_column (c, p->binds[i].column));
   return true;
}

static bool way_sums (MtCheck *c, const MtNode *n, Way *w)
{
   if (c->l->keeps == MT_KEEPS_ROLLUP)
      return way_rollup (c, n);
   for (size_t i = 0; i < n->agg.measure_count; i++)
      if (n->agg.measures[i].sum)
         w->bound[n->agg.measures[i].column] = true;
   if (c->t->sketch)
      return way_sketched_sums (c, n, w);
   for (size_t i = 0; i < c->t->column_count; i++) {
      MtRole role = c->t->columns[i].role;
      if (w->bound[i] || (int) i == c->t->time_column)
         continue;
      if (role == MT_COL_MEASURE && mt_type_is_number (c->t->columns[i].type.id))
         return mt_check_bad (c, n, "", "the sum of measure \"%s\" is not kept",
                              mt_check_column (c, (int) i));
      if (role == MT_COL_DIMENSION)
         return mt_check_bad (c, n, "", "column \"%s\" is not bound on the way",
                              mt_check_column (c, (int) i));
      if (c->l->keeps == MT_KEEPS_SUMS)
         return mt_check_bad (c, n, "", "column \"%s\" can't be kept as sums",
                              mt_check_column (c, (int) i));
   }
   return true;
}

static bool check_ways (MtCheck *c, const MtNode *n, const Way *above)
{
   Way w = *above;
   if (!way_node (c, n, &w) || !check_level (c, n))
      return false;
   if (n->sub_count == 0) {
      if (!n->raw.present && !n->agg.present)
         return mt_check_bad (c, n, "", "the way ends without records and without sums");
      if (!(n->raw.present ? way_records (c, n, &w) : way_sums (c, n, &w)))
         return false;
      for (int i = 0; i < (int) c->t->column_count; i++)
         w.timed = w.timed || (w.bound[i] && mt_sketch_may_be_time (c->t, i));
      c->time_way = c->time_way || w.timed || w.exact;
      return true;
   }
   for (size_t i = 0; i < n->sub_count; i++)
      if (!check_ways (c, n->subs[i], &w))
         return false;
   return true;
}

bool mt_check_ways (MtCheck *c, const MtNode *root)
{
   Way w = {.exact = false};
   c->raw_way = c->time_way = false;
   return check_ways (c, root, &w);
}
