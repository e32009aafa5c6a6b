/* Measures the rows of a table in one pass: sizes of values, and numbers of different combinations
 * of values. */
#include "session/advise/advise.h"
#include "session/core/rows.h"

#include "base/hll.h"

#include <string.h>

MtProfile *mt_profile_new (MtArena *a, const MtTable *t)
{
   MtProfile *p = MT_NEW (a, MtProfile);
   *p = (MtProfile) {.arena = a,
                     .table = t,
                     .sizes = MT_NEW_N (a, MtProfileSize, t->column_count),
                     .nulls = MT_NEW_N (a, uint64_t, t->column_count)};
   return p;
}

MtProfileKey *mt_profile_key (const MtProfile *p, MtProfileSet set)
{
   for (size_t i = 0; i < p->key_count; i++) {
      MtProfileSet k = p->keys[i]->set;
      if (k.columns == set.columns && k.timed == set.timed && (!k.timed || k.unit == set.unit))
         return p->keys[i];
   }
   return NULL;
}

MtProfileKey *mt_profile_want_key (MtProfile *p, MtProfileSet set)
{
   MtProfileKey *k = mt_profile_key (p, set);
   if (k)
      return k;
   k = MT_NEW (p->arena, MtProfileKey);
   k->set = set;
   k->sizes = MT_NEW_N (p->arena, MtProfileSize, p->table->column_count);
   MT_GROW_IN (p->arena, p->keys, p->key_count, p->key_cap, 16);
   p->keys[p->key_count++] = k;
   return k;
}

double mt_profile_count (const MtProfile *p, const MtProfileKey *k)
{
   double n = mt_hll_count (k->seen, MT_PROFILE_BITS);
   return n < p->rows ? n : p->rows;
}

/* ---- the pass ---- */

/* Returns the size of a value in a document, without its type and name. A bigint counts 8 bytes,
 * even if a plan has computed it as an int32. */
static double value_bytes (const MtColumn *c, MtVal v)
{
   if (c->type.id == MT_T_INT8 && v.type == MT_INT32)
      return 8;
   switch (v.type) {
   case MT_STRING:
   case MT_BINARY: return 5.0 + v.len;
   case MT_DOC:
   case MT_ARRAY: return v.len;
   case MT_DECIMAL: return 16;
   case MT_INT32: return 4;
   case MT_BOOL: return 1;
   case MT_OID: return 12;
   case MT_NULL:
   case MT_MISSING: return 0;
   default: return 8;
   }
}

/* Returns the number of characters of integer i in decimal, the minus sign included. */
static double digits (int64_t i)
{
   double n = i < 0 ? 2 : 1;
   while (i /= 10)
      n++;
   return n;
}

static double text_length (MtVal v)
{
   switch (v.type) {
   case MT_STRING: return v.len;
   case MT_INT32:
   case MT_INT64: return digits (v.i);
   default: return 8;
   }
}

/* Mixes the bits of a hash h, so that each bit of the result depends on all bits of h (the last
 * step of murmur3's 64-bit hash). */
static uint64_t mixed (uint64_t h)
{
   h ^= h >> 33;
   h *= UINT64_C (0xff51afd7ed558ccd);
   h ^= h >> 33;
   h *= UINT64_C (0xc4ceb9fe1a85ec53);
   return h ^ h >> 33;
}

typedef struct Pass {
   MtProfile *p;
   MtProfileSize *row; /* for each column: the size of the current row's value */
   uint64_t *hashes;   /* for each column: the hash of the current row's value */
   uint64_t needed;    /* a bit for each column that some key uses */
   bool units[MT_UNIT_EPOCH + 1];
   uint64_t times[MT_UNIT_EPOCH + 1]; /* for each unit: hash of the current row's truncated time */
} Pass;

static void begin_pass (Pass *w, MtProfile *p)
{
   *w = (Pass) {.p = p,
                .row = MT_NEW_N (p->arena, MtProfileSize, p->table->column_count),
                .hashes = MT_NEW_N (p->arena, uint64_t, p->table->column_count)};
   for (size_t i = 0; i < p->key_count; i++) {
      w->needed |= p->keys[i]->set.columns;
      if (p->keys[i]->set.timed)
         w->units[p->keys[i]->set.unit] = true;
   }
}

/* Returns the start of the unit that contains time v, as a number; 1 if v is not a time. */
static uint64_t period_of (MtVal v, MtUnit unit)
{
   if (v.type != MT_DATE)
      return 1;
   return (uint64_t) (unit == MT_UNIT_MS ? v.i : mt_utc_floor (v.i, unit));
}

static void add_time (Pass *w, MtVal v)
{
   MtProfile *p = w->p;
   if (v.type == MT_DATE && (!p->has_time || v.i < p->min_ms))
      p->min_ms = v.i;
   if (v.type == MT_DATE && (!p->has_time || v.i > p->max_ms))
      p->max_ms = v.i;
   p->has_time = p->has_time || v.type == MT_DATE;
   for (int u = 0; u <= MT_UNIT_EPOCH; u++)
      if (w->units[u])
         w->times[u] = mixed (period_of (v, (MtUnit) u));
}

static void add_value (Pass *w, size_t column, MtVal v)
{
   MtProfile *p = w->p;
   w->row[column] = (MtProfileSize) {value_bytes (&p->table->columns[column], v), text_length (v)};
   p->sizes[column].bytes += w->row[column].bytes;
   p->sizes[column].text += w->row[column].text;
   p->nulls[column] += mt_is_nullish (v);
   if ((int) column == p->table->time_column)
      add_time (w, v);
   else if (w->needed >> column & 1)
      w->hashes[column] = mixed (mt_v_hash (v, column + 1));
}

static void sample_key (const Pass *w, MtProfileKey *k)
{
   int time = w->p->table->time_column;
   k->sampled++;
   if (time >= 0)
      k->sizes[time].bytes += w->row[time].bytes;
   for (uint64_t rest = k->set.columns; rest; rest &= rest - 1) {
      int c = __builtin_ctzll (rest);
      k->sizes[c].bytes += w->row[c].bytes;
      k->sizes[c].text += w->row[c].text;
   }
}

static void add_keys (const Pass *w)
{
   for (size_t i = 0; i < w->p->key_count; i++) {
      MtProfileKey *k = w->p->keys[i];
      uint64_t h = k->set.timed ? w->times[k->set.unit] : 0;
      for (uint64_t rest = k->set.columns; rest; rest &= rest - 1)
         h = mixed (h * 31 + w->hashes[__builtin_ctzll (rest)]);
      if (mt_hll_add (k->seen, MT_PROFILE_BITS, mixed (h)))
         sample_key (w, k);
   }
}

static void make_means (MtProfileSize *sizes, size_t count, double n)
{
   for (size_t i = 0; i < count && n > 0; i++) {
      sizes[i].bytes /= n;
      sizes[i].text /= n;
   }
}

static bool read_rows (Pass *w, MtResult *r, MtError *err)
{
   bool more = true, ok = true;
   MtProfile *p = w->p;
   while (ok && (ok = mt_result_next (r, &more, err)) && more) {
      for (size_t i = 0; i < p->table->column_count; i++)
         add_value (w, i, mt_result_value (r, i));
      add_keys (w);
      p->rows++;
   }
   make_means (p->sizes, p->table->column_count, p->rows);
   for (size_t i = 0; i < p->key_count; i++)
      make_means (p->keys[i]->sizes, p->table->column_count, p->keys[i]->sampled);
   return ok;
}

bool mt_profile_measure (MtStatement *st, MtProfile *p, MtError *err)
{
   MtPlan *plan;
   Pass w;
   if (p->table->column_count > MT_PROFILE_COLUMNS)
      return mt_error (err, MT_E_FEATURE,
                       "table \"%s\" has more than %d columns, which is too many", p->table->name,
                       MT_PROFILE_COLUMNS);
   MtSelect *s = mt_rows_select (st, p->table, NULL, mt_rows_columns (st, p->table), NULL);
   if (!mt_plan_select (st, s, &plan, err))
      return false;
   begin_pass (&w, p);
   MtResult *r = mt_result_new (st->session, mt_arena_new ("profile", NULL));
   r->style = st->env.style;
   r->unprinted = true;
   bool ok = mt_result_run (r, plan, false, err) && read_rows (&w, r, err);
   mt_result_free (r);
   return ok;
}
