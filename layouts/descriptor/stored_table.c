#include "layouts/descriptor/stored_table.h"

#include "base/bson.h"
#include "engine/engine.h"
#include "layouts/descriptor/descriptor.h"
#include "layouts/expire.h"

#include <math.h>
#include <string.h>

static const char *const role_words[] = {"plain", "time", "dimension", "measure"};

static const char *const key_words[] = {
   [MT_KEY_PRIMARY] = "primary", [MT_KEY_UNIQUE] = "unique", [MT_KEY_INDEX] = "index"};

/* ---- to BSON ---- */

static void put_text (MtBson *b, const char *name, const char *text)
{
   mt_bson_put (b, name, mt_v_cstr (text));
}

/* Appends a flag if it is true; a missing flag is false. */
static void put_flag (MtBson *b, const char *name, bool v)
{
   if (v)
      mt_bson_put (b, name, mt_v_bool (true));
}

static void put_column (MtBson *b, size_t i, const MtColumn *c)
{
   size_t at = mt_bson_doc_at (b, (uint32_t) i);
   put_text (b, "name", c->name);
   put_text (b, "type", mt_type_handle (c->type.id));
   put_text (b, "role", role_words[c->role]);
   if (c->type.mod1 >= 0)
      mt_bson_put (b, "mod1", mt_v_int32 (c->type.mod1));
   if (c->type.mod2 >= 0)
      mt_bson_put (b, "mod2", mt_v_int32 (c->type.mod2));
   put_flag (b, "counter", c->counter);
   put_flag (b, "not_null", c->not_null);
   if (c->period_ms)
      mt_bson_put (b, "period_ms", mt_v_int64 (c->period_ms));
   if (strcmp (c->field, c->name))
      put_text (b, "field", c->field);
   if (c->default_sql)
      put_text (b, "default", c->default_sql);
   if (c->domain)
      put_text (b, "domain", c->domain);
   put_flag (b, "identity", c->identity);
   put_flag (b, "always", c->always);
   mt_bson_end (b, at);
}

void mt_stats_put (MtBson *b, const MtStoreDesc *s, const MtStoreStats *st)
{
   if (!st->present)
      return;
   mt_bson_put (b, "documents", mt_v_double (st->documents));
   mt_bson_put (b, "bytes", mt_v_double (st->bytes));
   mt_bson_put (b, "records", mt_v_double (st->records));
   if (s->root->range.present)
      mt_bson_put (b, "spans_ms", mt_v_double (st->spans_ms));
   if (st->has_time) {
      mt_bson_put (b, "min", mt_v_date (st->min_ms));
      mt_bson_put (b, "max", mt_v_date (st->max_ms));
   }
   size_t at = mt_bson_array (b, "cells");
   for (size_t i = 0; i < s->node_count; i++)
      mt_bson_put_at (b, (uint32_t) i, mt_v_double (st->nodes[i].cells));
   mt_bson_end (b, at);
   at = mt_bson_array (b, "cell_bytes");
   for (size_t i = 0; i < s->node_count; i++)
      mt_bson_put_at (b, (uint32_t) i, mt_v_double (st->nodes[i].bytes));
   mt_bson_end (b, at);
   if (!st->nulls)
      return;
   at = mt_bson_array (b, "nulls");
   for (size_t i = 0; i < st->null_columns; i++)
      mt_bson_put_at (b, (uint32_t) i, mt_v_int64 ((int64_t) st->nulls[i]));
   mt_bson_end (b, at);
}

void mt_statistics_put (MtBson *b, const MtTable *t)
{
   size_t stores = mt_bson_array (b, "stores");
   uint32_t n = 0;
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++) {
         size_t one = mt_bson_doc_at (b, n++);
         mt_stats_put (b, &t->layouts[i].stores[j], &t->layouts[i].stats[j]);
         mt_bson_end (b, one);
      }
   mt_bson_end (b, stores);
}

static void put_expiry (MtBson *b, const MtExpiry *x)
{
   if (!x)
      return;
   if (x->ages) {
      mt_bson_put (b, "expire_months", mt_v_int64 (x->after.months));
      mt_bson_put (b, "expire_days", mt_v_int64 (x->after.days));
      mt_bson_put (b, "expire_us", mt_v_int64 (x->after.us));
   }
   if (x->ended)
      mt_bson_put (b, "expired_before", mt_v_date (x->before_ms));
}

static bool put_layout (MtBson *b, size_t i, const MtTable *t, const MtLayout *l, MtError *err)
{
   bson_t d = BSON_INITIALIZER;
   if (!mt_layout_to_bson (t, l, &d, err)) {
      bson_destroy (&d);
      return false;
   }
   size_t at = mt_bson_doc_at (b, (uint32_t) i);
   put_text (b, "name", l->name);
   put_text (b, "preset", l->preset);
   put_text (b, "options", l->options_text);
   mt_bson_put (b, "attached", mt_v_bool (l->attached));
   mt_bson_put (b, "clean", mt_v_bool (l->clean));
   mt_bson_put (b, "descriptor", mt_v_doc (&d));
   put_expiry (b, l->expiry);
   size_t stats = l->stats ? mt_bson_array (b, "stats") : 0;
   for (size_t k = 0; k < l->store_count && l->stats; k++) {
      size_t one = mt_bson_doc_at (b, (uint32_t) k);
      mt_stats_put (b, &l->stores[k], &l->stats[k]);
      mt_bson_end (b, one);
   }
   if (l->stats)
      mt_bson_end (b, stats);
   mt_bson_end (b, at);
   bson_destroy (&d);
   return true;
}

/* Returns whether key k is the primary key over the columns t->key. It is stored in the fields
 * "key" and "unique", not in the list of keys. */
static bool is_declared (const MtTable *t, const MtTableKey *k)
{
   return k->kind == MT_KEY_PRIMARY && k->count == t->key_count &&
          memcmp (k->columns, t->key, k->count * sizeof *k->columns) == 0;
}

static void put_names (MtBson *b, const char *name, const MtTable *t, const int *columns, size_t n)
{
   size_t at = mt_bson_array (b, name);
   for (size_t i = 0; i < n; i++)
      mt_bson_put_at (b, (uint32_t) i, mt_v_cstr (t->columns[columns[i]].name));
   mt_bson_end (b, at);
}

static void put_check (MtBson *b, const MtTableCheck *c)
{
   put_text (b, "name", c->name);
   put_text (b, "sql", c->sql);
   if (c->not_valid)
      mt_bson_put (b, "not_valid", mt_v_bool (true));
   size_t columns = mt_bson_array (b, "columns");
   for (size_t k = 0; k < c->column_count; k++)
      mt_bson_put_at (b, (uint32_t) k, mt_v_cstr (c->columns[k]));
   mt_bson_end (b, columns);
}

static void put_terms (MtBson *b, const MtTable *t, const MtTableKey *k)
{
   size_t at = mt_bson_array (b, "terms");
   for (size_t i = 0; i < k->term_count; i++) {
      size_t one = mt_bson_doc_at (b, (uint32_t) i);
      put_text (b, "column", t->columns[k->terms[i].column].name);
      mt_bson_put (b, "test", mt_v_int32 ((int32_t) k->terms[i].test));
      mt_bson_put (b, "value", k->terms[i].value);
      mt_bson_end (b, one);
   }
   mt_bson_end (b, at);
}

static void put_key (MtBson *b, const MtTable *t, const MtTableKey *k)
{
   put_text (b, "name", k->name);
   put_text (b, "kind", key_words[k->kind]);
   put_names (b, "columns", t, k->columns, k->count);
   put_flag (b, "nulls_equal", k->nulls_equal);
   if (k->where) {
      size_t at = mt_bson_doc (b, "where");
      put_check (b, k->where);
      mt_bson_end (b, at);
   }
   if (k->terms)
      put_terms (b, t, k);
}

static void put_keys (MtBson *b, const MtTable *t)
{
   size_t first = t->unique_count && is_declared (t, &t->keys[0]);
   if (t->key_count)
      put_names (b, "key", t, t->key, t->key_count);
   put_flag (b, "unique", first);
   if (first)
      put_text (b, "key_name", t->keys[0].name);
   if (first == t->unique_count)
      return;
   size_t at = mt_bson_array (b, "keys");
   for (size_t i = first; i < t->unique_count; i++) {
      size_t one = mt_bson_doc_at (b, (uint32_t) (i - first));
      put_key (b, t, &t->keys[i]);
      mt_bson_end (b, one);
   }
   mt_bson_end (b, at);
}

static void put_columns (MtBson *b, const MtTable *t)
{
   size_t at = mt_bson_array (b, "columns");
   for (size_t i = 0; i < t->column_count; i++)
      put_column (b, i, &t->columns[i]);
   mt_bson_end (b, at);
   put_keys (b, t);
   at = t->check_count ? mt_bson_array (b, "checks") : 0;
   for (size_t i = 0; i < t->check_count; i++) {
      size_t one = mt_bson_doc_at (b, (uint32_t) i);
      put_check (b, &t->checks[i]);
      mt_bson_end (b, one);
   }
   if (t->check_count)
      mt_bson_end (b, at);
}

static void put_id (MtBson *b, const MtTable *t)
{
   MtBuf id = {0};
   mt_buf_printf (&id, "%s%s", t->temporary ? MT_TEMPORARY : "", t->name);
   mt_bson_put (b, "_id", mt_v_str (id.p, id.n));
   mt_buf_free (&id);
}

bool mt_table_to_bson (const MtTable *t, bson_t *out, MtError *err)
{
   MtBson b = {0};
   mt_bson_start (&b);
   put_id (&b, t);
   if (t->on_commit != MT_COMMIT_KEEPS)
      mt_bson_put (&b, "on_commit", mt_v_int32 ((int32_t) t->on_commit));
   put_text (&b, "kind", "table");
   mt_bson_put (&b, "version", mt_v_int64 (t->version));
   mt_bson_put (&b, "writes", mt_v_int64 (t->writes));
   if (t->made)
      mt_bson_put (&b, "made", mt_v_int64 (t->made));
   put_columns (&b, t);
   put_expiry (&b, t->expiry);
   size_t layouts = mt_bson_array (&b, "layouts");
   bool ok = true;
   for (size_t i = 0; ok && i < t->layout_count; i++)
      ok = put_layout (&b, i, t, &t->layouts[i], err);
   mt_bson_end (&b, layouts);
   if (!ok) {
      mt_bson_free (&b);
      return false;
   }
   return mt_bson_finish_into (&b, out) ||
          mt_error (err, MT_E_LIMIT, "description of table \"%s\" is too large", t->name);
}

/* ---- from BSON ---- */

static bool damaged (MtError *err, const char *table, const char *what)
{
   return mt_error (err, MT_E_CORRUPT, "catalog entry of table \"%s\" is damaged: %s", table, what);
}

/* Returns the text of field `name` of doc, in arena a. Returns `otherwise` if the field is missing,
 * and NULL if it is not valid text or has a NUL byte. */
static const char *get_text (MtArena *a, MtVal doc, const char *name, const char *otherwise)
{
   MtVal v = mt_doc_field (doc, name);
   if (v.type == MT_MISSING)
      return otherwise;
   if (v.type != MT_STRING || memchr (v.p, 0, v.len) || !mt_utf8_valid ((const char *) v.p, v.len))
      return NULL;
   return mt_strndup (a, (const char *) v.p, v.len);
}

static double get_double (MtVal doc, const char *name)
{
   MtVal v = mt_doc_field (doc, name);
   double d = 0;
   if (v.type == MT_DOUBLE)
      d = v.d;
   else if (v.type == MT_INT32 || v.type == MT_INT64)
      d = (double) v.i;
   return isfinite (d) && d > 0 ? d : 0;
}

static int64_t get_int (MtVal doc, const char *name, int64_t otherwise)
{
   MtVal v = mt_doc_field (doc, name);
   return v.type == MT_INT32 || v.type == MT_INT64 ? v.i : otherwise;
}

static bool get_bool (MtVal doc, const char *name)
{
   return mt_doc_field (doc, name).type == MT_BOOL && mt_doc_field (doc, name).i;
}

static bool column_from_bson (MtArena *a, MtVal v, MtColumn *c)
{
   const char *type = get_text (a, v, "type", NULL), *role = get_text (a, v, "role", "plain");
   c->name = get_text (a, v, "name", NULL);
   if (v.type != MT_DOC || !c->name || !type || !role || !*c->name)
      return false;
   c->field = get_text (a, v, "field", c->name);
   c->default_sql = get_text (a, v, "default", NULL);
   c->domain = get_text (a, v, "domain", NULL);
   c->identity = get_bool (v, "identity");
   c->always = get_bool (v, "always");
   size_t r = 0;
   while (r < 4 && strcmp (role_words[r], role))
      r++;
   if (r == 4 || !c->field || !mt_type_by_name (mt_str (type), &c->type.id))
      return false;
   int64_t mod1 = get_int (v, "mod1", -1), mod2 = get_int (v, "mod2", -1);
   if (mod1 < -1 || mod1 > INT16_MAX || mod2 < -1 || mod2 > INT16_MAX)
      return false;
   c->type.mod1 = (int16_t) mod1;
   c->type.mod2 = (int16_t) mod2;
   c->role = (MtRole) r;
   c->counter = get_bool (v, "counter");
   c->not_null = get_bool (v, "not_null");
   c->period_ms = get_int (v, "period_ms", 0);
   return c->period_ms >= 0 && (c->role != MT_COL_TIME || mt_type_is_datetime (c->type.id));
}

static bool columns_from_bson (MtArena *a, MtVal v, MtTable *t)
{
   if (v.type != MT_ARRAY)
      return false;
   size_t n;
   MtVal *elems = mt_v_elements (a, v, &n);
   if (n > MT_MAX_COLUMNS)
      return false;
   t->columns = MT_NEW_N (a, MtColumn, n);
   t->time_column = -1;
   for (size_t i = 0; i < n; i++) {
      if (!column_from_bson (a, elems[i], &t->columns[i]))
         return false;
      for (size_t j = 0; j < i; j++)
         if (!strcmp (t->columns[j].name, t->columns[i].name))
            return false;
      if (t->columns[i].role == MT_COL_TIME) {
         if (t->time_column >= 0)
            return false;
         t->time_column = (int) i;
      }
   }
   t->column_count = n;
   return true;
}

/* Reads array v of column names as indexes of columns of t. A missing array gives no columns. False
 * if v is malformed or a column does not exist. */
static bool names_from_bson (MtArena *a, MtVal v, const MtTable *t, int **out, size_t *count)
{
   if (v.type == MT_MISSING)
      return true;
   if (v.type != MT_ARRAY)
      return false;
   MtVal *elems = mt_v_elements (a, v, count);
   *out = MT_NEW_N (a, int, *count + 1);
   for (size_t i = 0; i < *count; i++) {
      if (elems[i].type != MT_STRING || memchr (elems[i].p, 0, elems[i].len))
         return false;
      (*out)[i] = mt_table_column (t, mt_strndup (a, (const char *) elems[i].p, elems[i].len),
                                   true);
      if ((*out)[i] < 0)
         return false;
   }
   return true;
}

static bool check_from_bson (MtArena *a, MtVal v, const MtTable *t, MtTableCheck *c)
{
   MtVal columns = mt_doc_field (v, "columns");
   c->name = get_text (a, v, "name", NULL);
   c->sql = get_text (a, v, "sql", NULL);
   if (v.type != MT_DOC || !c->name || !c->sql || columns.type != MT_ARRAY)
      return false;
   c->not_valid = mt_doc_field (v, "not_valid").type == MT_BOOL;
   MtVal *names = mt_v_elements (a, columns, &c->column_count);
   c->columns = MT_NEW_N (a, const char *, c->column_count + 1);
   for (size_t k = 0; k < c->column_count; k++) {
      c->columns[k] = names[k].type == MT_STRING
                         ? mt_strndup (a, (const char *) names[k].p, names[k].len)
                         : "";
      if (mt_table_column (t, c->columns[k], true) < 0)
         return false;
   }
   return true;
}

static bool terms_from_bson (MtArena *a, MtVal v, const MtTable *t, MtTableKey *k)
{
   if (v.type != MT_ARRAY)
      return v.type == MT_MISSING;
   MtVal *elems = mt_v_elements (a, v, &k->term_count);
   k->terms = MT_NEW_N (a, MtKeyTerm, k->term_count + 1);
   for (size_t i = 0; i < k->term_count; i++) {
      const char *column = get_text (a, elems[i], "column", NULL);
      int64_t test = get_int (elems[i], "test", -1);
      if (!column || test < MT_KEY_EQ || test > MT_KEY_NOT_NULL)
         return false;
      k->terms[i] = (MtKeyTerm) {mt_table_column (t, column, true), (MtKeyTest) test,
                                 mt_v_copy (a, mt_doc_field (elems[i], "value"))};
      if (k->terms[i].column < 0)
         return false;
   }
   return true;
}

static bool unique_from_bson (MtArena *a, MtVal v, const MtTable *t, MtTableKey *k)
{
   const char *kind = get_text (a, v, "kind", NULL);
   MtVal where = mt_doc_field (v, "where");
   size_t n = 0;
   k->name = get_text (a, v, "name", NULL);
   while (kind && n <= MT_KEY_INDEX && strcmp (key_words[n], kind))
      n++;
   if (!k->name || !kind || n > MT_KEY_INDEX)
      return false;
   k->kind = (MtKeyKind) n;
   k->nulls_equal = get_bool (v, "nulls_equal");
   MtTableCheck *check = where.type == MT_DOC ? MT_NEW (a, MtTableCheck) : NULL;
   k->where = check;
   return names_from_bson (a, mt_doc_field (v, "columns"), t, &k->columns, &k->count) && k->count &&
          (!check || check_from_bson (a, where, t, check)) &&
          terms_from_bson (a, mt_doc_field (v, "terms"), t, k);
}

/* Reads the table's keys: the primary key from the fields "key" and "unique", and all others from
 * the list "keys". False if they are malformed. */
static bool keys_from_bson (MtArena *a, MtVal table, MtTable *t)
{
   MtVal list = mt_doc_field (table, "keys");
   size_t n = 0, first;
   if (!names_from_bson (a, mt_doc_field (table, "key"), t, &t->key, &t->key_count) ||
       (list.type != MT_ARRAY && list.type != MT_MISSING))
      return false;
   MtVal *elems = list.type == MT_ARRAY ? mt_v_elements (a, list, &n) : NULL;
   first = get_bool (table, "unique") && t->key_count;
   t->keys = MT_NEW_N (a, MtTableKey, n + 2);
   t->unique_count = first + n;
   if (first)
      t->keys[0] = (MtTableKey) {.name = get_text (a, table, "key_name",
                                                   mt_printf (a, "%s_pkey", t->name)),
                                 .kind = MT_KEY_PRIMARY,
                                 .columns = t->key,
                                 .count = t->key_count};
   if (first && !t->keys[0].name)
      return false;
   for (size_t i = 0; i < n; i++)
      if (!unique_from_bson (a, elems[i], t, &t->keys[first + i]))
         return false;
   return true;
}

static bool checks_from_bson (MtArena *a, MtVal v, MtTable *t)
{
   if (v.type == MT_MISSING)
      return true;
   if (v.type != MT_ARRAY)
      return false;
   MtVal *elems = mt_v_elements (a, v, &t->check_count);
   t->checks = MT_NEW_N (a, MtTableCheck, t->check_count + 1);
   for (size_t i = 0; i < t->check_count; i++)
      if (!check_from_bson (a, elems[i], t, &t->checks[i]))
         return false;
   return true;
}

/* Reads array v with the number of NULLs of each column into *st. If an element is malformed, no
 * count is set. Plans use a measure's sums only if it certainly has no NULLs. */
static void nulls_from_bson (MtArena *a, MtVal v, size_t columns, MtStoreStats *st)
{
   MtVal list = mt_doc_field (v, "nulls");
   if (list.type != MT_ARRAY || mt_doc_count (list) != columns)
      return;
   uint64_t *nulls = MT_NEW_N (a, uint64_t, columns);
   for (size_t i = 0; i < columns; i++) {
      MtVal n = mt_doc_at (list, i);
      if (n.type != MT_INT64 || n.i < 0)
         return;
      nulls[i] = (uint64_t) n.i;
   }
   st->nulls = nulls;
   st->null_columns = columns;
}

/* Reads document v, the statistics of store s, into *st. They are only estimates, so malformed
 * statistics are ignored. */
static void stats_from_bson (MtArena *a, const MtTable *t, MtVal v, const MtStoreDesc *s,
                             MtStoreStats *st)
{
   MtVal cells = mt_doc_field (v, "cells"), bytes = mt_doc_field (v, "cell_bytes"),
         min = mt_doc_field (v, "min"), max = mt_doc_field (v, "max");
   if (cells.type != MT_ARRAY || bytes.type != MT_ARRAY || mt_doc_count (cells) != s->node_count ||
       mt_doc_count (bytes) != s->node_count)
      return;
   st->present = true;
   st->documents = get_double (v, "documents");
   st->bytes = get_double (v, "bytes");
   st->records = get_double (v, "records");
   st->spans_ms = get_double (v, "spans_ms");
   st->has_time = min.type == MT_DATE && max.type == MT_DATE;
   st->min_ms = st->has_time ? min.i : 0;
   st->max_ms = st->has_time ? max.i : 0;
   nulls_from_bson (a, v, t->column_count, st);
   st->nodes = MT_NEW_N (a, MtNodeStats, s->node_count);
   for (size_t i = 0; i < s->node_count; i++) {
      MtVal c = mt_doc_at (cells, i), b = mt_doc_at (bytes, i);
      st->nodes[i].cells = c.type == MT_DOUBLE && c.d > 0 ? c.d : 0;
      st->nodes[i].bytes = b.type == MT_DOUBLE && b.d > 0 ? b.d : 0;
   }
}

void mt_statistics_read (MtArena *a, const bson_t *doc, MtTable *t)
{
   MtVal list = doc ? mt_doc_field (mt_v_doc (doc), "stores") : mt_v_missing ();
   size_t n = 0, k = 0;
   MtVal *elems = list.type == MT_ARRAY ? mt_v_elements (a, list, &n) : NULL;
   for (size_t i = 0; i < t->layout_count; i++) {
      MtLayout *l = &t->layouts[i];
      MtStoreStats *was = l->stats;
      l->stats = MT_NEW_N (a, MtStoreStats, l->store_count + 1);
      for (size_t j = 0; j < l->store_count; j++, k++) {
         MtStoreStats *st = &l->stats[j];
         st->seen = was[j].seen;
         st->seen_documents = was[j].seen_documents;
         st->seen_bytes = was[j].seen_bytes;
         if (k < n)
            stats_from_bson (a, t, elems[k], &l->stores[j], st);
      }
   }
}

static bool layout_from_bson (MtArena *a, const MtTable *t, MtVal v, MtLayout *l, MtError *err)
{
   const char *name = get_text (a, v, "name", NULL), *preset = get_text (a, v, "preset", ""),
              *options = get_text (a, v, "options", "");
   MtVal d = mt_doc_field (v, "descriptor"), stats = mt_doc_field (v, "stats");
   bson_t b;
   if (v.type != MT_DOC || !name || !preset || !options || d.type != MT_DOC ||
       !bson_init_static (&b, d.p, d.len))
      return damaged (err, t->name, "a layout is incomplete");
   MtError why;
   mt_error_clear (&why);
   if (!mt_layout_parse (a, t, name, &b, l, &why)) {
      damaged (err, t->name, "the descriptor of a layout contradicts itself");
      return mt_error_detail (err, "%s", why.message);
   }
   l->preset = preset;
   l->options_text = options;
   if (get_bool (v, "attached"))
      mt_layout_attach (l);
   l->clean = get_bool (v, "clean");
   for (size_t i = 0; stats.type == MT_ARRAY && i < l->store_count; i++)
      stats_from_bson (a, t, mt_doc_at (stats, i), &l->stores[i], &l->stats[i]);
   return true;
}

/* Reads the retention of a table or layout from its document v: the age at which rows expire, and
 * the time before which rows have expired for good. *out is NULL if rows never expire. */
static bool expiry_from_bson (MtArena *a, MtVal v, const MtTable *t, const MtExpiry **out,
                              MtError *err)
{
   int64_t months = get_int (v, "expire_months", 0), days = get_int (v, "expire_days", 0),
           us = get_int (v, "expire_us", 0);
   MtVal before = mt_doc_field (v, "expired_before");
   MtExpiry x = {.ages = months || days || us,
                 .ended = before.type == MT_DATE,
                 .before_ms = before.type == MT_DATE ? before.i : 0};
   MtError why;
   *out = NULL;
   if (!x.ages && !x.ended)
      return true;
   if (months < 0 || months > INT32_MAX || days < 0 || days > INT32_MAX || us < 0 ||
       t->time_column < 0 || !mt_expiry_unit (t, &x.unit, &why))
      return damaged (err, t->name, "it doesn't say when rows expire");
   x.after = (MtInterval) {(int32_t) months, (int32_t) days, us};
   MtExpiry *own = MT_NEW (a, MtExpiry);
   *own = x;
   *out = own;
   return true;
}

/* Reads the retention of the table and of each of its layouts. Call it after all layouts were read,
 * because they determine the unit of time in which rows expire. */
static bool expiries_from_bson (MtArena *a, MtVal table, const MtVal *layouts, MtTable *t,
                                MtError *err)
{
   for (size_t i = 0; i < t->layout_count; i++)
      if (!expiry_from_bson (a, layouts[i], t, &t->layouts[i].expiry, err))
         return false;
   return expiry_from_bson (a, table, t, &t->expiry, err);
}

bool mt_table_from_bson (MtArena *a, const bson_t *doc, MtTable *out, MtError *err)
{
   MtVal v = mt_v_doc (doc);
   MtTable t = {.time_column = -1};
   t.name = get_text (a, v, "_id", NULL);
   if (!t.name)
      return damaged (err, "", "it has no name");
   t.temporary = mt_is_temporary (t.name);
   t.name += t.temporary ? sizeof MT_TEMPORARY - 1 : 0;
   t.on_commit = (MtOnCommit) get_int (v, "on_commit", MT_COMMIT_KEEPS);
   t.version = get_int (v, "version", 0);
   t.writes = get_int (v, "writes", 0);
   t.made = get_int (v, "made", 0);
   if (!columns_from_bson (a, mt_doc_field (v, "columns"), &t))
      return damaged (err, t.name, "its columns contradict themselves");
   if (!keys_from_bson (a, v, &t))
      return damaged (err, t.name, "its key names no column");
   if (!checks_from_bson (a, mt_doc_field (v, "checks"), &t))
      return damaged (err, t.name, "a constraint is incomplete");
   MtVal layouts = mt_doc_field (v, "layouts");
   if (layouts.type != MT_ARRAY || mt_doc_count (layouts) == 0)
      return damaged (err, t.name, "it has no layouts");
   MtVal *elems = mt_v_elements (a, layouts, &t.layout_count);
   t.layouts = MT_NEW_N (a, MtLayout, t.layout_count);
   for (size_t i = 0; i < t.layout_count; i++)
      if (!layout_from_bson (a, &t, elems[i], &t.layouts[i], err))
         return false;
   if (!expiries_from_bson (a, v, elems, &t, err))
      return false;
   *out = t;
   return true;
}
