/* From a sample of packed documents to levels, bindings and sums. Everything found here is a guess
 * that the caller checks against documents. */
#include "layouts/infer/infer.h"
#include "base/shown.h"
#include "layouts/read/cells.h"
#include "layouts/presets/preset.h"

#include <math.h>
#include <string.h>

#define MAX_FIELDS 64
#define MAX_MEASURES 16

typedef enum Use {
   UNUSED,
   TIME,
   TRUNC,
   PART,
   DIMENSION,
   MEASURE,
   COUNT,
   SUM,
   EARLIEST,
   LATEST
} Use;

typedef struct Field {
   const char *path; /* in its level's value; "" the value itself */
   const MtSeen *seen;
   bool optional; /* missing somewhere */
   Use use;
   MtUnit unit, of;
   int base;
   int column; /* TIME, DIMENSION, MEASURE: of the table; SUM: the measure's number */
   bool not_count, not_weight, not_earliest, not_latest;
   bool met_times, not_before, not_after; /* of an instant: how it lies to the records' times */
   uint32_t not_sum;                      /* by measure */
} Field;

typedef struct Level {
   MtNodeKind kind;
   const char *at;               /* in the value of the level above */
   const MtSeen *value, *holder; /* of a cell; the array or document that holds the cells */
   Field key;                    /* map: the name; slots: the index */
   Field fields[MAX_FIELDS];
   int count;
   const MtNode *flat; /* pairs and arrays: how their cells are read; NULL: another kind */
} Level;

struct MtInference {
   MtArena *a;
   Level levels[MT_MAX_LEVELS];
   int depth;
   const char *unused;
   Field *measures[MAX_MEASURES]; /* of the last level */
   int measure_count;
   Field *counter;    /* of the last level: a number that may count records which aren't kept */
   bool sums;         /* it does: cells of the last level are sums */
   const char *doubt; /* that, where documents don't tell; NULL: they do */
};

/* ---- levels ---- */

typedef struct Child {
   MtNodeKind kind;
   const char *at;
   const MtSeen *value, *holder;
   uint64_t cells;
} Child;

static bool is_number (const MtSeen *s)
{
   MtTypeId t = mt_seen_column_type (s);
   return t == MT_T_INT8 || t == MT_T_FLOAT8 || t == MT_T_NUMERIC;
}

static void offer (Child *best, Child c)
{
   if (c.cells > best->cells)
      *best = c;
}

static void leave_out (MtInference *f, const char *path)
{
   path = mt_shown (f->a, path);
   f->unused = f->unused ? mt_printf (f->a, "%s, %s", f->unused, path) : path;
}

static void look_at_field (MtInference *f, Level *l, const MtSeen *s, const char *path,
                           bool optional, Child *child);

/* An array of scalars in every document that has the arrays beside it, with as many elements in
 * all. */
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

/* Parallel arrays, one of them of instants, as documents of their elements; NULL: there are
 * none. */
static const MtSeen *parallel_arrays (MtArena *a, const MtSeen *doc)
{
   const MtSeen *times = NULL;
   for (const MtSeen *s = doc->fields; s && !times; s = s->next)
      times = s->elements && s->elements->count && is_parallel (s, s) &&
                    mt_seen_instant (s->elements)
                 ? s
                 : NULL;
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

static void look_at_fields (MtInference *f, Level *l, const MtSeen *doc, const char *prefix,
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

/* One field of a cell: a scalar, a way down, or a sub-document whose fields are the cell's own. */
static void look_at_field (MtInference *f, Level *l, const MtSeen *s, const char *path,
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
      } else if (c.value->types[MT_SEEN_DOC] == c.value->count || is_number (c.value))
         offer (child, c);
   } else if (mt_seen_is_map (s)) {
      c.value = mt_seen_values (f->a, s);
      c.kind = MT_NODE_MAP;
      c.cells = c.value->count;
      if (c.value->types[MT_SEEN_DOC] == c.value->count || is_number (c.value))
         offer (child, c);
   } else if (mt_seen_flattens (s)) {
      look_at_fields (f, l, s, path, optional || s->types[MT_SEEN_NULL], child);
   } else if (mt_seen_column_type (s) != MT_T_JSONB && l->count < MAX_FIELDS &&
              strcmp (path, "_id") != 0) {
      l->fields[l->count++] = (Field) {
         .path = path, .seen = s, .optional = optional || s->types[MT_SEEN_NULL]};
   }
}

static void look_at_value (MtInference *f, Level *l, Child *child)
{
   *child = (Child) {.cells = 0};
   if (mt_seen_is_map (l->value)) /* a map of maps */
      look_at_field (f, l, l->value, "", false, child);
   else if (l->value->types[MT_SEEN_DOC] == l->value->count) /* pairs and arrays, too */
      look_at_fields (f, l, l->value, "", false, child);
   else
      l->fields[l->count++] = (Field) {
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

static MtUnit grid_unit (const MtSeen *s)
{
   double grid = (double) s->grid * mt_seen_instant (s);
   for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
      if (fmod (grid, grids[i].ms) == 0)
         return grids[i].unit;
   return MT_UNIT_MS;
}

static MtEncodingKind instant_encoding (const MtSeen *s)
{
   return mt_seen_column_type (s) == MT_T_TIMESTAMPTZ ? MT_ENC_DATE
          : mt_seen_instant (s) == 1                  ? MT_ENC_EPOCH_MS
                                                      : MT_ENC_EPOCH_S;
}

/* Whether one of the words that name parts (between underscores, dots and capitals) is an end of a
 * range. */
static bool names_an_end (const char *path)
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

/* Of the instants of a level the one on the coarsest grid; the others are merely something about
 * the records, and so are the ends of a range. */
static Field *instant_of (Level *l)
{
   Field *best = NULL;
   int instants = 0;
   for (int i = 0; i < l->count; i++)
      instants += mt_seen_instant (l->fields[i].seen) != 0;
   for (int i = 0; i < l->count; i++) {
      Field *x = &l->fields[i];
      if (mt_seen_instant (x->seen) && !x->optional && (instants == 1 || !names_an_end (x->path)) &&
          (!best || mt_unit_ms (grid_unit (x->seen)) > mt_unit_ms (grid_unit (best->seen))))
         best = x;
   }
   return best;
}

/* What numbers up to `high` can count within a unit. */
static bool part_of (MtUnit of, double low, double high, int digits, Field *out)
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
      out->use = PART;
      out->unit = rows[i].unit;
      out->of = rows[i].outer;
      out->base = high == (double) n;
      return true;
   }
   return false;
}

/* The unit that a level's key, index or small number counts, within the time above. */
static bool find_part (Level *l, MtUnit of)
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

/* The level's keys count a unit of the one above, from 0 or from 1.
 * The least or the greatest key says which; else it is doubtful. */
static bool calendar_part (MtInference *f, Level *l, MtUnit unit, MtUnit of, uint32_t most)
{
   const MtSeen *keys = l->holder;
   if (l->kind != MT_NODE_MAP || !keys->all_digits || keys->key_digits > 2 || keys->key_high > most)
      return false;
   if (!keys->key_low && keys->key_high == most)
      return false;
   l->key = (Field) {.path = "", .use = PART, .unit = unit, .of = of, .base = keys->key_low > 0};
   if (l->key.base && keys->key_high < most)
      f->doubt = mt_printf (f->a, "%ss are taken to count from 1", mt_unit_name (unit));
   return true;
}

/* Maps of years, of their months, and of their days, from this level on. */
static bool find_calendar (MtInference *f, int depth)
{
   Level *l = &f->levels[depth];
   const MtSeen *keys = l->holder;
   if (l->kind != MT_NODE_MAP || depth + 2 >= f->depth || !keys->all_digits ||
       keys->key_digits != 4)
      return false;
   if (keys->key_low < 1900 || keys->key_high > 2100)
      return false;
   if (!calendar_part (f, l + 1, MT_UNIT_MONTH, MT_UNIT_YEAR, 12) ||
       !calendar_part (f, l + 2, MT_UNIT_DAY, MT_UNIT_MONTH, 31)) {
      l[1].key = l[2].key = (Field) {.use = UNUSED};
      f->doubt = NULL;
      return false;
   }
   l->key = (Field) {.path = "", .use = TRUNC, .unit = MT_UNIT_YEAR};
   return true;
}

/* From the root down: instants, each but the last truncated to its grid, and parts within. */
static void find_time (MtInference *f)
{
   Field *last = NULL;
   MtUnit grain = MT_UNIT_EPOCH;
   bool parts = false;
   for (int i = 0; i < f->depth; i++) {
      Level *l = &f->levels[i];
      Field *instant = parts ? NULL : instant_of (l);
      if (!last && !instant && find_calendar (f, i))
         return;
      if (instant) {
         instant->use = TIME;
         instant->unit = grid_unit (instant->seen);
         if (last) {
            last->use = mt_unit_ms (last->unit) > mt_unit_ms (instant->unit) ? TRUNC : UNUSED;
         }
         last = instant;
         grain = instant->unit;
      } else if (last && find_part (l, grain)) {
         Field *part = l->key.use == PART ? &l->key : NULL;
         for (int k = 0; k < l->count; k++)
            if (l->fields[k].use == PART)
               part = &l->fields[k];
         last->use = parts ? last->use : TRUNC;
         grain = part->unit;
         parts = true;
      }
   }
}

/* ---- what the rest is ---- */

static bool counts (const char *path)
{
   static const char *const names[] = {"c", "n", "cnt", "count", "num", "samples", "num_samples"};
   const char *dot = strrchr (path, '.');
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (mt_ieq (dot ? dot + 1 : path, names[i]))
         return true;
   return false;
}

static bool may_count (const Field *x)
{
   return !x->optional && mt_seen_column_type (x->seen) == MT_T_INT8 && x->seen->low >= 0 &&
          counts (x->path);
}

/* Levels without numbers say nothing of the records that were added up above them. */
static void leave_empty_levels (MtInference *f)
{
   while (f->depth > 1) {
      Level *l = &f->levels[f->depth - 1];
      for (int k = 0; k < l->count; k++)
         if (is_number (l->fields[k].seen) && !mt_seen_instant (l->fields[k].seen))
            return;
      leave_out (f, mt_printf (f->a, "%s of %s", l->at, f->levels[f->depth - 2].at));
      f->depth--;
   }
}

static void find_uses (MtInference *f)
{
   Level *leaf = &f->levels[f->depth - 1];
   int numbers = 0;
   for (int k = 0; k < leaf->count; k++) {
      Field *x = &leaf->fields[k];
      numbers += x->use == UNUSED && is_number (x->seen);
      f->counter = !f->counter && x->use == UNUSED && may_count (x) ? x : f->counter;
   }
   f->counter = numbers > 1 ? f->counter : NULL; /* alone it is what is measured */
   for (int i = 0; i < f->depth; i++) {
      Level *l = &f->levels[i];
      if (l->kind == MT_NODE_MAP && l->key.use == UNUSED)
         l->key.use = DIMENSION;
      for (int k = 0; k < l->count; k++) {
         Field *x = &l->fields[k];
         if (x->use != UNUSED || x == f->counter)
            continue;
         if (!is_number (x->seen) && mt_seen_column_type (x->seen) != MT_T_TIMESTAMPTZ)
            x->use = DIMENSION;
         else if (l == leaf && f->measure_count < MAX_MEASURES && is_number (x->seen)) {
            x->use = MEASURE;
            f->measures[f->measure_count++] = x;
         }
      }
   }
}

/* The node that reads the cells of pairs or arrays. */
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
      Level *l = &f->levels[f->depth++];
      *l = (Level) {.kind = child.kind,
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

/* ---- looking again ---- */

typedef struct Below {
   double n, sums[MAX_MEASURES];
   double weight;           /* what the cells' own counts say */
   double earliest, latest; /* of instants at or below, in milliseconds */
} Below;

static MtVal at_path (MtVal v, const char *path)
{
   while (*path && v.type == MT_DOC) {
      size_t n = strcspn (path, ".");
      v = mt_doc_get (v, path, n);
      path += n + (path[n] == '.');
   }
   return *path ? mt_v_missing () : v;
}

static double number (MtVal v)
{
   return v.type == MT_DOUBLE                                             ? v.d
          : v.type == MT_INT32 || v.type == MT_INT64 || v.type == MT_DATE ? (double) v.i
                                                                          : NAN;
}

static bool same (double a, double b)
{
   return fabs (a - b) <= 1e-9 * fmax (1, fmax (fabs (a), fabs (b)));
}

static void add_below (Below *to, const Below *b)
{
   to->n += b->n;
   to->weight += b->weight;
   for (int m = 0; m < MAX_MEASURES; m++)
      to->sums[m] += b->sums[m];
   to->earliest = fmin (to->earliest, b->earliest);
   to->latest = fmax (to->latest, b->latest);
}

static void test_fields (Level *l, MtVal v, const Below *b, int measures)
{
   for (int i = 0; i < l->count; i++) {
      Field *x = &l->fields[i];
      double stored = number (at_path (v, x->path));
      if (x->use != UNUSED)
         continue;
      x->not_count |= !same (stored, b->n);
      x->not_weight |= !same (stored, b->weight);
      for (int m = 0; m < measures; m++)
         if (!same (stored, b->sums[m]))
            x->not_sum |= 1u << m;
      stored *= mt_seen_instant (x->seen);
      x->not_earliest |= stored != b->earliest;
      x->not_latest |= stored != b->latest;
      if (!isfinite (b->earliest))
         continue;
      x->met_times = true;
      x->not_before |= !(stored <= b->earliest);
      x->not_after |= !(stored >= b->latest);
   }
}

static void look_below (MtInference *f, int depth, MtVal v, Below *out)
{
   Level *l = &f->levels[depth];
   *out = (Below) {.earliest = INFINITY, .latest = -INFINITY};
   if (depth + 1 == f->depth) {
      out->n = 1;
      out->weight = f->counter ? number (at_path (v, f->counter->path)) : 0;
      for (int m = 0; m < f->measure_count; m++) {
         double x = number (at_path (v, f->measures[m]->path));
         out->sums[m] = isnan (x) ? 0 : x;
      }
   } else {
      const MtNode plain = {.kind = MT_NODE_LIST}, *flat = f->levels[depth + 1].flat;
      MtVal holder = at_path (v, f->levels[depth + 1].at), cell;
      MtArena *arena = mt_arena_new ("cells", NULL);
      MtCells cells = {.n = &plain, .a = arena, .it = mt_doc_iter (holder)};
      const char *why;
      MtStr key;
      if (flat && !mt_cells_begin (arena, flat, holder, &cells,
                                   &why)) /* malformed, which the check of the proposal says */
         cells = (MtCells) {.n = &plain, .a = arena, .it = mt_doc_iter (mt_v_missing ())};
      while (mt_cells_next (&cells, &key, &cell)) {
         Below b;
         if (mt_is_nullish (cell))
            continue;
         look_below (f, depth + 1, cell, &b);
         add_below (out, &b);
      }
      mt_arena_free (arena);
      test_fields (l, v, out, f->measure_count);
   }
   for (int i = 0; i < l->count; i++)
      if (l->fields[i].use == TIME) {
         double t = number (at_path (v, l->fields[i].path)) * mt_seen_instant (l->fields[i].seen);
         out->earliest = fmin (out->earliest, t);
         out->latest = fmax (out->latest, t);
      }
}

void mt_infer_look (MtInference *f, MtVal doc)
{
   Below b;
   look_below (f, 0, doc, &b);
}

/* Whether the last level's cells are sums: a level above counts what the cells count. Where none
 * counts anything, a cell for a part of the time is taken for sums, and an element of a list for a
 * record. */
static bool keeps_sums (MtInference *f)
{
   const Level *leaf = &f->levels[f->depth - 1];
   bool weighed = false, counted = false;
   for (int i = 0; f->counter && i + 1 < f->depth; i++)
      for (int k = 0; k < f->levels[i].count; k++) {
         const Field *x = &f->levels[i].fields[k];
         bool may = x->use == UNUSED && !x->optional && counts (x->path);
         weighed |= may && !x->not_weight;
         counted |= may && !x->not_count;
      }
   if (!f->counter || weighed || counted)
      return weighed;
   bool sums = leaf->kind != MT_NODE_LIST && !leaf->flat;
   const char *what = sums ? "a count of records that aren't kept"
                           : "a measure of records, and not for their count";
   f->doubt = mt_printf (f->a, "\"%s\" is taken for %s", mt_shown (f->a, f->counter->path), what);
   return sums;
}

/* What looked like a count is measured. */
static void measure_counter (MtInference *f)
{
   int m = f->measure_count;
   if (!f->counter || f->sums || m == MAX_MEASURES)
      return;
   f->counter->use = MEASURE;
   f->measures[f->measure_count++] = f->counter;
   for (int i = 0; i + 1 < f->depth; i++)
      for (int k = 0; k < f->levels[i].count; k++)
         f->levels[i].fields[k].not_sum |= f->levels[i].fields[k].not_weight ? 1u << m : 0;
}

/* Where several would do (a sum of ones is a count, too) names decide, then the order of fields. */
static int measure_of (const MtInference *f, const Field *x, uint32_t taken)
{
   int best = -1;
   for (int m = 0; m < f->measure_count; m++) {
      if (((x->not_sum | taken) >> m) & 1)
         continue;
      const char *name = f->measures[m]->path;
      if (best < 0 || strcmp (name, x->path) == 0 ||
          (*name && strstr (x->path, name) && !strstr (x->path, f->measures[best]->path)))
         best = m;
   }
   return best;
}

/* Instants that are named like the ends of a range, and have all records between them. */
static void find_bounds (Level *l)
{
   Field *from = NULL, *to = NULL;
   for (int i = 0; i < l->count; i++) {
      Field *x = &l->fields[i];
      if (x->use != UNUSED || x->optional || !x->met_times || !mt_seen_instant (x->seen) ||
          !names_an_end (x->path))
         continue;
      if (!x->not_before && !from)
         from = x;
      else if (!x->not_after && !to)
         to = x;
   }
   if (!from || !to || instant_encoding (from->seen) != instant_encoding (to->seen))
      return;
   from->use = EARLIEST;
   to->use = LATEST;
}

static void settle_level (MtInference *f, Level *l, bool root)
{
   bool counted = false, early = false, late = false;
   uint32_t taken = 0;
   for (int pass = 0; pass < 2; pass++) /* first the counts by name, then what else counts */
      for (int i = 0; i < l->count; i++) {
         Field *x = &l->fields[i];
         if (x->use == UNUSED && !(f->sums ? x->not_weight : x->not_count) && !counted &&
             !x->optional && (pass || counts (x->path))) {
            bool sum = pass && measure_of (f, x, taken) >= 0;
            x->use = sum ? UNUSED : COUNT;
            counted = !sum;
         }
      }
   for (int i = 0; i < l->count; i++) {
      Field *x = &l->fields[i];
      int m = x->use == UNUSED ? measure_of (f, x, taken) : -1;
      if (m >= 0) {
         x->use = SUM;
         x->column = m;
         taken |= 1u << m;
      } else if (x->use == UNUSED && root && mt_seen_instant (x->seen) && !x->not_earliest &&
                 !early) {
         x->use = EARLIEST;
         early = true;
      } else if (x->use == UNUSED && root && mt_seen_instant (x->seen) && !x->not_latest && !late) {
         x->use = LATEST;
         late = true;
      } else if (x->use == UNUSED && !x->optional && mt_seen_column_type (x->seen) == MT_T_INT8 &&
                 !mt_seen_instant (x->seen)) {
         x->use = DIMENSION;
      }
   }
   for (int i = 0; i < l->count && early != late; i++) /* a range has both ends */
      if (l->fields[i].use == EARLIEST || l->fields[i].use == LATEST)
         l->fields[i].use = UNUSED;
   if (root && early != late)
      early = late = false;
   if (root && !early)
      find_bounds (l);
   for (int i = 0; i < l->count; i++)
      if (l->fields[i].use == UNUSED)
         leave_out (f, l->fields[i].path);
}

/* ---- columns ---- */

static const char *free_name (MtInference *f, const MtTable *t, const char *path,
                              const char *otherwise)
{
   const char *dot = strrchr (path, '.'), *name = dot ? dot + 1 : path, *unique;
   if (!*name)
      name = otherwise;
   else if (*name >= '0' && *name <= '9')
      name = mt_printf (f->a, "%s_%s", otherwise, name);
   unique = name;
   for (int i = 2; mt_table_column (t, unique, false) >= 0; i++)
      unique = mt_printf (f->a, "%s_%d", name, i);
   return unique;
}

static int add_column (MtInference *f, MtTable *t, const char *path, const char *otherwise,
                       MtColumn c)
{
   c.name = c.field = free_name (f, t, path, otherwise);
   t->columns[t->column_count] = c;
   return (int) t->column_count++;
}

static const char *unit_text (MtArena *a, MtUnit u)
{
   return mt_printf (a, "1 %s", u == MT_UNIT_MS ? "millisecond" : mt_unit_name (u));
}

/* Its path, or what the documents' sum of it is called, when that says more: "0" summed up as
 * sum_hits is "hits". */
static const char *measure_name (const MtInference *f, int m)
{
   const char *path = f->measures[m]->path;
   const Level *root = &f->levels[0];
   for (int i = 0; i < root->count; i++)
      if (root->fields[i].use == SUM && root->fields[i].column == m &&
          strncmp (root->fields[i].path, "sum_", 4) == 0 && *path >= '0' && *path <= '9')
         return root->fields[i].path + 4;
   return path;
}

static void make_columns (MtInference *f, MtTable *t)
{
   Field *time = NULL;
   MtUnit grain = MT_UNIT_EPOCH;
   for (int i = 0; i < f->depth; i++) {
      Level *l = &f->levels[i];
      for (int k = -1; k < l->count; k++) {
         Field *x = k < 0 ? &l->key : &l->fields[k];
         if (x->use == TIME || x->use == TRUNC)
            time = x;
         if (x->use == TRUNC || x->use == PART)
            grain = x->unit;
         if (x->use == TIME)
            grain = MT_UNIT_EPOCH;
      }
   }
   if (time) {
      bool named = time->use == TIME && strlen (time->path) > 2;
      t->time_column = add_column (
         f, t, named ? time->path : "ts", "ts",
         (MtColumn) {.type = mt_type (MT_T_TIMESTAMPTZ),
                     .role = MT_COL_TIME,
                     .not_null = true,
                     .period_ms = grain == MT_UNIT_EPOCH ? 0 : mt_unit_ms (grain)});
   }
   for (int i = 0; i < f->depth; i++) {
      Level *l = &f->levels[i];
      if (l->key.use == DIMENSION)
         l->key.column = add_column (
            f, t, l->at, "key",
            (MtColumn) {.type = mt_type (MT_T_TEXT), .role = MT_COL_DIMENSION, .not_null = true});
      for (int k = 0; k < l->count; k++)
         if (l->fields[k].use == DIMENSION)
            l->fields[k].column = add_column (
               f, t, l->fields[k].path, "d",
               (MtColumn) {.type = mt_type (mt_seen_column_type (l->fields[k].seen)),
                           .role = MT_COL_DIMENSION,
                           .not_null = !l->fields[k].optional});
   }
   for (int m = 0; m < f->measure_count; m++)
      f->measures[m]->column = add_column (
         f, t, measure_name (f, m), *f->measures[m]->path ? "m" : "value",
         (MtColumn) {.type = mt_type (mt_seen_column_type (f->measures[m]->seen)),
                     .role = MT_COL_MEASURE,
                     .not_null = !f->measures[m]->optional});
}

/* ---- the descriptor ---- */

static void json_str (MtBuf *b, const char *s) { mt_json_string (b, s, strlen (s)); }

static void put_encoding (MtBuf *b, const MtSeen *s)
{
   static const char *const words[] = {
      [MT_ENC_DATE] = "date", [MT_ENC_EPOCH_S] = "epoch_s", [MT_ENC_EPOCH_MS] = "epoch_ms"};
   MtEncodingKind kind = instant_encoding (s);
   bool plain = kind == MT_ENC_DATE || !s->types[MT_SEEN_DOUBLE];
   mt_buf_printf (
      b, plain ? "\"encoding\": \"%s\"" : "\"encoding\": {\"kind\": \"%s\", \"as\": \"double\"}",
      words[kind]);
}

static void put_binding (MtBuf *b, const MtTable *t, const Level *l, const Field *x, bool key)
{
   mt_buf_addc (b, '{');
   if (x->use == TRUNC)
      mt_buf_printf (b, "\"trunc\": \"%s\"", mt_unit_name (x->unit));
   else if (x->use == PART)
      mt_buf_printf (b, "\"part\": \"%s\", \"of\": \"%s\"", mt_unit_name (x->unit),
                     mt_unit_name (x->of));
   else {
      mt_buf_adds (b, "\"column\": ");
      json_str (b, t->columns[x->use == TIME ? t->time_column : x->column].name);
   }
   if (x->use == PART && x->base)
      mt_buf_printf (b, ", \"base\": %d", x->base);
   if (key && l->kind == MT_NODE_MAP && x->use == PART)
      mt_buf_printf (b, ", \"from\": \"key\", \"encoding\": {\"kind\": \"text\", \"pad\": %u}",
                     l->holder->key_digits);
   if (key && x->use == TRUNC)
      mt_buf_adds (b, ", \"from\": \"key\", \"encoding\": {\"format\": \"%Y\"}");
   if (!key) {
      mt_buf_adds (b, ", \"from\": \"field\", \"at\": ");
      json_str (b, x->path);
   }
   if (!key && (x->use == TIME || x->use == TRUNC)) {
      mt_buf_adds (b, ", ");
      put_encoding (b, x->seen);
   }
   mt_buf_addc (b, '}');
}

static int put_bindings (MtBuf *b, const MtTable *t, const Level *l)
{
   int n = 0;
   for (int k = -1; k < l->count; k++) {
      const Field *x = k < 0 ? &l->key : &l->fields[k];
      if (x->use != TIME && x->use != TRUNC && x->use != PART && x->use != DIMENSION)
         continue;
      mt_buf_adds (b, n++ ? ", " : ", \"bind\": [");
      put_binding (b, t, l, x, k < 0);
   }
   if (n)
      mt_buf_addc (b, ']');
   return n;
}

static const Field *field_used (const Level *l, Use use)
{
   for (int i = 0; i < l->count; i++)
      if (l->fields[i].use == use)
         return &l->fields[i];
   return NULL;
}

static void put_range (MtBuf *b, const Level *l)
{
   const Field *from = field_used (l, EARLIEST), *to = field_used (l, LATEST);
   if (!from || !to)
      return;
   mt_buf_adds (b, ", \"range\": {\"min\": ");
   json_str (b, from->path);
   mt_buf_adds (b, ", \"max\": ");
   json_str (b, to->path);
   mt_buf_adds (b, from->not_earliest || to->not_latest ? ", " : ", \"exact\": true, ");
   put_encoding (b, from->seen);
   mt_buf_addc (b, '}');
}

/* What the cells of the last level were added up to. */
/* Each measure's column and path, and the ends of the two documents that they stand in. */
static void put_measures (MtBuf *b, const MtInference *f, const MtTable *t)
{
   for (int m = 0; m < f->measure_count; m++) {
      mt_buf_adds (b, m ? ", " : "");
      json_str (b, t->columns[f->measures[m]->column].name);
      mt_buf_adds (b, ": ");
      json_str (b, f->measures[m]->path);
   }
   mt_buf_adds (b, "}}");
}

static void put_leaf_sums (MtBuf *b, const MtInference *f, const MtTable *t)
{
   mt_buf_adds (b, ", \"agg\": {\"n\": ");
   json_str (b, f->counter->path);
   mt_buf_adds (b, ", \"measures\": {");
   put_measures (b, f, t);
}

static void put_sums (MtBuf *b, const MtInference *f, const MtTable *t, const Level *l)
{
   const Field *count = field_used (l, COUNT);
   bool sums = field_used (l, SUM) != NULL;
   if (!count && !sums)
      return;
   mt_buf_adds (b, ", \"agg\": {");
   if (count) {
      mt_buf_adds (b, "\"n\": ");
      json_str (b, count->path);
   }
   int n = 0;
   for (int i = 0; i < l->count; i++) {
      if (l->fields[i].use != SUM)
         continue;
      mt_buf_adds (b, n++ ? ", " : count ? ", \"measures\": {" : "\"measures\": {");
      json_str (b, t->columns[f->measures[l->fields[i].column]->column].name);
      mt_buf_adds (b, ": ");
      json_str (b, l->fields[i].path);
   }
   mt_buf_adds (b, n ? "}}" : "}");
}

static void put_records (MtBuf *b, const MtInference *f, const MtTable *t, const char *many_at)
{
   mt_buf_adds (b, ", \"raw\": {");
   if (many_at) {
      mt_buf_adds (b, "\"at\": ");
      json_str (b, many_at);
      mt_buf_adds (b, ", \"many\": true, ");
   }
   mt_buf_adds (b, "\"columns\": {");
   put_measures (b, f, t);
}

static void put_level (MtBuf *b, const MtInference *f, const MtTable *t, int depth)
{
   const Level *l = &f->levels[depth], *below = depth + 1 < f->depth ? l + 1 : NULL;
   mt_buf_printf (b, "\n%*s{\"is\": \"%s\"", 3 * depth + 3, "", mt_node_kind_words[l->kind]);
   if (depth) {
      mt_buf_adds (b, ", \"at\": ");
      json_str (b, l->at);
   }
   put_bindings (b, t, l);
   if (!depth)
      put_range (b, l);
   put_sums (b, f, t, l);
   MtBuf none = {0};
   if (!below && f->sums) {
      put_leaf_sums (b, f, t);
   } else if (!below) {
      put_records (b, f, t, NULL);
   } else if (!f->sums && below == &f->levels[f->depth - 1] && below->kind == MT_NODE_LIST &&
              !put_bindings (&none, t, below)) {
      put_records (b, f, t, below->at);
   } else {
      mt_buf_adds (b, ", \"sub\":");
      put_level (b, f, t, depth + 1);
   }
   mt_buf_free (&none);
   mt_buf_addc (b, '}');
}

static void put_key (MtBuf *b, const MtTable *t)
{
   int n = 0;
   mt_buf_adds (b, "\"key\": [");
   for (size_t i = 0; i < t->column_count; i++)
      if (t->columns[i].role == MT_COL_DIMENSION) {
         mt_buf_adds (b, n++ ? ", " : "");
         json_str (b, t->columns[i].name);
      }
   mt_buf_adds (b, "], ");
}

void mt_infer_finish (MtInference *f, MtTable *out, const char **descriptor, const char *collection,
                      const char *partition, const char **notes)
{
   MtBuf b = {0};
   *out = (MtTable) {.name = collection,
                     .columns = MT_NEW_N (f->a, MtColumn, MAX_FIELDS * MT_MAX_LEVELS + 1),
                     .time_column = -1};
   f->sums = keeps_sums (f);
   measure_counter (f);
   for (int i = 0; i + 1 < f->depth; i++)
      settle_level (f, &f->levels[i], i == 0);
   for (int k = 0; k < f->levels[f->depth - 1].count; k++)
      if (f->levels[f->depth - 1].fields[k].use == UNUSED &&
          &f->levels[f->depth - 1].fields[k] != f->counter)
         leave_out (f, f->levels[f->depth - 1].fields[k].path);
   make_columns (f, out);
   mt_buf_printf (&b, "{\"keeps\": \"%s\", ", f->sums ? "sums" : "records");
   if (f->sums)
      put_key (&b, out);
   mt_buf_adds (&b, "\"stores\": [{\"collection\": ");
   json_str (&b, collection);
   if (partition)
      mt_buf_printf (&b, ", \"partition\": \"%s\"", partition);
   mt_buf_adds (&b, ", \"repeats\": true, \"root\":");
   put_level (&b, f, out, 0);
   mt_buf_adds (&b, "}]}");
   mt_buf_addc (&b, 0);
   *descriptor = mt_shown_json (f->a, b.p);
   *notes = mt_printf (f->a, "%s%s%s%s%s%s", f->doubt ? "-- Check this: " : "",
                       f->doubt ? f->doubt : "", f->doubt ? ".\n" : "",
                       f->unused ? "-- Not read: " : "", f->unused ? f->unused : "",
                       f->unused ? ".\n" : "");
   mt_buf_free (&b);
}

/* ---- the statement ---- */

const char *mt_infer_create_table (MtArena *a, const MtTable *t, const char *layout,
                                   const char *options, MtQuote identifier)
{
   static const char *const roles[] = {[MT_COL_PLAIN] = "",
                                       [MT_COL_TIME] = " TIME",
                                       [MT_COL_DIMENSION] = " DIMENSION",
                                       [MT_COL_MEASURE] = " MEASURE"};
   MtBuf b = {0};
   mt_buf_printf (&b, "CREATE TABLE %s (", identifier (a, t->name));
   for (size_t i = 0; i < t->column_count; i++) {
      const MtColumn *c = &t->columns[i];
      mt_buf_printf (&b, "%s\n   %s %s%s", i ? "," : "", identifier (a, c->name),
                     mt_type_display (a, c->type), roles[c->role]);
      for (size_t g = 0; c->period_ms && g < sizeof grids / sizeof *grids; g++)
         if (grids[g].ms == (double) c->period_ms)
            mt_buf_printf (&b, " PERIOD '%s'", unit_text (a, grids[g].unit));
      if (strcmp (c->field, c->name) != 0)
         mt_buf_printf (&b, " FIELD %s", mt_shown_sql (a, '\'', c->field));
      if (c->counter)
         mt_buf_adds (&b, " COUNTER");
      if (c->not_null)
         mt_buf_adds (&b, " NOT NULL");
   }
   mt_buf_printf (&b, "\n) USING %s", layout ? identifier (a, layout) : MT_PRESET_PLAIN);
   if (options)
      mt_buf_printf (&b, " WITH (collection = %s%s)", mt_shown_sql (a, '\'', t->name), options);
   mt_buf_adds (&b, ";\n");
   const char *text = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return text;
}
