/* Testing the conditions of the first $match stages on columns.
 *
 * Conditions on numbers become an interval of a column's numbers, since the values ascend with the
 * numbers. Conditions on texts are tested once for each word. */
#include "engine/local/exec/columns_int.h"
#include "engine/local/expr/expr.h"

#include <math.h>

/* A column with at most this many different numbers has its conditions tested for each of them. */
#define MOST_TESTED 256u

/* ---- preparing conditions ---- */

static bool is_compare (MtMatchKind k)
{
   return k == MT_M_EQ || k == MT_M_LT || k == MT_M_LTE || k == MT_M_GT || k == MT_M_GTE;
}

/* Returns the first number of a column whose value is at least `c`, or more than `c` if `beyond`.
 * *none is set if there is none. */
static uint64_t first_number (const MtStoredColumn *col, MtVal c, bool beyond, bool *none)
{
   uint64_t low = 0, high = col->most;
   int sign = mt_x_compare (mt_stored_value (col, col->type, high), c);
   *none = beyond ? sign <= 0 : sign < 0;
   while (!*none && low < high) {
      uint64_t mid = low + (high - low) / 2;
      sign = mt_x_compare (mt_stored_value (col, col->type, mid), c);
      if (beyond ? sign > 0 : sign >= 0)
         high = mid;
      else
         low = mid + 1;
   }
   return low;
}

static void set_none (MtColumnTest *t)
{
   t->kind = MT_BY_RANGE;
   t->low = 1;
   t->high = 0;
}

/* Prepares a comparison with a number or a date on a column whose values ascend with its
 * numbers. */
static void set_range (MtColumnTest *t)
{
   const MtStoredColumn *col = t->column;
   MtVal c = t->match->value;
   bool no_least, no_beyond;
   uint64_t least = first_number (col, c, false, &no_least);
   uint64_t beyond = first_number (col, c, true, &no_beyond);
   bool below = t->match->kind == MT_M_LT || t->match->kind == MT_M_LTE;
   bool to_least = t->match->kind == MT_M_LT, from_beyond = t->match->kind == MT_M_GT;
   bool none_above = to_least ? no_least : no_beyond; /* all numbers are below the upper end */
   uint64_t end = to_least ? least : beyond, start = from_beyond ? beyond : least;
   t->kind = MT_BY_RANGE;
   t->low = below ? 0 : start;
   t->high = col->most;
   if (!below && (from_beyond ? no_beyond : no_least)) {
      set_none (t);
   } else if ((below || t->match->kind == MT_M_EQ) && !none_above) {
      t->high = end - 1;
      if (end == 0 || t->low > t->high)
         set_none (t);
   }
}

static bool set_table (MtColumnTest *t, MtWork *w)
{
   const MtStoredColumn *col = t->column;
   if (!t->table)
      t->table = mt_alloc (w->scan, MT_COLUMN_WORDS);
   for (size_t i = 0; i <= col->most; i++) {
      int yes = t->match->test (t->match, mt_stored_value (col, col->type, i), w);
      if (yes < 0)
         return false;
      t->table[i] = (uint8_t) yes;
   }
   t->kind = MT_BY_NUMBER;
   return true;
}

static bool prepare (MtColumnTest *t, MtWork *w)
{
   const MtMatch *m = t->match;
   const MtStoredColumn *col = t->column;
   int null = m->test (m, mt_v_null (), w), missing = m->test (m, mt_v_missing (), w);
   if (null < 0 || missing < 0)
      return false;
   t->null_passes = null > 0;
   t->missing_passes = missing > 0;
   t->kind = MT_BY_ROW;
   if (!mt_stored_one_type (col))
      return true;
   bool exact = m->value.type == MT_DOUBLE || m->value.type == MT_INT32;
   MtVal first = mt_stored_value (col, col->type, 0);
   bool ascends = (col->form == MT_COLUMN_WHOLE || col->form == MT_COLUMN_DECIMAL) &&
                  is_compare (m->kind) && mt_type_same_bracket (m->value, first);
   if (ascends && mt_v_is_nan (m->value)) { /* none of the numbers is NaN */
      set_none (t);
      return true;
   }
   if (col->form == MT_COLUMN_WORD ? col->most < MT_COLUMN_WORDS
                                   : !ascends && col->most < MOST_TESTED)
      return set_table (t, w);
   if (ascends) {
      set_range (t);
   } else if (col->form == MT_COLUMN_BITS && col->type == MT_DOUBLE && is_compare (m->kind) &&
              exact) {
      t->kind = MT_BY_COMPARE;
      t->with = m->value.type == MT_DOUBLE ? m->value.d : (double) m->value.i;
   }
   return true;
}

static bool is_junction (const MtMatch *m)
{
   return m->kind == MT_M_AND || m->kind == MT_M_OR || m->kind == MT_M_NOR;
}

int mt_column_tested (const MtExtract *e, const MtMatch *m)
{
   if (!m->test || m->slot == MT_NO_SLOT || m->path.count != 1)
      return -1;
   for (uint32_t i = 0; i < e->count; i++)
      if (e->fields[i].match == m->slot)
         return (int) i;
   return -1;
}

/* Returns whether the whole condition can be tested on columns. */
bool mt_column_testable (const MtExtract *e, const MtMatch *m)
{
   if (m->kind == MT_M_TRUE || m->kind == MT_M_FALSE)
      return true;
   if (!is_junction (m))
      return mt_column_tested (e, m) >= 0;
   for (uint32_t i = 0; i < m->count; i++)
      if (!mt_column_testable (e, m->kids[i]))
         return false;
   return true;
}

bool mt_column_reads (const MtMatch *m, uint32_t slot)
{
   if (slot == MT_NO_SLOT || !is_junction (m))
      return slot != MT_NO_SLOT && m->slot == slot;
   for (uint32_t i = 0; i < m->count; i++)
      if (mt_column_reads (m->kids[i], slot))
         return true;
   return false;
}

uint32_t mt_column_leaves (const MtMatch *m)
{
   uint32_t n = !is_junction (m);
   for (uint32_t i = 0; is_junction (m) && i < m->count; i++)
      n += mt_column_leaves (m->kids[i]);
   return n;
}

/* Prepares the leaves of a condition. */
static bool prepare_all (MtWork *w, const MtMatch *m)
{
   MtColumnScan *s = w->columns;
   const MtExtract *e = w->exec->by_columns->fields;
   if (!mt_column_testable (e, m) && m->kind != MT_M_AND)
      return true;
   for (uint32_t i = 0; is_junction (m) && i < m->count; i++)
      if (!prepare_all (w, m->kids[i]))
         return false;
   if (is_junction (m) || m->kind == MT_M_TRUE || m->kind == MT_M_FALSE)
      return true;
   MtColumnTest *t = &s->tests[s->test_count++];
   t->column = &s->columns[mt_column_tested (e, m)];
   t->match = m;
   return prepare (t, w);
}

bool mt_column_prepare (MtWork *w, uint32_t level)
{
   MtColumnScan *s = w->columns;
   const MtColumnPlan *plan = w->exec->by_columns;
   for (uint32_t k = 0; k < plan->match_count; k++) {
      if (plan->matches[k].level != level)
         continue;
      s->first_test[k] = s->test_count;
      if (!prepare_all (w, plan->matches[k].match))
         return false;
   }
   return true;
}

/* ---- narrowing ---- */

/* Returns the first row whose number is at least n; c->rows if there is none. */
static uint32_t first_row (const MtStoredColumn *c, uint64_t n)
{
   uint32_t low = 0, high = c->rows;
   while (low < high) {
      uint32_t mid = low + (high - low) / 2;
      if (mt_stored_number (c, mid) < n)
         low = mid + 1;
      else
         high = mid;
   }
   return low;
}

/* Narrows the rows to those that pass a condition. needed: rows that fail it are not wanted. Without
 * `needed`, only counts the leaves. *at: the number of the condition's first leaf in s->tests. Sets
 * *at to the number after its last leaf. */
static void narrow (const MtExtract *e, MtColumnScan *s, const MtMatch *m, bool needed,
                    uint32_t *at)
{
   if (m->kind == MT_M_TRUE || m->kind == MT_M_FALSE ||
       (m->kind != MT_M_AND && !mt_column_testable (e, m)))
      return;
   for (uint32_t i = 0; is_junction (m) && i < m->count; i++)
      narrow (e, s, m->kids[i], needed && m->kind == MT_M_AND, at);
   if (is_junction (m))
      return;
   const MtColumnTest *t = &s->tests[(*at)++];
   const MtStoredColumn *c = t->column;
   if (!needed || t->kind != MT_BY_RANGE || !c->ascends || t->low > t->high)
      return;
   uint32_t from = first_row (c, t->low);
   uint32_t to = t->high == UINT64_MAX ? c->rows : first_row (c, t->high + 1);
   s->row = from > s->row ? from : s->row;
   s->rows = to < s->rows ? to : s->rows;
}

void mt_column_narrow (MtWork *w)
{
   MtColumnScan *s = w->columns;
   const MtColumnPlan *plan = w->exec->by_columns;
   for (uint32_t k = 0; k < plan->match_count; k++) {
      uint32_t at = s->first_test[k];
      narrow (plan->fields, s, plan->matches[k].match, true, &at);
   }
   s->row = s->row < s->rows ? s->row : s->rows;
}

/* ---- testing a chunk ---- */

/* Sets out[i] to `passes`, which tests the number v, for the n numbers at p. The inner loop has a
 * fixed length, so that the compiler uses vectors. */
#define LANES 64u
#define TEST_EACH(type, passes) \
   for (uint32_t at = 0; at < n; at += LANES) { \
      type v, lanes[LANES] = {0}; \
      uint32_t some = n - at < LANES ? n - at : LANES; \
      memcpy (lanes, p + at * sizeof v, some * sizeof v); \
      for (uint32_t i = 0; i < LANES; i++) { \
         v = lanes[i]; \
         out[at + i] = (passes); \
      } \
   }

/* Tests whether little-endian numbers lie in a range. */
static void test_range (const MtColumnTest *t, uint32_t from, uint32_t n, uint8_t *out)
{
   uint64_t low = t->low, span = t->high - t->low;
   const uint8_t *p = t->column->numbers + (size_t) from * t->column->width;
   switch (t->low > t->high ? 0 : t->column->width) {
   case 1: TEST_EACH (uint8_t, (uint8_t) (v - (uint8_t) low) <= (uint8_t) span) break;
   case 2: TEST_EACH (uint16_t, (uint16_t) (v - (uint16_t) low) <= (uint16_t) span) break;
   case 4: TEST_EACH (uint32_t, v - (uint32_t) low <= (uint32_t) span) break;
   case 8: TEST_EACH (uint64_t, v - low <= span) break;
   default: memset (out, t->low <= t->high, n);
   }
}

static void test_doubles (const MtColumnTest *t, uint32_t from, uint32_t n, uint8_t *out)
{
   double with = t->with;
   const uint8_t *p = t->column->numbers + (size_t) from * 8;
   MtMatchKind kind = t->match->kind;
   if (isnan (with)) {
      if (kind == MT_M_LT || kind == MT_M_GT)
         memset (out, false, n);
      else
         TEST_EACH (double, v != v)
      return;
   }
   switch (kind) {
   case MT_M_LT: TEST_EACH (double, v < with) break;
   case MT_M_LTE: TEST_EACH (double, v <= with) break;
   case MT_M_GT: TEST_EACH (double, v > with) break;
   case MT_M_GTE: TEST_EACH (double, v >= with) break;
   default: TEST_EACH (double, v == with)
   }
}

static void test_table (const MtColumnTest *t, uint32_t from, uint32_t n, uint8_t *out)
{
   for (uint32_t i = 0; i < n; i++) {
      uint64_t number = mt_stored_number (t->column, from + i);
      out[i] = number <= t->column->most && t->table[number];
   }
}

bool mt_column_test_one (const MtColumnTest *t, MtWork *w, uint32_t n, uint8_t *out)
{
   uint32_t from = w->columns->base;
   const uint8_t *tags = t->column->tags;
   if (t->kind == MT_BY_ROW) {
      for (uint32_t i = 0; i < n; i++) {
         int yes = t->match->test (t->match, mt_stored_at (t->column, from + i), w);
         if (yes < 0)
            return false;
         out[i] = (uint8_t) yes;
      }
      return true;
   }
   if (t->kind == MT_BY_RANGE)
      test_range (t, from, n, out);
   else if (t->kind == MT_BY_COMPARE)
      test_doubles (t, from, n, out);
   else
      test_table (t, from, n, out);
   for (uint32_t i = 0; tags && i < n; i++) {
      if (tags[from + i] == MT_NULL)
         out[i] = t->null_passes;
      else if (tags[from + i] == MT_MISSING)
         out[i] = t->missing_passes;
   }
   return true;
}

/* Tests a condition for n rows, one byte for each row; `out` has MT_COLUMN_CHUNK bytes. Parts that
 * can't be tested on columns are taken for true: they are in conjunctions only, and the $match
 * tests them. */
static bool test_chunk (MtWork *w, const MtMatch *m, uint32_t n, uint8_t *out)
{
   MtColumnScan *s = w->columns;
   const MtExtract *e = w->exec->by_columns->fields;
   uint8_t kid[MT_COLUMN_CHUNK] = {0};
   bool any = m->kind == MT_M_OR || m->kind == MT_M_NOR;
   if (!is_junction (m)) {
      memset (out, m->kind != MT_M_FALSE, n);
      return m->kind == MT_M_TRUE || m->kind == MT_M_FALSE || mt_column_tested (e, m) < 0 ||
             mt_column_test_one (&s->tests[s->test_at++], w, n, out);
   }
   memset (out, !any, MT_COLUMN_CHUNK);
   for (uint32_t k = 0; k < m->count; k++) {
      if (m->kind == MT_M_AND && m->kids[k]->kind != MT_M_AND &&
          !mt_column_testable (e, m->kids[k]))
         continue;
      if (!test_chunk (w, m->kids[k], n, kid))
         return false;
      for (uint32_t i = 0; any && i < MT_COLUMN_CHUNK; i++)
         out[i] |= kid[i];
      for (uint32_t i = 0; !any && i < MT_COLUMN_CHUNK; i++)
         out[i] &= kid[i];
   }
   for (uint32_t i = 0; m->kind == MT_M_NOR && i < MT_COLUMN_CHUNK; i++)
      out[i] = !out[i];
   return true;
}

uint32_t mt_column_sum (const uint8_t *bytes, uint32_t n)
{
   uint32_t sum = 0;
   for (uint32_t i = 0; i < n; i++)
      sum += bytes[i];
   return sum;
}

bool mt_column_test (MtWork *w, uint32_t level, uint32_t n, uint8_t *passes)
{
   MtColumnScan *s = w->columns;
   const MtColumnPlan *plan = w->exec->by_columns;
   uint8_t one[MT_COLUMN_CHUNK] = {0};
   for (uint32_t k = 0; k < plan->match_count; k++) {
      const MtColumnMatch *m = &plan->matches[k];
      if (m->level != level)
         continue;
      uint32_t before = mt_column_sum (passes, n);
      if (before == 0)
         break;
      s->test_at = s->first_test[k];
      if (!test_chunk (w, m->match, n, one))
         return false;
      for (uint32_t i = 0; i < MT_COLUMN_CHUNK; i++)
         passes[i] &= one[i];
      /* A $match that is tested in part will count the rows that pass itself. */
      w->count[w->exec->nodes[m->node]->id].in += m->partly ? before - mt_column_sum (passes, n)
                                                            : before;
   }
   return true;
}
