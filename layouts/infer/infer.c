/* Guesses the structure of packed documents from a sample: their nested levels, the fields with
 * times, and the use of the other fields. */
#include "base/shown.h"
#include "layouts/infer/infer_int.h"

#include <math.h>
#include <string.h>

/* ---- levels ---- */

/* A field with an array or map that may be the next nested level. The candidate with the most
 * elements in total is chosen. */
typedef struct Child {
   MtNodeKind kind;
   const char *at;
   const MtSeen *value, *holder;
   uint64_t cells;
} Child;

static bool infer_is_number (const MtSeen *s)
{
   MtTypeId t = mt_seen_column_type (s);
   return t == MT_T_INT8 || t == MT_T_FLOAT8 || t == MT_T_NUMERIC;
}

static void offer (Child *best, Child c)
{
   if (c.cells > best->cells)
      *best = c;
}

void mt_infer_leave_out (MtInference *f, const char *path)
{
   path = mt_shown (f->a, path);
   f->unused = f->unused ? mt_printf (f->a, "%s, %s", f->unused, path) : path;
}

static void look_at_field (MtInference *f, MtInferLevel *l, const MtSeen *s, const char *path,
                           bool optional, Child *child);

/* Returns whether array s of scalars looks parallel to array `to`: both occur in equally many
 * documents, with the same number of elements. */
static bool is_parallel (const MtSeen *s, const MtSeen *to)
{
   const MtSeen *e = s->elements;
   if (s->unnameable || !e || !e->count || s->types[MT_SEEN_ARRAY] != s->count)
      return false;
   if (e->types[MT_SEEN_DOC] || e->types[MT_SEEN_ARRAY])
      return false;
   return s->count == to->count && e->count == to->elements->count && s->least == to->least &&
          s->most == to->most;
}

/* Finds parallel arrays among the fields of doc, one of which has times. Returns a document form
 * with one field for each array, which describes the elements at one index; NULL: there are
 * none. */
static const MtSeen *parallel_arrays (MtArena *a, const MtSeen *doc)
{
   const MtSeen *times = NULL;
   for (const MtSeen *s = doc->fields; s && !times; s = s->next)
      if (s->elements && s->elements->count && is_parallel (s, s) && mt_seen_instant (s->elements))
         times = s;
   if (!times)
      return NULL;
   MtSeen *cell = MT_NEW (a, MtSeen), **last = &cell->fields;
   cell->count = cell->types[MT_SEEN_DOC] = times->elements->count;
   for (const MtSeen *s = doc->fields; s; s = s->next) {
      if (!is_parallel (s, times))
         continue;
      *last = MT_NEW (a, MtSeen);
      **last = *s->elements;
      (*last)->name = s->name;
      (*last)->next = NULL;
      last = &(*last)->next;
      cell->field_count++;
   }
   return cell->field_count > 1 ? cell : NULL;
}

static void look_at_fields (MtInference *f, MtInferLevel *l, const MtSeen *doc, const char *prefix,
                            bool optional, Child *child)
{
   const MtSeen *cell = parallel_arrays (f->a, doc);
   if (cell)
      offer (child, (Child) {.kind = MT_NODE_ARRAYS,
                             .at = prefix,
                             .value = cell,
                             .holder = doc,
                             .cells = cell->count});
   for (const MtSeen *s = doc->fields; s; s = s->next)
      if (!s->unnameable && !(cell && mt_seen_at (cell, s->name)))
         look_at_field (f, l, s, *prefix ? mt_printf (f->a, "%s.%s", prefix, s->name) : s->name,
                        optional || mt_seen_missing (doc, s), child);
}

static bool has_instant (const MtSeen *doc)
{
   for (const MtSeen *s = doc->fields; s; s = s->next)
      if (mt_seen_instant (s))
         return true;
   return false;
}

/* Classifies a field of a cell (an element of level l), with form s. A scalar is added to
 * l->fields; an array or map may become *child, the next nested level; the fields of a sub-document
 * are added as the cell's own. */
static void look_at_field (MtInference *f, MtInferLevel *l, const MtSeen *s, const char *path,
                           bool optional, Child *child)
{
   uint64_t there = s->count - s->types[MT_SEEN_NULL];
   Child c = {.at = path, .holder = s};
   if (there && s->types[MT_SEEN_ARRAY] == there && s->elements && s->elements->count) {
      c.value = s->elements;
      c.kind = s->elements->types[MT_SEEN_DOC] ? MT_NODE_LIST : MT_NODE_SLOTS;
      c.cells = s->elements->count;
      const MtSeen *tuple = s->elements->positions;
      if (tuple && tuple->count == s->elements->count && s->elements->least == s->elements->most &&
          has_instant (tuple)) {
         c.kind = MT_NODE_PAIRS;
         c.value = tuple;
         offer (child, c);
      } else if (c.value->types[MT_SEEN_DOC] == c.value->count || infer_is_number (c.value))
         offer (child, c);
   } else if (mt_seen_is_map (s)) {
      c.value = mt_seen_values (f->a, s);
      c.kind = MT_NODE_MAP;
      c.cells = c.value->count;
      if (c.value->types[MT_SEEN_DOC] == c.value->count || infer_is_number (c.value))
         offer (child, c);
   } else if (mt_seen_flattens (s)) {
      look_at_fields (f, l, s, path, optional || s->types[MT_SEEN_NULL], child);
   } else if (mt_seen_column_type (s) != MT_T_JSONB && l->count < MT_INFER_FIELDS &&
              strcmp (path, "_id") != 0) {
      l->fields[l->count++] = (MtInferField) {
         .path = path, .seen = s, .optional = optional || s->types[MT_SEEN_NULL]};
   }
}

static void look_at_value (MtInference *f, MtInferLevel *l, Child *child)
{
   *child = (Child) {.cells = 0};
   if (mt_seen_is_map (l->value)) /* the next nested level is the value itself, without a field */
      look_at_field (f, l, l->value, "", false, child);
   else if (l->value->types[MT_SEEN_DOC] == l->value->count) /* also if the value is a tuple */
      look_at_fields (f, l, l->value, "", false, child);
   else
      l->fields[l->count++] = (MtInferField) {
         .path = "", .seen = l->value, .optional = l->value->types[MT_SEEN_NULL]};
}

/* ---- time ---- */

static const struct {
   MtUnit unit;
   double ms;
} grids[] = {{MT_UNIT_DAY, 86400e3},
             {MT_UNIT_HOUR, 3600e3},
             {MT_UNIT_MINUTE, 60e3},
             {MT_UNIT_SECOND, 1e3},
             {MT_UNIT_MS, 1}};

/* Returns the coarsest unit of time of which all times of a field are multiples, such as the
 * hour. */
static MtUnit grid_unit (const MtSeen *s)
{
   double grid = (double) s->grid * mt_seen_instant (s);
   for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
      if (fmod (grid, grids[i].ms) == 0)
         return grids[i].unit;
   return MT_UNIT_MS;
}

MtEncodingKind mt_infer_instant_encoding (const MtSeen *s)
{
   if (mt_seen_column_type (s) == MT_T_TIMESTAMPTZ)
      return MT_ENC_DATE;
   return mt_seen_instant (s) == 1 ? MT_ENC_EPOCH_MS : MT_ENC_EPOCH_S;
}

/* Splits the path into words at underscores, dots and capital letters, and looks for a word such as
 * "min" or "last". */
bool mt_infer_names_an_end (const char *path)
{
   static const char *const words[] = {"min",    "max",   "first", "last", "earliest",
                                       "latest", "start", "end",   "from", "to"};
   for (const char *p = path; *p;) {
      size_t n = strcspn (p, "_.");
      for (size_t i = 1; i < n; i++)
         if (p[i] >= 'A' && p[i] <= 'Z')
            n = i;
      for (size_t i = 0; i < sizeof words / sizeof *words; i++)
         if (mt_str_ieq ((MtStr) {p, n}, mt_str (words[i])))
            return true;
      p += n + (p[n] == '_' || p[n] == '.');
   }
   return false;
}

/* Returns the nesting level's field with the time: among required fields, the one whose times are
 * multiples of the coarsest unit. Fields named as ends of a range, such as "first", are skipped
 * unless only one field has times. */
static MtInferField *instant_of (MtInferLevel *l)
{
   MtInferField *best = NULL;
   int instants = 0;
   for (int i = 0; i < l->count; i++)
      instants += mt_seen_instant (l->fields[i].seen) != 0;
   for (int i = 0; i < l->count; i++) {
      MtInferField *x = &l->fields[i];
      if (mt_seen_instant (x->seen) && !x->optional &&
          (instants == 1 || !mt_infer_names_an_end (x->path)) &&
          (!best || mt_unit_ms (grid_unit (x->seen)) > mt_unit_ms (grid_unit (best->seen))))
         best = x;
   }
   return best;
}

/* Finds a part of the time whose numbers can be from `low` to `high`: a unit, such as the hour,
 * counted within the outer unit `of`, such as the day. `digits` is the least number of digits of
 * the keys. Sets the unit in *out; false if none fits. */
static bool part_of (MtUnit of, double low, double high, int digits, MtInferField *out)
{
   static const struct {
      MtUnit of;
      double most;
      int digits;
      MtUnit unit, outer;
   } rows[] = {{MT_UNIT_DAY, 23, 2, MT_UNIT_HOUR, MT_UNIT_DAY},
               {MT_UNIT_DAY, 1440, 4, MT_UNIT_MINUTE, MT_UNIT_DAY},
               {MT_UNIT_DAY, 86400, 5, MT_UNIT_SECOND, MT_UNIT_DAY},
               {MT_UNIT_HOUR, 60, 2, MT_UNIT_MINUTE, MT_UNIT_HOUR},
               {MT_UNIT_HOUR, 1440, 4, MT_UNIT_MINUTE, MT_UNIT_DAY},
               {MT_UNIT_MINUTE, 60, 2, MT_UNIT_SECOND, MT_UNIT_MINUTE},
               {MT_UNIT_SECOND, 999, 3, MT_UNIT_MS, MT_UNIT_SECOND}};
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
      if (rows[i].of != of || high > rows[i].most || digits > rows[i].digits || low < 0)
         continue;
      int64_t n = mt_part_count (rows[i].unit, rows[i].outer);
      if (high > (double) n || (high == (double) n && low < 1))
         continue;
      out->use = MT_USE_PART;
      out->unit = rows[i].unit;
      out->of = rows[i].outer;
      out->base = high == (double) n;
      return true;
   }
   return false;
}

/* Finds the part of the time, such as the hour within the day `of`, that distinguishes the cells of
 * level l. It can be a map's keys, an array's indexes, or a small integer field with a suitable
 * name. */
static bool find_part (MtInferLevel *l, MtUnit of)
{
   if (l->kind == MT_NODE_MAP && l->holder->all_digits)
      return part_of (of, l->holder->key_low, l->holder->key_high, (int) l->holder->key_digits,
                      &l->key);
   if (l->kind == MT_NODE_SLOTS)
      return part_of (of, 0, (double) l->holder->most - 1, 1, &l->key);
   static const char *const names[] = {"t",      "h",   "m",   "s",    "hour",  "minute",
                                       "second", "min", "sec", "time", "offset"};
   for (int i = 0; l->kind == MT_NODE_LIST && i < l->count; i++)
      for (size_t k = 0; k < sizeof names / sizeof *names; k++)
         if (mt_ieq (l->fields[i].path, names[k]) &&
             mt_seen_column_type (l->fields[i].seen) == MT_T_INT8 &&
             part_of (of, l->fields[i].seen->low, l->fields[i].seen->high, 1, &l->fields[i]))
            return true;
   return false;
}

/* Returns whether the keys of map level l can be calendar numbers of `unit` within `of`, with the
 * greatest number `most`, counted from 0 or from 1. If the keys don't show which, 1 is assumed, and
 * f->doubt says so. */
static bool calendar_part (MtInference *f, MtInferLevel *l, MtUnit unit, MtUnit of, uint32_t most)
{
   const MtSeen *keys = l->holder;
   if (l->kind != MT_NODE_MAP || !keys->all_digits || keys->key_digits > 2 || keys->key_high > most)
      return false;
   if (!keys->key_low && keys->key_high == most)
      return false;
   l->key = (MtInferField) {
      .path = "", .use = MT_USE_PART, .unit = unit, .of = of, .base = keys->key_low > 0};
   if (l->key.base && keys->key_high < most)
      f->doubt = mt_printf (f->a, "%ss are taken to count from 1", mt_unit_name (unit));
   return true;
}

/* Recognizes three nested maps with the years, months and days as keys, from level number `depth`
 * on. */
static bool find_calendar (MtInference *f, int depth)
{
   MtInferLevel *l = &f->levels[depth];
   const MtSeen *keys = l->holder;
   if (l->kind != MT_NODE_MAP || depth + 2 >= f->depth || !keys->all_digits ||
       keys->key_digits != 4)
      return false;
   if (keys->key_low < 1900 || keys->key_high > 2100)
      return false;
   if (!calendar_part (f, l + 1, MT_UNIT_MONTH, MT_UNIT_YEAR, 12) ||
       !calendar_part (f, l + 2, MT_UNIT_DAY, MT_UNIT_MONTH, 31)) {
      l[1].key = l[2].key = (MtInferField) {.use = MT_USE_UNUSED};
      f->doubt = NULL;
      return false;
   }
   l->key = (MtInferField) {.path = "", .use = MT_USE_TRUNC, .unit = MT_UNIT_YEAR};
   return true;
}

/* Finds which fields store the time, from the root level down: first fields with times, of which
 * all but the last are truncated, and then parts of the time, such as the hour. */
static void find_time (MtInference *f)
{
   MtInferField *last = NULL;
   MtUnit grain = MT_UNIT_EPOCH;
   bool parts = false;
   for (int i = 0; i < f->depth; i++) {
      MtInferLevel *l = &f->levels[i];
      MtInferField *instant = parts ? NULL : instant_of (l);
      if (!last && !instant && find_calendar (f, i))
         return;
      if (instant) {
         instant->use = MT_USE_TIME;
         instant->unit = grid_unit (instant->seen);
         if (last) {
            last->use = mt_unit_ms (last->unit) > mt_unit_ms (instant->unit) ? MT_USE_TRUNC
                                                                             : MT_USE_UNUSED;
         }
         last = instant;
         grain = instant->unit;
      } else if (last && find_part (l, grain)) {
         MtInferField *part = l->key.use == MT_USE_PART ? &l->key : NULL;
         for (int k = 0; k < l->count; k++)
            if (l->fields[k].use == MT_USE_PART)
               part = &l->fields[k];
         last->use = parts ? last->use : MT_USE_TRUNC;
         grain = part->unit;
         parts = true;
      }
   }
}

/* ---- other uses ---- */

bool mt_infer_names_count (const char *path)
{
   static const char *const names[] = {"c", "n", "cnt", "count", "num", "samples", "num_samples"};
   const char *dot = strrchr (path, '.');
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (mt_ieq (dot ? dot + 1 : path, names[i]))
         return true;
   return false;
}

static bool may_count (const MtInferField *x)
{
   return !x->optional && mt_seen_column_type (x->seen) == MT_T_INT8 && x->seen->low >= 0 &&
          mt_infer_names_count (x->path);
}

/* Removes the last nesting levels while they contain no numbers: then they have no measures, and
 * the levels above no sums of them. */
static void leave_empty_levels (MtInference *f)
{
   while (f->depth > 1) {
      MtInferLevel *l = &f->levels[f->depth - 1];
      for (int k = 0; k < l->count; k++)
         if (infer_is_number (l->fields[k].seen) && !mt_seen_instant (l->fields[k].seen))
            return;
      mt_infer_leave_out (f, mt_printf (f->a, "%s of %s", l->at, f->levels[f->depth - 2].at));
      f->depth--;
   }
}

static void find_uses (MtInference *f)
{
   MtInferLevel *leaf = &f->levels[f->depth - 1];
   int numbers = 0;
   for (int k = 0; k < leaf->count; k++) {
      MtInferField *x = &leaf->fields[k];
      numbers += x->use == MT_USE_UNUSED && infer_is_number (x->seen);
      f->counter = !f->counter && x->use == MT_USE_UNUSED && may_count (x) ? x : f->counter;
   }
   f->counter = numbers > 1 ? f->counter : NULL; /* a single number is a measure, not a counter */
   for (int i = 0; i < f->depth; i++) {
      MtInferLevel *l = &f->levels[i];
      if (l->kind == MT_NODE_MAP && l->key.use == MT_USE_UNUSED)
         l->key.use = MT_USE_DIMENSION;
      for (int k = 0; k < l->count; k++) {
         MtInferField *x = &l->fields[k];
         if (x->use != MT_USE_UNUSED || x == f->counter)
            continue;
         if (!infer_is_number (x->seen) && mt_seen_column_type (x->seen) != MT_T_TIMESTAMPTZ)
            x->use = MT_USE_DIMENSION;
         else if (l == leaf && f->measure_count < MT_INFER_MEASURES && infer_is_number (x->seen)) {
            x->use = MT_USE_MEASURE;
            f->measures[f->measure_count++] = x;
         }
      }
   }
}

/* For tuples or parallel arrays, returns a node with which mt_cells_next can read their elements;
 * NULL for other kinds of levels. */
static const MtNode *flat_node (MtArena *a, const Child *c)
{
   if (c->kind != MT_NODE_PAIRS && c->kind != MT_NODE_ARRAYS)
      return NULL;
   MtNode *n = MT_NEW (a, MtNode);
   *n = (MtNode) {
      .kind = c->kind, .at = c->at, .fields = MT_NEW_N (a, const char *, c->value->field_count)};
   n->places = MT_NEW_N (a, const char *, c->value->field_count);
   for (const MtSeen *s = c->value->fields; s; s = s->next) {
      n->places[n->field_count] = *c->at ? mt_printf (a, "%s.%s", c->at, s->name) : s->name;
      n->fields[n->field_count++] = s->name;
   }
   return n;
}

MtInference *mt_infer_levels (MtArena *a, const MtSeen *root)
{
   MtInference *f = MT_NEW (a, MtInference);
   Child child = {.kind = MT_NODE_DOCUMENT, .at = "", .value = root, .cells = 1};
   f->a = a;
   while (child.cells && f->depth < MT_MAX_LEVELS) {
      MtInferLevel *l = &f->levels[f->depth++];
      *l = (MtInferLevel) {.kind = child.kind,
                           .at = child.at,
                           .value = child.value,
                           .holder = child.holder,
                           .flat = flat_node (a, &child)};
      look_at_value (f, l, &child);
   }
   leave_empty_levels (f);
   if (f->depth < 2)
      return NULL;
   find_time (f);
   find_uses (f);
   return f->measure_count ? f : NULL;
}
