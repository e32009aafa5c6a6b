/* $group for rows that are read from columns instead of documents.
 *
 * Most parts of a group key and most arguments depend on a single field. In a column, each value is
 * encoded as a small number. So such an expression is computed once for each distinct number in a
 * block, not for each row. The numbers of all parts of the key together are an index in an array of
 * the block's groups, so that no hash is needed for a row. */
#include "engine/local/group/columns.h"

#include "engine/local/expr/expr.h"
#include "engine/local/group/group_int.h"

/* The maximum number of combinations of key values in a block, and of cached values of a source. */
#define MOST_PLACES 16384u
/* The maximum size in bytes of cached values. */
#define MOST_KEPT (1u << 20)
/* The number of rows that are added together. After each such batch, the memory of the rows is
 * freed. */
#define BATCH 64u

typedef enum {
   NOT_USED, /* a $sum of a constant, which needs no value of the row */
   INTEGERS, /* a $sum of a field whose values are all integers */
   EACH_ROW, /* the value of a field, read for each row */
   KEPT,     /* an expression, computed once for each different value of its field */
   COMPUTED  /* an expression, computed for each row */
} SourceKind;

/* A source of values: a part of the group key, or the argument of an accumulator, with the column
 * from which it is computed. */
typedef struct ColumnSource {
   const MtExecExpr *expr;  /* the expression as simplified for the current block */
   const MtExecExpr *whole; /* the expression as it applies to all blocks */
   SourceKind kind;
   int field; /* index of the only field needed in the extraction; -1: none */
   const MtStoredColumn *column;
   uint32_t places; /* how many numbers rows can have; with tags two more, for null and missing */
   uint32_t stride; /* key parts: factor of this part's place in an index of `records` */
   MtVal *values;   /* KEPT: the computed values, by place (number of the column) */
   bool *known;
} ColumnSource;

struct MtGroupColumns {
   bool suitable; /* each source needs at most one field */
   ColumnSource *parts, *args;
   const MtExtract *extract;
   MtArena *arena;  /* memory for the current block */
   size_t kept;     /* bytes of the values in KEPT sources */
   MtRec **records; /* groups by the places of all key parts; NULL: not yet looked up */
   uint32_t record_count;
};

void mt_group_columns_free (MtGroupColumns *s)
{
   if (s)
      mt_arena_free (s->arena);
}

/* ---- pipelines for which this is possible ---- */

/* Initialises a source with expression e. slot: the only slot that e reads; MT_NO_SLOT: not known.
 * Returns false if e needs several fields. */
static bool set_source (ColumnSource *s, const MtExecExpr *e, uint32_t slot, const MtExtract *x)
{
   *s = (ColumnSource) {.expr = e, .whole = e, .field = -1};
   if (slot == MT_NO_SLOT && !mt_expr_one_slot (e, &slot))
      return false;
   if (slot == MT_NO_SLOT)
      return true;
   for (uint32_t i = 0; i < x->count && s->field < 0; i++)
      if (x->fields[i].value == slot)
         s->field = (int) i;
   return s->field >= 0;
}

static MtGroupColumns *columns_of (const MtGroupNode *g, MtGroupState *st, MtWork *w,
                                   const MtExtract *e)
{
   if (st->columns)
      return st->columns;
   MtGroupColumns *s = st->columns = MT_NEW (w->scan, MtGroupColumns);
   s->arena = mt_arena_new ("columns", NULL);
   s->extract = e;
   s->parts = MT_NEW_N (w->scan, ColumnSource, g->part_count + 1u);
   s->args = MT_NEW_N (w->scan, ColumnSource, g->acc_count + 1u);
   s->suitable = g->batched;
   for (uint32_t i = 0; i < g->part_count; i++)
      s->suitable = s->suitable && set_source (&s->parts[i], g->parts[i], MT_NO_SLOT, e);
   for (uint32_t i = 0; i < g->acc_count; i++)
      s->suitable = s->suitable && set_source (&s->args[i], g->accs[i].arg, g->accs[i].int_slot, e);
   return s;
}

/* ---- preparing a block ---- */

/* Prepares the cache of a source's values. Returns false if its column has too many distinct
 * numbers, values of several types, or numbers that are arbitrary bits (MT_COLUMN_BITS). */
static bool keep_values (ColumnSource *s, MtArena *a, const MtStoredColumn *columns)
{
   s->column = s->field < 0 || s->expr->kind == MT_EX_CONST ? NULL : &columns[s->field];
   s->kind = KEPT;
   s->places = 1;
   if (s->column) {
      const MtStoredColumn *c = s->column;
      bool nulls = c->tags || c->type == MT_NULL || c->type == MT_MISSING;
      if (c->form == MT_COLUMN_BITS || c->most > MOST_PLACES - 3 || !mt_stored_one_type (c))
         return false;
      s->places = (uint32_t) c->most + (nulls ? 3 : 1);
   }
   s->values = MT_NEW_N (a, MtVal, s->places);
   s->known = MT_NEW_N (a, bool, s->places);
   return true;
}

static void begin_argument (ColumnSource *s, const MtAcc *acc, MtArena *a,
                            const MtStoredColumn *columns)
{
   const MtStoredColumn *c = s->field < 0 ? NULL : &columns[s->field];
   s->expr = c && c->form != MT_COLUMN_BITS ? mt_expr_without_nan (s->whole) : s->whole;
   s->column = c;
   bool zero = s->expr->kind == MT_EX_CONST && s->expr->value.type == MT_INT32 &&
               s->expr->value.i == 0;
   if (acc->fast == MT_FAST_COUNT || (zero && (acc->row->form & MT_ACC_TOTAL) && !acc->decimal)) {
      s->kind = NOT_USED;
   } else if (c && acc->fast == MT_FAST_SUM_SLOT && c->form == MT_COLUMN_WHOLE && !c->tags &&
              (c->type == MT_INT32 || c->type == MT_INT64)) {
      s->kind = INTEGERS;
   } else if (c && s->expr->kind == MT_EX_SLOT) {
      s->kind = EACH_ROW;
   } else if (!keep_values (s, a, columns)) {
      s->kind = COMPUTED;
   }
}

bool mt_group_begin_columns (const MtExecNode *n, MtWork *w, const MtExtract *e,
                             const MtStoredColumn *columns, bool *ok)
{
   *ok = true;
   if (!mt_is_group (n))
      return false;
   const MtGroupNode *g = (const MtGroupNode *) n;
   MtGroupState *st = mt_group_state (g, w);
   MtGroupColumns *s = columns_of (g, st, w, e);
   uint64_t places = 1;
   if (!s->suitable)
      return false;
   mt_arena_reset (s->arena);
   s->kept = 0;
   for (uint32_t i = 0; i < g->part_count; i++) {
      ColumnSource *p = &s->parts[i];
      p->stride = (uint32_t) places;
      if (!keep_values (p, s->arena, columns) || (places *= p->places) > MOST_PLACES)
         return false;
   }
   for (uint32_t i = 0; i < g->acc_count; i++)
      begin_argument (&s->args[i], &g->accs[i], s->arena, columns);
   s->record_count = (uint32_t) places;
   s->records = MT_NEW_N (s->arena, MtRec *, places);
   *ok = mt_batch_flush (g, st, w);
   return *ok;
}

/* ---- values of a row ---- */

static inline uint32_t place_of (const ColumnSource *s, uint32_t row)
{
   if (!s->column)
      return 0;
   uint8_t tag = s->column->tags ? s->column->tags[row] : s->column->type;
   if (tag == MT_NULL || tag == MT_MISSING)
      return (uint32_t) s->column->most + (tag == MT_NULL ? 1 : 2);
   uint64_t number = mt_stored_number (s->column, row);
   return number <= s->column->most ? (uint32_t) number : 0;
}

/* Evaluates the expression of source c for row number `row`, and stores its value in *out. */
static bool compute (const MtGroupColumns *s, const ColumnSource *c, MtWork *w, uint32_t row,
                     const MtStoredColumn *columns, MtVal *out)
{
   if (c->field >= 0)
      w->slots[s->extract->fields[c->field].value] = mt_stored_at (&columns[c->field], row);
   return mt_eval (c->expr, w, out);
}

static inline bool kept_value (MtGroupColumns *s, ColumnSource *c, MtWork *w, uint32_t row,
                               const MtStoredColumn *columns, MtVal *out)
{
   uint32_t at = place_of (c, row);
   if (!c->known[at]) {
      MtVal v;
      if (!compute (s, c, w, row, columns, &v))
         return false;
      uint32_t bytes = mt_x_lasting (w, v.p) ? 0 : mt_bytes_len (v);
      if (bytes && s->kept + bytes > MOST_KEPT) {
         *out = v;
         return true;
      }
      s->kept += bytes;
      c->values[at] = mt_x_keep (w, s->arena, v);
      c->known[at] = true;
   }
   *out = c->values[at];
   return true;
}

static MtRec *find_record (const MtGroupNode *g, MtGroupState *st, MtWork *w, uint32_t row,
                           const MtStoredColumn *columns)
{
   MtGroupColumns *s = st->columns;
   for (uint32_t i = 0; i < g->part_count; i++)
      if (!kept_value (s, &s->parts[i], w, row, columns, &st->keys[i]))
         return NULL;
   if (g->null_for_missing && st->keys[0].type == MT_MISSING)
      st->keys[0] = mt_v_null ();
   uint32_t before = st->table.count;
   MtRec *r = mt_group_find (g, st, w, st->keys, mt_group_hash (st->keys, g->part_count));
   if (st->table.count < before) /* the groups were written to disk */
      memset (s->records, 0, s->record_count * sizeof *s->records);
   return r;
}

/* ---- adding a batch of rows ---- */

/* The arguments that the functions for adding rows have in common. */
typedef struct Adding {
   const MtGroupNode *g;
   MtGroupState *st;
   MtWork *w;
   const MtStoredColumn *columns;
} Adding;

/* A batch of rows, and the records (states) of their groups. */
typedef struct Batch {
   uint32_t count;
   uint32_t rows[BATCH];
   uint32_t places[BATCH]; /* for each row, its index in MtGroupColumns.records */
   MtRec *records[BATCH];
} Batch;

#define ADD_PLACES(type, native) \
   for (uint32_t i = 0; i < b->count; i++) { \
      type number; \
      memcpy (&number, p->column->numbers + b->rows[i] * sizeof number, sizeof number); \
      number = native (number); \
      b->places[i] += p->stride * (number <= most ? number : 0u); \
   }

/* For each row of the batch, adds the number of one part of the group key, times p->stride, to the
 * row's index in the array of groups. */
static void add_places (const ColumnSource *p, Batch *b)
{
   if (!p->column)
      return;
   bool plain = !p->column->tags && p->column->type != MT_NULL && p->column->type != MT_MISSING;
   uint32_t most = (uint32_t) p->column->most;
   if (plain && p->column->width == 1)
      ADD_PLACES (uint8_t, )
   else if (plain && p->column->width == 2)
      ADD_PLACES (uint16_t, le16toh)
   else
      for (uint32_t i = 0; i < b->count; i++)
         b->places[i] += p->stride * place_of (p, b->rows[i]);
}

/* Finds the records of the groups of the rows, from row `from` of the batch on. Sets *lost if the
 * groups were written to disk meanwhile, so that records that were found before are no longer
 * valid. */
static bool find_records (const Adding *x, Batch *b, uint32_t from, bool *lost)
{
   MtGroupColumns *s = x->st->columns;
   *lost = false;
   for (uint32_t i = from; i < b->count; i++) {
      MtRec *r = s->records[b->places[i]];
      if (!r) {
         uint32_t before = x->st->table.count;
         x->w->seq = (x->w->seq >> 32 << 32) + b->rows[i] + 1;
         if (!(r = find_record (x->g, x->st, x->w, b->rows[i], x->columns)))
            return false;
         *lost |= x->st->table.count < before;
         s->records[b->places[i]] = r;
      }
      b->records[i] = r;
   }
   return true;
}

#define ADD_INTEGERS(type, native) \
   for (uint32_t i = from; i < to; i++) { \
      type number; \
      memcpy (&number, c->numbers + b->rows[i] * sizeof number, sizeof number); \
      MtSum *sum = mt_state_of (a, b->records[i]); \
      sum->i += (int64_t) (base + step * native (number)); \
      sum->count++; \
      sum->seen_int64 |= wide; \
   }

/* Adds the integers of column c to the sums of the rows' groups, for rows `from` to `to` - 1 of the
 * batch. */
static void add_integers (const MtAcc *a, const MtStoredColumn *c, const Batch *b, uint32_t from,
                          uint32_t to)
{
   uint64_t base = (uint64_t) c->base, step = c->step;
   bool wide = c->type == MT_INT64;
   if (c->width == 1)
      ADD_INTEGERS (uint8_t, )
   else if (c->width == 2)
      ADD_INTEGERS (uint16_t, le16toh)
   else
      for (uint32_t i = from; i < to; i++) {
         MtSum *sum = mt_state_of (a, b->records[i]);
         sum->i += (int64_t) (base + step * mt_stored_number (c, b->rows[i]));
         sum->count++;
         sum->seen_int64 |= wide;
      }
}

/* Counts rows `from` to `to` - 1 of the batch in their groups. */
static void add_counts (const MtAcc *a, const Batch *b, uint32_t from, uint32_t to)
{
   int64_t n = a->n;
   for (uint32_t i = from; i < to; i++) {
      MtSum *sum = mt_state_of (a, b->records[i]);
      sum->i += n;
      sum->count++;
   }
}

static bool argument (MtGroupColumns *s, ColumnSource *c, MtWork *w, uint32_t row,
                      const MtStoredColumn *columns, MtVal *out)
{
   if (c->kind == KEPT)
      return kept_value (s, c, w, row, columns, out);
   if (c->kind == COMPUTED)
      return compute (s, c, w, row, columns, out);
   *out = c->kind == NOT_USED ? mt_v_missing () : mt_stored_at (c->column, row);
   return true;
}

/* Adds rows `from` to `to` - 1 of the batch to accumulator k of their groups. */
static bool accumulate (const Adding *x, uint32_t k, const Batch *b, uint32_t from, uint32_t to)
{
   MtGroupState *st = x->st;
   MtWork *w = x->w;
   const MtAcc *a = &x->g->accs[k];
   ColumnSource *c = &st->columns->args[k];
   uint64_t seq = w->seq >> 32 << 32;
   if (c->kind == INTEGERS) {
      add_integers (a, c->column, b, from, to);
      return true;
   }
   if (c->kind == NOT_USED) {
      if (a->fast == MT_FAST_COUNT)
         add_counts (a, b, from, to);
      return true;
   }
   for (uint32_t i = from; i < to; i++) {
      MtVal v;
      w->seq = seq + b->rows[i] + 1;
      if (!argument (st->columns, c, w, b->rows[i], x->columns, &v) ||
          !mt_group_accumulate (a, &st->table, mt_state_of (a, b->records[i]), v, 1, w))
         return false;
   }
   return true;
}

/* Adds the rows of a batch to their groups. If groups were written to disk while the records were
 * searched, adds the rows one by one. */
static bool add_batch (const Adding *x, Batch *b)
{
   bool lost, ignored, ok = true;
   memset (b->places, 0, sizeof b->places);
   for (uint32_t i = 0; i < x->g->part_count; i++)
      add_places (&x->st->columns->parts[i], b);
   if (!find_records (x, b, 0, &lost))
      return false;
   for (uint32_t k = 0; k < x->g->acc_count && !lost && ok; k++)
      ok = accumulate (x, k, b, 0, b->count);
   uint32_t rows = b->count;
   for (uint32_t i = 0; i < rows && lost && ok; i++) {
      b->count = i + 1;
      ok = find_records (x, b, i, &ignored);
      for (uint32_t k = 0; k < x->g->acc_count && ok; k++)
         ok = accumulate (x, k, b, i, i + 1);
   }
   return ok;
}

/* After a batch: frees the memory of its rows, and writes the groups to disk if they have become
 * too large. */
static bool end_rows (const MtGroupNode *g, MtGroupState *st, MtWork *w)
{
   bool spilled;
   mt_arena_reset (w->arena);
   w->epoch++;
   if (!mt_x_poll (w) || !mt_group_fit (g, st, w, &spilled))
      return false;
   if (spilled)
      memset (st->columns->records, 0, st->columns->record_count * sizeof (MtRec *));
   return true;
}

bool mt_group_add_columns (const MtExecNode *n, MtWork *w, const MtColumnRows *rows)
{
   const Adding x = {(const MtGroupNode *) n, w->state[n->id], w, rows->columns};
   w->count[n->id].in += rows->count;
   for (uint32_t from = 0; from < rows->count; from += BATCH) {
      Batch b = {.count = rows->count - from < BATCH ? rows->count - from : BATCH};
      for (uint32_t i = 0; i < b.count; i++)
         b.rows[i] = rows->base + rows->picked[from + i];
      if (!add_batch (&x, &b) || !end_rows (x.g, x.st, w))
         return false;
   }
   return true;
}
