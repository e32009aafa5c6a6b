#include "planner/cut/scan.h"

#include "layouts/stored.h"
#include "query/condition.h"
#include "query/function.h"
#include "query/x.h"
#include "planner/cut/scan_id.h"
#include "planner/cut/shape.h"

#include <string.h>

/* ---- decoding stored values ---- */

static const char *converter_of (MtTypeId id)
{
   switch (id) {
   case MT_T_INT2:
   case MT_T_INT4: return "$toInt";
   case MT_T_INT8: return "$toLong";
   case MT_T_FLOAT4:
   case MT_T_FLOAT8: return "$toDouble";
   case MT_T_NUMERIC: return "$toDecimal";
   default: return NULL;
   }
}

/* Returns an expression that converts the stored texts "true" and "false" to booleans. Any other
 * text is an error on the server, because no $switch branch matches. */
static const bson_t *bool_of_text (MtArena *a, const bson_t *p)
{
   const bson_t *null = mt_doc_of (a, mt_v_null ());
   const bson_t *when[][2] = {{mt_mql_op (a, "$eq", p, mt_mql_const (a, mt_v_cstr ("true")), NULL),
                               mt_doc_of (a, mt_v_bool (true))},
                              {mt_mql_op (a, "$eq", p, mt_mql_const (a, mt_v_cstr ("false")), NULL),
                               mt_doc_of (a, mt_v_bool (false))},
                              {mt_mql_op (a, "$lte", p, null, NULL), null}};
   bson_t *branches = mt_doc_new (a), *all = mt_doc_new (a);
   for (uint32_t i = 0; i < sizeof when / sizeof *when; i++) {
      char key[MT_INDEX_SIZE];
      bson_t *branch = mt_doc_new (a);
      mt_doc_add (branch, "case", mt_doc_value (when[i][0]));
      mt_doc_add (branch, "then", mt_doc_value (when[i][1]));
      mt_doc_add_doc (branches, mt_index_key (i, key), branch);
   }
   mt_doc_add_array (all, "branches", branches);
   return mt_mql_op1 (a, "$switch", mt_doc_of (a, mt_v_doc (all)));
}

static const bson_t *decoded_text (MtArena *a, MtTypeId id, const bson_t *p)
{
   const char *convert = converter_of (id);
   if (convert)
      return mt_mql_op1 (a, convert, p);
   if (id == MT_T_BOOL)
      return bool_of_text (a, p);
   return id == MT_T_UUID ? mt_mql_op (a, "$_mt_uuid_from_text", p, NULL) : NULL;
}

/* Returns whether a time is stored as seconds with fractions. Then several stored numbers mean the
 * same millisecond. */
static bool has_fractions (const MtEncoding *e, const MtColumn *c)
{
   return e->kind == MT_ENC_EPOCH_S && (c->period_ms == 0 || c->period_ms % 1000);
}

/* Returns an expression that rounds stored seconds v down to whole milliseconds, as codec.c does.
 * Rounding v * 1000 to the nearest integer may give 1 ms too much; then 1 is subtracted. */
const bson_t *mt_ms_of_seconds (MtArena *a, const MtEncoding *e, const MtColumn *c, const bson_t *v)
{
   const bson_t *thousand = mt_mql_int (a, 1000);
   const bson_t *ms = mt_mql_op (a, "$multiply", v, thousand, NULL);
   if (!has_fractions (e, c))
      return ms;
   const bson_t *near = mt_mql_path (a, "$ms");
   const bson_t *stored = mt_mql_op (a, "$divide", near, thousand, NULL);
   const bson_t *above = mt_mql_op (a, "$gt", stored, v, NULL);
   const bson_t *less = mt_mql_op (a, "$cond", above, mt_mql_int (a, 1), mt_mql_int (a, 0), NULL);
   return mt_mql_let (a, "ms", mt_mql_op (a, "$round", ms, mt_mql_int (a, 0), NULL),
                      mt_mql_op (a, "$subtract", near, less, NULL));
}

const bson_t *mt_decoded (MtArena *a, const MtEncoding *e, const MtColumn *c, const char *path)
{
   if (e->kind == MT_ENC_NATIVE || e->kind == MT_ENC_DATE)
      return NULL;
   const bson_t *p = mt_mql_path (a, path);
   switch (e->kind) {
   case MT_ENC_NATIVE:
   case MT_ENC_DATE: return NULL;
   case MT_ENC_TEXT: return decoded_text (a, c->type.id, p);
   case MT_ENC_EPOCH_S: return mt_mql_op1 (a, "$toDate", mt_ms_of_seconds (a, e, c, p));
   case MT_ENC_EPOCH_MS: return mt_mql_op1 (a, "$toDate", mt_mql_op1 (a, "$toLong", p));
   case MT_ENC_FORMAT: return mt_mql_from_format (a, path, e->format, mt_v_missing ());
   }
   return NULL;
}

static bool encode_epoch_s (const MtPlace *p, MtArena *a, MtVal c, MtVal *out, bool *exact)
{
   (void) p;
   (void) a;
   *exact = true;
   *out = c.i % 1000 == 0 ? mt_v_int64 (c.i / 1000) : mt_v_double ((double) c.i / 1000.0);
   return c.type == MT_DATE;
}

static bool encode_epoch_ms (const MtPlace *p, MtArena *a, MtVal c, MtVal *out, bool *exact)
{
   (void) p;
   (void) a;
   *exact = true;
   *out = mt_v_int64 (c.i);
   return c.type == MT_DATE;
}

bool mt_format_sorts (const char *f)
{
   const char *order = "YmdHMSL";
   int at = 0;
   for (; *f; f++) {
      if (*f != '%')
         continue;
      const char *where = strchr (order, *++f);
      if (!where || where - order != at++)
         return false;
   }
   return at > 0;
}

static bool encode_format (const MtPlace *p, MtArena *a, MtVal c, MtVal *out, bool *exact)
{
   const MtEncoding *e = p->impl;
   if (c.type != MT_DATE)
      return false;
   /* Stored years have four digits. A constant before year 0 is less than all stored times. A
    * constant after year 9999 is compared as the last storable time. */
   int64_t last = MT_FORMAT_MAX_MS,
           start = mt_unit_floor (c.i > last ? last : c.i, mt_format_grain (e->format));
   MtBuf text = {0};
   if (c.i >= MT_FORMAT_MIN_MS)
      mt_time_format (e->format, start, &text);
   *exact = start == c.i || !text.n;
   *out = mt_v_copy (a, mt_v_str (text.p ? text.p : "", text.n));
   mt_buf_free (&text);
   return true;
}

/* ---- where columns are read ---- */

static MtPlace place_stored (MtArena *a, const MtEncoding *e, const MtColumn *c, const char *path,
                             bool nullable)
{
   MtPlace p = {
      .path = path, .nullable = nullable, .may_be_missing = nullable, .can_match = true, .impl = e};
   p.expr = mt_decoded (a, e, c, path);
   if (!p.expr)
      return p;
   switch (e->kind) {
   case MT_ENC_EPOCH_S:
      p.encode = encode_epoch_s;
      p.several = has_fractions (e, c);
      break;
   case MT_ENC_EPOCH_MS: p.encode = encode_epoch_ms; break;
   case MT_ENC_FORMAT: p.encode = mt_format_sorts (e->format) ? encode_format : NULL; break;
   case MT_ENC_NATIVE:
   case MT_ENC_DATE:
   case MT_ENC_TEXT: break;
   }
   if (!p.encode) {
      p.path = NULL;
      p.can_match = false;
   }
   return p;
}

static MtPlace place_expr (const bson_t *expr) { return (MtPlace) {.expr = expr}; }

typedef struct Emitting {
   MtArena *a;
   const MtWay *w;
   const MtNeed *need;
   MtRangeSet exact;  /* the time ranges of the rows to read */
   MtRangeSet ranges; /* like `exact`, without times at which the filters can't be true */
   MtDocMode docs;
   bool prune;
   MtScan *s;
   /* path of the current level's entry (array element or map value) in the document */
   const char *value;
   /* Path of the current map key or array index. NULL: the level is neither a map nor slots. */
   const char *key;
   /* For each unit of time: an expression for the start of the current hour, day …; NULL: not known
    * yet. */
   const bson_t *time_at[MT_UNIT_EPOCH + 1];
   bool *consumed; /* for each filter: an earlier stage has already checked it */
   MtEmit emit;
   bson_t *all; /* array of the $match conditions for the current level */
   int all_count;
   MtError *err;
} Emitting;

#define ID_PARTS "_mtid" /* temporary field: a document with the parts of the composed _id */

static const char *bind_path (const Emitting *m, const MtBinding *b)
{
   if (b->from == MT_FROM_ID)
      return mt_dotted (m->a, ID_PARTS, mt_id_part_name (m->a, b->id_part));
   return b->from == MT_FROM_FIELD ? mt_dotted (m->a, m->value, b->at) : m->key;
}

/* Returns the encoding in which the value of binding b (a column or time of a level) is stored. */
static const MtEncoding *bind_encoding (const Emitting *m, const MtBinding *b)
{
   return b->from == MT_FROM_ID ? mt_id_part_encoding (m->w->table, m->w->store, b->id_part)
                                : &b->encoding;
}

static const bson_t *part_value (Emitting *m, const MtBinding *b)
{
   MtArena *a = m->a;
   const bson_t *v = mt_mql_path (a, bind_path (m, b));
   if (bind_encoding (m, b)->kind == MT_ENC_TEXT)
      v = mt_mql_op1 (a, "$toInt", v);
   if (b->base)
      v = mt_mql_op (a, "$subtract", v, mt_mql_int (a, b->base), NULL);
   return mt_unit_ms (b->unit)
             ? mt_mql_op (a, "$multiply", v, mt_mql_int (a, mt_unit_ms (b->unit)), NULL)
             : v;
}

static void bind_time (Emitting *m, const MtBinding *b)
{
   MtArena *a = m->a;
   int tc = m->w->table->time_column;
   MtPlace *p = &m->s->columns[tc];
   if (b->kind == MT_BIND_TIME_TRUNC) {
      const MtEncoding *e = bind_encoding (m, b);
      *p = place_stored (a, e, &m->w->table->columns[tc], bind_path (m, b), false);
      m->s->encodings[tc] = p->encode && !p->several ? e : NULL;
      m->time_at[b->unit] = p->expr ? p->expr : mt_mql_path (a, p->path);
      return;
   }
   const bson_t *base = m->time_at[b->of];
   const bson_t *part = part_value (m, b);
   m->time_at[b->unit] = b->unit == MT_UNIT_MONTH ? mt_mql_month_of (a, base, part)
                                                  : mt_mql_op (a, "$add", base, part, NULL);
   *p = place_expr (m->time_at[b->unit]);
   m->s->encodings[tc] = NULL;
}

static void bind_column (Emitting *m, int column, const MtEncoding *e, const char *path,
                         bool from_name)
{
   const MtColumn *c = &m->w->table->columns[column];
   m->s->columns[column] = place_stored (m->a, e, c, path,
                                         !from_name && !mt_has_no_nulls (m->w, column));
   const MtPlace *p = &m->s->columns[column];
   m->s->encodings[column] = p->encode && !p->several ? e : NULL;
}

static void bind_level (Emitting *m, const MtNode *n)
{
   bool time_done = m->w->time_exact && m->w->table->time_column >= 0 &&
                    m->w->bound[m->w->table->time_column];
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      if (b->kind == MT_BIND_COLUMN) {
         if (!m->s->columns[b->column].path || m->w->bound[b->column] == b)
            bind_column (m, b->column, bind_encoding (m, b), bind_path (m, b),
                         b->from != MT_FROM_FIELD);
      } else if (!(time_done && m->time_at[MT_UNIT_EPOCH])) {
         bind_time (m, b);
      }
   }
}

/* ---- conditions ---- */

static bson_t *condition (Emitting *m) { return mt_doc_new (m->a); }

static void add_condition (Emitting *m, const bson_t *c)
{
   char key[MT_INDEX_SIZE];
   if (bson_empty (c))
      return;
   mt_doc_add_doc (m->all, mt_index_key ((uint32_t) m->all_count++, key), c);
}

static void add_exists (Emitting *m, const char *path)
{
   bson_t *c = condition (m), *e = mt_doc_new (m->a);
   mt_doc_add (e, "$exists", mt_v_bool (true));
   mt_doc_add_doc (c, path, e);
   add_condition (m, c);
}

static void add_compare (MtArena *a, bson_t *c, const char *path, const char *op, MtVal v)
{
   bson_t *e = mt_doc_new (a);
   mt_doc_add (e, op, v);
   mt_doc_add_doc (c, path, e);
}

/* Adds {op: ms} to `ops`, the conditions on a stored time, with ms in the stored encoding. op: $gte
 * for a lower bound, $lt for an upper bound. False if ms can't be encoded. */
static bool stored_bound (Emitting *m, const MtPlace *p, bson_t *ops, const char *op, int64_t ms)
{
   MtVal v = mt_v_date (ms);
   bool exact = true, lower = strcmp (op, "$gte") == 0;
   if (p->encode && !p->encode (p, m->a, mt_v_date (ms), &v, &exact))
      return false;
   if (!exact)
      op = lower ? "$gt" : "$lte";
   mt_doc_add (ops, op, v);
   return true;
}

static const bson_t *range_expr (Emitting *m, const bson_t *time, MtRange r)
{
   MtArena *a = m->a;
   const bson_t *lo = r.lo == MT_TIME_MIN
                         ? NULL
                         : mt_mql_op (a, "$gte", time, mt_mql_const (a, mt_v_date (r.lo)), NULL);
   const bson_t *hi = r.hi == MT_TIME_MAX
                         ? NULL
                         : mt_mql_op (a, "$lt", time, mt_mql_const (a, mt_v_date (r.hi)), NULL);
   if (lo && hi)
      return mt_mql_op (a, "$and", lo, hi, NULL);
   return lo ? lo : hi;
}

static bson_t *range_condition (Emitting *m, const MtPlace *p, MtRange r)
{
   bson_t *c = condition (m);
   if (!p->path) {
      const bson_t *x = range_expr (m, p->expr, r);
      if (x)
         mt_doc_add (c, "$expr", mt_doc_value (x));
      return c;
   }
   bson_t *ops = mt_doc_new (m->a);
   bool ok = (r.lo == MT_TIME_MIN || stored_bound (m, p, ops, "$gte", r.lo)) &&
             (r.hi == MT_TIME_MAX || stored_bound (m, p, ops, "$lt", r.hi));
   if (ok && !bson_empty (ops))
      mt_doc_add_doc (c, p->path, ops);
   return c;
}

static void add_any (Emitting *m, bson_t *list, int count)
{
   bson_t *c = condition (m);
   if (count == 1) {
      MtVal only = mt_doc_value (list);
      bson_t view;
      if (bson_init_static (&view, only.p, only.len))
         add_condition (m, &view);
      return;
   }
   mt_doc_add_array (c, "$or", list);
   add_condition (m, c);
}

/* Adds the condition that the stored time at p is in the query's time ranges. unit: the stored
 * times are truncated to this unit, so the ranges are widened to whole units; MT_UNIT_EPOCH: they
 * are exact. */
static void add_ranges (Emitting *m, const MtPlace *p, MtUnit unit)
{
   bson_t *list = mt_doc_new (m->a);
   int n = 0;
   for (int i = 0; i < m->ranges.count; i++) {
      MtRange r = m->ranges.ranges[i];
      if (unit != MT_UNIT_EPOCH)
         r.lo = mt_unit_floor (r.lo, unit);
      char key[MT_INDEX_SIZE];
      mt_doc_add_doc (list, mt_index_key ((uint32_t) n++, key), range_condition (m, p, r));
   }
   if (n)
      add_any (m, list, n);
}

static void add_never (Emitting *m)
{
   bson_t *c = condition (m);
   mt_doc_add (c, "$expr", mt_v_bool (false));
   add_condition (m, c);
}

/* ---- time ranges stored in documents ---- */

static bson_t *document_meets (Emitting *m, const MtPlace *min, const MtPlace *max, MtRange r,
                               bool inside)
{
   bson_t *c = condition (m), *lo = mt_doc_new (m->a), *hi = mt_doc_new (m->a);
   const MtPlace *low = inside ? min : max, *high = inside ? max : min;
   if (r.lo != MT_TIME_MIN)
      stored_bound (m, low, lo, "$gte", r.lo);
   if (r.hi != MT_TIME_MAX)
      stored_bound (m, high, hi, "$lt", r.hi);
   if (!bson_empty (lo))
      mt_doc_add_doc (c, low->path, lo);
   if (!bson_empty (hi))
      mt_doc_add_doc (c, high->path, hi);
   return c;
}

static void add_document_range (Emitting *m, const MtTimeRange *range)
{
   const MtColumn *tc = &m->w->table->columns[m->w->table->time_column];
   MtPlace min = place_stored (m->a, &range->encoding, tc, range->min, false);
   MtPlace max = place_stored (m->a, &range->encoding, tc, range->max, false);
   bson_t *meets = mt_doc_new (m->a), *inside = mt_doc_new (m->a);
   for (int i = 0; i < m->ranges.count; i++) {
      char room[MT_INDEX_SIZE];
      const char *key = mt_index_key ((uint32_t) i, room);
      mt_doc_add_doc (meets, key, document_meets (m, &min, &max, m->ranges.ranges[i], false));
      mt_doc_add_doc (inside, key, document_meets (m, &min, &max, m->ranges.ranges[i], true));
   }
   if (m->docs == MT_DOCS_INSIDE) {
      add_any (m, inside, m->ranges.count);
      return;
   }
   if (m->prune || m->docs == MT_DOCS_EDGE)
      add_any (m, meets, m->ranges.count);
   if (m->docs == MT_DOCS_EDGE) {
      bson_t *c = condition (m);
      mt_doc_add_array (c, "$nor", inside);
      add_condition (m, c);
   }
}

/* ---- times at which filters can be true ---- */

enum { MOST_NARROWED = 16 };

/* Returns the parts of a piece's time ranges in which the filters can be true. (A piece is a part
 * of a plan.) A condition on the time can use an index, unlike a filter such as date_trunc ('day',
 * ts) = '2024-05-01'. If rows without a time may match, returns the piece's ranges unchanged. */
static MtRangeSet narrowed (MtArena *a, const MtPiece *piece, const MtNeed *need)
{
   int tc = need->table->time_column;
   const MtX *where = need->query->where;
   if (piece->docs != MT_DOCS_ALL || tc < 0 || !where || !need->filter_count ||
       (!need->table->columns[tc].not_null && !mt_excludes_null (where, tc)))
      return piece->ranges;
   MtRangeSet less = mt_ranges_intersect (a, piece->ranges, need->within);
   return less.count && less.count <= MOST_NARROWED ? less : piece->ranges;
}

static bool is_narrowed (const Emitting *m)
{
   bool same = m->exact.count == m->ranges.count;
   for (int i = 0; i < m->exact.count && same; i++)
      same = m->exact.ranges[i].lo == m->ranges.ranges[i].lo &&
             m->exact.ranges[i].hi == m->ranges.ranges[i].hi;
   return !same;
}

static void add_time_conditions (Emitting *m, int level)
{
   const MtWay *w = m->w;
   const MtNode *n = w->levels[level < w->count ? level : w->count - 1];
   if (!m->need->has_ranges && !is_narrowed (m))
      return;
   if (m->ranges.count == 0) {
      if (level == 0)
         add_never (m);
      return;
   }
   if (level == 0 && n->range.present)
      add_document_range (m, &n->range);
   if (m->docs == MT_DOCS_INSIDE)
      return;
   if (level == w->time_at) {
      add_ranges (m, &m->s->columns[w->table->time_column],
                  is_narrowed (m) && !w->time_exact ? w->grain : MT_UNIT_EPOCH);
   } else if (level < w->count && m->prune) {
      for (size_t i = 0; i < n->bind_count; i++)
         if (n->binds[i].kind != MT_BIND_COLUMN && level < w->time_at)
            add_ranges (m, &m->s->columns[w->table->time_column], n->binds[i].unit);
   }
}

/* Returns whether one of the columns marked in `columns` is read from a part of the composed
 * _id. */
static bool from_id (const Emitting *m, const bool *columns)
{
   const MtNode *root = m->w->store->root;
   for (size_t i = 0; i < root->bind_count; i++)
      if (root->binds[i].from == MT_FROM_ID && columns[root->binds[i].column])
         return true;
   return false;
}

static bool filter_from_id (const Emitting *m, const MtX *x)
{
   bool *columns = MT_NEW_N (m->a, bool, m->w->table->column_count + 1);
   mt_x_mark_columns (x, columns);
   return from_id (m, columns);
}

/* Adds a condition that `column` is in the times at which the filter can be true. Unlike the filter
 * itself, this condition can use an index. */
static void add_times_of (Emitting *m, const MtX *filter, int column)
{
   const MtPlace *p = &m->s->columns[column];
   MtRangeSet times = mt_ranges_within (m->a, filter, column);
   bson_t *list = mt_doc_new (m->a);
   if (column == m->w->table->time_column || !p->path || !p->can_match || times.count == 0 ||
       times.count > MOST_NARROWED || mt_ranges_is_all (times) ||
       !mt_excludes_null (filter, column))
      return;
   for (int i = 0; i < times.count; i++)
      mt_doc_push (list, mt_v_doc (range_condition (m, p, times.ranges[i])));
   add_any (m, list, times.count);
}

/* Calls add_times_of for all date and time columns of a filter, except the table's time column,
 * whose times m->ranges already has. */
static void add_times (Emitting *m, const MtX *filter)
{
   const MtTable *t = m->w->table;
   bool *used = MT_NEW_N (m->a, bool, t->column_count + 1);
   mt_x_mark_columns (filter, used);
   for (size_t i = 0; i < t->column_count; i++)
      if (used[i] && mt_type_is_datetime (t->columns[i].type.id))
         add_times_of (m, filter, (int) i);
}

/* Adds the query's filters that can be checked at this nesting level to its $match. without_id:
 * only those that need no part of the composed _id. */
static bool add_filters (Emitting *m, int level, bool without_id)
{
   for (int i = 0; i < m->need->filter_count; i++) {
      if (m->consumed[i] || mt_level_of (m->w, m->need->filters[i]) != level ||
          (without_id && filter_from_id (m, m->need->filters[i])))
         continue;
      bson_t *c = condition (m);
      m->consumed[i] = true;
      if (!mt_emit_match (&m->emit, m->need->filters[i], c))
         return false;
      if (m->prune && bson_has_field (c, "$expr"))
         add_times (m, m->need->filters[i]);
      add_condition (m, c);
   }
   return true;
}

static void flush_conditions (Emitting *m)
{
   if (m->all_count)
      mt_pipe_add (m->s->pipe, "$match", mt_match_all (m->a, m->all));
   m->all = mt_doc_new (m->a);
   m->all_count = 0;
}

/* Returns, for each column, whether it is still needed: by the query block, or by conditions that
 * are not checked yet. */
static bool *still_needed (Emitting *m, bool time_is_known)
{
   const MtTable *t = m->w->table;
   bool *needed = MT_NEW_N (m->a, bool, t->column_count + 1);
   memcpy (needed, m->need->beside, t->column_count * sizeof *needed);
   for (int i = 0; i < m->need->filter_count; i++)
      if (!m->consumed[i])
         mt_x_mark_columns (m->need->filters[i], needed);
   if (t->time_column >= 0) /* nested levels add hours, minutes … to the document's time */
      needed[t->time_column] |= (m->need->has_ranges || is_narrowed (m)) &&
                                (!time_is_known || m->w->time_at > 0);
   return needed;
}

/* Appends a $match with the conditions that don't need the parts of the composed _id. It comes
 * before the stage that splits the _id, so that it can use an index. */
static bool conditions_around_id (Emitting *m)
{
   const MtTable *t = m->w->table;
   bool *time = MT_NEW_N (m->a, bool, t->column_count + 1);
   MtIdImplies implies = {0};
   const bson_t *ids = m->prune ? mt_id_condition (m->a, m->w, m->need, m->exact, &implies) : NULL;
   for (int i = 0; i < m->need->filter_count && implies.filters; i++)
      m->consumed[i] |= implies.filters[i];
   if (t->time_column >= 0)
      time[t->time_column] = true;
   bool time_from_id = from_id (m, time),
        time_is_known = time_from_id && implies.time && !m->w->levels[0]->range.present;
   const bool *needed = still_needed (m, time_is_known);
   if (ids)
      add_condition (m, ids);
   if (!time_from_id)
      add_time_conditions (m, 0);
   if (!from_id (m, needed))
      return true;
   if (!add_filters (m, 0, true))
      return false;
   flush_conditions (m);
   bson_t *add = mt_doc_new (m->a);
   mt_doc_add (add, ID_PARTS, mt_doc_value (mt_id_parts (m->a, t, m->w->store, needed, false)));
   mt_pipe_add (m->s->pipe, "$addFields", add);
   if (time_from_id && !time_is_known)
      add_time_conditions (m, 0);
   return true;
}

static bool conditions_at (Emitting *m, int level)
{
   if (level > 0)
      add_time_conditions (m, level);
   else if (!conditions_around_id (m))
      return false;
   if (!add_filters (m, level, false))
      return false;
   flush_conditions (m);
   return true;
}

/* ---- levels ---- */

static void unwind (Emitting *m, const char *path, const char *index)
{
   if (!index) {
      mt_pipe_add_value (m->s->pipe, "$unwind", mt_doc_value (mt_mql_path (m->a, path)));
      return;
   }
   bson_t *u = mt_doc_new (m->a);
   mt_doc_add_path (m->a, u, "path", path);
   mt_doc_add_text (u, "includeArrayIndex", index);
   mt_pipe_add (m->s->pipe, "$unwind", u);
}

/* Returns whether a map key v can be a name in a field path. */
static bool plain_name (MtVal v)
{
   if (v.type != MT_STRING || v.len == 0 || v.p[0] == '$')
      return false;
   for (uint32_t i = 0; i < v.len; i++)
      if (v.p[i] == '.' || v.p[i] == 0)
         return false;
   /* Digits are allowed: in $match they would be an index only in arrays. */
   return true;
}

/* Finds a filter `column = constant` on the key of map level n, by which the plan reads just this
 * field of the map. Sets *filter to its index, and returns the constant. NULL: there is none. */
static const MtX *key_constant (Emitting *m, const MtNode *n, int *filter)
{
   const MtBinding *b = n->bind_count ? &n->binds[0] : NULL;
   if (!b || b->from != MT_FROM_KEY || b->kind != MT_BIND_COLUMN || !m->prune)
      return NULL;
   for (int i = 0; i < m->need->filter_count; i++) {
      const MtX *x = m->need->filters[i];
      if (!mt_x_is_equality (x))
         continue;
      const MtX *l = x->call.args[0], *r = x->call.args[1];
      if (l->kind == MT_X_COLUMN && l->column == b->column && r->kind == MT_X_CONST &&
          plain_name (r->value)) {
         *filter = i;
         return r;
      }
   }
   return NULL;
}

/* Returns whether an entry of the level may be an array. Then {$ne: null} in $match would test the
 * array's elements instead. */
static bool may_be_array (const Emitting *m, const MtNode *n)
{
   for (size_t i = 0; i < n->sub_count; i++)
      if (!*n->subs[i]->at)
         return true;
   if (!n->raw.present || n->raw.many)
      return n->raw.present && !*n->raw.at;
   for (size_t i = 0; i < n->raw.count; i++)
      if (!*n->raw.paths[i] && mt_type_is_array (m->w->table->columns[n->raw.columns[i]].type.id))
         return true;
   return false;
}

/* Appends a $match that skips null array elements and null map values, which hold no data. */
static void skip_null (Emitting *m, const MtNode *n, const char *path)
{
   bson_t *c = condition (m);
   if (may_be_array (m, n))
      mt_doc_add (c, "$expr",
                  mt_doc_value (mt_mql_op (m->a, "$gt", mt_mql_path (m->a, path),
                                           mt_doc_of (m->a, mt_v_null ()), NULL)));
   else
      add_compare (m->a, c, path, "$ne", mt_v_null ());
   add_condition (m, c);
}

static void enter_map (Emitting *m, const MtNode *n, int level, const char *path)
{
   int filter = 0;
   const MtX *constant = key_constant (m, n, &filter);
   if (constant) {
      const char *name = mt_strndup (m->a, (const char *) constant->value.p, constant->value.len);
      m->value = mt_dotted (m->a, path, name);
      m->key = NULL;
      m->consumed[filter] = true;
      if (mt_null_is_no_cell (n))
         skip_null (m, n, m->value);
      else
         add_exists (m, m->value);
      return;
   }
   const char *field = mt_printf (m->a, "_mt%d", level);
   bson_t *add = mt_doc_new (m->a);
   mt_doc_add (add, field,
               mt_doc_value (mt_mql_op1 (m->a, "$objectToArray", mt_mql_path (m->a, path))));
   mt_pipe_add (m->s->pipe, "$addFields", add);
   unwind (m, field, NULL);
   m->key = mt_printf (m->a, "%s.k", field);
   m->value = mt_printf (m->a, "%s.v", field);
   if (mt_null_is_no_cell (n))
      skip_null (m, n, m->value);
}

const bson_t *mt_flat_cells (MtArena *a, const MtNode *n, const char *parent)
{
   bson_t *map = mt_doc_new (a), *cell = mt_doc_new (a), *paths = mt_doc_new (a),
          *zip = mt_doc_new (a);
   const bson_t *input = mt_mql_path (a, mt_dotted (a, parent, n->at));
   for (size_t i = 0; i < n->field_count; i++) {
      char key[MT_INDEX_SIZE];
      const bson_t *value = mt_mql_op (a, "$arrayElemAt", mt_mql_path (a, "$cell"),
                                       mt_mql_int (a, (int64_t) i), NULL);
      mt_doc_add (cell, n->fields[i], mt_doc_value (value));
      if (n->kind == MT_NODE_ARRAYS)
         mt_doc_add_path (a, paths, mt_index_key ((uint32_t) i, key),
                          mt_dotted (a, parent, n->places[i]));
   }
   if (n->kind == MT_NODE_ARRAYS) {
      mt_doc_add_array (zip, "inputs", paths);
      input = mt_mql_op1 (a, "$zip", mt_doc_of (a, mt_v_doc (zip)));
   }
   mt_doc_add (map, "input", mt_doc_value (input));
   mt_doc_add_text (map, "as", "cell");
   mt_doc_add_doc (map, "in", cell);
   return mt_mql_op1 (a, "$map", mt_doc_of (a, mt_v_doc (map)));
}

/* Appends stages that make one document for each entry of a flat level (tuples or parallel
 * arrays). */
static void enter_flat (Emitting *m, const MtNode *n, int level)
{
   const char *field = mt_printf (m->a, "_mt%d", level);
   bson_t *add = mt_doc_new (m->a);
   mt_doc_add (add, field, mt_doc_value (mt_flat_cells (m->a, n, m->value)));
   mt_pipe_add (m->s->pipe, "$addFields", add);
   unwind (m, field, NULL);
   m->value = field;
}

static void enter_level (Emitting *m, const MtNode *n, int level)
{
   const char *path = mt_dotted (m->a, m->value, n->at);
   m->key = NULL;
   switch (n->kind) {
   case MT_NODE_DOCUMENT: break;
   case MT_NODE_LIST:
      unwind (m, path, NULL);
      m->value = path;
      break;
   case MT_NODE_MAP: enter_map (m, n, level, path); break;
   case MT_NODE_SLOTS:
      m->key = mt_printf (m->a, "_mt%d", level);
      unwind (m, path, m->key);
      m->value = path;
      skip_null (m, n, path);
      break;
   case MT_NODE_SCALAR:
      m->value = path;
      add_exists (m, path);
      break;
   case MT_NODE_PAIRS:
   case MT_NODE_ARRAYS: enter_flat (m, n, level); break;
   }
}

/* If enter_map read one field of a map by a constant key, sets the key's column to this
 * constant. */
static void bind_constant_key (Emitting *m, const MtNode *n)
{
   int filter = 0;
   const MtX *constant = key_constant (m, n, &filter);
   if (n->kind == MT_NODE_MAP && !m->key && constant) {
      m->s->columns[n->binds[0].column] = place_expr (mt_mql_const (m->a, constant->value));
      m->s->encodings[n->binds[0].column] = NULL;
   }
}

/* Adds a condition that skips entries without records. */
static void existence (Emitting *m)
{
   const MtWay *w = m->w;
   const MtNode *n = w->levels[w->count - 1];
   if (w->mode == MT_CUT_AGGREGATE && n->agg.n) {
      if (w->layout->attached || w->store->write == MT_WRITE_INC) {
         bson_t *c = condition (m);
         add_compare (m->a, c, mt_dotted (m->a, m->value, n->agg.n), "$gt", mt_v_int32 (0));
         add_condition (m, c);
      }
   } else if (w->mode == MT_CUT_AGGREGATE && n->agg.zero_is_absent) {
      bson_t *any = mt_doc_new (m->a), *none = mt_doc_new (m->a);
      mt_doc_add (none, "0", mt_v_int32 (0));
      mt_doc_add (none, "1", mt_v_null ());
      int count = 0;
      for (size_t i = 0; i < n->agg.measure_count; i++) {
         if (!n->agg.measures[i].sum)
            continue;
         bson_t *c = condition (m), *nin = mt_doc_new (m->a);
         char key[MT_INDEX_SIZE];
         mt_doc_add_array (nin, "$nin", none);
         mt_doc_add_doc (c, mt_dotted (m->a, m->value, n->agg.measures[i].sum), nin);
         mt_doc_add_doc (any, mt_index_key ((uint32_t) count++, key), c);
      }
      if (count)
         add_any (m, any, count);
   } else if (w->mode == MT_CUT_SIZE && n->raw.present && w->layout->attached) {
      bson_t *c = condition (m), *empty = mt_doc_new (m->a), *ne = mt_doc_new (m->a);
      mt_doc_add_array (ne, "$ne", empty);
      mt_doc_add_doc (c, mt_dotted (m->a, m->value, n->raw.at), ne);
      add_condition (m, c);
   }
}

static void bind_records (Emitting *m)
{
   const MtNode *n = m->w->levels[m->w->count - 1];
   for (size_t i = 0; i < n->raw.count; i++) {
      int c = n->raw.columns[i];
      if (m->w->bound_at[c] == m->w->count)
         bind_column (m, c, &n->raw.encodings[i], mt_dotted (m->a, m->value, n->raw.paths[i]),
                      false);
   }
}

/* Appends the stages for all levels, from the document down to the level at which reading stops. */
static bool emit_levels (Emitting *m)
{
   const MtWay *w = m->w;
   for (int i = 0; i < w->count; i++) {
      enter_level (m, w->levels[i], i);
      bind_level (m, w->levels[i]);
      bind_constant_key (m, w->levels[i]);
      if (i == w->count - 1)
         existence (m);
      if (!conditions_at (m, i))
         return false;
   }
   return true;
}

static bool emit_records (Emitting *m)
{
   const MtWay *w = m->w;
   const MtNode *n = w->levels[w->count - 1];
   if (n->raw.many) {
      m->value = mt_dotted (m->a, m->value, n->raw.at);
      unwind (m, m->value, NULL);
   }
   bind_records (m);
   return conditions_at (m, w->count);
}

bool mt_scan_emit (MtArena *a, const MtPiece *piece, const MtNeed *need, bool prune, MtScan *out,
                   MtError *err)
{
   const MtWay *w = piece->way;
   MtScan *s = out;
   size_t columns = w->table->column_count;
   *s = (MtScan) {.a = a,
                  .way = w,
                  .pipe = mt_pipe_new (a),
                  .columns = MT_NEW_N (a, MtPlace, columns + 1),
                  .encodings = MT_NEW_N (a, const MtEncoding *, columns + 1)};
   Emitting m = {.a = a,
                 .w = w,
                 .need = need,
                 .exact = piece->ranges,
                 .ranges = prune ? narrowed (a, piece, need) : piece->ranges,
                 .docs = piece->docs,
                 .prune = prune,
                 .s = s,
                 .value = "",
                 .err = err};
   m.consumed = MT_NEW_N (a, bool, (size_t) need->filter_count + 1);
   m.emit = (MtEmit) {.a = a, .err = err, .style = &need->style, .columns = s->columns};
   m.all = mt_doc_new (a);
   if (need->skip_malformed && w->layout->attached) {
      bson_t *c = condition (&m);
      mt_doc_add (c, "$expr", mt_doc_value (mt_well_formed (a, w->table, w->layout, w->store)));
      mt_pipe_add (s->pipe, "$match", c);
   }
   if (!emit_levels (&m) || (w->mode == MT_CUT_RECORDS && !emit_records (&m)))
      return false;
   s->cell = m.value;
   s->local_only = m.emit.local_only;
   return true;
}

const bson_t *mt_scan_n (const MtScan *s)
{
   const MtWay *w = s->way;
   const MtNode *n = w->levels[w->count - 1];
   if (w->mode == MT_CUT_RECORDS)
      return mt_mql_int (s->a, 1);
   if (w->mode == MT_CUT_SIZE)
      return mt_mql_op1 (s->a, "$size", mt_mql_path (s->a, mt_scan_path (s, n->raw.at)));
   return n->agg.n ? mt_mql_path (s->a, mt_scan_path (s, n->agg.n)) : mt_mql_int (s->a, 1);
}

const MtMeasureAgg *mt_scan_stored (const MtScan *s, int column)
{
   const MtNode *n = s->way->levels[s->way->count - 1];
   for (size_t i = 0; i < n->agg.measure_count && s->way->mode == MT_CUT_AGGREGATE; i++)
      if (n->agg.measures[i].column == column)
         return &n->agg.measures[i];
   return NULL;
}

const char *mt_scan_path (const MtScan *s, const char *relative)
{
   return mt_dotted (s->a, s->cell, relative);
}
