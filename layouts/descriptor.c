/* Reads a layout's descriptor (docs/lemma.md, section 2): grammar and names. What the tree as a whole must fulfil is in check.c. */
#include "engine/engine.h"
#include "layouts/layout_int.h"

#include <stdio.h>
#include <string.h>

typedef struct Parse {
   MtArena *a;
   const MtTable *t;
   const char *name; /* the layout's */
   MtError *err;
   char path[768];   /* where in the descriptor */
   size_t path_len;
   int next_id;
} Parse;

/* ---- places and errors ---- */

static size_t enter (Parse *p, const char *field)
{
   size_t mark = p->path_len;
   int n = snprintf (p->path + mark, sizeof p->path - mark, "%s%s", mark ? "." : "", field);
   p->path_len += n > 0 && mark + (size_t) n < sizeof p->path ? (size_t) n : 0;
   return mark;
}

static size_t enter_index (Parse *p, const char *field, size_t i)
{
   char buf[80];
   snprintf (buf, sizeof buf, "%s[%zu]", field, i);
   return enter (p, buf);
}

static void leave (Parse *p, size_t mark)
{
   p->path_len = mark;
   p->path[mark] = 0;
}

bool mt_layout_invalid (MtError *err, const char *layout, const char *path, const char *fmt, ...)
{
   char reason[400];
   va_list ap;
   va_start (ap, fmt);
   vsnprintf (reason, sizeof reason, fmt, ap);
   va_end (ap);
   return mt_error (err, MT_E_INVALID_DEFINITION, "invalid descriptor of layout \"%s\": %s: %s", layout, *path ? path : "descriptor", reason);
}

#define BAD(p, ...) mt_layout_invalid ((p)->err, (p)->name, (p)->path, __VA_ARGS__)

static size_t count_names (const char *const *names)
{
   size_t n = 0;
   while (names[n])
      n++;
   return n;
}

static bool bad_name (Parse *p, const char *what, MtStr got, const char *const *names)
{
   char buf[256];
   snprintf (buf, sizeof buf, "%.*s", (int) (got.n < 200 ? got.n : 200), got.p);
   const char *near = mt_nearest (buf, names, count_names (names));
   BAD (p, "unknown %s \"%s\"", what, buf);
   return near ? mt_error_hint (p->err, "Perhaps you meant \"%s\".", near) : false;
}

/* ---- values ---- */

/* A document whose fields are all among `names`, none twice. */
static bool expect_doc (Parse *p, MtVal v, const char *const *names)
{
   if (v.type != MT_DOC)
      return BAD (p, "must be a document");
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   uint64_t seen = 0;
   while (mt_doc_next (&it, &key, &x)) {
      size_t i = 0;
      while (names[i] && !mt_str_is (key, names[i]))
         i++;
      if (!names[i])
         return bad_name (p, "field", key, names);
      if (seen & (UINT64_C (1) << i))
         return BAD (p, "field \"%s\" is given twice", names[i]);
      seen |= UINT64_C (1) << i;
   }
   return true;
}

static MtVal field (MtVal doc, const char *name) { return mt_doc_get (doc, name, strlen (name)); }

static bool get_text (Parse *p, MtVal v, const char **out)
{
   if (v.type != MT_STRING)
      return BAD (p, "must be text");
   if (memchr (v.p, 0, v.len))
      return BAD (p, "has a NUL byte");
   *out = mt_strndup (p->a, (const char *) v.p, v.len);
   return true;
}

static bool get_int (Parse *p, MtVal v, int64_t min, int64_t max, int64_t *out)
{
   bool whole = v.type == MT_INT32 || v.type == MT_INT64 || (v.type == MT_DOUBLE && v.d >= -1e15 && v.d <= 1e15 && (double) (int64_t) v.d == v.d);
   int64_t i = !whole ? 0 : v.type == MT_DOUBLE ? (int64_t) v.d : v.i;
   if (!whole || i < min || i > max)
      return BAD (p, "must be a whole number from %lld to %lld", (long long) min, (long long) max);
   *out = i;
   return true;
}

static bool opt_bool (Parse *p, MtVal doc, const char *name, bool *out)
{
   MtVal v = field (doc, name);
   if (v.type == MT_MISSING)
      return true;
   size_t m = enter (p, name);
   if (v.type != MT_BOOL)
      return BAD (p, "must be true or false");
   *out = v.i;
   leave (p, m);
   return true;
}

/* One of `words`, whose index goes to *out. */
static bool opt_word (Parse *p, MtVal doc, const char *name, const char *const *words, int *out)
{
   MtVal v = field (doc, name);
   const char *text;
   if (v.type == MT_MISSING)
      return true;
   size_t m = enter (p, name);
   if (!get_text (p, v, &text))
      return false;
   int i = 0;
   while (words[i] && strcmp (words[i], text))
      i++;
   if (!words[i])
      return bad_name (p, "word", mt_str (text), words);
   *out = i;
   leave (p, m);
   return true;
}

static bool get_path (Parse *p, MtVal v, const char **out)
{
   if (!get_text (p, v, out))
      return false;
   if (strlen (*out) > 1000)
      return BAD (p, "path is longer than 1000 bytes");
   if (!mt_utf8_valid (*out, strlen (*out)))
      return BAD (p, "path is not valid UTF-8");
   size_t n = strlen (*out), parts = 0;
   const char *rest = *out;
   MtStr c;
   while (mt_path_next (&rest, &c)) {
      if (!c.n)
         return BAD (p, "path \"%s\" has an empty name", *out);
      if (c.p[0] == '$')
         return BAD (p, "path \"%s\" has a name that begins with \"$\"", *out);
      if (++parts > MT_MAX_LEVELS)
         return BAD (p, "path has more than %d names", MT_MAX_LEVELS);
   }
   if (n && (*out)[n - 1] == '.')
      return BAD (p, "path \"%s\" has an empty name", *out);
   return true;
}

static bool opt_path (Parse *p, MtVal doc, const char *name, const char **out)
{
   MtVal v = field (doc, name);
   if (v.type == MT_MISSING)
      return true;
   size_t m = enter (p, name);
   if (!get_path (p, v, out))
      return false;
   leave (p, m);
   return true;
}

static bool get_column (Parse *p, MtStr name, int *out)
{
   const char **names = MT_NEW_N (p->a, const char *, p->t->column_count + 1);
   for (size_t i = 0; i < p->t->column_count; i++) {
      names[i] = p->t->columns[i].name;
      if (mt_str_is (name, names[i])) {
         *out = (int) i;
         return true;
      }
   }
   int found = memchr (name.p, 0, name.n) ? -1 : mt_table_column (p->t, mt_strndup (p->a, name.p, name.n), false);
   if (found >= 0) {
      *out = found;
      return true;
   }
   return bad_name (p, "column", name, names);
}

static const char *const number_words[] = {"int32", "int64", "double", "decimal", NULL};
static const uint8_t number_types[] = {MT_INT32, MT_INT64, MT_DOUBLE, MT_DECIMAL};

static bool opt_as (Parse *p, MtVal doc, uint8_t *as)
{
   int i = -1;
   if (!opt_word (p, doc, "as", number_words, &i))
      return false;
   if (i >= 0)
      *as = number_types[i];
   return true;
}

/* ---- encodings ---- */

static const char *const encoding_words[] = {"native", "text", "date", "epoch_s", "epoch_ms", "format", NULL};

static bool parse_format (Parse *p, MtVal v, MtEncoding *e)
{
   size_t m = enter (p, "format");
   if (!get_text (p, v, &e->format))
      return false;
   if (mt_format_grain (e->format) == MT_UNIT_EPOCH)
      return BAD (p, "format \"%s\" must have the year and go down without a gap, of %%Y %%m %%d %%H %%M %%S", e->format);
   e->kind = MT_ENC_FORMAT;
   leave (p, m);
   return true;
}

static bool parse_encoding_doc (Parse *p, MtVal v, MtEncoding *e)
{
   static const char *const names[] = {"kind", "as", "pad", "format", NULL};
   int kind = -1;
   int64_t pad = 0;
   MtVal f;
   if (!expect_doc (p, v, names) || !opt_word (p, v, "kind", encoding_words, &kind) || !opt_as (p, v, &e->as))
      return false;
   if ((f = field (v, "format")).type != MT_MISSING) {
      if (kind >= 0 && kind != MT_ENC_FORMAT)
         return BAD (p, "\"format\" goes with the kind \"format\" only");
      if (!parse_format (p, f, e))
         return false;
   } else if (kind < 0 || kind == MT_ENC_FORMAT)
      return BAD (p, kind < 0 ? "\"kind\" is missing" : "\"format\" is missing");
   else
      e->kind = (MtEncodingKind) kind;
   if ((f = field (v, "pad")).type != MT_MISSING) {
      size_t m = enter (p, "pad");
      if (!get_int (p, f, 0, 32, &pad))
         return false;
      if (e->kind != MT_ENC_TEXT)
         return BAD (p, "only the encoding \"text\" is padded");
      leave (p, m);
   }
   e->pad = (int) pad;
   return true;
}

static bool parse_encoding (Parse *p, MtVal v, MtEncoding *e)
{
   if (v.type == MT_STRING) {
      MtStr s = {(const char *) v.p, v.len};
      for (int i = 0; encoding_words[i]; i++)
         if (mt_str_is (s, encoding_words[i])) {
            if (i == MT_ENC_FORMAT)
               return BAD (p, "a format is written {\"format\": \"%%Y%%m%%d\"}");
            e->kind = (MtEncodingKind) i;
            return true;
         }
      return bad_name (p, "encoding", s, encoding_words);
   }
   return v.type == MT_DOC ? parse_encoding_doc (p, v, e) : BAD (p, "must be an encoding's name or a document");
}

/* Does the encoding suit values of the type? `part`: a number of units. */
static bool check_encoding (Parse *p, MtEncoding *e, MtType t, bool part, bool trunc)
{
   bool time = mt_is_time_type (t.id), timed = e->kind >= MT_ENC_DATE;
   if (timed && (!time || part))
      return BAD (p, "encoding \"%s\" is for times", encoding_words[e->kind]);
   if (e->kind == MT_ENC_TEXT && (trunc || time))
      return BAD (p, "a time as text needs a format");
   if (e->kind == MT_ENC_TEXT && !mt_is_text_type (t.id) && !mt_type_is_integer (t.id) && t.id != MT_T_BOOL && t.id != MT_T_UUID)
      return BAD (p, "values of type %s can't be kept as text", mt_type_info (t.id)->display);
   if (e->pad && !mt_type_is_integer (t.id))
      return BAD (p, "only whole numbers are padded");
   bool epoch = e->kind == MT_ENC_EPOCH_S || e->kind == MT_ENC_EPOCH_MS;
   bool number = e->kind == MT_ENC_NATIVE && mt_type_is_integer (t.id);
   if (e->as == MT_DECIMAL || (e->as && !epoch && !number))
      return BAD (p, "\"as\" doesn't go with this encoding and type");
   if (e->kind == MT_ENC_EPOCH_MS && e->as == MT_INT32)
      return BAD (p, "milliseconds since 1970 don't fit int32");
   if (!e->as && epoch)
      e->as = MT_INT64;
   if (trunc && e->kind == MT_ENC_NATIVE)
      e->kind = MT_ENC_DATE;
   return true;
}

static bool opt_encoding (Parse *p, MtVal doc, MtEncoding *e, MtType t, bool part, bool trunc)
{
   MtVal v = field (doc, "encoding");
   size_t m = enter (p, "encoding");
   if (v.type != MT_MISSING && !parse_encoding (p, v, e))
      return false;
   if (!check_encoding (p, e, t, part, trunc))
      return false;
   leave (p, m);
   return true;
}

/* ---- bindings ---- */

static bool get_unit (Parse *p, MtVal doc, const char *name, MtUnit *out)
{
   static const char *const names[] = {"ms", "second", "minute", "hour", "day", "week", "month", "year", "epoch", NULL};
   int i = -1;
   if (!opt_word (p, doc, name, names, &i))
      return false;
   if (i < 0)
      return BAD (p, "\"%s\" is missing", name);
   *out = (MtUnit) i;
   return true;
}

static bool parse_bind_kind (Parse *p, MtVal v, MtBinding *b)
{
   MtVal column = field (v, "column"), trunc = field (v, "trunc"), part = field (v, "part");
   if ((column.type != MT_MISSING) + (trunc.type != MT_MISSING) + (part.type != MT_MISSING) != 1)
      return BAD (p, "must have one of \"column\", \"trunc\" and \"part\"");
   if (part.type == MT_MISSING && (field (v, "of").type != MT_MISSING || field (v, "base").type != MT_MISSING))
      return BAD (p, "\"of\" and \"base\" go with \"part\"");
   if (column.type != MT_MISSING) {
      const char *name;
      size_t m = enter (p, "column");
      if (!get_text (p, column, &name) || !get_column (p, mt_str (name), &b->column))
         return false;
      leave (p, m);
      b->kind = MT_BIND_COLUMN;
      return true;
   }
   b->column = p->t->time_column;
   if (b->column < 0)
      return BAD (p, "the table has no time column");
   if (trunc.type != MT_MISSING) {
      b->kind = MT_BIND_TIME_TRUNC;
      if (!get_unit (p, v, "trunc", &b->unit))
         return false;
      return b->unit == MT_UNIT_EPOCH || b->unit == MT_UNIT_MS ? BAD (p, "the time can't be truncated to \"%s\"", mt_unit_name (b->unit)) : true;
   }
   b->kind = MT_BIND_TIME_PART;
   return get_unit (p, v, "part", &b->unit) && get_unit (p, v, "of", &b->of);
}

static bool parse_part (Parse *p, MtVal v, MtBinding *b)
{
   int64_t base = 0;
   MtVal f = field (v, "base");
   if (f.type != MT_MISSING) {
      size_t m = enter (p, "base");
      if (!get_int (p, f, 0, 1, &base))
         return false;
      leave (p, m);
   }
   b->base = (int) base;
   if (!mt_unit_ms (b->unit))
      return BAD (p, "a part is counted in units of fixed length, ms to week, not in \"%s\"", mt_unit_name (b->unit));
   if (b->of <= b->unit || (b->of == MT_UNIT_MS))
      return BAD (p, "\"of\" must be a longer unit than \"part\"");
   return true;
}

static bool binding_encoding (Parse *p, MtVal v, MtBinding *b)
{
   return opt_encoding (p, v, &b->encoding, mt_binding_type (p->t, b), b->kind == MT_BIND_TIME_PART, b->kind == MT_BIND_TIME_TRUNC);
}

/* From a part of the id, which says how it is written; "at" and "encoding" are those of a copy. */
static bool parse_id_binding (Parse *p, MtVal v, MtNodeKind kind, MtBinding *b)
{
   b->from = MT_FROM_ID;
   if (kind != MT_NODE_DOCUMENT)
      return BAD (p, "only the root's bindings are from the id");
   if (b->at && !*b->at)
      return BAD (p, "a copy's field needs a name");
   if (!b->at && field (v, "encoding").type != MT_MISSING)
      return BAD (p, "the part of \"id\" says how it is written; \"encoding\" goes with \"at\", a copy");
   return !b->at || binding_encoding (p, v, b);
}

static bool parse_binding (Parse *p, MtVal v, MtNodeKind kind, bool first, bool id, MtBinding *b)
{
   static const char *const names[] = {"column", "trunc", "part", "of", "base", "from", "at", "encoding", NULL};
   static const char *const froms[] = {"field", "key", "index", "id", NULL};
   if (!expect_doc (p, v, names) || !parse_bind_kind (p, v, b) || (b->kind == MT_BIND_TIME_PART && !parse_part (p, v, b)))
      return false;
   int from = -1;
   if (!opt_word (p, v, "from", froms, &from) || !opt_path (p, v, "at", &b->at))
      return false;
   if (id && (from >= 0 || b->at))
      return BAD (p, "a part of an id has neither \"from\" nor \"at\"");
   if (from == MT_FROM_ID)
      return parse_id_binding (p, v, kind, b);
   MtBindFrom usual = kind == MT_NODE_MAP && first ? MT_FROM_KEY : kind == MT_NODE_SLOTS && first ? MT_FROM_INDEX : MT_FROM_FIELD;
   b->from = from < 0 ? usual : (MtBindFrom) from;
   if (b->from != usual && (b->from != MT_FROM_FIELD || first))
      return BAD (p, usual == MT_FROM_FIELD ? "only a map's first binding is from the key, and slots' first from the index"
                                            : "the first binding of a map or of slots is from the key or the index");
   if (b->from != MT_FROM_FIELD && b->at)
      return BAD (p, "\"at\" goes with bindings from a field");
   if (b->from == MT_FROM_FIELD && !b->at)
      b->at = b->kind == MT_BIND_COLUMN ? p->t->columns[b->column].field : mt_unit_name (b->unit);
   return binding_encoding (p, v, b);
}

static bool parse_binds (Parse *p, MtVal doc, MtNode *n)
{
   MtVal v = field (doc, "bind");
   if (v.type == MT_MISSING)
      return true;
   size_t m = enter (p, "bind");
   if (v.type != MT_ARRAY)
      return BAD (p, "must be an array");
   leave (p, m);
   size_t count;
   MtVal *elems = mt_v_elements (p->a, v, &count);
   n->binds = MT_NEW_N (p->a, MtBinding, count);
   for (size_t i = 0; i < count; i++) {
      m = enter_index (p, "bind", i);
      if (!parse_binding (p, elems[i], n->kind, i == 0, false, &n->binds[i]))
         return false;
      leave (p, m);
   }
   n->bind_count = count;
   return true;
}

/* ---- the parts of a node ---- */

static bool parse_range (Parse *p, MtVal doc, MtNode *n)
{
   static const char *const names[] = {"min", "max", "exact", "encoding", NULL};
   MtVal v = field (doc, "range");
   if (v.type == MT_MISSING)
      return true;
   size_t m = enter (p, "range");
   if (!expect_doc (p, v, names) || !opt_path (p, v, "min", &n->range.min) || !opt_path (p, v, "max", &n->range.max) ||
       !opt_bool (p, v, "exact", &n->range.exact))
      return false;
   if (n->kind != MT_NODE_DOCUMENT)
      return BAD (p, "only a document has a range of time");
   if (!n->range.min || !n->range.max)
      return BAD (p, "\"min\" and \"max\" are needed");
   if (p->t->time_column < 0)
      return BAD (p, "the table has no time column");
   if (!opt_encoding (p, v, &n->range.encoding, p->t->columns[p->t->time_column].type, false, false))
      return false;
   n->range.present = true;
   leave (p, m);
   return true;
}

static uint8_t sum_as (MtTypeId t)
{
   return t == MT_T_NUMERIC ? MT_DECIMAL : t == MT_T_FLOAT4 || t == MT_T_FLOAT8 ? MT_DOUBLE : MT_INT64;
}

static bool parse_measure (Parse *p, MtStr key, MtVal v, MtMeasureAgg *m)
{
   static const char *const names[] = {"sum", "min", "max", "nonnull", "as", NULL};
   if (!get_column (p, key, &m->column))
      return false;
   MtTypeId type = p->t->columns[m->column].type.id;
   m->as = sum_as (type);
   if (v.type == MT_STRING) {
      if (!get_path (p, v, &m->sum))
         return false;
   } else if (!expect_doc (p, v, names) || !opt_path (p, v, "sum", &m->sum) || !opt_path (p, v, "min", &m->min) ||
              !opt_path (p, v, "max", &m->max) || !opt_path (p, v, "nonnull", &m->nonnull) || !opt_as (p, v, &m->as))
      return false;
   if (!m->sum && !m->min && !m->max && !m->nonnull)
      return BAD (p, "nothing is kept of the measure");
   if (p->t->columns[m->column].role != MT_COL_MEASURE)
      return BAD (p, "column \"%s\" is not a measure", p->t->columns[m->column].name);
   if (m->sum && !mt_type_is_number (type))
      return BAD (p, "values of type %s have no sum", mt_type_info (type)->display);
   if ((m->min || m->max) && !mt_type_is_number (type) && !mt_is_time_type (type))
      return BAD (p, "no minimum or maximum of type %s is kept", mt_type_info (type)->display);
   if ((m->as == MT_INT32 || m->as == MT_INT64) && !mt_type_is_integer (type) && m->sum)
      return BAD (p, "sums of type %s don't fit %s", mt_type_info (type)->display, m->as == MT_INT32 ? "int32" : "int64");
   return true;
}

static bool parse_measures (Parse *p, MtVal v, MtPreagg *agg)
{
   size_t m = enter (p, "measures"), n = 0;
   if (v.type != MT_DOC)
      return BAD (p, "must be a document");
   agg->measures = MT_NEW_N (p->a, MtMeasureAgg, mt_doc_count (v));
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   while (mt_doc_next (&it, &key, &x)) {
      char name[128];
      snprintf (name, sizeof name, "%.*s", (int) (key.n < 100 ? key.n : 100), key.p);
      size_t mm = enter (p, name);
      if (!parse_measure (p, key, x, &agg->measures[n]))
         return false;
      for (size_t i = 0; i < n; i++)
         if (agg->measures[i].column == agg->measures[n].column)
            return BAD (p, "the measure is given twice");
      n++;
      leave (p, mm);
   }
   agg->measure_count = n;
   leave (p, m);
   return true;
}

static bool parse_n (Parse *p, MtVal v, MtPreagg *agg)
{
   static const char *const names[] = {"at", "as", NULL};
   size_t m = enter (p, "n");
   agg->n_as = MT_INT32;
   if (v.type == MT_DOC) {
      if (!expect_doc (p, v, names) || !opt_path (p, v, "at", &agg->n) || !opt_as (p, v, &agg->n_as))
         return false;
      if (!agg->n)
         return BAD (p, "\"at\" is missing");
   } else if (!get_path (p, v, &agg->n))
      return false;
   if (agg->n_as == MT_DECIMAL)
      return BAD (p, "a count is int32, int64 or double");
   leave (p, m);
   return true;
}

static bool parse_agg (Parse *p, MtVal doc, MtNode *n)
{
   static const char *const names[] = {"n", "measures", "zero", NULL};
   static const char *const zeros[] = {"value", "absent", NULL};
   MtVal v = field (doc, "agg");
   if (v.type == MT_MISSING)
      return true;
   size_t m = enter (p, "agg");
   int zero = 0;
   if (!expect_doc (p, v, names) || !opt_word (p, v, "zero", zeros, &zero))
      return false;
   MtVal count = field (v, "n"), measures = field (v, "measures");
   if ((count.type != MT_MISSING && !parse_n (p, count, &n->agg)) || (measures.type != MT_MISSING && !parse_measures (p, measures, &n->agg)))
      return false;
   if (!n->agg.n && !n->agg.measure_count)
      return BAD (p, "nothing is kept: \"n\" or \"measures\" is needed");
   n->agg.present = true;
   n->agg.zero_is_absent = zero == 1;
   leave (p, m);
   return true;
}

static bool parse_raw_column (Parse *p, MtStr key, MtVal v, MtRaw *raw, size_t i)
{
   static const char *const names[] = {"at", "encoding", NULL};
   if (!get_column (p, key, &raw->columns[i]))
      return false;
   MtType t = p->t->columns[raw->columns[i]].type;
   if (v.type != MT_DOC)
      return get_path (p, v, &raw->paths[i]);
   if (!expect_doc (p, v, names) || !opt_path (p, v, "at", &raw->paths[i]) || !opt_encoding (p, v, &raw->encodings[i], t, false, false))
      return false;
   return raw->paths[i] ? true : BAD (p, "\"at\" is missing");
}

static bool parse_raw_columns (Parse *p, MtVal v, MtRaw *raw)
{
   size_t m = enter (p, "columns"), count = mt_doc_count (v), n = 0;
   if (v.type != MT_DOC)
      return BAD (p, v.type == MT_MISSING ? "is missing" : "must be a document");
   raw->columns = MT_NEW_N (p->a, int, count);
   raw->paths = MT_NEW_N (p->a, const char *, count);
   raw->encodings = MT_NEW_N (p->a, MtEncoding, count);
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   while (mt_doc_next (&it, &key, &x)) {
      char name[128];
      snprintf (name, sizeof name, "%.*s", (int) (key.n < 100 ? key.n : 100), key.p);
      size_t mm = enter (p, name);
      if (!parse_raw_column (p, key, x, raw, n))
         return false;
      for (size_t i = 0; i < n; i++)
         if (raw->columns[i] == raw->columns[n])
            return BAD (p, "the column is given twice");
      n++;
      leave (p, mm);
   }
   raw->count = n;
   leave (p, m);
   return true;
}

static bool parse_raw (Parse *p, MtVal doc, MtNode *n)
{
   static const char *const names[] = {"at", "many", "columns", NULL};
   MtVal v = field (doc, "raw");
   if (v.type == MT_MISSING)
      return true;
   size_t m = enter (p, "raw");
   n->raw.at = "";
   if (!expect_doc (p, v, names) || !opt_path (p, v, "at", &n->raw.at) || !opt_bool (p, v, "many", &n->raw.many) ||
       !parse_raw_columns (p, field (v, "columns"), &n->raw))
      return false;
   if (!n->raw.many && *n->raw.at)
      return BAD (p, "\"at\" goes with \"many\": one record is the cell's value itself");
   n->raw.present = true;
   leave (p, m);
   return true;
}

static bool parse_order (Parse *p, MtVal doc, MtNode *n)
{
   MtVal v = field (doc, "order");
   if (v.type == MT_MISSING)
      return true;
   size_t m = enter (p, "order");
   if (v.type != MT_ARRAY)
      return BAD (p, "must be an array of names");
   size_t count;
   MtVal *elems = mt_v_elements (p->a, v, &count);
   n->order = MT_NEW_N (p->a, const char *, count);
   for (size_t i = 0; i < count; i++) {
      if (!get_path (p, elems[i], &n->order[i]))
         return false;
      if (!*n->order[i] || strchr (n->order[i], '.'))
         return BAD (p, "must be names of fields, not paths");
   }
   n->order_count = count;
   leave (p, m);
   return true;
}

/* ---- nodes ---- */

static bool parse_node (Parse *p, MtVal v, MtNode *parent, int depth, MtNode **out);

static bool parse_children (Parse *p, MtVal doc, MtNode *n)
{
   MtVal sub = field (doc, "sub"), alt = field (doc, "alt");
   if (sub.type != MT_MISSING && alt.type != MT_MISSING)
      return BAD (p, "\"sub\" and \"alt\" exclude each other");
   if (sub.type != MT_MISSING) {
      size_t m = enter (p, "sub");
      n->subs = MT_NEW (p->a, MtNode *);
      if (!parse_node (p, sub, n, n->depth + 1, &n->subs[0]))
         return false;
      n->sub_count = 1;
      leave (p, m);
   } else if (alt.type != MT_MISSING) {
      size_t count;
      MtVal *elems = mt_v_elements (p->a, alt, &count);
      if (alt.type != MT_ARRAY || !count || count > 64)
         return BAD (p, "\"alt\" must be an array of 1 to 64 nodes");
      n->subs = MT_NEW_N (p->a, MtNode *, count);
      for (size_t i = 0; i < count; i++, n->sub_count++) {
         size_t m = enter_index (p, "alt", i);
         if (!parse_node (p, elems[i], n, n->depth + 1, &n->subs[i]))
            return false;
         leave (p, m);
      }
   }
   return true;
}

static const char *const kind_words[] = {"document", "list", "map", "slots", "scalar", NULL};

static const char *node_name (Parse *p, const MtNode *n)
{
   if (n->kind == MT_NODE_DOCUMENT)
      return "document";
   if (n->bind_count)
      return n->binds[0].kind == MT_BIND_COLUMN ? p->t->columns[n->binds[0].column].name : mt_unit_name (n->binds[0].unit);
   if (!*n->at)
      return kind_words[n->kind];
   const char *dot = strrchr (n->at, '.');
   return dot ? dot + 1 : n->at;
}

static bool parse_node (Parse *p, MtVal v, MtNode *parent, int depth, MtNode **out)
{
   static const char *const names[] = {"is", "at", "bind", "range", "agg", "raw", "order", "sub", "alt", NULL};
   int kind = -1;
   if (depth >= MT_MAX_LEVELS)
      return BAD (p, "more than %d levels", MT_MAX_LEVELS);
   if (!expect_doc (p, v, names) || !opt_word (p, v, "is", kind_words, &kind))
      return false;
   if (kind < 0)
      return BAD (p, "\"is\" is missing");
   if ((kind == MT_NODE_DOCUMENT) != (parent == NULL))
      return BAD (p, parent ? "only the root is a document" : "the root must be a document");
   MtNode *n = *out = MT_NEW (p->a, MtNode);
   *n = (MtNode){.kind = (MtNodeKind) kind, .id = p->next_id++, .depth = depth, .at = "", .parent = parent};
   if (!opt_path (p, v, "at", &n->at))
      return false;
   if (!parent && *n->at)
      return BAD (p, "the root has no \"at\"");
   if (!parse_binds (p, v, n) || !parse_range (p, v, n) || !parse_agg (p, v, n) || !parse_raw (p, v, n) || !parse_order (p, v, n))
      return false;
   n->name = node_name (p, n);
   return parse_children (p, v, n);
}

static void list_nodes (MtNode *n, MtNode **nodes)
{
   nodes[n->id] = n;
   for (size_t i = 0; i < n->sub_count; i++)
      list_nodes (n->subs[i], nodes);
}

/* ---- stores ---- */

static bool parse_id (Parse *p, MtVal v, MtStoreDesc *s)
{
   if (v.type == MT_MISSING || (v.type == MT_STRING && v.len == 4 && !memcmp (v.p, "auto", 4)))
      return true;
   size_t m = enter (p, "id"), count;
   MtVal *elems = mt_v_elements (p->a, v, &count);
   if (v.type != MT_ARRAY || !count)
      return BAD (p, "must be \"auto\" or an array of literals and bindings");
   leave (p, m);
   s->id = MT_NEW_N (p->a, MtIdPart, count);
   for (size_t i = 0; i < count; i++) {
      m = enter_index (p, "id", i);
      if (elems[i].type == MT_STRING) {
         if (!get_text (p, elems[i], &s->id[i].literal))
            return false;
      } else if (!parse_binding (p, elems[i], MT_NODE_DOCUMENT, true, true, &s->id[i].bind))
         return false;
      leave (p, m);
   }
   s->id_count = count;
   return true;
}

/* Which part each of the root's bindings from the id is. */
static bool find_id_parts (Parse *p, MtStoreDesc *s)
{
   for (size_t i = 0; i < s->root->bind_count; i++) {
      MtBinding *b = &s->root->binds[i];
      if (b->from != MT_FROM_ID)
         continue;
      while (b->id_part < s->id_count && (s->id[b->id_part].literal || !mt_same_binding (&s->id[b->id_part].bind, b)))
         b->id_part++;
      size_t m = enter_index (p, "bind", i);
      if (b->id_part == s->id_count)
         return BAD (p, s->id_count ? "the store's \"id\" doesn't have this" : "the store has no \"id\"");
      if (s->id_count == 1)
         return BAD (p, "an id of one value is bound \"at\": \"_id\", without \"id\"");
      MtTypeId t = mt_binding_type (p->t, b).id;
      if (!mt_is_text_type (t) && !mt_type_is_integer (t) && !mt_is_time_type (t))
         return BAD (p, "values of type %s can't be read back from an id", mt_type_info (t)->display);
      leave (p, m);
   }
   return true;
}

static bool parse_collection (Parse *p, MtVal v, const char **out)
{
   size_t m = enter (p, "collection");
   if (v.type == MT_MISSING)
      return BAD (p, "is missing");
   if (!get_text (p, v, out))
      return false;
   if (!**out || strchr (*out, '$') || !strncmp (*out, "system.", 7) || !strcmp (*out, "_mtsql_catalog") || strlen (*out) > 200)
      return BAD (p, "\"%s\" can't be the name of a collection", *out);
   leave (p, m);
   return true;
}

static bool opt_count (Parse *p, MtVal v, const char *name, int64_t *out)
{
   MtVal f = field (v, name);
   if (f.type == MT_MISSING)
      return true;
   size_t m = enter (p, name);
   if (!get_int (p, f, 1, INT64_C (1000000000), out))
      return false;
   leave (p, m);
   return true;
}

static bool parse_shard (Parse *p, MtVal v, MtStoreDesc *s)
{
   static const char *const names[] = {"at", "hashed", NULL};
   if (v.type == MT_MISSING)
      return true;
   size_t outer = enter (p, "shard"), count;
   MtVal *elems = mt_v_elements (p->a, v, &count);
   if (v.type != MT_ARRAY || !count)
      return BAD (p, "must be an array of fields");
   leave (p, outer);
   s->shard = MT_NEW_N (p->a, MtShardField, count);
   for (size_t i = 0; i < count; i++) {
      size_t m = enter_index (p, "shard", i);
      const char *why;
      if (!expect_doc (p, elems[i], names) || !opt_path (p, elems[i], "at", &s->shard[i].at) || !opt_bool (p, elems[i], "hashed", &s->shard[i].hashed))
         return false;
      if (!mt_can_shard (s, s->shard[i].at, &why))
         return BAD (p, "%s", why);
      leave (p, m);
   }
   s->shard_count = count;
   return true;
}

/* In MongoDB's own words. */
static bool parse_timeseries (Parse *p, MtVal v, MtStoreDesc *s)
{
   static const char *const names[] = {"timeField", "metaField", "granularity", "expireAfterSeconds", NULL};
   static const char *const granularities[] = {"seconds", "minutes", "hours", NULL};
   int granularity = -1;
   if (v.type == MT_MISSING)
      return true;
   MtTimeseries *t = MT_NEW (p->a, MtTimeseries);
   size_t outer = enter (p, "timeseries");
   t->expire_after_s = -1;
   if (!expect_doc (p, v, names) || !opt_path (p, v, "timeField", &t->time) || !opt_path (p, v, "metaField", &t->meta) || !opt_word (p, v, "granularity", granularities, &granularity))
      return false;
   if (granularity >= 0)
      t->granularity = granularities[granularity];
   MtVal expire = field (v, "expireAfterSeconds");
   if (expire.type != MT_MISSING) {
      size_t m = enter (p, "expireAfterSeconds");
      if (!get_int (p, expire, 0, INT32_MAX, &t->expire_after_s))
         return false;
      leave (p, m);
   }
   leave (p, outer);
   s->timeseries = t;
   return true;
}

static bool parse_partition (Parse *p, MtVal v, MtStoreDesc *s)
{
   static const char *const units[] = {"day", "month", NULL};
   int unit = -1;
   if (!opt_word (p, v, "partition", units, &unit))
      return false;
   if (unit < 0)
      return true;
   s->parts = MT_NEW (p->a, MtPartitions);
   *s->parts = (MtPartitions){.unit = unit ? MT_UNIT_MONTH : MT_UNIT_DAY, .arena = p->a};
   return true;
}

static bool parse_store (Parse *p, MtVal v, MtStoreDesc *s)
{
   static const char *const names[] = {"collection", "partition", "id", "write", "repeats", "flush_levels", "preallocate", "timeseries", "shard", "root", NULL};
   static const char *const writes[] = {"insert", "push", "pack", "inc", "newer", NULL};
   int write = 0;
   if (!expect_doc (p, v, names) || !parse_collection (p, field (v, "collection"), &s->collection) || !parse_partition (p, v, s) ||
       !parse_id (p, field (v, "id"), s) ||
       !opt_word (p, v, "write", writes, &write) || !opt_bool (p, v, "repeats", &s->repeats))
      return false;
   s->write = (MtWriteMode) write;
   MtVal root = field (v, "root");
   if (!opt_count (p, v, "flush_levels", &s->flush_levels) || !opt_count (p, v, "preallocate", &s->preallocate))
      return false;
   size_t m = enter (p, "root");
   if (root.type == MT_MISSING)
      return BAD (p, "is missing");
   p->next_id = 0;
   if (!parse_node (p, root, NULL, 0, &s->root) || !find_id_parts (p, s))
      return false;
   leave (p, m);
   if (!parse_timeseries (p, field (v, "timeseries"), s) || !parse_shard (p, field (v, "shard"), s))
      return false;
   s->node_count = (size_t) p->next_id;
   s->nodes = MT_NEW_N (p->a, MtNode *, s->node_count);
   list_nodes (s->root, s->nodes);
   return true;
}

static bool parse_stores (Parse *p, MtVal v, MtLayout *l)
{
   size_t m = enter (p, "stores"), count;
   MtVal *elems = mt_v_elements (p->a, v, &count);
   if (v.type != MT_ARRAY || !count || count > 64)
      return BAD (p, v.type == MT_MISSING ? "is missing" : "must be an array of 1 to 64 stores");
   leave (p, m);
   l->stores = MT_NEW_N (p->a, MtStoreDesc, count);
   l->stats = MT_NEW_N (p->a, MtStoreStats, count);
   for (size_t i = 0; i < count; i++) {
      m = enter_index (p, "stores", i);
      if (!parse_store (p, elems[i], &l->stores[i]))
         return false;
      leave (p, m);
   }
   l->store_count = count;
   return true;
}

/* A list of columns, with room for all of the table's. */
static bool parse_columns (Parse *p, MtVal v, const char *field, int **columns, size_t *out)
{
   size_t m = enter (p, field), count;
   MtVal *elems = mt_v_elements (p->a, v, &count);
   if (v.type != MT_ARRAY || count > p->t->column_count)
      return BAD (p, "must be an array of columns");
   *columns = MT_NEW_N (p->a, int, p->t->column_count + 1);
   for (size_t i = 0; i < count; i++) {
      const char *name;
      if (!get_text (p, elems[i], &name) || !get_column (p, mt_str (name), &(*columns)[i]))
         return false;
      for (size_t j = 0; j < i; j++)
         if ((*columns)[j] == (*columns)[i])
            return BAD (p, "column \"%s\" is named twice", name);
   }
   *out = count;
   leave (p, m);
   return true;
}

static bool parse_key (Parse *p, MtVal v, MtLayout *l)
{
   if (v.type != MT_MISSING)
      return parse_columns (p, v, "key", &l->key, &l->key_count);
   l->key = p->t->key;
   l->key_count = p->t->key_count;
   return true;
}

static bool among (const int *columns, size_t count, int c)
{
   for (size_t i = 0; i < count; i++)
      if (columns[i] == c)
         return true;
   return false;
}

/* What is given, and then the other columns in the table's order. */
static bool parse_tie (Parse *p, MtVal v, MtLayout *l)
{
   if (v.type != MT_MISSING && l->keeps != MT_KEEPS_LATEST)
      return BAD (p, "\"tie\" goes with layouts that keep \"latest\"");
   if (l->keeps != MT_KEEPS_LATEST)
      return true;
   if (v.type != MT_MISSING && !parse_columns (p, v, "tie", &l->tie, &l->tie_given))
      return false;
   for (size_t i = 0; i < l->tie_given; i++)
      if (l->tie[i] == p->t->time_column || among (l->key, l->key_count, l->tie[i]))
         return BAD (p, "column \"%s\" in \"tie\" is the time or in the key", p->t->columns[l->tie[i]].name);
   if (!l->tie)
      l->tie = MT_NEW_N (p->a, int, p->t->column_count + 1);
   l->tie_count = l->tie_given;
   for (int i = 0; i < (int) p->t->column_count; i++)
      if (i != p->t->time_column && !p->t->columns[i].inner && !among (l->key, l->key_count, i) && !among (l->tie, l->tie_given, i))
         l->tie[l->tie_count++] = i;
   return true;
}

bool mt_layout_parse (MtArena *a, const MtTable *t, const char *name, const bson_t *descriptor, MtLayout *out, MtError *err)
{
   static const char *const names[] = {"keeps", "key", "tie", "presums", "stores", NULL};
   static const char *const keeps_words[] = {"records", "sums", "latest", NULL};
   static const char *const presums_words[] = {"trust", "verify", "ignore", NULL};
   Parse p = {.a = a, .t = t, .name = name, .err = err};
   MtLayout l = {.name = mt_strdup (a, name), .preset = "", .options_text = "", .clean = true};
   MtVal v = mt_v_doc (descriptor);
   int keeps = -1, presums = 0;
   if (!bson_validate (descriptor, BSON_VALIDATE_NONE, NULL))
      return BAD (&p, "the document is damaged");
   if (!expect_doc (&p, v, names) || !opt_word (&p, v, "keeps", keeps_words, &keeps) || !opt_word (&p, v, "presums", presums_words, &presums))
      return false;
   if (keeps < 0)
      return BAD (&p, "\"keeps\" is missing");
   l.keeps = (MtKeeps) keeps;
   l.presums = (MtPresums) presums;
   if (!parse_key (&p, field (v, "key"), &l) || !parse_tie (&p, field (v, "tie"), &l) || !parse_stores (&p, field (v, "stores"), &l) || !mt_layout_check (t, name, &l, err))
      return false;
   *out = l;
   return true;
}
