#include "layouts/infer/seen.h"

#include "layouts/descriptor/descriptor.h"

#include <math.h>
#include <string.h>

#define EXACT_WHOLE 9007199254740992.0 /* 2^53: doubles up to this are exact integers */

static const char *const type_names[MT_SEEN_TYPES] = {
   [MT_SEEN_NULL] = "null",     [MT_SEEN_INT] = "int",         [MT_SEEN_LONG] = "long",
   [MT_SEEN_DOUBLE] = "double", [MT_SEEN_DECIMAL] = "decimal", [MT_SEEN_STRING] = "string",
   [MT_SEEN_BOOL] = "bool",     [MT_SEEN_DATE] = "date",       [MT_SEEN_OBJECTID] = "objectId",
   [MT_SEEN_UUID] = "uuid",     [MT_SEEN_BINARY] = "binData",  [MT_SEEN_DOC] = "object",
   [MT_SEEN_ARRAY] = "array",   [MT_SEEN_OTHER] = "other"};

static MtSeenType type_of (MtVal v)
{
   switch (v.type) {
   case MT_NULL:
   case MT_UNDEFINED: return MT_SEEN_NULL;
   case MT_INT32: return MT_SEEN_INT;
   case MT_INT64: return MT_SEEN_LONG;
   case MT_DOUBLE: return MT_SEEN_DOUBLE;
   case MT_DECIMAL: return MT_SEEN_DECIMAL;
   case MT_STRING: return MT_SEEN_STRING;
   case MT_BOOL: return MT_SEEN_BOOL;
   case MT_DATE: return MT_SEEN_DATE;
   case MT_OID: return MT_SEEN_OBJECTID;
   case MT_BINARY:
      if (v.sub == 4 && v.len == 16)
         return MT_SEEN_UUID;
      return v.sub == 0 ? MT_SEEN_BINARY : MT_SEEN_OTHER;
   case MT_DOC: return MT_SEEN_DOC;
   case MT_ARRAY: return MT_SEEN_ARRAY;
   default: return MT_SEEN_OTHER;
   }
}

static uint64_t gcd (uint64_t a, uint64_t b)
{
   while (b) {
      uint64_t r = a % b;
      a = b;
      b = r;
   }
   return a;
}

static MtSeen *new_node (MtArena *a, const char *name)
{
   MtSeen *s = MT_NEW (a, MtSeen);
   s->name = name;
   s->low = INFINITY;
   s->high = -INFINITY;
   s->least = UINT64_MAX;
   s->all_digits = true;
   s->limit = MT_SEEN_FIELDS;
   s->key_low = UINT32_MAX;
   s->key_digits = UINT32_MAX;
   return s;
}

MtSeen *mt_seen_new (MtArena *a)
{
   MtSeen *root = new_node (a, "");
   root->limit = MT_MAX_COLUMNS;
   return root;
}

/* ---- times as text ---- */

static void add_text (MtSeen *s, MtStr text)
{
   const char *format = s->other_texts ? NULL : mt_format_of (text);
   s->other_texts |= !format || (s->time_format && s->time_format != format);
   s->time_format = s->other_texts ? NULL : format;
}

const char *mt_seen_time_text (const MtSeen *s, MtTypeId *type)
{
   if (!s->time_format || s->types[MT_SEEN_STRING] + s->types[MT_SEEN_NULL] != s->count)
      return NULL;
   bool zoned = strpbrk (s->time_format, "Z+");
   *type = zoned ? MT_T_TIMESTAMPTZ : MT_T_TIMESTAMP;
   if (mt_format_grain (s->time_format) == MT_UNIT_DAY)
      *type = MT_T_DATE;
   return s->time_format;
}

/* ---- adding ---- */

static void add_value (MtArena *a, MtSeen *s, MtVal v, int depth);

static void add_number (MtSeen *s, double x)
{
   s->low = fmin (s->low, x);
   s->high = fmax (s->high, x);
   if (!isfinite (x) || x != floor (x) || fabs (x) > EXACT_WHOLE)
      s->fractions++;
   else
      s->grid = gcd ((uint64_t) fabs (x), s->grid);
}

static bool nameable (MtStr key)
{
   return key.n && key.n <= MT_MAX_PATH_BYTES && key.p[0] != '$' && !memchr (key.p, '.', key.n) &&
          !memchr (key.p, 0, key.n) && mt_utf8_valid (key.p, key.n);
}

static void note_key (MtSeen *doc, MtStr key)
{
   uint64_t x = 0;
   for (size_t i = 0; i < key.n; i++) {
      if (key.p[i] < '0' || key.p[i] > '9' || key.n > 9) {
         doc->all_digits = false;
         return;
      }
      x = x * 10 + (uint64_t) (key.p[i] - '0');
   }
   if (!key.n)
      doc->all_digits = false;
   if (x < doc->key_low)
      doc->key_low = (uint32_t) x;
   if (x > doc->key_high)
      doc->key_high = (uint32_t) x;
   if (key.n < doc->key_digits)
      doc->key_digits = (uint32_t) key.n;
}

static MtSeen *find (const MtSeen *doc, MtSeen *from, const MtSeen *end, MtStr key)
{
   for (MtSeen *f = from; f != end; f = f->next)
      if (strncmp (f->name, key.p, key.n) == 0 && !f->name[key.n])
         return f;
   return NULL;
}

static void merge (MtArena *a, MtSeen *into, const MtSeen *from);

static void become_map (MtArena *a, MtSeen *doc)
{
   doc->values = mt_seen_values (a, doc);
   doc->fields = doc->last = doc->guess = NULL;
}

/* Returns the MtSeen of field `key` of doc. If doc is a map, one MtSeen describes the values of all
 * its fields. Creates it if it is missing. */
static MtSeen *field_of (MtArena *a, MtSeen *doc, MtStr key)
{
   if (doc->values)
      return doc->values;
   MtSeen *f = doc->guess ? find (doc, doc->guess, NULL, key) : NULL;
   if (!f)
      f = find (doc, doc->fields, doc->guess, key);
   if (!f && doc->field_count == doc->limit) {
      become_map (a, doc);
      return doc->values;
   }
   if (!f) {
      f = new_node (a, mt_strndup (a, key.p, key.n));
      f->unnameable = !nameable (key);
      if (doc->last)
         doc->last->next = f;
      else
         doc->fields = f;
      doc->last = f;
      doc->field_count++;
   }
   doc->guess = f->next;
   return f;
}

static void add_doc (MtArena *a, MtSeen *s, MtVal v, int depth)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal child;
   uint64_t n = 0;
   s->guess = s->fields;
   for (; mt_doc_next (&it, &key, &child); n++) {
      note_key (s, key);
      add_value (a, field_of (a, s, key), child, depth + 1);
   }
   s->least = n < s->least ? n : s->least;
   s->most = n > s->most ? n : s->most;
}

static void add_array (MtArena *a, MtSeen *s, MtVal v, int depth)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal child;
   uint64_t n = 0;
   bool scalars = true;
   if (!s->elements)
      s->elements = new_node (a, "");
   for (; mt_doc_next (&it, &key, &child); n++) {
      scalars = scalars && child.type != MT_DOC && child.type != MT_ARRAY;
      add_value (a, s->elements, child, depth + 1);
   }
   if (scalars && n && n <= MT_SEEN_POSITIONS) {
      if (!s->positions)
         s->positions = new_node (a, "");
      v.type = MT_DOC;
      add_value (a, s->positions, v, depth);
   }
   s->least = n < s->least ? n : s->least;
   s->most = n > s->most ? n : s->most;
}

static void add_value (MtArena *a, MtSeen *s, MtVal v, int depth)
{
   MtSeenType t = type_of (v);
   s->count++;
   s->types[t]++;
   if (t == MT_SEEN_DOUBLE)
      add_number (s, v.d);
   else if (t == MT_SEEN_INT || t == MT_SEEN_LONG || t == MT_SEEN_DATE)
      add_number (s, (double) v.i);
   else if (t == MT_SEEN_STRING)
      add_text (s, (MtStr) {(const char *) v.p, v.len});
   else if (t == MT_SEEN_DOC && depth < MT_MAX_BSON_DEPTH)
      add_doc (a, s, v, depth);
   else if (t == MT_SEEN_ARRAY && depth < MT_MAX_BSON_DEPTH)
      add_array (a, s, v, depth);
}

void mt_seen_add (MtArena *a, MtSeen *root, MtVal doc) { add_value (a, root, doc, 0); }

/* ---- merging ---- */

static void merge_fields (MtArena *a, MtSeen *into, const MtSeen *from)
{
   if (from->values && !into->values)
      become_map (a, into);
   if (from->values)
      merge (a, into->values, from->values);
   for (const MtSeen *f = from->fields; f; f = f->next) {
      into->guess = into->fields;
      merge (a, field_of (a, into, mt_str (f->name)), f);
   }
}

static void merge (MtArena *a, MtSeen *into, const MtSeen *from)
{
   into->count += from->count;
   for (int t = 0; t < MT_SEEN_TYPES; t++)
      into->types[t] += from->types[t];
   into->low = fmin (into->low, from->low);
   into->high = fmax (into->high, from->high);
   into->grid = gcd (into->grid, from->grid);
   into->fractions += from->fractions;
   into->other_texts |= from->other_texts || (into->time_format && from->time_format &&
                                              into->time_format != from->time_format);
   if (!into->time_format)
      into->time_format = from->time_format;
   if (into->other_texts)
      into->time_format = NULL;
   into->least = from->least < into->least ? from->least : into->least;
   into->most = from->most > into->most ? from->most : into->most;
   into->all_digits &= from->all_digits;
   into->key_low = from->key_low < into->key_low ? from->key_low : into->key_low;
   into->key_high = from->key_high > into->key_high ? from->key_high : into->key_high;
   into->key_digits = from->key_digits < into->key_digits ? from->key_digits : into->key_digits;
   if (from->elements) {
      if (!into->elements)
         into->elements = new_node (a, "");
      merge (a, into->elements, from->elements);
   }
   if (from->positions) {
      if (!into->positions)
         into->positions = new_node (a, "");
      merge (a, into->positions, from->positions);
   }
   merge_fields (a, into, from);
}

MtSeen *mt_seen_values (MtArena *a, const MtSeen *doc)
{
   MtSeen *all = new_node (a, "");
   if (doc->values)
      merge (a, all, doc->values);
   for (const MtSeen *f = doc->fields; f; f = f->next)
      merge (a, all, f);
   return all;
}

/* ---- reading ---- */

uint64_t mt_seen_missing (const MtSeen *parent, const MtSeen *field)
{
   uint64_t there = parent->types[MT_SEEN_DOC];
   return there > field->count ? there - field->count : 0;
}

bool mt_seen_always (const MtSeen *parent, const MtSeen *field)
{
   return !mt_seen_missing (parent, field) && !field->types[MT_SEEN_NULL];
}

/* Returns whether there are values other than null, and all of them have one of the types in
 * `which`, a bitmap by MtSeenType. */
static bool only (const MtSeen *s, uint64_t which)
{
   for (int t = 0; t < MT_SEEN_TYPES; t++)
      if (s->types[t] && t != MT_SEEN_NULL && !(which >> t & 1))
         return false;
   return s->count > s->types[MT_SEEN_NULL];
}

#define TYPE(t) ((uint64_t) 1 << MT_SEEN_##t)

MtTypeId mt_seen_column_type (const MtSeen *s)
{
   static const struct {
      uint64_t types;
      MtTypeId id;
   } rows[] = {{TYPE (INT) | TYPE (LONG), MT_T_INT8},
               {TYPE (INT) | TYPE (LONG) | TYPE (DOUBLE), MT_T_FLOAT8},
               {TYPE (INT) | TYPE (LONG) | TYPE (DECIMAL), MT_T_NUMERIC},
               {TYPE (STRING), MT_T_TEXT},
               {TYPE (BOOL), MT_T_BOOL},
               {TYPE (DATE), MT_T_TIMESTAMPTZ},
               {TYPE (OBJECTID), MT_T_OBJECTID},
               {TYPE (UUID), MT_T_UUID},
               {TYPE (BINARY), MT_T_BYTEA}};
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (only (s, rows[i].types))
         return rows[i].id == MT_T_FLOAT8 && s->types[MT_SEEN_LONG] &&
                      fmax (-s->low, s->high) > EXACT_WHOLE
                   ? MT_T_JSONB
                   : rows[i].id;
   return MT_T_JSONB;
}

MtType mt_seen_type (const MtSeen *s)
{
   MtTypeId t = mt_seen_column_type (s),
            e = t == MT_T_JSONB && s->elements && only (s, TYPE (ARRAY))
                   ? mt_seen_column_type (s->elements)
                   : MT_T_JSONB;
   bool whole = s->elements &&
                (s->elements->types[MT_SEEN_INT] || s->elements->types[MT_SEEN_LONG]);
   if (e == MT_T_JSONB || (whole && e != MT_T_INT8))
      return mt_type (t);
   return mt_type_flat (e);
}

/* Tells records whose field names are "0", "1", … from maps with numbers as keys. Returns true for
 * records: each document has all of the fields from "0" on, and there are at most eight. */
static bool numbered_record (const MtSeen *s)
{
   for (const MtSeen *f = s->fields; f; f = f->next)
      if (mt_seen_missing (s, f))
         return false;
   return s->field_count <= 8 && s->key_low == 0 && s->key_high + 1 == s->field_count;
}

bool mt_seen_is_map (const MtSeen *s)
{
   if (!only (s, TYPE (DOC)))
      return false;
   if (s->values)
      return true;
   if (s->field_count > 1 && s->all_digits)
      return !numbered_record (s);
   for (const MtSeen *f = s->fields; f; f = f->next)
      if (!mt_seen_is_map (f))
         return false;
   return s->field_count > 1;
}

bool mt_seen_flattens (const MtSeen *s)
{
   if (!only (s, TYPE (DOC)) || !s->fields || mt_seen_is_map (s))
      return false;
   for (const MtSeen *f = s->fields; f; f = f->next)
      if (f->unnameable)
         return false;
   return true;
}

const char *mt_seen_text (MtArena *a, const MtSeen *s)
{
   bool told[MT_SEEN_TYPES] = {false};
   const char *text = "";
   for (;;) {
      int best = -1;
      for (int t = 0; t < MT_SEEN_TYPES; t++)
         if (s->types[t] && !told[t] && (best < 0 || s->types[t] > s->types[best]))
            best = t;
      if (best < 0)
         return text;
      told[best] = true;
      double share = 100.0 * (double) s->types[best] / (double) s->count;
      if (s->types[best] == s->count)
         return type_names[best];
      text = mt_printf (a, "%s%s%s %.*f%%", text, *text ? ", " : "", type_names[best],
                        share < 1 || share > 99 ? 1 : 0, share);
   }
}

double mt_seen_instant (const MtSeen *s)
{
   MtTypeId t = mt_seen_column_type (s);
   if (t == MT_T_TIMESTAMPTZ)
      return 1;
   if ((t != MT_T_INT8 && t != MT_T_FLOAT8) || s->fractions)
      return 0;
   int64_t unit = mt_epoch_guess (s->low, s->high);
   return unit == 1 || unit == 1000 ? 1000 / (double) unit : 0;
}

const MtSeen *mt_seen_at (const MtSeen *doc, const char *path)
{
   for (const MtSeen *f = doc->fields; f; f = f->next) {
      size_t n = strlen (f->name);
      if (strncmp (f->name, path, n) == 0 && (!path[n] || path[n] == '.'))
         return path[n] ? mt_seen_at (f, path + n + 1) : f;
   }
   return NULL;
}

/* ---- a table ---- */

typedef struct Making {
   MtArena *a;
   MtTable *t;
   size_t capacity;
   const char *hidden;
} Making;

static bool add_columns (Making *m, const MtSeen *doc, const char *prefix, MtError *err)
{
   for (const MtSeen *f = doc->fields; f; f = f->next) {
      const char *path = *prefix ? mt_printf (m->a, "%s.%s", prefix, f->name) : f->name;
      /* Fields that no path reaches occur only in the root, because a sub-document with such a
       * field is not divided into columns. */
      if (f->unnameable || strlen (path) > MT_MAX_PATH_BYTES) {
         m->hidden = mt_printf (m->a, "%s%s\"%s\"", m->hidden ? m->hidden : "",
                                m->hidden ? ", " : "", f->name);
         continue;
      }
      if (mt_seen_flattens (f)) {
         if (!add_columns (m, f, path, err))
            return false;
         continue;
      }
      if (m->t->column_count == m->capacity)
         return mt_error (err, MT_E_TOO_MANY_COLUMNS, "collection \"%s\" has more than %zu fields",
                          m->t->name, m->capacity);
      m->t->columns[m->t->column_count++] = (MtColumn) {
         .name = path,
         .field = path,
         .type = mt_seen_type (f),
         .role = mt_path_in_id (path) ? MT_COL_DIMENSION : MT_COL_PLAIN};
   }
   return true;
}

/* Adds a column of type document for each sub-document that was divided into columns, so that it
 * can also be read as a whole. */
static bool add_inner (Making *m, const MtSeen *doc, const char *prefix, MtError *err)
{
   for (const MtSeen *f = doc->fields; f; f = f->next) {
      if (f->unnameable || !mt_seen_flattens (f))
         continue;
      const char *path = *prefix ? mt_printf (m->a, "%s.%s", prefix, f->name) : f->name;
      if (strcmp (path, "_id") == 0 || strlen (path) > MT_MAX_PATH_BYTES)
         continue;
      if (m->t->column_count == m->capacity)
         return mt_error (err, MT_E_TOO_MANY_COLUMNS, "collection \"%s\" has more than %zu fields",
                          m->t->name, m->capacity);
      m->t->columns[m->t->column_count++] = (MtColumn) {.name = path,
                                                        .field = path,
                                                        .type = mt_type (MT_T_DOCUMENT),
                                                        .role = MT_COL_PLAIN,
                                                        .inner = true};
      if (!add_inner (m, f, path, err))
         return false;
   }
   return true;
}

static void free_bson (void *b) { bson_destroy (b); }

bool mt_seen_table (MtArena *a, const char *collection, const MtSeen *root, MtTable *out,
                    const char **hidden, MtError *err)
{
   Making m = {a, out, MT_MAX_COLUMNS, NULL};
   *out = (MtTable) {
      .name = collection, .columns = MT_NEW_N (a, MtColumn, MT_MAX_COLUMNS), .time_column = -1};
   if (root->values)
      return mt_error (err, MT_E_TOO_MANY_COLUMNS, "collection \"%s\" has more than %d fields",
                       collection, MT_MAX_COLUMNS);
   if (!add_columns (&m, root, "", err) || !add_inner (&m, root, "", err))
      return false;
   if (!out->column_count) /* an empty collection */
      out->columns[out->column_count++] = (MtColumn) {
         .name = "_id", .field = "_id", .type = mt_type (MT_T_OBJECTID), .role = MT_COL_DIMENSION};
   MtPresetUse plain = {.preset = MT_PRESET_PLAIN, .collection = collection};
   bson_t *descriptor = bson_new ();
   mt_arena_defer (a, free_bson, descriptor);
   out->layouts = MT_NEW (a, MtLayout);
   if (!mt_preset_descriptor (a, out, &plain, descriptor, err) ||
       !mt_layout_parse (a, out, MT_PRESET_PLAIN, descriptor, out->layouts, err))
      return false;
   out->layout_count = 1;
   out->layouts->attached = out->layouts->clean = true;
   out->layouts->preset = MT_PRESET_PLAIN;
   out->layouts->options_text = "";
   *hidden = m.hidden;
   return true;
}
