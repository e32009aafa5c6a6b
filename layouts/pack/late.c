/* Handles records that are too late for a roll-up's stored aggregate states (MtStateW.joins): their
 * times lie between those of stored points. In the first pass the builder skips their documents.
 * Then all records of the late cells are read from the table, and the cells' states are computed
 * from them. The next pass builds the skipped documents. */
#include "layouts/pack/build_int.h"

/* On a server, another writer can add to a cell (array or map element) after its records were read;
 * then the cell is late again. If that writer has written its records but not yet the roll-up, the
 * state computed here already includes them; that writer then finds its own records late. */
enum { MOST_PASSES = 100, MOST_RANGES = 256 };

typedef struct LateCell {
   MtVal *key;
   int64_t from, to; /* the cell has the records with times from `from` to before `to`, in ms */
   int64_t records;
   void **states; /* one for each state of the level */
} LateCell;

/* The late cells (array or map elements) of one leaf level. After sort_cells they are sorted by
 * key. */
typedef struct LateLeaf {
   MtNodeW *leaf;
   const MtWriteWay *way;
   LateCell *cells;
   size_t count, cap;
} LateLeaf;

struct MtLate {
   MtArena *arena;
   LateLeaf *leaves; /* one for each stream */
   size_t leaf_count;
   MtVal **documents; /* the root key of each skipped document, in sorted order */
   size_t count, cap;
   size_t at; /* index in `documents` of the first one that the current pass has not reached */
};

/* ---- collecting late cells ---- */

static MtLate *late_new (const MtBuilder *b)
{
   MtArena *a = mt_arena_new ("late records", NULL);
   MtLate *l = MT_NEW (a, MtLate);
   *l = (MtLate) {.arena = a, .leaf_count = b->stream_count};
   l->leaves = MT_NEW_N (a, LateLeaf, b->stream_count + 1);
   for (size_t i = 0; i < b->stream_count; i++)
      l->leaves[i] = (LateLeaf) {.leaf = b->nodes[b->streams[i].way->leaf->id],
                                 .way = b->streams[i].way};
   return l;
}

static LateLeaf *late_leaf (MtLate *l, const MtNodeW *leaf)
{
   size_t i = 0;
   while (l->leaves[i].leaf != leaf)
      i++;
   return &l->leaves[i];
}

static MtVal *copy_key (MtArena *a, const MtVal *key, int count)
{
   MtVal *copy = MT_NEW_N (a, MtVal, count + 1);
   for (int i = 0; i < count; i++)
      copy[i] = mt_v_copy (a, key[i]);
   return copy;
}

/* Sets the time range of late cell (array or map element) c, which contains a record at time ms:
 * the smallest unit that the levels down to `leaf` store, or the exact time. */
static void set_times (const MtTable *t, const MtNode *leaf, int64_t ms, LateCell *c)
{
   MtUnit unit = MT_UNIT_EPOCH;
   bool exact = false;
   for (const MtNode *n = leaf; n; n = n->parent)
      for (size_t i = n->bind_count; i-- > 0;) {
         const MtBinding *m = &n->binds[i];
         exact = exact || (m->kind == MT_BIND_COLUMN && m->column == t->time_column);
         if (m->kind != MT_BIND_COLUMN && m->unit < unit)
            unit = m->unit;
      }
   c->from = exact ? ms : INT64_MIN;
   c->to = exact ? ms + 1 : INT64_MAX;
   if (!exact && unit != MT_UNIT_EPOCH) {
      c->from = mt_utc_floor (ms, unit);
      c->to = mt_utc_next (c->from, unit);
   }
}

static LateCell *add_cell (MtLate *l, LateLeaf *to, const MtVal *key)
{
   MT_GROW_IN (l->arena, to->cells, to->count, to->cap, 16);
   LateCell *c = &to->cells[to->count++];
   *c = (LateCell) {.key = copy_key (l->arena, key, to->way->key_count)};
   return c;
}

/* Adds the document with root key `key` to the skipped ones. Late cells (array or map elements) of
 * this document that the previous pass had found stay late. */
static void add_document (MtBuilder *b, MtVal *key)
{
   MtLate *l = b->late;
   int diff, own = b->root->key_end;
   if (l->count && !mt_keys_compare (l->documents[l->count - 1], key, own, &diff))
      return;
   MT_GROW_IN (l->arena, l->documents, l->count, l->cap, 16);
   l->documents[l->count++] = key;
   for (size_t i = 0; b->read && i < b->read->leaf_count; i++)
      for (size_t c = 0; c < b->read->leaves[i].count; c++) {
         const LateCell *old = &b->read->leaves[i].cells[c];
         if (mt_keys_compare (old->key, key, own, &diff))
            continue;
         LateCell *again = add_cell (l, &l->leaves[i], old->key);
         again->from = old->from;
         again->to = old->to;
      }
}

void mt_late_add (MtBuilder *b, const MtNodeW *leaf, int64_t ms)
{
   if (!b->late)
      b->late = late_new (b);
   LateCell *c = add_cell (b->late, late_leaf (b->late, leaf), leaf->cell_key);
   set_times (b->x.t, leaf->n, ms, c);
   b->is_late = true;
   add_document (b, c->key);
}

bool mt_late_makes (MtBuilder *b)
{
   MtLate *l = b->read;
   int diff, order = 1;
   if (!l)
      return true;
   while (l->at < l->count && (order = mt_keys_compare (l->documents[l->at], b->streams[0].key,
                                                        b->root->key_end, &diff)) < 0)
      l->at++;
   return l->at < l->count && order == 0;
}

/* ---- reading the records of late cells ---- */

static LateCell *find_cell (const LateLeaf *l, const MtVal *key)
{
   size_t lo = 0, hi = l->count;
   int diff;
   while (lo < hi) {
      size_t mid = (lo + hi) / 2;
      int c = mt_keys_compare (l->cells[mid].key, key, l->way->key_count, &diff);
      if (c == 0)
         return &l->cells[mid];
      if (c < 0)
         lo = mid + 1;
      else
         hi = mid;
   }
   return NULL;
}

typedef struct Reader {
   MtBuilder *b;
   MtLate *l;
   MtArena *scratch;
} Reader;

static bool add_record (const Reader *r, const LateLeaf *leaf, LateCell *c, const MtVal *row,
                        MtError *err)
{
   MtVal args[MT_STATE_ARGS];
   const MtPreagg *agg = &leaf->leaf->n->agg;
   c->records++;
   for (size_t i = 0; i < agg->state_count; i++) {
      const MtCellState *s = &agg->states[i];
      MtEval ev = {
         .arena = r->l->arena, .err = err, .user = s->acc->state->user, .cancel = r->b->x.cancel};
      if (!leaf->leaf->states[i].joins)
         continue;
      mt_cell_state_args (s, row, args);
      if (!mt_state_add_row (&ev, s->acc, c->states[i], args, r->scratch))
         return false;
   }
   return true;
}

static bool take_record (void *ctx, const MtVal *row, MtError *err)
{
   const Reader *r = ctx;
   bool ok = true;
   for (size_t i = 0; i < r->l->leaf_count && ok; i++) {
      const LateLeaf *leaf = &r->l->leaves[i];
      MtVal *key = MT_NEW_N (r->scratch, MtVal, leaf->way->key_count + 1);
      for (int k = 0; k < leaf->way->key_count; k++)
         key[k] = mt_binding_value (r->b->x.t, leaf->way->keys[k].bind, row);
      LateCell *c = find_cell (leaf, key);
      ok = !c || add_record (r, leaf, c, row, err);
   }
   mt_arena_reset (r->scratch);
   return ok;
}

static int by_key (const void *a, const void *b, void *leaf)
{
   int diff;
   return mt_keys_compare (((const LateCell *) a)->key, ((const LateCell *) b)->key,
                           ((const LateLeaf *) leaf)->way->key_count, &diff);
}

/* Sorts the late cells (array or map elements) of a leaf by key, and removes duplicates. */
static void sort_cells (LateLeaf *l)
{
   size_t kept = 0;
   if (!l->count)
      return;
   qsort_r (l->cells, l->count, sizeof *l->cells, by_key, l);
   for (size_t i = 1; i < l->count; i++)
      if (by_key (&l->cells[i], &l->cells[kept], l))
         l->cells[++kept] = l->cells[i];
   l->count = kept + 1;
}

static void make_states (MtLate *l)
{
   for (size_t i = 0; i < l->leaf_count; i++) {
      const MtPreagg *agg = &l->leaves[i].leaf->n->agg;
      sort_cells (&l->leaves[i]);
      for (size_t c = 0; c < l->leaves[i].count; c++) {
         LateCell *cell = &l->leaves[i].cells[c];
         cell->states = MT_NEW_N (l->arena, void *, agg->state_count + 1);
         for (size_t k = 0; k < agg->state_count; k++)
            cell->states[k] = mt_alloc (l->arena, agg->states[k].acc->state->size);
      }
   }
}

static int by_begin (const void *a, const void *b)
{
   const MtTimeSpan *x = a, *y = b;
   return (x->from > y->from) - (x->from < y->from);
}

/* Sets out->times to the time ranges of all late cells (array or map elements), sorted. Ranges that
 * touch are joined. If there are more than MOST_RANGES, they become one. */
static void list_times (const MtLate *l, MtLateRecords *out)
{
   size_t n = 0;
   for (size_t i = 0; i < l->leaf_count; i++)
      n += l->leaves[i].count;
   MtTimeSpan *all = MT_NEW_N (l->arena, MtTimeSpan, n + 1);
   size_t count = 0, kept = 0;
   for (size_t i = 0; i < l->leaf_count; i++)
      for (size_t c = 0; c < l->leaves[i].count; c++)
         all[count++] = (MtTimeSpan) {l->leaves[i].cells[c].from, l->leaves[i].cells[c].to};
   qsort (all, count, sizeof *all, by_begin);
   for (size_t i = 1; i < count; i++)
      if (all[i].from > all[kept].to)
         all[++kept] = all[i];
      else if (all[i].to > all[kept].to)
         all[kept].to = all[i].to;
   if (kept >= MOST_RANGES) {
      all[0].to = all[kept].to;
      kept = 0;
   }
   out->times = all;
   out->time_count = kept + 1;
}

/* Sets out->values: for each column, the value that all late cells (array or map elements) have in
 * common; MT_MISSING: they differ. */
static void list_values (const MtBuilder *b, const MtLate *l, MtLateRecords *out)
{
   size_t columns = b->x.t->column_count;
   bool *differ = MT_NEW_N (l->arena, bool, columns + 1);
   MtVal *values = MT_NEW_N (l->arena, MtVal, columns + 1);
   for (size_t i = 0; i < columns; i++)
      values[i] = mt_v_missing ();
   out->values = values;
   /* If the levels of some leaf do not bind a column, records with any value of it are needed. */
   for (size_t i = 0; i < l->leaf_count; i++) {
      const MtWriteWay *way = l->leaves[i].way;
      bool *bound = MT_NEW_N (l->arena, bool, columns + 1);
      for (int k = 0; k < way->key_count; k++)
         if (way->keys[k].bind->kind == MT_BIND_COLUMN)
            bound[way->keys[k].column] = true;
      for (size_t k = 0; l->leaves[i].count && k < columns; k++)
         differ[k] |= !bound[k];
   }
   for (size_t i = 0; i < l->leaf_count; i++)
      for (size_t c = 0; c < l->leaves[i].count; c++)
         for (int k = 0; k < l->leaves[i].way->key_count; k++) {
            const MtKeyField *f = &l->leaves[i].way->keys[k];
            MtVal v = l->leaves[i].cells[c].key[k];
            if (f->bind->kind != MT_BIND_COLUMN || f->column == b->x.t->time_column)
               continue;
            MtVal *one = &values[f->column];
            differ[f->column] |= one->type != MT_MISSING && mt_v_compare (*one, v) != 0;
            *one = differ[f->column] ? mt_v_missing () : v;
         }
}

bool mt_late_read (MtBuilder *b, MtError *err)
{
   if (b->read)
      mt_arena_free (b->read->arena);
   MtLate *l = b->read = b->late;
   b->late = NULL;
   if (++b->passes > MOST_PASSES) {
      mt_error_outrun (err);
      return mt_error_hint (err, "Others went on writing to the same documents. Run it again.");
   }
   if (!b->x.o->records) {
      mt_error (err, MT_E_FEATURE, "adding late rows to layout \"%s\" is not supported here",
                b->x.l->name);
      return mt_error_hint (err, "Drop the layout, and add it again after the rows.");
   }
   MtLateRecords wanted = {.t = b->x.t, .l = b->x.l};
   Reader r = {b, l, mt_arena_new ("late record", NULL)};
   make_states (l);
   list_times (l, &wanted);
   list_values (b, l, &wanted);
   bool ok = b->x.o->records (b->x.o->records_ctx, &wanted, take_record, &r, err);
   mt_arena_free (r.scratch);
   return ok;
}

bool mt_late_state (MtBuilder *b, const MtStateW *s, bool *found, MtVal *out)
{
   const MtNodeW *leaf = s->level;
   const LateCell *c = b->read ? find_cell (late_leaf (b->read, leaf), leaf->cell_key) : NULL;
   MtEval ev = {
      .arena = s->arena, .err = b->err, .user = s->s->acc->state->user, .cancel = b->x.cancel};
   *found = c != NULL;
   *out = mt_v_null ();
   if (!c)
      return true;
   /* another writer has added records since the cell was read */
   if (b->guarded && c->records < leaf->count)
      mt_late_add (b, leaf, c->from);
   else if (!s->s->acc->state->final (&ev, c->states[s - leaf->states], out))
      return false;
   if (mt_is_nullish (*out))
      *out = mt_v_null ();
   return true;
}

void mt_late_free (MtBuilder *b)
{
   if (b->read)
      mt_arena_free (b->read->arena);
   if (b->late)
      mt_arena_free (b->late->arena);
}
