/* The layouts that ADVISE compares: presets, with the options on which it depends what a level can
 * answer. */
#include "session/advise/advise.h"
#include "session/ddl/ddl.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* A key by which documents or the entries of a level differ: a column, or the time truncated to a
 * unit. */
typedef struct Key {
   int column;
   MtUnit unit; /* MT_UNIT_MS: the column's value, not truncated */
} Key;

enum { MOST_KEYS = MT_PROFILE_COLUMNS + 4 };

/* A choice of keys for the preset `nested`: the keys of documents (cluster), and the keys of the
 * nested levels from outer to inner. */
typedef struct Arrangement {
   Key cluster[MOST_KEYS], levels[MOST_KEYS];
   size_t cluster_count, level_count;
   bool sums;  /* the layout keeps only sums, no records */
   int probes; /* dimension whose importance the layout is to show (mt_advise_probes); -1: none */
} Arrangement;

/* Name of all candidates until one is chosen. A table's layout can't have this name. */
#define UNNAMED " "

typedef struct Search {
   MtStatement *st;
   const MtTable *t;
   MtProfile *profile;
   const int *dims; /* the dimensions whose order is varied */
   size_t dim_count;
   Arrangement *list;
   size_t count, cap;
} Search;

static Key exact (int column) { return (Key) {column, MT_UNIT_MS}; }
static Key time_key (const Search *s, MtUnit unit) { return (Key) {s->t->time_column, unit}; }

static bool has_column (const Key *keys, size_t n, int column)
{
   for (size_t i = 0; i < n; i++)
      if (keys[i].column == column && keys[i].unit == MT_UNIT_MS)
         return true;
   return false;
}

/* ---- arrangements ---- */

static void add_level (Arrangement *a, Key k) { a->levels[a->level_count++] = k; }
static void add_cluster (Arrangement *a, Key k) { a->cluster[a->cluster_count++] = k; }

/* Adds all dimensions that `a` does not use yet as the last nesting levels, in the table's
 * order. */
static void complete (const Search *s, Arrangement *a)
{
   for (size_t i = 0; i < s->t->column_count; i++)
      if (s->t->columns[i].role == MT_COL_DIMENSION &&
          !has_column (a->cluster, a->cluster_count, (int) i) &&
          !has_column (a->levels, a->level_count, (int) i))
         add_level (a, exact ((int) i));
}

static bool same_keys (const Key *a, size_t n, const Key *b, size_t m)
{
   for (size_t i = 0; i < n && n == m; i++)
      if (a[i].column != b[i].column || a[i].unit != b[i].unit)
         return false;
   return n == m;
}

static void keep (Search *s, Arrangement *a)
{
   complete (s, a);
   for (size_t i = 0; i < s->count; i++) {
      const Arrangement *b = &s->list[i];
      if (a->sums == b->sums &&
          same_keys (a->cluster, a->cluster_count, b->cluster, b->cluster_count) &&
          same_keys (a->levels, a->level_count, b->levels, b->level_count))
         return;
   }
   if (!a->level_count)
      return;
   MT_GROW_IN (s->st->arena, s->list, s->count, s->cap, 64);
   s->list[s->count++] = *a;
}

/* Position of the time among the dimensions of the nesting levels. */
typedef enum Place { PLACE_FIRST, PLACE_SECOND, PLACE_LAST } Place;

/* The positions, among the nesting levels, of the time truncated to `unit`, and of the exact
 * time. */
typedef struct Times {
   MtUnit unit; /* MT_UNIT_MS: no level has the truncated time */
   Place unit_at, time_at;
} Times;

/* Returns whether a key with this position comes directly before dimension i of n; for i = n, after
 * the last dimension. */
static bool is_here (Place place, size_t i, size_t n)
{
   switch (place) {
   case PLACE_FIRST: return i == 0;
   case PLACE_SECOND: return i == (n ? 1 : 0);
   case PLACE_LAST: return i == n;
   }
   return false;
}

/* Adds an arrangement of nesting levels with the n dimensions and the times at their positions. If
 * there is a level of truncated time, also adds the same without the exact time, which keeps only
 * sums. */
static void place_times (Search *s, const Arrangement *base, const Key *dims, size_t n, Times times)
{
   Arrangement a = *base, sums = *base;
   sums.sums = true;
   for (size_t i = 0; i <= n; i++) {
      if (times.unit != MT_UNIT_MS && is_here (times.unit_at, i, n)) {
         add_level (&a, time_key (s, times.unit));
         add_level (&sums, time_key (s, times.unit));
      }
      if (is_here (times.time_at, i, n))
         add_level (&a, time_key (s, MT_UNIT_MS));
      if (i < n) {
         add_level (&a, dims[i]);
         add_level (&sums, dims[i]);
      }
   }
   keep (s, &a);
   if (times.unit != MT_UNIT_MS)
      keep (s, &sums);
}

static void place_all_times (Search *s, const Arrangement *base, const Key *dims, size_t n)
{
   static const MtUnit units[] = {MT_UNIT_MS, MT_UNIT_HOUR, MT_UNIT_DAY};
   bool by_day = base->cluster_count &&
                 base->cluster[base->cluster_count - 1].column == s->t->time_column &&
                 base->cluster[base->cluster_count - 1].unit == MT_UNIT_DAY;
   for (size_t u = 0; u < sizeof units / sizeof *units; u++)
      for (int unit_at = PLACE_FIRST; unit_at <= PLACE_SECOND; unit_at++)
         for (int time_at = unit_at; time_at <= PLACE_LAST; time_at++)
            if (!(by_day && units[u] == MT_UNIT_DAY) &&
                (units[u] != MT_UNIT_MS || unit_at == PLACE_FIRST))
               place_times (s, base, dims, n, (Times) {units[u], (Place) unit_at, (Place) time_at});
}

/* Adds arrangements of levels for those dimensions that are not keys of documents, in several
 * orders: as given, reversed, and with each other dimension moved to the front. */
static void arrange_levels (Search *s, const Arrangement *base)
{
   Key up[MT_ADVISED_DIMENSIONS], down[MT_ADVISED_DIMENSIONS];
   size_t n = 0;
   for (size_t i = 0; i < s->dim_count; i++)
      if (!has_column (base->cluster, base->cluster_count, s->dims[i]))
         up[n++] = exact (s->dims[i]);
   for (size_t i = 0; i < n; i++)
      down[i] = up[n - 1 - i];
   place_all_times (s, base, up, n);
   place_all_times (s, base, down, n);
   for (size_t i = 1; i + 1 < n; i++) { /* the first and last were at the front already */
      Key first = up[i];
      memmove (&up[1], &up[0], i * sizeof *up);
      up[0] = first;
      place_all_times (s, base, up, n);
   }
}

/* Adds arrangements with none, one or two dimensions as keys of documents, each without the time,
 * by day, and by month. */
static void arrange (Search *s)
{
   static const MtUnit units[] = {MT_UNIT_MS, MT_UNIT_DAY, MT_UNIT_MONTH};
   for (size_t i = 0; i <= s->dim_count; i++)
      for (size_t k = i; k <= s->dim_count; k++)
         for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
            Arrangement a = {.probes = -1};
            if (k == i && i < s->dim_count)
               continue;
            if (i < s->dim_count)
               add_cluster (&a, exact (s->dims[i]));
            if (k < s->dim_count)
               add_cluster (&a, exact (s->dims[k]));
            if (units[u] != MT_UNIT_MS)
               add_cluster (&a, time_key (s, units[u]));
            arrange_levels (s, &a);
         }
}

static void arrange_probes (Search *s)
{
   for (size_t i = 0; i < s->dim_count; i++) {
      Arrangement clustered = {.probes = s->dims[i]}, first = {.probes = s->dims[i]};
      add_cluster (&clustered, exact (s->dims[i]));
      add_level (&clustered, time_key (s, MT_UNIT_MS));
      keep (s, &clustered);
      add_level (&first, time_key (s, MT_UNIT_MS));
      add_level (&first, exact (s->dims[i]));
      keep (s, &first);
   }
}

/* ---- the text of the definition ---- */

static const char *key_text (const Search *s, Key k)
{
   return k.unit == MT_UNIT_MS ? s->t->columns[k.column].name : mt_unit_name (k.unit);
}

static const char *keys_text (const Search *s, const Key *keys, size_t n, const bool *only)
{
   const char *text = "";
   for (size_t i = 0; i < n; i++)
      if (!only || only[i])
         text = mt_printf (s->st->arena, "%s%s%s", text, *text ? ", " : "", key_text (s, keys[i]));
   return text;
}

/* Returns a name made of the layout's first keys, such as by_host_day. */
static const char *name_of (const Search *s, const Arrangement *a)
{
   enum { LONGEST = 40 };
   const char *name = a->sums ? "sums_by" : "by";
   for (size_t i = 0; i < a->cluster_count; i++)
      name = mt_printf (s->st->arena, "%s_%s", name, key_text (s, a->cluster[i]));
   for (size_t i = 0; i < a->level_count && i < (a->cluster_count ? 1 : 2); i++)
      name = mt_printf (s->st->arena, "%s_%s", name, key_text (s, a->levels[i]));
   char *out = mt_strndup (s->st->arena, name, strnlen (name, LONGEST));
   for (char *p = out; *p; p++)
      *p = isalnum ((unsigned char) *p) ? (char) tolower ((unsigned char) *p) : '_';
   return out;
}

/* Returns the set of the first n + 1 keys of an arrangement; keys of documents come before
 * levels. */
static MtProfileSet fixed_by (const Search *s, const Arrangement *a, size_t n)
{
   MtProfileSet set = {0};
   for (size_t i = 0; i <= n; i++) {
      Key k = i < a->cluster_count ? a->cluster[i] : a->levels[i - a->cluster_count];
      if (k.column == s->t->time_column) {
         set.timed = true;
         set.unit = k.unit;
      } else
         set.columns |= UINT64_C (1) << k.column;
   }
   return set;
}

/* Decides which levels store sums: those with far fewer entries than there are records. Sets
 * worth[i] for each level. */
static void choose_sums (const Search *s, const Arrangement *a, bool *worth)
{
   enum { RECORDS_A_CELL = 4 };
   for (size_t i = 0; i < a->level_count; i++) {
      const MtProfileKey *k = mt_profile_key (s->profile, fixed_by (s, a, a->cluster_count + i));
      worth[i] = k && mt_profile_count (s->profile, k) * RECORDS_A_CELL <= s->profile->rows;
   }
}

static bool has_nulls (const Search *s)
{
   for (size_t i = 0; i < s->t->column_count; i++)
      if (s->t->columns[i].role == MT_COL_MEASURE && s->profile->nulls[i])
         return true;
   return false;
}

static const char *definition (const Search *s, const Arrangement *a)
{
   MtArena *m = s->st->arena;
   bool worth[MOST_KEYS] = {false};
   choose_sums (s, a, worth);
   const char *cluster = keys_text (s, a->cluster, a->cluster_count, NULL),
              *levels = keys_text (s, a->levels, a->level_count, NULL),
              *sums = keys_text (s, a->levels, a->level_count, worth);
   const char *by = *cluster ? mt_printf (m, "cluster_by = %s, ", mt_quoted_text (m, cluster)) : "";
   return mt_printf (m, "nested WITH (%slevels = %s, presum = %s%s%s)", by,
                     mt_quoted_text (m, levels), mt_quoted_text (m, sums),
                     has_nulls (s) ? ", nonnull = true" : "",
                     a->sums ? ", raw_values = false" : "");
}

/* ---- candidates ---- */

/* Adds the layout that `USING definition` would make as a candidate. It is skipped if the table
 * can't have it. */
static bool add_candidate (Search *s, MtAdvisedList *list, const char *name, const char *definition,
                           MtError *err)
{
   MtArena *a = s->st->arena;
   MtStmt *stmt;
   MtError why = {0};
   MtTable *with = MT_NEW (a, MtTable);
   const char *sql = mt_printf (a, "ALTER TABLE t ADD LAYOUT \"%s\" USING %s", UNNAMED, definition);
   *with = *s->t;
   with->layouts = MT_NEW (a, MtLayout);
   if (!mt_parse (a, sql, strlen (sql), &stmt, err))
      return false;
   if (!mt_build_layout (s->st, s->t, stmt->alter_table.layout, with->layouts, &why))
      return true;
   with->layout_count = 1;
   MT_GROW_IN (a, list->items, list->count, list->cap, 64);
   list->items[list->count++] = (MtAdvised) {
      .real = s->t, .with = with, .name = name, .definition = definition, .probes = -1};
   return true;
}

static bool add_presets (Search *s, MtAdvisedList *list, MtError *err)
{
   static const char *const buckets[] = {"hour", "day", "month"};
   for (size_t i = 0; i < sizeof buckets / sizeof *buckets; i++)
      if (!add_candidate (s, list, mt_printf (s->st->arena, "per_%s", buckets[i]),
                          mt_printf (s->st->arena, "per_day WITH (bucket = '1 %s')", buckets[i]),
                          err))
         return false;
   for (size_t i = 0; i < s->dim_count; i++) {
      const char *name = s->t->columns[s->dims[i]].name;
      if (!add_candidate (s, list, mt_printf (s->st->arena, "latest_%s", name),
                          mt_printf (s->st->arena, "latest WITH (key = %s)",
                                     mt_quoted_text (s->st->arena, name)),
                          err))
         return false;
   }
   return add_candidate (s, list, "latest", "latest", err);
}

static bool has_null_dimension (const Search *s, const MtAdvised *c)
{
   const MtStoreDesc *store = &c->with->layouts[0].stores[0];
   bool in_id = store->id_count || c->with->layouts[0].keeps == MT_KEEPS_LATEST;
   for (size_t i = 0; i < s->t->column_count && in_id; i++)
      if (s->t->columns[i].role == MT_COL_DIMENSION && s->profile->nulls[i])
         return true;
   return false;
}

/* Estimates the statistics of the candidates from index `from` on, and removes those that can't
 * store the table's NULLs. */
static void estimate_all (Search *s, MtAdvisedList *list, size_t from)
{
   size_t kept = from;
   for (size_t i = from; i < list->count; i++) {
      MtAdvised *c = &list->items[i];
      MtLayout *l = &c->with->layouts[0];
      mt_estimate (s->profile, l);
      for (size_t k = 0; k < l->store_count; k++) {
         c->bytes += l->stats[k].bytes;
         c->documents += l->stats[k].documents;
      }
      if (!has_null_dimension (s, c))
         list->items[kept++] = *c;
   }
   list->count = kept;
}

static bool measure (Search *s, MtAdvisedList *list, size_t from, MtError *err)
{
   for (size_t i = 0; i < s->count; i++) {
      const Arrangement *a = &s->list[i];
      for (size_t k = a->cluster_count ? a->cluster_count - 1 : 0;
           k < a->cluster_count + a->level_count; k++)
         mt_profile_want_key (s->profile, fixed_by (s, a, k));
   }
   mt_profile_want_key (s->profile, (MtProfileSet) {0});
   for (size_t i = from; i < list->count; i++)
      mt_profile_want (s->profile, &list->items[i].with->layouts[0]);
   return mt_profile_measure (s->st, s->profile, err);
}

static bool add_arrangements (Search *s, MtAdvisedList *list, MtError *err)
{
   for (size_t i = 0; i < s->count; i++) {
      size_t before = list->count;
      if (!add_candidate (s, list, name_of (s, &s->list[i]), definition (s, &s->list[i]), err))
         return false;
      if (list->count > before)
         list->items[before].probes = s->list[i].probes;
   }
   return true;
}

static Search search_of (MtStatement *st, const MtTable *t, const int *dimensions, size_t count)
{
   return (Search) {.st = st,
                    .t = t,
                    .profile = mt_profile_new (st->arena, t),
                    .dims = dimensions,
                    .dim_count = count};
}

bool mt_advise_candidates (MtStatement *st, const MtTable *t, const int *dimensions, size_t count,
                           MtAdvisedList *out, MtError *err)
{
   Search s = search_of (st, t, dimensions, count);
   size_t from = out->count;
   arrange (&s);
   bool ok = add_presets (&s, out, err) && measure (&s, out, from, err) &&
             add_arrangements (&s, out, err);
   if (ok)
      estimate_all (&s, out, from);
   return ok;
}

bool mt_advise_probes (MtStatement *st, const MtTable *t, const int *dimensions, size_t count,
                       MtAdvisedList *out, MtError *err)
{
   Search s = search_of (st, t, dimensions, count);
   size_t from = out->count;
   arrange_probes (&s);
   bool ok = measure (&s, out, from, err) && add_arrangements (&s, out, err);
   if (ok)
      estimate_all (&s, out, from);
   return ok;
}
