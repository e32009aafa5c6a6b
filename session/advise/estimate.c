/* Computes the statistics of a layout that does not exist, from its descriptor and a profile of the
 * table: how many cells (entries) each level would have, and their sizes.
 *
 * The size of a cell is that of its BSON (bsonspec.org). An element has a type byte, a name with a
 * NUL byte, and a value. A document or array has a length, its elements, and a NUL byte. */
#include "session/advise/advise.h"
#include "layouts/collections/partition.h"

#include <math.h>
#include <string.h>

enum { DOCUMENT = 5, OBJECT_ID = 12, ID_KEY = 4, NUMBER = 8, SMALL_NUMBER = 4 };

static double element (const char *key, double value)
{
   return 2.0 + (double) strlen (key) + value;
}

/* Returns the mean number of digits of the array indexes 0 … n - 1. */
static double index_digits (double n)
{
   double digits = 0, from = 0, length = 1;
   for (double to = 10; from < n; from = to, to *= 10, length++)
      digits += ((to < n ? to : n) - from) * length;
   return n >= 1 ? digits / n : 1;
}

/* ---- sizes of values ---- */

/* Returns the mean size of a column's values in their encoding. sizes: the mean sizes over all
 * rows, or over the cells (array or map elements) of a level. */
static double encoded (const MtProfileSize *sizes, int column, const MtEncoding *e)
{
   MtProfileSize s = sizes[column];
   switch (e->kind) {
   case MT_ENC_NATIVE: return s.bytes;
   case MT_ENC_TEXT: return DOCUMENT + (s.text > e->pad ? s.text : e->pad);
   case MT_ENC_DATE: return NUMBER;
   case MT_ENC_EPOCH_S:
   case MT_ENC_EPOCH_MS: return e->as == MT_INT32 ? SMALL_NUMBER : NUMBER;
   case MT_ENC_FORMAT: return e->format ? DOCUMENT + 2.0 * (double) strlen (e->format) : s.bytes;
   }
   return s.bytes;
}

static double bound_value (const MtProfileSize *sizes, const MtBinding *b)
{
   if (b->kind != MT_BIND_TIME_PART)
      return encoded (sizes, b->column, &b->encoding);
   return b->encoding.kind == MT_ENC_TEXT ? DOCUMENT + 2 : SMALL_NUMBER;
}

static double number_bytes (uint8_t as)
{
   if (as == MT_DECIMAL)
      return 16;
   return as == MT_INT32 ? SMALL_NUMBER : NUMBER;
}

/* ---- size of one cell ---- */

static double pre_aggregates (const MtProfile *p, const MtPreagg *a)
{
   double bytes = a->n ? element (a->n, number_bytes (a->n_as)) : 0;
   for (size_t i = 0; i < a->measure_count; i++) {
      const MtMeasureAgg *m = &a->measures[i];
      bytes += m->sum ? element (m->sum, number_bytes (m->as)) : 0;
      bytes += m->min ? element (m->min, p->sizes[m->column].bytes) : 0;
      bytes += m->max ? element (m->max, p->sizes[m->column].bytes) : 0;
      bytes += m->nonnull ? element (m->nonnull, SMALL_NUMBER) : 0;
   }
   return bytes;
}

/* Returns the size of the columns that a record stores. */
static double record_columns (const MtProfile *p, const MtRaw *r)
{
   double bytes = 0;
   for (size_t i = 0; i < r->count; i++) {
      double value = encoded (p->sizes, r->columns[i], &r->encodings[i]);
      bytes += *r->paths[i] ? element (r->paths[i], value) : value;
   }
   return bytes;
}

/* Returns whether a cell (array or map element) of the level is a single value, not a document. */
static bool is_plain_value (const MtNode *n)
{
   return (n->raw.present && !n->raw.many && n->raw.count == 1 && !*n->raw.paths[0]) ||
          (n->agg.present && n->agg.measure_count && n->agg.measures[0].sum &&
           !*n->agg.measures[0].sum);
}

static double bindings (const MtProfileSize *sizes, const MtNode *n)
{
   double bytes = 0;
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      if (b->from == MT_FROM_FIELD)
         bytes += element (b->at, bound_value (sizes, b));
      else if (b->from == MT_FROM_ID && b->at)
         bytes += element (b->at, encoded (sizes, b->column, &b->encoding));
   }
   return bytes;
}

static double id_bytes (const MtProfileSize *sizes, const MtStoreDesc *s)
{
   double bytes = DOCUMENT;
   if (mt_root_binds_id (s))
      return 0;
   for (size_t i = 0; i < s->id_count; i++)
      bytes += s->id[i].literal ? (double) strlen (s->id[i].literal)
                                : bound_value (sizes, &s->id[i].bind);
   return ID_KEY + (s->id_count ? bytes : OBJECT_ID);
}

/* Returns the bytes of a cell around its fields: its field name or index, and its document's length
 * and end. siblings: number of cells in the same array or map. */
static double frame (const MtProfileSize *sizes, const MtStoreDesc *s, const MtNode *n,
                     double siblings)
{
   double value = is_plain_value (n) ? 0 : DOCUMENT;
   switch (n->kind) {
   case MT_NODE_DOCUMENT: return DOCUMENT + id_bytes (sizes, s);
   case MT_NODE_LIST:
   case MT_NODE_PAIRS:
   case MT_NODE_SLOTS: return 2 + index_digits (siblings) + value;
   case MT_NODE_MAP: return n->bind_count ? bound_value (sizes, &n->binds[0]) - 3 + value : value;
   case MT_NODE_SCALAR: return element (n->at, value);
   case MT_NODE_ARRAYS: return 0;
   }
   return value;
}

/* Returns the bytes of the arrays and sub-documents that contain the nested levels. */
static double containers (const MtNode *n)
{
   double bytes = 0;
   for (size_t i = 0; i < n->sub_count; i++)
      if (*n->subs[i]->at && n->subs[i]->kind != MT_NODE_SCALAR)
         bytes += element (n->subs[i]->at, DOCUMENT);
   return bytes;
}

static double range_bytes (const MtTimeRange *r)
{
   return r->present ? element (r->min, NUMBER) + element (r->max, NUMBER) : 0;
}

/* ---- sizes of levels ---- */

/* Adds the columns and the time that nesting level n binds to the set `above`, and returns the
 * set. */

static MtProfileSet fixed_by (const MtTable *t, MtProfileSet above, const MtNode *n)
{
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      if (b->column != t->time_column) {
         above.columns |= UINT64_C (1) << (b->column & 63);
         continue;
      }
      above.timed = true;
      above.unit = b->kind == MT_BIND_COLUMN ? MT_UNIT_MS : b->unit;
   }
   return above;
}

static MtProfileSet fixed_at (const MtTable *t, const MtNode *n)
{
   return fixed_by (t, n->parent ? fixed_at (t, n->parent) : (MtProfileSet) {0}, n);
}

/* Returns the set of columns, and perhaps the time, that have one value in each document. In a
 * partitioned store, the time's unit may be that of the partitions. */
static MtProfileSet fixed_by_document (const MtTable *t, const MtLayout *l, const MtStoreDesc *s)
{
   MtProfileSet f = fixed_at (t, s->root);
   if (l->keeps == MT_KEEPS_LATEST) {
      f = (MtProfileSet) {0};
      for (size_t i = 0; i < l->key_count; i++)
         f.columns |= UINT64_C (1) << (l->key[i] & 63);
   }
   if (s->parts && !f.timed) {
      f.timed = true;
      f.unit = s->parts->unit;
   }
   return f;
}

void mt_profile_want (MtProfile *p, const MtLayout *l)
{
   for (size_t i = 0; i < l->store_count; i++) {
      const MtStoreDesc *s = &l->stores[i];
      MtProfileSet f = fixed_by_document (p->table, l, s);
      mt_profile_want_key (p, f);
      for (size_t k = 1; k < s->node_count; k++) {
         f = fixed_at (p->table, s->nodes[k]);
         mt_profile_want_key (p, f);
      }
   }
}

static double count_of (const MtProfile *p, MtProfileSet f)
{
   const MtProfileKey *k = mt_profile_key (p, f);
   return k ? mt_profile_count (p, k) : p->rows;
}

/* Returns the mean sizes of a level's bound values, over its cells (array or map elements). */
static const MtProfileSize *sizes_of (const MtProfile *p, const MtStoreDesc *s, const MtNode *n)
{
   MtProfileSet f = fixed_at (p->table, n);
   const MtProfileKey *k = mt_profile_key (p, f);
   return k && k->sampled > 0 && s->write != MT_WRITE_INSERT ? k->sizes : p->sizes;
}

/* Returns the number of cells (array or map elements) of a level below the root. */
static double cells_of (const MtProfile *p, const MtNode *n, const MtNodeStats *nodes)
{
   if (n->kind == MT_NODE_SCALAR)
      return nodes[n->parent->id].cells;
   if (n->raw.present && !n->raw.many && mt_is_listed (n))
      return p->rows; /* each record is an element */
   MtProfileSet f = fixed_at (p->table, n);
   return count_of (p, f);
}

/* Returns the number of documents. If the writer ends a document after a fixed number of cells
 * (array or map elements), a key can have several documents. */
static double documents_of (const MtProfile *p, const MtLayout *l, const MtStoreDesc *s,
                            double cells)
{
   if (s->write == MT_WRITE_INSERT)
      return p->rows;
   MtProfileSet f = fixed_by_document (p->table, l, s);
   double keys = count_of (p, f),
          most = (double) (s->flush_levels ? s->flush_levels : MT_FLUSH_LEVELS);
   return s->write == MT_WRITE_PACK ? keys + floor (cells / most) : keys;
}

/* Returns the size of all cells (array or map elements) of a level, without their nested levels. */
static double level_bytes (const MtProfile *p, const MtStoreDesc *s, const MtNode *n,
                           const MtNodeStats *nodes)
{
   double cells = nodes[n->id].cells, siblings = 1;
   if (n->parent && nodes[n->parent->id].cells > 0)
      siblings = cells / nodes[n->parent->id].cells;
   const MtProfileSize *sizes = sizes_of (p, s, n);
   double one = frame (sizes, s, n, siblings) + bindings (sizes, n) + pre_aggregates (p, &n->agg) +
                range_bytes (&n->range) + containers (n);
   if (!n->raw.present)
      return cells * one;
   if (!n->raw.many)
      return cells * (one + record_columns (p, &n->raw));
   double each = cells > 0 ? p->rows / cells : 0;
   return cells * (one + element (n->raw.at, DOCUMENT)) +
          p->rows * (2 + index_digits (each) + DOCUMENT + record_columns (p, &n->raw));
}

/* Returns the sum, over all documents, of the time from first to last record. A key without the
 * time spans all times of the table. If it has several documents, they span them together. */
static double spans_of (const MtProfile *p, const MtLayout *l, const MtStoreDesc *s)
{
   MtProfileSet f = fixed_by_document (p->table, l, s);
   double all = (double) (p->max_ms - p->min_ms), keys = count_of (p, f);
   double unit = f.timed && mt_unit_ms (f.unit) ? (double) mt_unit_ms (f.unit) : all;
   return s->root->range.present && p->has_time ? keys * (unit < all ? unit : all) : 0;
}

static void estimate_store (const MtProfile *p, const MtLayout *l, const MtStoreDesc *s,
                            MtStoreStats *out)
{
   double cells = 0;
   *out = (MtStoreStats) {.present = true,
                          .records = p->rows,
                          .has_time = p->has_time,
                          .min_ms = p->min_ms,
                          .max_ms = p->max_ms,
                          .nodes = MT_NEW_N (p->arena, MtNodeStats, s->node_count),
                          .nulls = p->nulls,
                          .null_columns = p->table->column_count};
   for (size_t i = 1; i < s->node_count; i++) {
      out->nodes[i].cells = cells_of (p, s->nodes[i], out->nodes);
      cells += out->nodes[i].cells;
   }
   out->documents = out->nodes[0].cells = documents_of (p, l, s, cells);
   out->spans_ms = spans_of (p, l, s);
   for (size_t i = 0; i < s->node_count; i++) {
      out->nodes[i].bytes = level_bytes (p, s, s->nodes[i], out->nodes);
      out->bytes += out->nodes[i].bytes;
   }
}

/* Sets the list of partitions that the rows would need. */
static void list_partitions (const MtProfile *p, MtStoreDesc *s)
{
   MtPartitions *parts = MT_NEW (p->arena, MtPartitions);
   size_t cap = 0;
   *parts = (MtPartitions) {.unit = s->parts->unit, .arena = p->arena};
   s->parts = parts;
   for (int64_t at = p->min_ms; p->has_time && at <= p->max_ms;) {
      MT_GROW_IN (p->arena, parts->list, parts->count, cap, 16);
      parts->list[parts->count] = mt_partition_of (p->arena, s, at);
      at = parts->list[parts->count++].end_ms;
   }
}

void mt_estimate (const MtProfile *p, MtLayout *l)
{
   l->stats = MT_NEW_N (p->arena, MtStoreStats, l->store_count);
   for (size_t i = 0; i < l->store_count; i++) {
      if (l->stores[i].parts)
         list_partitions (p, &l->stores[i]);
      estimate_store (p, l, &l->stores[i], &l->stats[i]);
   }
}

/* Returns whether a layout lacks statistics, because its documents were never counted. */
static bool lacks_statistics (const MtLayout *l)
{
   for (size_t i = 0; l->stats && i < l->store_count; i++)
      if (!l->stats[i].present)
         return true;
   return !l->stats;
}

bool mt_estimate_missing (MtStatement *st, const MtTable *t, MtLayout *layouts, size_t count,
                          MtError *err)
{
   MtProfile *p = NULL;
   for (size_t i = 0; i < count; i++) {
      if (!lacks_statistics (&layouts[i]))
         continue;
      p = p ? p : mt_profile_new (st->arena, t);
      mt_profile_want (p, &layouts[i]);
   }
   if (p && !mt_profile_measure (st, p, err))
      return false;
   for (size_t i = 0; p && i < count; i++)
      if (lacks_statistics (&layouts[i]))
         mt_estimate (p, &layouts[i]);
   return true;
}
