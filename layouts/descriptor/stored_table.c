/* A table's form in the catalog: {_id: name, kind: "table", version, columns, key, layouts: [{name,
 * …, descriptor, stats}]}. */
#include "layouts/descriptor/stored_table.h"
#include "engine/engine.h"
#include "layouts/descriptor/descriptor.h"
#include "layouts/expire.h"

#include <math.h>
#include <string.h>

static const char *const role_words[] = {"plain", "time", "dimension", "measure"};

/* ---- to BSON ---- */

static bool put_index (bson_t *array, size_t i, MtVal v)
{
   char buf[16];
   const char *key;
   bson_uint32_to_string ((uint32_t) i, &key, buf, sizeof buf);
   return mt_v_append (array, key, -1, v);
}

static MtVal text (const char *s) { return mt_v_str (s, strlen (s)); }

static bool column_to_bson (const MtColumn *c, bson_t *b)
{
   bool ok = mt_v_append (b, "name", -1, text (c->name)) &&
             mt_v_append (b, "type", -1, text (mt_type_info (c->type.id)->name)) &&
             mt_v_append (b, "role", -1, text (role_words[c->role]));
   if (c->type.mod1 >= 0)
      ok = ok && mt_v_append (b, "mod1", -1, mt_v_int32 (c->type.mod1));
   if (c->type.mod2 >= 0)
      ok = ok && mt_v_append (b, "mod2", -1, mt_v_int32 (c->type.mod2));
   if (c->counter)
      ok = ok && mt_v_append (b, "counter", -1, mt_v_bool (true));
   if (c->not_null)
      ok = ok && mt_v_append (b, "not_null", -1, mt_v_bool (true));
   if (c->period_ms)
      ok = ok && mt_v_append (b, "period_ms", -1, mt_v_int64 (c->period_ms));
   if (strcmp (c->field, c->name))
      ok = ok && mt_v_append (b, "field", -1, text (c->field));
   if (c->default_sql)
      ok = ok && mt_v_append (b, "default", -1, text (c->default_sql));
   return ok;
}

bool mt_stats_to_bson (const MtStoreDesc *s, const MtStoreStats *st, bson_t *b)
{
   if (!st->present)
      return true;
   bool ok = mt_v_append (b, "documents", -1, mt_v_double (st->documents)) &&
             mt_v_append (b, "bytes", -1, mt_v_double (st->bytes)) &&
             mt_v_append (b, "records", -1, mt_v_double (st->records));
   if (st->has_time)
      ok = ok && mt_v_append (b, "min", -1, mt_v_date (st->min_ms)) &&
           mt_v_append (b, "max", -1, mt_v_date (st->max_ms));
   bson_t cells = BSON_INITIALIZER, bytes = BSON_INITIALIZER;
   for (size_t i = 0; i < s->node_count; i++)
      ok = ok && put_index (&cells, i, mt_v_double (st->nodes[i].cells)) &&
           put_index (&bytes, i, mt_v_double (st->nodes[i].bytes));
   bson_t nulls = BSON_INITIALIZER;
   for (size_t i = 0; st->nulls && i < st->null_columns; i++)
      ok = ok && put_index (&nulls, i, mt_v_int64 ((int64_t) st->nulls[i]));
   ok = ok && bson_append_array (b, "cells", -1, &cells) &&
        bson_append_array (b, "cell_bytes", -1, &bytes) &&
        (!st->nulls || bson_append_array (b, "nulls", -1, &nulls));
   bson_destroy (&nulls);
   bson_destroy (&cells);
   bson_destroy (&bytes);
   return ok;
}

static bool all_stats_to_bson (const MtLayout *l, bson_t *out)
{
   bson_t stats = BSON_INITIALIZER;
   bool ok = true;
   for (size_t i = 0; ok && i < l->store_count; i++) {
      bson_t one = BSON_INITIALIZER;
      ok = mt_stats_to_bson (&l->stores[i], &l->stats[i], &one) &&
           put_index (&stats, i, mt_v_doc (&one));
      bson_destroy (&one);
   }
   ok = ok && bson_append_array (out, "stats", -1, &stats);
   bson_destroy (&stats);
   return ok;
}

static bool expiry_to_bson (const MtExpiry *x, bson_t *out)
{
   MtInterval v = x->after;
   return (!x->ages || (mt_v_append (out, "expire_months", -1, mt_v_int64 (v.months)) &&
                        mt_v_append (out, "expire_days", -1, mt_v_int64 (v.days)) &&
                        mt_v_append (out, "expire_us", -1, mt_v_int64 (v.us)))) &&
          (!x->ended || mt_v_append (out, "expired_before", -1, mt_v_date (x->before_ms)));
}

static bool layout_to_bson (const MtTable *t, const MtLayout *l, bson_t *b, MtError *err)
{
   bson_t d = BSON_INITIALIZER;
   bool ok = mt_layout_to_bson (t, l, &d, err);
   if (ok) {
      ok = mt_v_append (b, "name", -1, text (l->name)) &&
           mt_v_append (b, "preset", -1, text (l->preset)) &&
           mt_v_append (b, "options", -1, text (l->options_text)) &&
           mt_v_append (b, "attached", -1, mt_v_bool (l->attached)) &&
           mt_v_append (b, "clean", -1, mt_v_bool (l->clean)) &&
           bson_append_document (b, "descriptor", -1, &d) &&
           (!l->expiry || expiry_to_bson (l->expiry, b)) && all_stats_to_bson (l, b);
      if (!ok)
         mt_error (err, MT_E_LIMIT, "description of table \"%s\" is too large", t->name);
   }
   bson_destroy (&d);
   return ok;
}

static bool columns_to_bson (const MtTable *t, bson_t *out)
{
   bson_t columns = BSON_INITIALIZER;
   bool ok = true;
   for (size_t i = 0; ok && i < t->column_count; i++) {
      bson_t c = BSON_INITIALIZER;
      ok = column_to_bson (&t->columns[i], &c) && put_index (&columns, i, mt_v_doc (&c));
      bson_destroy (&c);
   }
   ok = ok && bson_append_array (out, "columns", -1, &columns);
   bson_destroy (&columns);
   if (t->key_count) {
      bson_t key = BSON_INITIALIZER;
      for (size_t i = 0; ok && i < t->key_count; i++)
         ok = put_index (&key, i, text (t->columns[t->key[i]].name));
      ok = ok && bson_append_array (out, "key", -1, &key);
      bson_destroy (&key);
   }
   return ok && (!t->unique || bson_append_bool (out, "unique", -1, true));
}

static bool id_to_bson (const MtTable *t, bson_t *out)
{
   MtBuf id = {0};
   mt_buf_printf (&id, "%s%s", t->temporary ? MT_TEMPORARY : "", t->name);
   bool ok = mt_v_append (out, "_id", -1, mt_v_str (id.p, id.n)) &&
             (t->on_commit == MT_COMMIT_KEEPS ||
              mt_v_append (out, "on_commit", -1, mt_v_int32 ((int32_t) t->on_commit)));
   mt_buf_free (&id);
   return ok;
}

bool mt_table_to_bson (const MtTable *t, bson_t *out, MtError *err)
{
   bool ok = id_to_bson (t, out) && mt_v_append (out, "kind", -1, text ("table")) &&
             mt_v_append (out, "version", -1, mt_v_int64 (t->version)) &&
             mt_v_append (out, "writes", -1, mt_v_int64 (t->writes)) &&
             (!t->made || mt_v_append (out, "made", -1, mt_v_int64 (t->made))) &&
             columns_to_bson (t, out) && (!t->expiry || expiry_to_bson (t->expiry, out));
   if (!ok)
      return mt_error (err, MT_E_LIMIT, "description of table \"%s\" is too large", t->name);
   bson_t layouts = BSON_INITIALIZER;
   for (size_t i = 0; ok && i < t->layout_count; i++) {
      bson_t l = BSON_INITIALIZER;
      ok = layout_to_bson (t, &t->layouts[i], &l, err) && put_index (&layouts, i, mt_v_doc (&l));
      bson_destroy (&l);
   }
   ok = ok && bson_append_array (out, "layouts", -1, &layouts);
   bson_destroy (&layouts);
   return ok;
}

/* ---- from BSON ---- */

static bool damaged (MtError *err, const char *table, const char *what)
{
   return mt_error (err, MT_E_CORRUPT, "catalog entry of table \"%s\" is damaged: %s", table, what);
}

static MtVal get (MtVal doc, const char *name) { return mt_doc_get (doc, name, strlen (name)); }

/* Text without a NUL byte, or `otherwise` when it isn't there; NULL when it is something else. */
static const char *get_text (MtArena *a, MtVal doc, const char *name, const char *otherwise)
{
   MtVal v = get (doc, name);
   if (v.type == MT_MISSING)
      return otherwise;
   if (v.type != MT_STRING || memchr (v.p, 0, v.len) || !mt_utf8_valid ((const char *) v.p, v.len))
      return NULL;
   return mt_strndup (a, (const char *) v.p, v.len);
}

static double get_double (MtVal doc, const char *name)
{
   MtVal v = get (doc, name);
   double d = v.type == MT_DOUBLE                        ? v.d
              : v.type == MT_INT32 || v.type == MT_INT64 ? (double) v.i
                                                         : 0;
   return isfinite (d) && d > 0 ? d : 0;
}

static int64_t get_int (MtVal doc, const char *name, int64_t otherwise)
{
   MtVal v = get (doc, name);
   return v.type == MT_INT32 || v.type == MT_INT64 ? v.i : otherwise;
}

static bool get_bool (MtVal doc, const char *name)
{
   return get (doc, name).type == MT_BOOL && get (doc, name).i;
}

static bool column_from_bson (MtArena *a, MtVal v, MtColumn *c)
{
   const char *type = get_text (a, v, "type", NULL), *role = get_text (a, v, "role", "plain");
   c->name = get_text (a, v, "name", NULL);
   if (v.type != MT_DOC || !c->name || !type || !role || !*c->name)
      return false;
   c->field = get_text (a, v, "field", c->name);
   c->default_sql = get_text (a, v, "default", NULL);
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

static bool key_from_bson (MtArena *a, MtVal v, MtTable *t)
{
   if (v.type == MT_MISSING)
      return true;
   if (v.type != MT_ARRAY)
      return false;
   MtVal *elems = mt_v_elements (a, v, &t->key_count);
   t->key = MT_NEW_N (a, int, t->key_count);
   for (size_t i = 0; i < t->key_count; i++) {
      if (elems[i].type != MT_STRING || memchr (elems[i].p, 0, elems[i].len))
         return false;
      t->key[i] = mt_table_column (t, mt_strndup (a, (const char *) elems[i].p, elems[i].len),
                                   true);
      if (t->key[i] < 0)
         return false;
   }
   return true;
}

/* How many NULLs were written, by column: no NULLs makes a measure's stored sums answer. Left out
 * where it isn't whole. */
static void nulls_from_bson (MtArena *a, MtVal v, size_t columns, MtStoreStats *st)
{
   MtVal list = get (v, "nulls");
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

/* Statistics are hints: what doesn't fit is left out. */
static void stats_from_bson (MtArena *a, const MtTable *t, MtVal v, const MtStoreDesc *s,
                             MtStoreStats *st)
{
   MtVal cells = get (v, "cells"), bytes = get (v, "cell_bytes"), min = get (v, "min"),
         max = get (v, "max");
   if (cells.type != MT_ARRAY || bytes.type != MT_ARRAY || mt_doc_count (cells) != s->node_count ||
       mt_doc_count (bytes) != s->node_count)
      return;
   st->present = true;
   st->documents = get_double (v, "documents");
   st->bytes = get_double (v, "bytes");
   st->records = get_double (v, "records");
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

static bool layout_from_bson (MtArena *a, const MtTable *t, MtVal v, MtLayout *l, MtError *err)
{
   const char *name = get_text (a, v, "name", NULL), *preset = get_text (a, v, "preset", ""),
              *options = get_text (a, v, "options", "");
   MtVal d = get (v, "descriptor"), stats = get (v, "stats");
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

/* *out NULL: they don't. */
static bool expiry_from_bson (MtArena *a, MtVal v, const MtTable *t, const MtExpiry **out,
                              MtError *err)
{
   int64_t months = get_int (v, "expire_months", 0), days = get_int (v, "expire_days", 0),
           us = get_int (v, "expire_us", 0);
   MtVal before = get (v, "expired_before");
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

/* The unit is that of all layouts. */
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
   if (!columns_from_bson (a, get (v, "columns"), &t))
      return damaged (err, t.name, "its columns contradict themselves");
   if (!key_from_bson (a, get (v, "key"), &t))
      return damaged (err, t.name, "its key names no column");
   MtVal unique = get (v, "unique");
   t.unique = unique.type == MT_BOOL && unique.i && t.key_count > 0;
   MtVal layouts = get (v, "layouts");
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
