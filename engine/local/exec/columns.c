/* Scanning a block by its columns (../documents/column.h).
 *
 * Rows are read in chunks. If the first nodes are $match, their conditions are tested for all rows of
 * a chunk, one column after the other. The rows that are left get the values of the other columns
 * and are pushed. Conditions on numbers become an interval of a column's numbers, since the values
 * ascend with the numbers. Conditions on texts are tested once for each word. */
#include "engine/local/exec/columns.h"

#include "engine/local/exec/stages.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/group/columns.h"
#include "engine/local/documents/column.h"

#include <math.h>

#define CHUNK 1024u
#define FIRST_CHUNK 64u
#define MOST_FIELDS 64u
#define MOST_MATCHES 8u
/* A column with at most this many different numbers has its conditions tested for each of them. */
#define MOST_TESTED 256u

typedef enum {
   BY_ROW,     /* the test is called for each row */
   BY_RANGE,   /* numbers from `low` to `high` pass */
   BY_COMPARE, /* the doubles of the column are compared with `with` */
   BY_NUMBER   /* the test of each number is in `table` */
} TestKind;

/* A condition on one column, prepared for the block that is read. */
typedef struct ColumnTest {
   TestKind kind;
   const MtStoredColumn *column;
   const MtMatch *match;
   uint64_t low, high; /* low > high: none passes */
   double with;
   bool null_passes, missing_passes;
   uint8_t *table; /* MT_COLUMN_WORDS bytes; NULL: not needed yet */
} ColumnTest;

struct MtColumnScan {
   MtStoredColumn columns[MOST_FIELDS]; /* by the number of the field in the extraction */
   /* The conditions of the first $match stages. The first `tested` ones are tested on columns as a
    * whole; the one behind them, if there is one, in part. */
   const MtMatch *matches[MOST_MATCHES];
   uint32_t match_count, tested;
   bool grouped;      /* the next node takes the block's rows by columns */
   ColumnTest *tests; /* of the leaves of `matches`, in the order of a walk */
   uint32_t test_count, test_at;
   uint64_t row_bytes; /* bytes of a row in the needed columns */
   uint64_t row_size;  /* average bytes of a document */
   uint32_t chunk;     /* rows of the next chunk; the first ones are small, for LIMIT */
   uint32_t row, rows; /* the next row that is not in the chunk; rows of the block */
   uint32_t base;      /* first row of the chunk */
   uint32_t at, count; /* position in `picked`, and its length */
   uint16_t picked[CHUNK];
};

bool mt_columns_suffice (const MtExec *x)
{
   const MtExtract *e = x->root->extract;
   if (x->from != MT_FROM_SOURCE || x->args.reading.documents || !e || e->count > MOST_FIELDS ||
       x->root->whole)
      return false;
   for (uint32_t i = 0; i < e->count; i++)
      if (e->fields[i].sub || e->fields[i].raw != MT_NO_SLOT)
         return false;
   return true;
}

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

static void set_none (ColumnTest *t)
{
   t->kind = BY_RANGE;
   t->low = 1;
   t->high = 0;
}

/* Prepares a comparison with a number or a date on a column whose values ascend with its
 * numbers. */
static void set_range (ColumnTest *t)
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
   t->kind = BY_RANGE;
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

static bool set_table (ColumnTest *t, MtWork *w)
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
   t->kind = BY_NUMBER;
   return true;
}

static bool prepare (ColumnTest *t, MtWork *w)
{
   const MtMatch *m = t->match;
   const MtStoredColumn *col = t->column;
   int null = m->test (m, mt_v_null (), w), missing = m->test (m, mt_v_missing (), w);
   if (null < 0 || missing < 0)
      return false;
   t->null_passes = null > 0;
   t->missing_passes = missing > 0;
   t->kind = BY_ROW;
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
      t->kind = BY_COMPARE;
      t->with = m->value.type == MT_DOUBLE ? m->value.d : (double) m->value.i;
   }
   return true;
}

static bool is_junction (const MtMatch *m)
{
   return m->kind == MT_M_AND || m->kind == MT_M_OR || m->kind == MT_M_NOR;
}

/* Returns the field whose match slot the condition tests, or -1. */
static int field_of (const MtExtract *e, const MtMatch *m)
{
   if (!m->test || m->slot == MT_NO_SLOT || m->path.count != 1)
      return -1;
   for (uint32_t i = 0; i < e->count; i++)
      if (e->fields[i].match == m->slot)
         return (int) i;
   return -1;
}

/* Returns whether the whole condition can be tested on columns. */
static bool is_testable (const MtExtract *e, const MtMatch *m)
{
   if (m->kind == MT_M_TRUE || m->kind == MT_M_FALSE)
      return true;
   if (!is_junction (m))
      return field_of (e, m) >= 0;
   for (uint32_t i = 0; i < m->count; i++)
      if (!is_testable (e, m->kids[i]))
         return false;
   return true;
}

static uint32_t count_leaves (const MtMatch *m)
{
   uint32_t n = !is_junction (m);
   for (uint32_t i = 0; is_junction (m) && i < m->count; i++)
      n += count_leaves (m->kids[i]);
   return n;
}

static void begin (MtWork *w)
{
   const MtExec *x = w->exec;
   w->scan = mt_arena_new ("columns", NULL);
   MtColumnScan *s = w->columns = MT_NEW (w->scan, MtColumnScan);
   const MtExtract *e = x->root->extract;
   s->chunk = FIRST_CHUNK;
   uint32_t leaves = 0;
   while (s->match_count < MOST_MATCHES && s->match_count == s->tested) {
      const MtMatch *m = mt_match_of (x->nodes[s->match_count]);
      bool all = m && is_testable (e, m);
      if (!m || (!all && m->kind != MT_M_AND))
         break;
      s->matches[s->match_count++] = m;
      s->tested += all;
      leaves += count_leaves (m);
   }
   s->tests = MT_NEW_N (w->scan, ColumnTest, leaves + 1u);
}

static bool prepare_all (MtColumnScan *s, const MtExtract *e, const MtMatch *m, MtWork *w)
{
   if (!is_testable (e, m) && m->kind != MT_M_AND)
      return true;
   for (uint32_t i = 0; is_junction (m) && i < m->count; i++)
      if (!prepare_all (s, e, m->kids[i], w))
         return false;
   if (is_junction (m) || m->kind == MT_M_TRUE || m->kind == MT_M_FALSE)
      return true;
   ColumnTest *t = &s->tests[s->test_count++];
   t->column = &s->columns[field_of (e, m)];
   t->match = m;
   return prepare (t, w);
}

/* Returns the node that gets the picked rows. */
static const MtExecNode *first_node (const MtWork *w) { return w->exec->nodes[w->columns->tested]; }

bool mt_columns_open (MtWork *w, bool *yes)
{
   const MtExtract *e = w->exec->root->extract;
   if (!w->columns)
      begin (w);
   MtColumnScan *s = w->columns;
   const MtBlock *b = &w->reader.block;
   s->row_bytes = 0;
   for (uint32_t i = 0; i < e->count; i++) {
      if (!mt_reader_column (&w->reader, e->fields[i].name, &s->columns[i], yes))
         return false;
      if (!*yes)
         return true;
      s->row_bytes += s->columns[i].width + (s->columns[i].tags != NULL);
   }
   s->rows = b->documents;
   s->row_size = b->size / b->documents;
   s->row = s->at = s->count = s->test_count = 0;
   for (uint32_t i = 0; i < s->match_count; i++)
      if (!prepare_all (s, e, s->matches[i], w))
         return false;
   bool ok = true;
   s->grouped = mt_group_begin_columns (first_node (w), w, e, s->columns, &ok);
   return ok;
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
static void test_range (const ColumnTest *t, uint32_t from, uint32_t n, uint8_t *out)
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

static void test_doubles (const ColumnTest *t, uint32_t from, uint32_t n, uint8_t *out)
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

static void test_table (const ColumnTest *t, uint32_t from, uint32_t n, uint8_t *out)
{
   for (uint32_t i = 0; i < n; i++) {
      uint64_t number = mt_stored_number (t->column, from + i);
      out[i] = number <= t->column->most && t->table[number];
   }
}

static bool test_column (const ColumnTest *t, MtWork *w, uint32_t from, uint32_t n, uint8_t *out)
{
   const uint8_t *tags = t->column->tags;
   if (t->kind == BY_ROW) {
      for (uint32_t i = 0; i < n; i++) {
         int yes = t->match->test (t->match, mt_stored_at (t->column, from + i), w);
         if (yes < 0)
            return false;
         out[i] = (uint8_t) yes;
      }
      return true;
   }
   if (t->kind == BY_RANGE)
      test_range (t, from, n, out);
   else if (t->kind == BY_COMPARE)
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

/* Tests a condition for n rows, one byte for each row; `out` has CHUNK bytes. Parts that can't
 * be tested on columns are taken for true: they are in conjunctions only, and the $match tests
 * them. */
static bool test_chunk (MtWork *w, const MtMatch *m, uint32_t n, uint8_t *out)
{
   MtColumnScan *s = w->columns;
   const MtExtract *e = w->exec->root->extract;
   uint8_t kid[CHUNK] = {0};
   bool any = m->kind == MT_M_OR || m->kind == MT_M_NOR;
   if (!is_junction (m)) {
      memset (out, m->kind != MT_M_FALSE, n);
      return m->kind == MT_M_TRUE || m->kind == MT_M_FALSE || field_of (e, m) < 0 ||
             test_column (&s->tests[s->test_at++], w, s->base, n, out);
   }
   memset (out, !any, CHUNK);
   for (uint32_t k = 0; k < m->count; k++) {
      if (m->kind == MT_M_AND && m->kids[k]->kind != MT_M_AND && !is_testable (e, m->kids[k]))
         continue;
      if (!test_chunk (w, m->kids[k], n, kid))
         return false;
      for (uint32_t i = 0; any && i < CHUNK; i++)
         out[i] |= kid[i];
      for (uint32_t i = 0; !any && i < CHUNK; i++)
         out[i] &= kid[i];
   }
   for (uint32_t i = 0; m->kind == MT_M_NOR && i < CHUNK; i++)
      out[i] = !out[i];
   return true;
}

static uint32_t sum_of (const uint8_t *bytes, uint32_t n)
{
   uint32_t sum = 0;
   for (uint32_t i = 0; i < n; i++)
      sum += bytes[i];
   return sum;
}

/* Tests the conditions for n rows, and counts the rows for each $match. Clears `passes` for rows
 * that fail. A $match that is tested in part will count the rows that pass itself. */
static bool test_all (MtWork *w, uint32_t n, uint8_t *passes)
{
   MtColumnScan *s = w->columns;
   uint8_t one[CHUNK] = {0};
   for (uint32_t k = 0; k < s->match_count; k++) {
      uint32_t before = sum_of (passes, n);
      if (before == 0)
         break;
      if (!test_chunk (w, s->matches[k], n, one))
         return false;
      for (uint32_t i = 0; i < CHUNK; i++)
         passes[i] &= one[i];
      w->count[w->exec->nodes[k]->id].in += k < s->tested ? before : before - sum_of (passes, n);
   }
   return true;
}

/* Takes the next rows of the block. Picks those that may match. */
static bool next_chunk (MtWork *w)
{
   MtColumnScan *s = w->columns;
   const MtBlock *b = &w->reader.block;
   uint32_t n = s->rows - s->row < s->chunk ? s->rows - s->row : s->chunk;
   s->chunk = s->chunk < CHUNK ? 2 * s->chunk : CHUNK;
   uint8_t passes[CHUNK] = {0};
   s->base = s->row;
   s->row += n;
   s->at = s->count = s->test_at = 0;
   memset (passes, 1, n);
   for (uint32_t i = 0; b->deleted && i < n; i++)
      passes[i] = !mt_block_is_deleted (b, s->base + i);
   uint32_t live = sum_of (passes, n);
   if (!test_all (w, n, passes))
      return false;
   for (uint32_t i = 0; i < n; i++) {
      s->picked[s->count] = (uint16_t) i;
      s->count += passes[i];
   }
   MtCount *count = &w->count[w->exec->all_nodes];
   count->in += live;
   count->stored += live * s->row_size;
   count->bytes += n * s->row_bytes;
   atomic_fetch_add_explicit (&((MtExec *) w->exec)->bytes_done, n * s->row_size,
                              memory_order_relaxed);
   return true;
}

/* ---- pushing rows ---- */

static void fill (MtWork *w, const MtExtract *e, uint32_t row)
{
   for (uint32_t i = 0; i < e->count; i++) {
      const MtExtractField *f = &e->fields[i];
      MtVal v = mt_stored_at (&w->columns->columns[i], row);
      if (f->value != MT_NO_SLOT)
         w->slots[f->value] = v;
      if (f->match != MT_NO_SLOT)
         w->slots[f->match] = v;
   }
}

/* Adds the picked rows of the chunk to the groups of the first node. */
static bool add_to_groups (MtWork *w, const MtExecNode *group)
{
   MtColumnScan *s = w->columns;
   MtColumnRows rows = {s->columns, s->base, s->count, s->picked};
   uint32_t was = w->timed;
   s->at = s->count;
   if (w->timing)
      mt_time_goes_to (w, group->id);
   bool ok = mt_group_add_columns (group, w, &rows);
   if (w->timing)
      mt_time_goes_to (w, was);
   return ok;
}

MtFlow mt_columns_push (MtWork *w, size_t most, bool *over)
{
   MtColumnScan *s = w->columns;
   const MtExec *x = w->exec;
   const MtExecNode *first = first_node (w);
   MtExecNode start = {.next = (MtExecNode *) first, .id = x->all_nodes};
   if (s->at == s->count && s->row < s->rows && !next_chunk (w))
      return MT_FAIL;
   if (s->grouped && s->at < s->count && !add_to_groups (w, first))
      return MT_FAIL;
   uint64_t seq = w->seq >> 32 << 32;
   for (size_t n = 0; n < most && s->at < s->count; n++) {
      uint32_t row = s->base + s->picked[s->at++];
      fill (w, x->root->extract, row);
      w->seq = seq + row + 1;
      MtFlow flow = mt_next (&start, w);
      if (flow != MT_GO)
         return flow;
   }
   *over = s->at == s->count && s->row == s->rows;
   return MT_GO;
}
