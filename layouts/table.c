#include "layouts/table.h"

#include "base/bson.h"
#include "engine/engine.h"

#include <math.h>
#include <string.h>

const char *const mt_node_kind_words[] = {
   [MT_NODE_DOCUMENT] = "document", [MT_NODE_LIST] = "list",
   [MT_NODE_MAP] = "map",           [MT_NODE_SLOTS] = "slots",
   [MT_NODE_SCALAR] = "scalar",     [MT_NODE_PAIRS] = "pairs",
   [MT_NODE_ARRAYS] = "arrays",     NULL,
};

const char *const mt_keeps_words[] = {[MT_KEEPS_RECORDS] = "records",
                                      [MT_KEEPS_SUMS] = "sums",
                                      [MT_KEEPS_LATEST] = "latest",
                                      [MT_KEEPS_ROLLUP] = "rollup",
                                      NULL};

const char *const mt_encoding_words[] = {"native",   "text",   "date", "epoch_s",
                                         "epoch_ms", "format", NULL};

int mt_table_column (const MtTable *t, const char *name, bool exact_only)
{
   int found = -1;
   for (size_t i = 0; i < t->column_count; i++) {
      if (!strcmp (t->columns[i].name, name))
         return (int) i;
      if (!exact_only && mt_ieq (t->columns[i].name, name))
         found = found == -1 ? (int) i : -2;
   }
   return found;
}

bool mt_in_key (const int *key, size_t count, int column)
{
   for (size_t i = 0; i < count; i++)
      if (key[i] == column)
         return true;
   return false;
}

const char *mt_key_word (MtKeyKind kind)
{
   static const char *const words[] = {[MT_KEY_PRIMARY] = "PRIMARY KEY",
                                       [MT_KEY_UNIQUE] = "UNIQUE constraint",
                                       [MT_KEY_INDEX] = "UNIQUE INDEX"};
   return words[kind];
}

const MtTableKey *mt_key_named (const MtTable *t, const char *name)
{
   for (size_t i = 0; i < t->unique_count; i++)
      if (strcmp (t->keys[i].name, name) == 0)
         return &t->keys[i];
   return NULL;
}

bool mt_same_columns (const MtTableKey *a, const MtTableKey *b)
{
   return a->count == b->count &&
          memcmp (a->columns, b->columns, a->count * sizeof *a->columns) == 0;
}

bool mt_key_counts (const MtTableKey *k, const MtVal *row)
{
   for (size_t i = 0; i < k->count && !k->nulls_equal; i++)
      if (mt_is_nullish (row[k->columns[i]]))
         return false;
   return true;
}

const char *mt_table_id (MtArena *a, const MtTable *t)
{
   return t->temporary ? mt_printf (a, MT_TEMPORARY "%s", t->name) : t->name;
}

void mt_layout_attach (MtLayout *l)
{
   l->attached = true;
   for (size_t i = 0; i < l->store_count; i++)
      if (l->stores[i].escape == MT_ESCAPE_USUAL)
         l->stores[i].escape = MT_ESCAPE_NONE;
}

/* ---- a store ---- */

bool mt_keeps_sums_alone (const MtNode *n)
{
   for (size_t i = 0; i < n->sub_count; i++)
      if (!mt_keeps_sums_alone (n->subs[i]))
         return false;
   return !n->raw.present && (n->sub_count || n->agg.present);
}

size_t mt_store_leaves (const MtStoreDesc *s, const MtNode **out)
{
   size_t n = 0;
   for (size_t i = 0; i < s->node_count; i++)
      if (!s->nodes[i]->sub_count) {
         if (out)
            out[n] = s->nodes[i];
         n++;
      }
   return n;
}

const MtNode *mt_store_records (const MtStoreDesc *s)
{
   for (size_t i = 0; i < s->node_count; i++)
      if (s->nodes[i]->raw.present)
         return s->nodes[i];
   return NULL;
}

bool mt_root_binds_id (const MtStoreDesc *s)
{
   for (size_t i = 0; i < s->root->bind_count; i++)
      if (mt_path_in_id (s->root->binds[i].at))
         return true;
   return false;
}

const MtBinding *mt_bound_time (const MtTable *t, const MtNode *n, const char *path)
{
   for (size_t i = 0; path && i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      bool time = b->kind == MT_BIND_TIME_TRUNC ||
                  (b->kind == MT_BIND_COLUMN && b->column == t->time_column);
      if (time && b->from == MT_FROM_FIELD && b->at && !strcmp (b->at, path))
         return b;
   }
   return NULL;
}

const char *mt_latest_path (const MtStoreDesc *s, int column)
{
   for (size_t i = 0; i < s->root->bind_count; i++)
      if (s->root->binds[i].kind == MT_BIND_COLUMN && s->root->binds[i].column == column)
         return s->root->binds[i].at;
   for (size_t i = 0; i < s->root->raw.count; i++)
      if (s->root->raw.columns[i] == column)
         return s->root->raw.paths[i];
   return NULL;
}

const MtBinding *mt_root_time (const MtTable *t, const MtStoreDesc *s, MtUnit *unit)
{
   for (size_t i = 0; i < s->root->bind_count; i++) {
      const MtBinding *b = &s->root->binds[i];
      *unit = b->kind == MT_BIND_TIME_TRUNC ? b->unit : MT_UNIT_MS;
      if ((b->kind == MT_BIND_TIME_TRUNC ||
           (b->kind == MT_BIND_COLUMN && b->column == t->time_column)))
         return b;
   }
   return NULL;
}

/* ---- a record that is a document ---- */

const char *mt_row_place (const MtStoreDesc *s, int column, const MtEncoding **e)
{
   for (size_t i = 0; i < s->root->bind_count; i++)
      if (s->root->binds[i].kind == MT_BIND_COLUMN && s->root->binds[i].column == column) {
         *e = &s->root->binds[i].encoding;
         return s->root->binds[i].at;
      }
   for (size_t i = 0; i < s->root->raw.count; i++)
      if (s->root->raw.columns[i] == column) {
         *e = &s->root->raw.encodings[i];
         return s->root->raw.paths[i];
      }
   return NULL;
}

const char *mt_row_field (const MtStoreDesc *s, int column)
{
   const MtEncoding *e;
   const char *path = mt_row_place (s, column, &e);
   return path && *path ? path : NULL;
}

/* Returns whether a MongoDB index treats two values of a type as equal if and only if SQL does.
 * False for arrays, whose elements are indexed one by one, for documents, and for intervals, where
 * '1 day' and '24 hours' are equal only in SQL. */
static bool equal_as_stored (MtType type)
{
   return type.id != MT_T_INTERVAL && type.id != MT_T_JSON && type.id != MT_T_JSONB &&
          type.id != MT_T_DOCUMENT && !mt_type_is_array (type.id);
}

bool mt_key_fields (const MtTable *t, const MtTableKey *k, const MtStoreDesc *s, const char **paths)
{
   bool ok = k->count <= 32 && mt_store_is_rows (s) && (!k->where || k->terms);
   for (size_t i = 0; i < k->count && ok; i++) {
      paths[i] = mt_row_field (s, k->columns[i]);
      ok = paths[i] && strncmp (paths[i], "_id", 3) != 0 &&
           equal_as_stored (t->columns[k->columns[i]].type);
   }
   for (size_t i = 0; i < k->term_count && ok; i++) {
      const MtEncoding *e;
      const char *path = mt_row_place (s, k->terms[i].column, &e);
      ok = path && *path && e->kind == MT_ENC_NATIVE &&
           equal_as_stored (t->columns[k->terms[i].column].type);
   }
   return ok;
}

/* Sets *out to the least value that BSON has for a type. False if the type's values can have
 * several BSON types. */
static bool least_value (MtTypeId type, MtVal *out)
{
   /* the year 1, because some servers reject earlier times */
   const int64_t first_year_ms = -62135596800000;
   switch (type) {
   case MT_T_BOOL: *out = mt_v_bool (false); return true;
   case MT_T_INT2:
   case MT_T_INT4:
   case MT_T_INT8:
   case MT_T_FLOAT4:
   case MT_T_FLOAT8:
   case MT_T_NUMERIC: *out = mt_v_double (-INFINITY); return true;
   case MT_T_TEXT:
   case MT_T_VARCHAR: *out = mt_v_cstr (""); return true;
   case MT_T_DATE:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ: *out = mt_v_date (first_year_ms); return true;
   default: return false;
   }
}

/* Appends to a partial index's filter a condition that the column is not NULL: {path: {$gte: the
 * least value}}. A query for any value implies this condition, so that it can use the index. The
 * index lacks NaN, which MongoDB sorts below all numbers, and times before the year 1. */
static void put_value (MtBson *b, uint32_t *n, const MtTable *t, const MtStoreDesc *s, int column)
{
   const MtEncoding *e;
   MtVal least;
   const char *path = mt_row_place (s, column, &e);
   bool plain = e->kind == MT_ENC_NATIVE && least_value (t->columns[column].type.id, &least);
   size_t one = mt_bson_doc_at (b, (*n)++);
   if (plain)
      mt_bson_printf (b, "%s: {$gte: %p}", path, (void *) &least);
   else
      mt_bson_printf (b,
                      "%s: {$type: ['double', 'string', 'object', 'array', 'binData', 'objectId', "
                      "'bool', 'date', 'int', 'timestamp', 'long', 'decimal']}",
                      path);
   mt_bson_end (b, one);
}

static void put_term (MtBson *b, uint32_t *n, const MtTable *t, const MtStoreDesc *s,
                      const MtKeyTerm *k)
{
   static const char *const operators[] = {
      [MT_KEY_EQ] = "$eq", [MT_KEY_LT] = "$lt",  [MT_KEY_LE] = "$lte",
      [MT_KEY_GT] = "$gt", [MT_KEY_GE] = "$gte", [MT_KEY_IS_NULL] = "$eq"};
   const char *path = mt_row_field (s, k->column);
   MtVal value = k->test == MT_KEY_IS_NULL ? mt_v_null () : k->value;
   if (k->test == MT_KEY_NOT_NULL) {
      put_value (b, n, t, s, k->column);
      return;
   }
   size_t one = mt_bson_doc_at (b, (*n)++);
   mt_bson_printf (b, "%s: {%s: %p}", path, operators[k->test], (void *) &value);
   mt_bson_end (b, one);
}

bool mt_key_filter (const MtTable *t, const MtTableKey *k, const MtStoreDesc *s, bson_t *out,
                    MtError *err)
{
   MtBson b = {0};
   uint32_t n = 0;
   mt_bson_start (&b);
   size_t all = mt_bson_array (&b, "$and");
   for (size_t i = 0; i < k->count && !k->nulls_equal; i++)
      if (!t->columns[k->columns[i]].not_null)
         put_value (&b, &n, t, s, k->columns[i]);
   for (size_t i = 0; i < k->term_count; i++)
      put_term (&b, &n, t, s, &k->terms[i]);
   mt_bson_end (&b, all);
   if (n)
      return mt_bson_finish_into (&b, out) ||
             mt_error (err, MT_E_LIMIT, "the condition of index \"%s\" is too large", k->name);
   mt_bson_free (&b);
   return true;
}
