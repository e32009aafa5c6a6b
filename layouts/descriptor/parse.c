/* Parses descriptors of layouts; docs/lemma.md, section 2, has the grammar. The files check*.c then
 * check the layout as a whole. */
#include "engine/engine.h"
#include "layouts/cell_state.h"
#include "layouts/descriptor/descriptor_int.h"
#include "layouts/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bindings ---- */

static bool get_unit (MtParse *p, MtVal doc, const char *name, MtUnit *out)
{
   static const char *const names[] = {"ms",   "second", "minute", "hour",  "day",
                                       "week", "month",  "year",   "epoch", NULL};
   MtVal v = mt_doc_field (doc, name);
   int i = -1;
   if (v.type == MT_STRING && mt_unit_by_name ((MtStr) {(const char *) v.p, v.len}, out))
      return true;
   return mt_d_opt_word (p, doc, name, names, &i) && MT_BAD (p, "\"%s\" is missing", name);
}

static bool parse_bind_kind (MtParse *p, MtVal v, MtBinding *b)
{
   MtVal column = mt_doc_field (v, "column"), trunc = mt_doc_field (v, "trunc"),
         part = mt_doc_field (v, "part");
   if ((column.type != MT_MISSING) + (trunc.type != MT_MISSING) + (part.type != MT_MISSING) != 1)
      return MT_BAD (p, "must have one of \"column\", \"trunc\" and \"part\"");
   if (part.type == MT_MISSING &&
       (mt_doc_field (v, "of").type != MT_MISSING || mt_doc_field (v, "base").type != MT_MISSING))
      return MT_BAD (p, "\"of\" and \"base\" go with \"part\"");
   if (column.type != MT_MISSING) {
      const char *name;
      size_t m = mt_d_enter (p, "column");
      if (!mt_d_text (p, column, &name) || !mt_d_column (p, mt_str (name), &b->column))
         return false;
      if (!mt_sketch_note (p, b->column, MT_SK_BOUND))
         return false;
      mt_d_leave (p, m);
      b->kind = MT_BIND_COLUMN;
      return true;
   }
   b->column = mt_sketch_time (p);
   if (b->column < 0)
      return MT_BAD (p, "the table has no time column");
   if (trunc.type != MT_MISSING) {
      b->kind = MT_BIND_TIME_TRUNC;
      if (!get_unit (p, v, "trunc", &b->unit))
         return false;
      return b->unit == MT_UNIT_EPOCH || b->unit == MT_UNIT_MS
                ? MT_BAD (p, "the time can't be truncated to \"%s\"", mt_unit_name (b->unit))
                : true;
   }
   b->kind = MT_BIND_TIME_PART;
   return get_unit (p, v, "part", &b->unit) && get_unit (p, v, "of", &b->of);
}

static bool parse_part (MtParse *p, MtVal v, MtBinding *b)
{
   int64_t base = 0;
   MtVal f = mt_doc_field (v, "base");
   if (f.type != MT_MISSING) {
      size_t m = mt_d_enter (p, "base");
      if (!mt_d_int (p, f, 0, 1, &base))
         return false;
      mt_d_leave (p, m);
   }
   b->base = (int) base;
   if (!mt_unit_ms (b->unit) && !(b->unit == MT_UNIT_MONTH && b->of == MT_UNIT_YEAR))
      return MT_BAD (
         p,
         "a part is counted in units of fixed length, ms to week, or is the month of the year, not "
         "in \"%s\"",
         mt_unit_name (b->unit));
   if (b->of <= b->unit || (b->of == MT_UNIT_MS))
      return MT_BAD (p, "\"of\" must be a longer unit than \"part\"");
   if (b->unit < MT_UNIT_WEEK && !mt_unit_within (b->unit, b->of))
      return MT_BAD (p, "\"%s\" does not divide \"%s\"", mt_unit_name (b->unit),
                     mt_unit_name (b->of));
   return true;
}

static bool binding_encoding (MtParse *p, MtVal v, MtBinding *b)
{
   MtEncodedValues values = {.column = b->column,
                             .type = mt_binding_type (p->t, b),
                             .part = b->kind == MT_BIND_TIME_PART,
                             .trunc = b->kind == MT_BIND_TIME_TRUNC};
   return mt_d_opt_encoding (p, v, values, &b->encoding);
}

/* Parses binding v whose value is read from the document's id. "at" and "encoding" are optional:
 * they name a field that has a copy of the value. */
static bool parse_id_binding (MtParse *p, MtVal v, MtNodeKind kind, MtBinding *b)
{
   b->from = MT_FROM_ID;
   if (kind != MT_NODE_DOCUMENT)
      return MT_BAD (p, "only the root's bindings are from the id");
   if (b->at && !*b->at)
      return MT_BAD (p, "a copy's field needs a name");
   if (!b->at && mt_doc_field (v, "encoding").type != MT_MISSING)
      return MT_BAD (
         p, "the part of \"id\" says how it is written; \"encoding\" goes with \"at\", a copy");
   return !b->at || binding_encoding (p, v, b);
}

static bool parse_binding (MtParse *p, MtVal v, MtNodeKind kind, bool first, bool id, MtBinding *b)
{
   static const char *const names[] = {"column", "trunc", "part",     "of", "base",
                                       "from",   "at",    "encoding", NULL};
   static const char *const froms[] = {"field", "key", "index", "id", NULL};
   if (!mt_d_expect (p, v, names) || !parse_bind_kind (p, v, b) ||
       (b->kind == MT_BIND_TIME_PART && !parse_part (p, v, b)))
      return false;
   int from = -1;
   if (!mt_d_opt_word (p, v, "from", froms, &from) || !mt_d_opt_path (p, v, "at", &b->at))
      return false;
   if (id && (from >= 0 || b->at))
      return MT_BAD (p, "a part of an id has neither \"from\" nor \"at\"");
   if (from == MT_FROM_ID)
      return parse_id_binding (p, v, kind, b);
   MtBindFrom usual = MT_FROM_FIELD;
   if (first && kind == MT_NODE_MAP)
      usual = MT_FROM_KEY;
   else if (first && kind == MT_NODE_SLOTS)
      usual = MT_FROM_INDEX;
   b->from = from < 0 ? usual : (MtBindFrom) from;
   if (b->from != usual && (b->from != MT_FROM_FIELD || first))
      return MT_BAD (
         p, usual == MT_FROM_FIELD
               ? "only a map's first binding is from the key, and slots' first from the index"
               : "the first binding of a map or of slots is from the key or the index");
   if (b->from != MT_FROM_FIELD && b->at)
      return MT_BAD (p, "\"at\" goes with bindings from a field");
   if (b->from == MT_FROM_FIELD && !b->at)
      b->at = b->kind == MT_BIND_COLUMN ? p->t->columns[b->column].field : mt_unit_name (b->unit);
   return binding_encoding (p, v, b);
}

static bool parse_binds (MtParse *p, MtVal doc, MtNode *n)
{
   MtVal v = mt_doc_field (doc, "bind");
   if (v.type == MT_MISSING)
      return true;
   size_t m = mt_d_enter (p, "bind");
   if (v.type != MT_ARRAY)
      return MT_BAD (p, "must be an array");
   mt_d_leave (p, m);
   size_t count;
   MtVal *elems = mt_v_elements (p->a, v, &count);
   n->binds = MT_NEW_N (p->a, MtBinding, count);
   for (size_t i = 0; i < count; i++) {
      m = mt_d_enter_index (p, "bind", i);
      if (!parse_binding (p, elems[i], n->kind, i == 0, false, &n->binds[i]))
         return false;
      mt_d_leave (p, m);
   }
   n->bind_count = count;
   return true;
}

/* ---- the members of a node ---- */

static bool parse_range (MtParse *p, MtVal doc, MtNode *n)
{
   static const char *const names[] = {"min", "max", "exact", "encoding", NULL};
   MtVal v = mt_doc_field (doc, "range");
   if (v.type == MT_MISSING)
      return true;
   size_t m = mt_d_enter (p, "range");
   if (!mt_d_expect (p, v, names) || !mt_d_opt_path (p, v, "min", &n->range.min) ||
       !mt_d_opt_path (p, v, "max", &n->range.max) ||
       !mt_d_opt_bool (p, v, "exact", &n->range.exact))
      return false;
   if (n->kind != MT_NODE_DOCUMENT)
      return MT_BAD (p, "only a document has a range of time");
   if (!n->range.min || !n->range.max)
      return MT_BAD (p, "\"min\" and \"max\" are needed");
   if (mt_sketch_time (p) < 0)
      return MT_BAD (p, "the table has no time column");
   MtEncodedValues times = {.column = p->t->time_column,
                            .type = p->t->columns[p->t->time_column].type};
   if (!mt_d_opt_encoding (p, v, times, &n->range.encoding))
      return false;
   n->range.present = true;
   mt_d_leave (p, m);
   return true;
}

/* Returns the default BSON type of a column's sums. */
static uint8_t sum_as (MtTypeId t)
{
   if (t == MT_T_NUMERIC)
      return MT_DECIMAL;
   return t == MT_T_FLOAT4 || t == MT_T_FLOAT8 ? MT_DOUBLE : MT_INT64;
}

static bool parse_measure (MtParse *p, MtStr key, MtVal v, MtMeasureAgg *m)
{
   static const char *const names[] = {"sum", "min", "max", "nonnull", "as", NULL};
   if (!mt_d_column (p, key, &m->column))
      return false;
   MtTypeId type = p->t->columns[m->column].type.id;
   bool open = type == MT_T_UNKNOWN;
   m->as = sum_as (type);
   if (v.type == MT_STRING) {
      if (!mt_d_path (p, v, &m->sum))
         return false;
   } else if (!mt_d_expect (p, v, names) || !mt_d_opt_path (p, v, "sum", &m->sum) ||
              !mt_d_opt_path (p, v, "min", &m->min) || !mt_d_opt_path (p, v, "max", &m->max) ||
              !mt_d_opt_path (p, v, "nonnull", &m->nonnull) || !mt_d_opt_as (p, v, &m->as))
      return false;
   if (!m->sum && !m->min && !m->max && !m->nonnull)
      return MT_BAD (p, "nothing is kept of the measure");
   if (!mt_sketch_note (p, m->column, m->sum ? MT_SK_MEASURE | MT_SK_NO_TIME : MT_SK_MEASURE))
      return false;
   if (p->t->columns[m->column].role != MT_COL_MEASURE)
      return MT_BAD (p, "column \"%s\" is not a measure", p->t->columns[m->column].name);
   if (m->sum && !open && !mt_type_is_number (type))
      return MT_BAD (p, "values of type %s have no sum", mt_type_info (type)->display);
   if ((m->min || m->max) && !open && !mt_type_is_number (type) && !mt_type_is_datetime (type))
      return MT_BAD (p, "no minimum or maximum of type %s is kept", mt_type_info (type)->display);
   bool whole = m->as == MT_INT32 || m->as == MT_INT64;
   if ((whole || (m->as == MT_DOUBLE && type == MT_T_NUMERIC)) && !open &&
       !mt_type_is_integer (type) && m->sum)
      return MT_BAD (p, "sums of type %s don't fit %s", mt_type_info (type)->display,
                     mt_number_word (m->as));
   return true;
}

static bool parse_measures (MtParse *p, MtVal v, MtPreagg *agg)
{
   size_t m = mt_d_enter (p, "measures"), n = 0;
   if (v.type != MT_DOC)
      return MT_BAD (p, "must be a document");
   agg->measures = MT_NEW_N (p->a, MtMeasureAgg, mt_doc_count (v));
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   while (mt_doc_next (&it, &key, &x)) {
      char name[128];
      snprintf (name, sizeof name, "%.*s", (int) (key.n < 100 ? key.n : 100), key.p);
      size_t mm = mt_d_enter (p, name);
      if (!parse_measure (p, key, x, &agg->measures[n]))
         return false;
      for (size_t i = 0; i < n; i++)
         if (agg->measures[i].column == agg->measures[n].column)
            return MT_BAD (p, "the measure is given twice");
      n++;
      mt_d_leave (p, mm);
   }
   agg->measure_count = n;
   mt_d_leave (p, m);
   return true;
}

static bool parse_n (MtParse *p, MtVal v, MtPreagg *agg)
{
   static const char *const names[] = {"at", "as", NULL};
   size_t m = mt_d_enter (p, "n");
   agg->n_as = MT_INT32;
   if (v.type == MT_DOC) {
      if (!mt_d_expect (p, v, names) || !mt_d_opt_path (p, v, "at", &agg->n) ||
          !mt_d_opt_as (p, v, &agg->n_as))
         return false;
      if (!agg->n)
         return MT_BAD (p, "\"at\" is missing");
   } else if (!mt_d_path (p, v, &agg->n))
      return false;
   if (agg->n_as == MT_DECIMAL)
      return MT_BAD (p, "a count is int32, int64 or double");
   mt_d_leave (p, m);
   return true;
}

/* Parses field "keep" of doc: the text of an aggregate call whose state is stored, such as
 * "percentile_agg(value)". */
static bool parse_keep (MtParse *p, MtVal doc, MtCellState *s)
{
   int columns[MT_STATE_ARGS];
   MtStateCall call;
   const char *text, *why;
   size_t m = mt_d_enter (p, "keep");
   if (!mt_d_text (p, mt_doc_field (doc, "keep"), &text))
      return false;
   if (!mt_state_call_read (p->a, &text, &call) || *text)
      return MT_BAD (p, "must be the call of an aggregate, such as \"percentile_agg(value)\"");
   for (int i = 0; i < call.argc; i++) {
      columns[i] = -1;
      if (call.args[i].column.p && !mt_d_column (p, call.args[i].column, &columns[i]))
         return false;
   }
   why = mt_cell_state_make (p->a, p->t, &call, columns, s);
   if (why)
      return MT_BAD (p, "%s", why);
   mt_d_leave (p, m);
   return true;
}

static bool parse_states (MtParse *p, MtVal v, MtPreagg *agg)
{
   static const char *const names[] = {"keep", "at", NULL};
   size_t m = mt_d_enter (p, "states"), count;
   if (v.type != MT_ARRAY)
      return MT_BAD (p, "must be an array");
   mt_d_leave (p, m);
   MtVal *elems = mt_v_elements (p->a, v, &count);
   agg->states = MT_NEW_N (p->a, MtCellState, count);
   for (size_t i = 0; i < count; i++) {
      MtCellState *s = &agg->states[agg->state_count++];
      m = mt_d_enter_index (p, "states", i);
      if (!mt_d_expect (p, elems[i], names) || !parse_keep (p, elems[i], s) ||
          !mt_d_opt_path (p, elems[i], "at", &s->at))
         return false;
      if (!s->at || !*s->at)
         return MT_BAD (p, "\"at\" must name the state's field");
      for (size_t k = 0; k < i; k++)
         if (mt_cell_state_same (&agg->states[k], s))
            return MT_BAD (p, "the state is given twice");
      mt_d_leave (p, m);
   }
   return true;
}

static bool parse_agg (MtParse *p, MtVal doc, MtNode *n)
{
   static const char *const names[] = {"n", "measures", "states", "zero", NULL};
   static const char *const zeros[] = {"value", "absent", NULL};
   MtVal v = mt_doc_field (doc, "agg");
   if (v.type == MT_MISSING)
      return true;
   size_t m = mt_d_enter (p, "agg");
   int zero = 0;
   if (!mt_d_expect (p, v, names) || !mt_d_opt_word (p, v, "zero", zeros, &zero))
      return false;
   MtVal count = mt_doc_field (v, "n"), measures = mt_doc_field (v, "measures"),
         states = mt_doc_field (v, "states");
   if ((count.type != MT_MISSING && !parse_n (p, count, &n->agg)) ||
       (measures.type != MT_MISSING && !parse_measures (p, measures, &n->agg)) ||
       (states.type != MT_MISSING && !parse_states (p, states, &n->agg)))
      return false;
   if (!n->agg.n && !n->agg.measure_count && !n->agg.state_count)
      return MT_BAD (p, "nothing is kept: \"n\", \"measures\" or \"states\" is needed");
   n->agg.present = true;
   n->agg.zero_is_absent = zero == 1;
   mt_d_leave (p, m);
   return true;
}

static bool parse_raw_column (MtParse *p, MtStr key, MtVal v, MtRaw *raw, size_t i)
{
   static const char *const names[] = {"at", "encoding", NULL};
   if (!mt_d_column (p, key, &raw->columns[i]))
      return false;
   MtEncodedValues values = {.column = raw->columns[i],
                             .type = p->t->columns[raw->columns[i]].type};
   if (v.type != MT_DOC)
      return mt_d_path (p, v, &raw->paths[i]);
   if (!mt_d_expect (p, v, names) || !mt_d_opt_path (p, v, "at", &raw->paths[i]) ||
       !mt_d_opt_encoding (p, v, values, &raw->encodings[i]))
      return false;
   return raw->paths[i] ? true : MT_BAD (p, "\"at\" is missing");
}

static bool parse_raw_columns (MtParse *p, MtVal v, MtRaw *raw)
{
   size_t m = mt_d_enter (p, "columns"), count = mt_doc_count (v), n = 0;
   if (v.type != MT_DOC)
      return MT_BAD (p, v.type == MT_MISSING ? "is missing" : "must be a document");
   raw->columns = MT_NEW_N (p->a, int, count);
   raw->paths = MT_NEW_N (p->a, const char *, count);
   raw->encodings = MT_NEW_N (p->a, MtEncoding, count);
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   while (mt_doc_next (&it, &key, &x)) {
      char name[128];
      snprintf (name, sizeof name, "%.*s", (int) (key.n < 100 ? key.n : 100), key.p);
      size_t mm = mt_d_enter (p, name);
      if (!parse_raw_column (p, key, x, raw, n))
         return false;
      for (size_t i = 0; i < n; i++)
         if (raw->columns[i] == raw->columns[n])
            return MT_BAD (p, "the column is given twice");
      n++;
      mt_d_leave (p, mm);
   }
   raw->count = n;
   mt_d_leave (p, m);
   return true;
}

static bool parse_raw (MtParse *p, MtVal doc, MtNode *n)
{
   static const char *const names[] = {"at", "many", "columns", NULL};
   MtVal v = mt_doc_field (doc, "raw");
   if (v.type == MT_MISSING)
      return true;
   size_t m = mt_d_enter (p, "raw");
   n->raw.at = "";
   if (!mt_d_expect (p, v, names) || !mt_d_opt_path (p, v, "at", &n->raw.at) ||
       !mt_d_opt_bool (p, v, "many", &n->raw.many) ||
       !parse_raw_columns (p, mt_doc_field (v, "columns"), &n->raw))
      return false;
   if (!n->raw.many && *n->raw.at)
      return MT_BAD (p, "\"at\" goes with \"many\": one record is the cell's value itself");
   n->raw.present = true;
   mt_d_leave (p, m);
   return true;
}

static bool parse_order (MtParse *p, MtVal doc, MtNode *n)
{
   MtVal v = mt_doc_field (doc, "order");
   if (v.type == MT_MISSING)
      return true;
   size_t m = mt_d_enter (p, "order");
   if (v.type != MT_ARRAY)
      return MT_BAD (p, "must be an array of names");
   size_t count;
   MtVal *elems = mt_v_elements (p->a, v, &count);
   n->order = MT_NEW_N (p->a, const char *, count);
   for (size_t i = 0; i < count; i++) {
      if (!mt_d_path (p, elems[i], &n->order[i]))
         return false;
      if (!*n->order[i] || strchr (n->order[i], '.'))
         return MT_BAD (p, "must be names of fields, not paths");
   }
   n->order_count = count;
   mt_d_leave (p, m);
   return true;
}

/* ---- nodes ---- */

static bool parse_node (MtParse *p, MtVal v, MtNode *parent, int depth, MtNode **out);

static bool parse_children (MtParse *p, MtVal doc, MtNode *n)
{
   MtVal sub = mt_doc_field (doc, "sub"), alt = mt_doc_field (doc, "alt");
   if (sub.type != MT_MISSING && alt.type != MT_MISSING)
      return MT_BAD (p, "\"sub\" and \"alt\" exclude each other");
   if (sub.type != MT_MISSING) {
      size_t m = mt_d_enter (p, "sub");
      n->subs = MT_NEW (p->a, MtNode *);
      if (!parse_node (p, sub, n, n->depth + 1, &n->subs[0]))
         return false;
      n->sub_count = 1;
      mt_d_leave (p, m);
   } else if (alt.type != MT_MISSING) {
      size_t count;
      MtVal *elems = mt_v_elements (p->a, alt, &count);
      if (alt.type != MT_ARRAY || !count || count > 64)
         return MT_BAD (p, "\"alt\" must be an array of 1 to 64 nodes");
      n->subs = MT_NEW_N (p->a, MtNode *, count);
      for (size_t i = 0; i < count; i++, n->sub_count++) {
         size_t m = mt_d_enter_index (p, "alt", i);
         if (!parse_node (p, elems[i], n, n->depth + 1, &n->subs[i]))
            return false;
         mt_d_leave (p, m);
      }
   }
   return true;
}

static const char *node_name (MtParse *p, const MtNode *n)
{
   if (n->kind == MT_NODE_DOCUMENT)
      return "document";
   if (n->bind_count)
      return n->binds[0].kind == MT_BIND_COLUMN ? p->t->columns[n->binds[0].column].name
                                                : mt_unit_name (n->binds[0].unit);
   if (!*n->at)
      return mt_node_kind_words[n->kind];
   const char *dot = strrchr (n->at, '.');
   return dot ? dot + 1 : n->at;
}

static void add_field (MtNode *n, const char *path)
{
   if (path)
      n->fields[n->field_count++] = path;
}

static int by_position (const void *a, const void *b)
{
   return (int) (strtol (*(const char *const *) a, NULL, 10) -
                 strtol (*(const char *const *) b, NULL, 10));
}

/* For levels of MT_NODE_PAIRS (arrays of tuples) or MT_NODE_ARRAYS (parallel arrays): sets
 * n->fields to the names of an element's values, in the order in which they are written. */
static void list_fields (MtParse *p, MtNode *n)
{
   n->fields = MT_NEW_N (p->a, const char *,
                         n->bind_count + 1 + 4 * n->agg.measure_count + n->raw.count + 1);
   for (size_t i = 0; i < n->bind_count; i++)
      add_field (n, n->binds[i].at);
   add_field (n, n->agg.n);
   for (size_t i = 0; i < n->agg.measure_count; i++) {
      const MtMeasureAgg *m = &n->agg.measures[i];
      add_field (n, m->sum);
      add_field (n, m->min);
      add_field (n, m->max);
      add_field (n, m->nonnull);
   }
   for (size_t i = 0; i < n->raw.count; i++)
      add_field (n, n->raw.paths[i]);
   if (n->kind == MT_NODE_PAIRS && n->field_count)
      qsort (n->fields, n->field_count, sizeof *n->fields, by_position);
   n->places = MT_NEW_N (p->a, const char *, n->field_count + 1);
   for (size_t i = 0; i < n->field_count; i++)
      n->places[i] = *n->at ? mt_printf (p->a, "%s.%s", n->at, n->fields[i]) : n->fields[i];
}

static bool parse_node (MtParse *p, MtVal v, MtNode *parent, int depth, MtNode **out)
{
   static const char *const names[] = {"is",  "at",    "bind", "range", "agg",
                                       "raw", "order", "sub",  "alt",   NULL};
   int kind = -1;
   if (depth >= MT_MAX_LEVELS)
      return MT_BAD (p, "more than %d levels", MT_MAX_LEVELS);
   if (!mt_d_expect (p, v, names) || !mt_d_opt_word (p, v, "is", mt_node_kind_words, &kind))
      return false;
   if (kind < 0)
      return MT_BAD (p, "\"is\" is missing");
   if ((kind == MT_NODE_DOCUMENT) != (parent == NULL))
      return MT_BAD (p, parent ? "only the root is a document" : "the root must be a document");
   MtNode *n = *out = MT_NEW (p->a, MtNode);
   *n = (MtNode) {
      .kind = (MtNodeKind) kind, .id = p->next_id++, .depth = depth, .at = "", .parent = parent};
   if (!mt_d_opt_path (p, v, "at", &n->at))
      return false;
   if (!parent && *n->at)
      return MT_BAD (p, "the root has no \"at\"");
   if (!parse_binds (p, v, n) || !parse_range (p, v, n) || !parse_agg (p, v, n) ||
       !parse_raw (p, v, n) || !parse_order (p, v, n))
      return false;
   n->name = node_name (p, n);
   if (mt_is_flat (n))
      list_fields (p, n);
   return parse_children (p, v, n);
}

static void list_nodes (MtNode *n, MtNode **nodes)
{
   nodes[n->id] = n;
   for (size_t i = 0; i < n->sub_count; i++)
      list_nodes (n->subs[i], nodes);
}

/* ---- stores ---- */

static bool parse_id (MtParse *p, MtVal v, MtStoreDesc *s)
{
   if (v.type == MT_MISSING || mt_v_is_text (v, "auto"))
      return true;
   size_t m = mt_d_enter (p, "id"), count;
   MtVal *elems = mt_v_elements (p->a, v, &count);
   if (v.type != MT_ARRAY || !count)
      return MT_BAD (p, "must be \"auto\" or an array of literals and bindings");
   mt_d_leave (p, m);
   s->id = MT_NEW_N (p->a, MtIdPart, count);
   for (size_t i = 0; i < count; i++) {
      m = mt_d_enter_index (p, "id", i);
      if (elems[i].type == MT_STRING) {
         if (!mt_d_text (p, elems[i], &s->id[i].literal))
            return false;
      } else if (!parse_binding (p, elems[i], MT_NODE_DOCUMENT, true, true, &s->id[i].bind))
         return false;
      mt_d_leave (p, m);
   }
   s->id_count = count;
   return true;
}

/* For each column or time of the root level that is read from a document's _id, finds the index of
 * its part of the _id. 42P17 if the _id has no such part. */
static bool find_id_parts (MtParse *p, MtStoreDesc *s)
{
   for (size_t i = 0; i < s->root->bind_count; i++) {
      MtBinding *b = &s->root->binds[i];
      if (b->from != MT_FROM_ID)
         continue;
      while (b->id_part < s->id_count &&
             (s->id[b->id_part].literal || !mt_same_binding (&s->id[b->id_part].bind, b)))
         b->id_part++;
      size_t m = mt_d_enter_index (p, "bind", i);
      if (b->id_part == s->id_count)
         return MT_BAD (p, s->id_count ? "the store's \"id\" doesn't have this"
                                       : "the store has no \"id\"");
      if (s->id_count == 1)
         return MT_BAD (p, "an id of one value is bound \"at\": \"_id\", without \"id\"");
      MtTypeId t = mt_binding_type (p->t, b).id;
      if (t != MT_T_UNKNOWN && !mt_is_text_type (t) && !mt_type_is_integer (t) &&
          !mt_type_is_datetime (t))
         return MT_BAD (p, "values of type %s can't be read back from an id",
                        mt_type_info (t)->display);
      mt_d_leave (p, m);
   }
   return true;
}

static bool parse_collection (MtParse *p, MtVal v, const char **out)
{
   size_t m = mt_d_enter (p, "collection");
   if (v.type == MT_MISSING)
      return MT_BAD (p, "is missing");
   if (!mt_d_text (p, v, out))
      return false;
   if (!mt_collection_name_ok (p->blame, p->path, *out))
      return false;
   mt_d_leave (p, m);
   return true;
}

static bool opt_count (MtParse *p, MtVal v, const char *name, int64_t *out)
{
   MtVal f = mt_doc_field (v, name);
   if (f.type == MT_MISSING)
      return true;
   size_t m = mt_d_enter (p, name);
   if (!mt_d_int (p, f, 1, INT64_C (1000000000), out))
      return false;
   mt_d_leave (p, m);
   return true;
}

static bool parse_shard (MtParse *p, MtVal v, MtStoreDesc *s)
{
   static const char *const names[] = {"at", "hashed", NULL};
   if (v.type == MT_MISSING)
      return true;
   size_t outer = mt_d_enter (p, "shard"), count;
   MtVal *elems = mt_v_elements (p->a, v, &count);
   if (v.type != MT_ARRAY || !count)
      return MT_BAD (p, "must be an array of fields");
   mt_d_leave (p, outer);
   s->shard = MT_NEW_N (p->a, MtShardField, count);
   for (size_t i = 0; i < count; i++) {
      size_t m = mt_d_enter_index (p, "shard", i);
      const char *why;
      if (!mt_d_expect (p, elems[i], names) ||
          !mt_d_opt_path (p, elems[i], "at", &s->shard[i].at) ||
          !mt_d_opt_bool (p, elems[i], "hashed", &s->shard[i].hashed))
         return false;
      if (!mt_can_shard (s, s->shard[i].at, &why))
         return MT_BAD (p, "%s", why);
      mt_d_leave (p, m);
   }
   s->shard_count = count;
   return true;
}

/* Parses the options of a time-series collection. They have the names of MongoDB's options. */
static bool parse_timeseries (MtParse *p, MtVal v, MtStoreDesc *s)
{
   static const char *const names[] = {"timeField", "metaField", "granularity",
                                       "expireAfterSeconds", NULL};
   static const char *const granularities[] = {"seconds", "minutes", "hours", NULL};
   int granularity = -1;
   if (v.type == MT_MISSING)
      return true;
   MtTimeseries *t = MT_NEW (p->a, MtTimeseries);
   size_t outer = mt_d_enter (p, "timeseries");
   t->expire_after_s = -1;
   if (!mt_d_expect (p, v, names) || !mt_d_opt_path (p, v, "timeField", &t->time) ||
       !mt_d_opt_path (p, v, "metaField", &t->meta) ||
       !mt_d_opt_word (p, v, "granularity", granularities, &granularity))
      return false;
   if (granularity >= 0)
      t->granularity = granularities[granularity];
   MtVal expire = mt_doc_field (v, "expireAfterSeconds");
   if (expire.type != MT_MISSING) {
      size_t m = mt_d_enter (p, "expireAfterSeconds");
      if (!mt_d_int (p, expire, 0, INT32_MAX, &t->expire_after_s))
         return false;
      mt_d_leave (p, m);
   }
   mt_d_leave (p, outer);
   s->timeseries = t;
   return true;
}

static bool parse_partition (MtParse *p, MtVal v, MtStoreDesc *s)
{
   static const char *const units[] = {"day", "month", NULL};
   int unit = -1;
   if (!mt_d_opt_word (p, v, "partition", units, &unit))
      return false;
   if (unit < 0)
      return true;
   s->parts = MT_NEW (p->a, MtPartitions);
   *s->parts = (MtPartitions) {.unit = unit ? MT_UNIT_MONTH : MT_UNIT_DAY, .arena = p->a};
   return true;
}

static bool parse_store (MtParse *p, MtVal v, MtStoreDesc *s)
{
   static const char *const names[] = {"collection", "partition", "id",           "escape",
                                       "write",      "repeats",   "flush_levels", "preallocate",
                                       "timeseries", "shard",     "root",         NULL};
   static const char *const writes[] = {"insert", "push", "pack", "inc", "newer", NULL};
   static const char *const escapes[] = {"percent", "none", NULL};
   int write = 0, escape = -1;
   if (!mt_d_expect (p, v, names) ||
       !parse_collection (p, mt_doc_field (v, "collection"), &s->collection) ||
       !parse_partition (p, v, s) || !parse_id (p, mt_doc_field (v, "id"), s) ||
       !mt_d_opt_word (p, v, "escape", escapes, &escape) ||
       !mt_d_opt_word (p, v, "write", writes, &write) ||
       !mt_d_opt_bool (p, v, "repeats", &s->repeats))
      return false;
   if (escape >= 0 && s->id_count < 2)
      return MT_BAD (p, "\"escape\" goes with an id of several parts");
   s->escape = (MtEscape) (escape + 1);
   s->write = (MtWriteMode) write;
   MtVal root = mt_doc_field (v, "root");
   if (!opt_count (p, v, "flush_levels", &s->flush_levels) ||
       !opt_count (p, v, "preallocate", &s->preallocate))
      return false;
   size_t m = mt_d_enter (p, "root");
   if (root.type == MT_MISSING)
      return MT_BAD (p, "is missing");
   p->next_id = 0;
   if (!parse_node (p, root, NULL, 0, &s->root) || !find_id_parts (p, s))
      return false;
   mt_d_leave (p, m);
   if (!parse_timeseries (p, mt_doc_field (v, "timeseries"), s) ||
       !parse_shard (p, mt_doc_field (v, "shard"), s))
      return false;
   s->node_count = (size_t) p->next_id;
   s->nodes = MT_NEW_N (p->a, MtNode *, s->node_count);
   list_nodes (s->root, s->nodes);
   return true;
}

static bool parse_stores (MtParse *p, MtVal v, MtLayout *l)
{
   size_t m = mt_d_enter (p, "stores"), count;
   MtVal *elems = mt_v_elements (p->a, v, &count);
   if (v.type != MT_ARRAY || !count || count > 64)
      return MT_BAD (p, v.type == MT_MISSING ? "is missing" : "must be an array of 1 to 64 stores");
   mt_d_leave (p, m);
   l->stores = MT_NEW_N (p->a, MtStoreDesc, count);
   l->stats = MT_NEW_N (p->a, MtStoreStats, count);
   for (size_t i = 0; i < count; i++) {
      m = mt_d_enter_index (p, "stores", i);
      if (!parse_store (p, elems[i], &l->stores[i]))
         return false;
      mt_d_leave (p, m);
   }
   l->store_count = count;
   return true;
}

/* Reads array v of column names as column indexes. *columns has room for all columns of the table;
 * *out is their number. `field` is the array's name, for errors. */
static bool parse_columns (MtParse *p, MtVal v, const char *field, int **columns, size_t *out)
{
   size_t m = mt_d_enter (p, field), count;
   MtVal *elems = mt_v_elements (p->a, v, &count);
   if (v.type != MT_ARRAY || count > (p->sketch ? MT_MAX_COLUMNS : p->t->column_count))
      return MT_BAD (p, "must be an array of columns");
   *columns = MT_NEW_N (p->a, int, (p->sketch ? count : p->t->column_count) + 1);
   for (size_t i = 0; i < count; i++) {
      const char *name;
      if (!mt_d_text (p, elems[i], &name) || !mt_d_column (p, mt_str (name), &(*columns)[i]))
         return false;
      for (size_t j = 0; j < i; j++)
         if ((*columns)[j] == (*columns)[i])
            return MT_BAD (p, "column \"%s\" is named twice", name);
   }
   *out = count;
   mt_d_leave (p, m);
   return true;
}

static bool parse_key (MtParse *p, MtVal v, MtLayout *l)
{
   if (v.type != MT_MISSING)
      return parse_columns (p, v, "key", &l->key, &l->key_count);
   l->key = p->t->key;
   l->key_count = p->t->key_count;
   return true;
}

/* Reads the tie-breaking columns of a layout that keeps the latest records. They decide which of
 * two records with equal times is newer. First come the columns that v names, then all other
 * columns in the table's order. */
static bool parse_tie (MtParse *p, MtVal v, MtLayout *l)
{
   if (v.type != MT_MISSING && l->keeps != MT_KEEPS_LATEST)
      return MT_BAD (p, "\"tie\" goes with layouts that keep \"latest\"");
   if (l->keeps != MT_KEEPS_LATEST)
      return true;
   if (v.type != MT_MISSING && !parse_columns (p, v, "tie", &l->tie, &l->tie_given))
      return false;
   for (size_t i = 0; i < l->tie_given; i++)
      if (l->tie[i] == p->t->time_column || mt_in_key (l->key, l->key_count, l->tie[i]))
         return MT_BAD (p, "column \"%s\" in \"tie\" is the time or in the key",
                        p->t->columns[l->tie[i]].name);
   l->tie_count = l->tie_given;
   if (p->sketch)
      return true;
   if (!l->tie)
      l->tie = MT_NEW_N (p->a, int, p->t->column_count + 1);
   for (int i = 0; i < (int) p->t->column_count; i++)
      if (i != p->t->time_column && !p->t->columns[i].inner &&
          !mt_in_key (l->key, l->key_count, i) && !mt_in_key (l->tie, l->tie_given, i))
         l->tie[l->tie_count++] = i;
   return true;
}

static bool read_layout (MtParse *p, const bson_t *descriptor, MtLayout *out)
{
   static const char *const names[] = {"keeps", "key", "tie", "presums", "stores", NULL};
   static const char *const presums_words[] = {"trust", "verify", "ignore", NULL};
   MtLayout l = {
      .name = mt_strdup (p->a, p->blame->layout), .preset = "", .options_text = "", .clean = true};
   MtVal v = mt_v_doc (descriptor);
   int keeps = -1, presums = 0;
   if (!bson_validate (descriptor, BSON_VALIDATE_NONE, NULL))
      return MT_BAD (p, "the document is damaged");
   if (!mt_d_expect (p, v, names) || !mt_d_opt_word (p, v, "keeps", mt_keeps_words, &keeps) ||
       !mt_d_opt_word (p, v, "presums", presums_words, &presums))
      return false;
   if (keeps < 0)
      return MT_BAD (p, "\"keeps\" is missing");
   l.keeps = (MtKeeps) keeps;
   l.presums = (MtPresums) presums;
   if (!parse_key (p, mt_doc_field (v, "key"), &l) || !parse_tie (p, mt_doc_field (v, "tie"), &l) ||
       !parse_stores (p, mt_doc_field (v, "stores"), &l) || !mt_layout_check (p->t, &l, p->blame))
      return false;
   *out = l;
   return true;
}

bool mt_layout_move (const MtTable *t, MtLayout *l, const char *collection, MtError *err)
{
   MtBlame blame = {.layout = l->name, .err = err};
   l->stores[0].collection = collection;
   return mt_collection_name_ok (&blame, "stores[0].collection", collection) &&
          mt_layout_check (t, l, &blame);
}

static bool parse (MtArena *a, const MtTable *t, MtBlame *blame, const bson_t *descriptor,
                   MtLayout *out)
{
   MtParse p = {.a = a, .t = t, .blame = blame};
   return read_layout (&p, descriptor, out);
}

bool mt_layout_parse (MtArena *a, const MtTable *t, const char *name, const bson_t *descriptor,
                      MtLayout *out, MtError *err)
{
   return parse (a, t, &(MtBlame) {.layout = name, .err = err}, descriptor, out);
}

bool mt_layout_parse_preset (MtArena *a, const MtTable *t, const char *name,
                             const bson_t *descriptor, MtLayout *out, MtError *err)
{
   return parse (a, t, &(MtBlame) {.layout = name, .preset = true, .err = err}, descriptor, out);
}

bool mt_descriptor_check (MtArena *a, const char *name, const bson_t *descriptor, MtBlame *blame)
{
   MtSketch *s = MT_NEW (a, MtSketch);
   *s = (MtSketch) {.table = {.name = "",
                              .columns = MT_NEW_N (a, MtColumn, MT_MAX_COLUMNS + 1),
                              .time_column = -1,
                              .sketch = s}};
   s->facts = MT_NEW_N (a, unsigned, MT_MAX_COLUMNS + 1);
   MtParse p = {.a = a, .t = &s->table, .sketch = s, .blame = blame};
   MtLayout l;
   blame->layout = name;
   return read_layout (&p, descriptor, &l);
}
