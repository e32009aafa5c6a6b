/* Reads the sample's documents again, and tests which numbers are counts, sums or time ranges of
 * the records below them. */
#include "base/shown.h"
#include "layouts/infer/infer_int.h"
#include "layouts/read/cells.h"

#include <math.h>
#include <string.h>

/* Totals over all records in a cell (element) and in its nested levels. */
typedef struct Below {
   double n, sums[MT_INFER_MEASURES];
   double weight;           /* sum of the counts that the last level's cells store */
   double earliest, latest; /* times of the records, in milliseconds */
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
   if (v.type == MT_DOUBLE)
      return v.d;
   return v.type == MT_INT32 || v.type == MT_INT64 || v.type == MT_DATE ? (double) v.i : NAN;
}

static bool same (double a, double b)
{
   return fabs (a - b) <= 1e-9 * fmax (1, fmax (fabs (a), fabs (b)));
}

static void add_below (Below *to, const Below *b)
{
   to->n += b->n;
   to->weight += b->weight;
   for (int m = 0; m < MT_INFER_MEASURES; m++)
      to->sums[m] += b->sums[m];
   to->earliest = fmin (to->earliest, b->earliest);
   to->latest = fmax (to->latest, b->latest);
}

/* Clears possible uses of a cell's fields: a field is not a count, sum, first or last time if its
 * value differs from that of the records below it. */
static void test_fields (MtInferLevel *l, MtVal v, const Below *b, int measures)
{
   for (int i = 0; i < l->count; i++) {
      MtInferField *x = &l->fields[i];
      double stored = number (at_path (v, x->path));
      if (x->use != MT_USE_UNUSED)
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
   MtInferLevel *l = &f->levels[depth];
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
      /* A malformed document is treated as empty. The check of the proposed layout reports it
       * later. */
      if (flat && !mt_cells_begin (arena, flat, holder, &cells, &why))
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
      if (l->fields[i].use == MT_USE_TIME) {
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

/* Decides whether the cells of the last nesting level are sums or single records. They are sums if
 * a level above has the sum of their counts. If no level above has any count, elements of lists are
 * assumed to be records, and other cells to be sums. */
static bool keeps_sums (MtInference *f)
{
   const MtInferLevel *leaf = &f->levels[f->depth - 1];
   bool weighed = false, counted = false;
   for (int i = 0; f->counter && i + 1 < f->depth; i++)
      for (int k = 0; k < f->levels[i].count; k++) {
         const MtInferField *x = &f->levels[i].fields[k];
         bool may = x->use == MT_USE_UNUSED && !x->optional && mt_infer_names_count (x->path);
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

/* If the last level's cells (array or map elements) are records, makes f->counter an ordinary
 * measure: then it does not count records. */
static void measure_counter (MtInference *f)
{
   int m = f->measure_count;
   if (!f->counter || f->sums || m == MT_INFER_MEASURES)
      return;
   f->counter->use = MT_USE_MEASURE;
   f->measures[f->measure_count++] = f->counter;
   for (int i = 0; i + 1 < f->depth; i++)
      for (int k = 0; k < f->levels[i].count; k++)
         f->levels[i].fields[k].not_sum |= f->levels[i].fields[k].not_weight ? 1u << m : 0;
}

/* Returns the index of the measure whose sum field x stores; -1: none. `taken` has a bit for each
 * measure that already has a sum. Among several, the names decide, and then the order of the
 * measures. */
static int measure_of (const MtInference *f, const MtInferField *x, uint32_t taken)
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

/* Finds the time range that a nesting level stores: two times with names such as "first" and
 * "last", such that all records below are between them. */
static void find_bounds (MtInferLevel *l)
{
   MtInferField *from = NULL, *to = NULL;
   for (int i = 0; i < l->count; i++) {
      MtInferField *x = &l->fields[i];
      if (x->use != MT_USE_UNUSED || x->optional || !x->met_times || !mt_seen_instant (x->seen) ||
          !mt_infer_names_an_end (x->path))
         continue;
      if (!x->not_before && !from)
         from = x;
      else if (!x->not_after && !to)
         to = x;
   }
   if (!from || !to ||
       mt_infer_instant_encoding (from->seen) != mt_infer_instant_encoding (to->seen))
      return;
   from->use = MT_USE_EARLIEST;
   to->use = MT_USE_LATEST;
}

/* Decides the uses of the fields of nesting level l that are still undecided. */
static void settle_level (MtInference *f, MtInferLevel *l, bool root)
{
   bool counted = false, early = false, late = false;
   uint32_t taken = 0;
   for (int pass = 0; pass < 2; pass++) /* fields with the name of a count are tried first */
      for (int i = 0; i < l->count; i++) {
         MtInferField *x = &l->fields[i];
         if (x->use == MT_USE_UNUSED && !(f->sums ? x->not_weight : x->not_count) && !counted &&
             !x->optional && (pass || mt_infer_names_count (x->path))) {
            bool sum = pass && measure_of (f, x, taken) >= 0;
            x->use = sum ? MT_USE_UNUSED : MT_USE_COUNT;
            counted = !sum;
         }
      }
   for (int i = 0; i < l->count; i++) {
      MtInferField *x = &l->fields[i];
      int m = x->use == MT_USE_UNUSED ? measure_of (f, x, taken) : -1;
      if (m >= 0) {
         x->use = MT_USE_SUM;
         x->column = m;
         taken |= 1u << m;
      } else if (x->use == MT_USE_UNUSED && root && mt_seen_instant (x->seen) && !x->not_earliest &&
                 !early) {
         x->use = MT_USE_EARLIEST;
         early = true;
      } else if (x->use == MT_USE_UNUSED && root && mt_seen_instant (x->seen) && !x->not_latest &&
                 !late) {
         x->use = MT_USE_LATEST;
         late = true;
      } else if (x->use == MT_USE_UNUSED && !x->optional &&
                 mt_seen_column_type (x->seen) == MT_T_INT8 && !mt_seen_instant (x->seen)) {
         x->use = MT_USE_DIMENSION;
      }
   }
   for (int i = 0; i < l->count && early != late; i++) /* a range has both ends */
      if (l->fields[i].use == MT_USE_EARLIEST || l->fields[i].use == MT_USE_LATEST)
         l->fields[i].use = MT_USE_UNUSED;
   if (root && early != late)
      early = late = false;
   if (root && !early)
      find_bounds (l);
   for (int i = 0; i < l->count; i++)
      if (l->fields[i].use == MT_USE_UNUSED)
         mt_infer_leave_out (f, l->fields[i].path);
}

void mt_infer_settle (MtInference *f)
{
   f->sums = keeps_sums (f);
   measure_counter (f);
   for (int i = 0; i + 1 < f->depth; i++)
      settle_level (f, &f->levels[i], i == 0);
   const MtInferLevel *last = &f->levels[f->depth - 1];
   for (int k = 0; k < last->count; k++)
      if (last->fields[k].use == MT_USE_UNUSED && &last->fields[k] != f->counter)
         mt_infer_leave_out (f, last->fields[k].path);
}
