/* Shard keys: translates the option shard_key to fields of each store's documents. */
#include "engine/engine.h"
#include "layouts/descriptor/descriptor_int.h"

#include <string.h>

bool mt_can_shard (const MtStoreDesc *s, const char *at, const char **why)
{
   bool found = at && strcmp (at, "_id") == 0;
   if (found && s->timeseries) {
      *why = "a time-series collection is sharded by its metaField and its time";
      return false;
   }
   if (!found && s->write != MT_WRITE_INSERT) {
      *why =
         "documents that are written again are found by their _id, so they can be sharded by that "
         "alone";
      return false;
   }
   /* If a descriptor is checked without a table, a column's path may be unknown; any path then
    * matches. */
   for (size_t i = 0; at && i < s->root->bind_count && !found; i++)
      found = s->root->binds[i].from == MT_FROM_FIELD &&
              (!s->root->binds[i].at || strcmp (s->root->binds[i].at, at) == 0);
   for (size_t i = 0; at && mt_store_is_rows (s) && i < s->root->raw.count && !found; i++)
      found = strcmp (s->root->raw.paths[i], at) == 0;
   *why = "is neither a field that the root binds, nor one of records that are documents";
   return found;
}

/* One column in the list of the option shard_key. */
typedef struct Entry {
   MtStr name;
   bool hashed; /* the word "hashed" follows the name */
} Entry;

static MtStr word (const char **p, const char *end)
{
   while (*p < end && strchr (" \t", **p))
      ++*p;
   MtStr w = {*p, 0};
   while (*p < end && !strchr (" \t", **p))
      ++*p;
   w.n = (size_t) (*p - w.p);
   return w;
}

static bool next_entry (const char **text, Entry *e)
{
   const char *p = *text, *end = p + strcspn (p, ",");
   *e = (Entry) {.name = word (&p, end)};
   MtStr second = word (&p, end), third = word (&p, end);
   e->hashed = mt_str_ieq (second, mt_str ("hashed"));
   *text = *end ? end + 1 : end;
   return e->name.n && !third.n && (!second.n || e->hashed);
}

/* Returns the path of the field that a shard key on `column` uses in documents of store s. For the
 * time it may be the field of the truncated time. NULL: the column can't be in a shard key.
 * Measures can't, because they change; MongoDB does not allow arrays. */
static const char *field_of (const MtTable *t, const MtStoreDesc *s, int column)
{
   const MtColumn *c = &t->columns[column];
   const MtRaw *raw = &s->root->raw;
   for (size_t i = 0; i < s->root->bind_count; i++) {
      const MtBinding *b = &s->root->binds[i];
      if (b->from == MT_FROM_FIELD && b->column == column && b->kind != MT_BIND_TIME_PART)
         return b->at;
   }
   for (size_t i = 0; mt_store_is_rows (s) && i < raw->count; i++)
      if (raw->columns[i] == column && c->role == MT_COL_PLAIN && !mt_type_is_array (c->type.id) &&
          c->type.id != MT_T_JSONB)
         return raw->paths[i];
   return NULL;
}

static bool bad (const MtPresetOption *o, const char *hint, MtError *err)
{
   mt_error_at (err, o->span, MT_E_PARAMETER, "invalid value for option \"%s\": \"%s\"", o->name,
                o->value);
   return mt_error_hint (err, "%s", hint);
}

/* Sets *at to the path, in documents of store s, of the field for column `name` of the shard key o.
 * `name` may also be "_id". 42703 if the column does not exist, 22023 if it can't be in a shard
 * key. */
static bool place (const MtTable *t, const MtStoreDesc *s, const char *name,
                   const MtPresetOption *o, const char **at, MtError *err)
{
   const char *why;
   *at = "_id";
   if (strcmp (name, "_id") != 0) {
      int c = mt_table_column (t, name, false);
      if (c < 0)
         return mt_error_at (err, o->span, c == -2 ? MT_E_AMBIGUOUS_COLUMN : MT_E_UNDEFINED_COLUMN,
                             c == -2 ? "column reference \"%s\" is ambiguous"
                                     : "column \"%s\" does not exist",
                             name);
      *at = field_of (t, s, c);
   }
   if (mt_can_shard (s, *at, &why))
      return true;
   mt_error_at (err, o->span, MT_E_FEATURE, "collection \"%s\" can't be sharded by \"%s\"",
                s->collection, name);
   if (s->timeseries)
      return mt_error_hint (
         err, "A time-series collection is sharded by dimensions, and by the time behind them.");
   return s->write != MT_WRITE_INSERT
             ? mt_error_hint (
                  err,
                  "Its documents are written again and are found by their _id: shard_key = '_id', "
                  "or '_id hashed'.")
             : mt_error_hint (
                  err, "A shard key is _id, or columns that are fields of whole documents, and no "
                       "measures, arrays or jsonb.");
}

/* Returns whether field n of the shard key repeats an earlier field. */
static bool twice (const MtStoreDesc *s, size_t n)
{
   for (size_t i = 0; i < n; i++)
      if (strcmp (s->shard[i].at, s->shard[n].at) == 0)
         return true;
   return false;
}

/* Returns whether the first `count` fields of the shard key obey MongoDB's rule for time-series
 * collections: the time must be the last field, and must not be hashed. */
static bool time_is_last (const MtStoreDesc *s, size_t count)
{
   for (size_t i = 0; i < count; i++)
      if (s->timeseries && !strcmp (s->shard[i].at, s->timeseries->time) &&
          (i + 1 < count || s->shard[i].hashed))
         return false;
   return true;
}

bool mt_layout_shard (MtArena *a, const MtTable *t, MtLayout *l, const MtPresetOption *option,
                      MtError *err)
{
   enum { MOST = 32 };
   for (size_t i = 0; i < l->store_count; i++) {
      MtStoreDesc *s = &l->stores[i];
      size_t n = 0, hashed = 0;
      s->shard = MT_NEW_N (a, MtShardField, MOST);
      for (const char *p = option->value; *p || !n;) {
         Entry e;
         if (n == MOST || !next_entry (&p, &e) || (hashed += e.hashed) > 1)
            return bad (
               option,
               "It is _id, or a list of columns; one of them may be followed by the word hashed.",
               err);
         if (!place (t, s, mt_strndup (a, e.name.p, e.name.n), option, &s->shard[n].at, err))
            return false;
         if (twice (s, n))
            return bad (option, "A field stands in a shard key once.", err);
         s->shard[n++].hashed = e.hashed;
      }
      if (!time_is_last (s, n))
         return bad (
            option,
            "In the shard key of a time-series collection the time comes last, and isn't hashed.",
            err);
      s->shard_count = n;
   }
   return true;
}
