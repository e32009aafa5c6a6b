/* Checks whole stores and layouts of a descriptor: document ids, keys, partitions, and time-series
 * collections. */
#include "engine/engine.h"
#include "layouts/descriptor/check_int.h"
#include "layouts/increments.h"
#include "layouts/stored.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- stores ---- */

static bool check_id_part (MtCheck *c, const MtStoreDesc *s, size_t i)
{
   char tail[40];
   snprintf (tail, sizeof tail, ".id[%zu]", i);
   const MtIdPart *p = &s->id[i];
   if (p->literal) {
      bool ends = i && !s->id[i - 1].literal; /* the literal ends the preceding value */
      if (!*p->literal || (ends && ((unsigned char) *p->literal >= 0x80 ||
                                    isalnum ((unsigned char) *p->literal) || *p->literal == '%')))
         return mt_check_bad (
            c, NULL, tail,
            "a literal behind a value must begin with an ASCII character that is neither a letter, "
            "a digit nor \"%%\"");
      return true;
   }
   if (i && !s->id[i - 1].literal)
      return mt_check_bad (
         c, NULL, tail,
         "two values without a literal between them make ids that aren't one-to-one");
   bool found = false;
   for (size_t j = 0; j < s->root->bind_count; j++)
      found = found || mt_same_binding (&s->root->binds[j], &p->bind);
   if (!found)
      return mt_check_bad (c, NULL, tail, "the root doesn't bind this");
   MtTypeId t = p->bind.kind == MT_BIND_TIME_PART ? MT_T_INT8
                                                  : c->t->columns[p->bind.column].type.id;
   bool text = t == MT_T_UNKNOWN || mt_is_text_type (t) || mt_type_is_integer (t) ||
               t == MT_T_BOOL || t == MT_T_UUID;
   bool ok = p->bind.encoding.kind == MT_ENC_NATIVE ? text : p->bind.encoding.kind != MT_ENC_DATE;
   if (s->id_count > 1 && !ok)
      return mt_check_bad (c, NULL, tail,
                           "a composed id is text: an encoding as text, epoch or format is needed");
   return mt_check_format (c, NULL, i, &p->bind);
}

static bool check_id (MtCheck *c, const MtStoreDesc *s)
{
   for (size_t i = 0; i < s->id_count; i++)
      if (!check_id_part (c, s, i))
         return false;
   if ((s->id_count || mt_root_binds_id (s)) && s->repeats)
      return mt_check_other_field (
         c, mt_check_bad (c, NULL, "",
                          "documents of one key can't repeat when the key makes their _id"));
   for (size_t j = 0; s->id_count && c->l->keeps != MT_KEEPS_LATEST && j < s->root->bind_count;
        j++) {
      bool found = false;
      for (size_t i = 0; i < s->id_count; i++)
         found = found ||
                 (!s->id[i].literal && mt_same_binding (&s->root->binds[j], &s->id[i].bind));
      if (!found)
         return mt_check_bad (
            c, s->root, "",
            "binding %zu is not part of the id, so different keys would share one document", j);
   }
   return true;
}

/* ---- layouts that keep only the latest record of each key ---- */

/* Returns whether a column is in the layout's key. */
static bool in_key (const MtLayout *l, int column)
{
   return mt_in_key (l->key, l->key_count, column);
}

/* Returns whether the value of binding b (a column or a part of the time) is stored in the _id of
 * the store's documents. */
static bool makes_id (const MtStoreDesc *s, const MtBinding *b)
{
   if (!s->id_count)
      return mt_path_in_id (b->at);
   for (size_t i = 0; i < s->id_count; i++)
      if (!s->id[i].literal && mt_same_binding (&s->id[i].bind, b))
         return true;
   return false;
}

/* Checks the _id of a layout that keeps only the latest record of each key: it must consist of
 * exactly the key's columns. */
static bool check_latest_id (MtCheck *c, const MtStoreDesc *s)
{
   size_t found = 0;
   for (size_t i = 0; i < s->root->bind_count; i++) {
      const MtBinding *b = &s->root->binds[i];
      char tail[40];
      snprintf (tail, sizeof tail, ".bind[%zu]", i);
      if (b->kind != MT_BIND_COLUMN)
         return mt_check_bad (c, s->root, tail,
                              "a layout of latest records must bind the exact time");
      /* Without a table, the key and the fields of columns are not known yet. */
      bool open = c->t->sketch && (!c->l->key_count || (b->from == MT_FROM_FIELD && !b->at));
      if (in_key (c->l, b->column) != makes_id (s, b) && !open)
         return mt_check_bad (c, s->root, tail,
                              "the _id must be made of the key, and of nothing else");
      found += in_key (c->l, b->column);
   }
   return found == c->l->key_count || c->t->sketch
             ? true
             : mt_check_bad (c, s->root, "", "the root must bind the key");
}

/* For a layout that keeps the latest records: checks that MongoDB and the embedded engine compare
 * the stored values of `column` in the same way. */
static bool check_latest_value (MtCheck *c, const MtStoreDesc *s, int column, const MtEncoding *e)
{
   MtTypeId id = c->t->columns[column].type.id;
   bool time = column == c->t->time_column;
   bool plain = c->t->sketch || mt_is_text_type (id) || mt_type_is_number (id) ||
                mt_type_is_datetime (id) || id == MT_T_TIME || id == MT_T_BOOL || id == MT_T_UUID ||
                id == MT_T_BYTEA || id == MT_T_OBJECTID;
   if (!plain && in_key (c->l, column))
      return mt_check_bad (c, s->root, "", "column \"%s\" of type %s can't be a key",
                           mt_check_column (c, column), mt_type_info (id)->display);
   if (!plain)
      return mt_check_bad (c, s->root, "",
                           "column \"%s\" of type %s can't decide between records of one time",
                           mt_check_column (c, column), mt_type_info (id)->display);
   if (in_key (c->l, column) || (c->t->sketch && !c->l->key_count))
      return true;
   if (e->kind == MT_ENC_NATIVE || e->kind == MT_ENC_DATE || e->kind == MT_ENC_EPOCH_S ||
       e->kind == MT_ENC_EPOCH_MS)
      return true;
   return mt_check_bad (c, s->root, "", "column \"%s\", which decides %s, can't be kept as text",
                        mt_check_column (c, column),
                        time ? "what is newest" : "between records of one time");
}

static bool check_latest (MtCheck *c, const MtStoreDesc *s)
{
   const MtNode *n = s->root;
   if (c->t->time_column < 0 && !c->t->sketch)
      return mt_layout_invalid (c->blame, "keeps", "the table has no time column");
   if (!n->raw.present || n->raw.many || n->agg.present || n->range.present)
      return mt_check_bad (c, n, "", "a document must be one record");
   if (in_key (c->l, c->t->time_column))
      return mt_layout_invalid (c->blame, "key", "the time can't be in the key");
   if (!check_latest_id (c, s))
      return false;
   for (size_t i = 0; i < n->bind_count; i++)
      if (!check_latest_value (c, s, n->binds[i].column, &n->binds[i].encoding))
         return false;
   for (size_t i = 0; i < n->raw.count; i++)
      if (!check_latest_value (c, s, n->raw.columns[i], &n->raw.encodings[i]))
         return false;
   return true;
}

/* ---- time-series collections ---- */

static bool is_time (const MtCheck *c, int column)
{
   return column == c->t->time_column || mt_sketch_may_be_time (c->t, column);
}

/* Returns whether node n stores the table's time as a BSON date in the field `path`. */
static bool has_date_at (const MtCheck *c, const MtNode *n, const char *path)
{
   bool found = false;
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      bool here = b->at ? !strcmp (b->at, path) : c->t->sketch != NULL;
      found = found || (b->kind == MT_BIND_COLUMN && is_time (c, b->column) && here &&
                        b->encoding.kind <= MT_ENC_DATE);
   }
   for (size_t i = 0; i < n->raw.count; i++)
      found = found || (is_time (c, n->raw.columns[i]) && !strcmp (n->raw.paths[i], path) &&
                        n->raw.encodings[i].kind <= MT_ENC_DATE);
   return found;
}

static bool check_timeseries (MtCheck *c, const MtStoreDesc *s)
{
   const MtTimeseries *t = s->timeseries;
   if (!t)
      return true;
   if (c->l->keeps != MT_KEEPS_RECORDS || !mt_store_is_rows (s) || s->id_count ||
       mt_root_binds_id (s) || s->write != MT_WRITE_INSERT)
      return mt_check_bad (c, NULL, ".timeseries",
                           "a document must be one record, without an _id of its own");
   if (!t->time || !has_date_at (c, s->root, t->time))
      return mt_check_bad (c, NULL, ".timeseries.timeField",
                           "the table's time must be stored there, as a date");
   if (t->meta && (!*t->meta || strchr (t->meta, '.') || !strcmp (t->meta, "_id") ||
                   !strcmp (t->meta, t->time)))
      return mt_check_bad (c, NULL, ".timeseries.metaField",
                           "must be the name of another field than the time and _id");
   return !strchr (t->time, '.') ? true
                                 : mt_check_bad (c, NULL, ".timeseries.timeField",
                                                 "must be the name of a field, not a path");
}

/* For a store with partitions (one collection a month or a day): checks that all records of a
 * document have times in the same partition. */
static bool check_partition (MtCheck *c, const MtStoreDesc *s)
{
   if (!s->parts)
      return true;
   if (c->t->time_column < 0 && !c->t->sketch)
      return mt_check_bad (c, NULL, ".partition", "the table has no time");
   if (c->l->keeps == MT_KEEPS_LATEST)
      return mt_check_bad (c, NULL, ".partition",
                           "the only document of a key moves on with its time");
   if (s->timeseries)
      return mt_check_bad (c, NULL, ".partition", "a time-series collection can't be partitioned");
   for (size_t i = 0; i < s->root->bind_count; i++) {
      const MtBinding *b = &s->root->binds[i];
      bool whole = b->unit <= MT_UNIT_DAY ||
                   (b->unit == MT_UNIT_MONTH && s->parts->unit == MT_UNIT_MONTH);
      if (b->kind != MT_BIND_COLUMN && !whole)
         return mt_check_bad (c, NULL, ".partition", "documents of a %s don't lie within one %s",
                              mt_unit_name (b->unit), mt_unit_name (s->parts->unit));
   }
   return true;
}

/* For a roll-up, which merges new records into stored documents: checks that the store has exactly
 * one document for each key. */
static bool check_rollup (MtCheck *c, const MtStoreDesc *s)
{
   if (s->repeats)
      return mt_check_bad (c, NULL, ".repeats", "a roll-up must have one document for each key");
   if (s->write == MT_WRITE_INSERT)
      return mt_check_bad (
         c, NULL, ".write",
         "must be \"push\" or \"inc\", because a roll-up has one document for each key");
   for (size_t i = 0; i < c->l->key_count; i++)
      if (c->l->key[i] == c->t->time_column)
         return mt_layout_invalid (c->blame, "key", "the time can't be in the key");
   return true;
}

static bool check_store (MtCheck *c, const MtStoreDesc *s)
{
   if (!mt_check_ways (c, s->root) || !check_id (c, s))
      return false;
   if ((c->l->keeps == MT_KEEPS_RECORDS || c->l->keeps == MT_KEEPS_LATEST) && !c->raw_way)
      return mt_check_bad (c, NULL, "", "no way leads to records");
   if (c->t->time_column >= 0 && !c->time_way && c->t->sketch)
      return mt_check_bad (c, NULL, "", "the time is neither bound nor kept");
   if (c->t->time_column >= 0 && !c->time_way)
      return mt_check_bad (c, NULL, "", "column \"%s\" is neither bound nor kept",
                           mt_check_column (c, c->t->time_column));
   const char *why;
   if (s->preallocate && !mt_can_preallocate (c->t, s, &why))
      return mt_check_bad (c, NULL, ".preallocate", "documents that %s can't be made beforehand",
                           why);
   if ((s->write == MT_WRITE_NEWER) != (c->l->keeps == MT_KEEPS_LATEST))
      return mt_check_bad (c, NULL, ".write",
                           "\"newer\" and the layouts that keep \"latest\" go together");
   if ((c->l->keeps == MT_KEEPS_LATEST && !check_latest (c, s)) || !check_timeseries (c, s) ||
       !check_partition (c, s) || (c->l->keeps == MT_KEEPS_ROLLUP && !check_rollup (c, s)))
      return false;
   for (size_t i = 0; i < c->store; i++)
      if (!strcmp (c->l->stores[i].collection, s->collection))
         return mt_check_bad (c, NULL, ".collection", "collection \"%s\" is used by two stores",
                              s->collection);
   return true;
}

static bool check_key (MtCheck *c)
{
   if (c->l->keeps == MT_KEEPS_RECORDS)
      return true;
   if (!c->l->key_count && c->t->sketch)
      return true;
   if (!c->l->key_count && c->l->keeps == MT_KEEPS_LATEST)
      return mt_layout_invalid (c->blame, "key", "a layout that keeps latest needs its key");
   bool in[MT_MAX_COLUMNS + 1] = {false};
   for (size_t i = 0; i < c->l->key_count; i++) {
      in[c->l->key[i]] = true;
      if (c->t->columns[c->l->key[i]].role == MT_COL_MEASURE)
         return mt_layout_invalid (c->blame, "key", "column \"%s\" is a measure",
                                   mt_check_column (c, c->l->key[i]));
   }
   for (size_t i = 0; c->l->keeps == MT_KEEPS_SUMS && i < c->t->column_count; i++)
      if (c->t->columns[i].role == MT_COL_DIMENSION && !in[i])
         return mt_layout_invalid (c->blame, "key", "dimension \"%s\" is missing",
                                   mt_check_column (c, (int) i));
   return true;
}

bool mt_layout_check (const MtTable *t, const MtLayout *l, MtBlame *blame)
{
   MtCheck c = {.t = t, .l = l, .blame = blame};
   if (t->column_count > MT_MAX_COLUMNS && !t->sketch)
      return mt_error (blame->err, MT_E_TOO_MANY_COLUMNS, "tables can have at most %d columns",
                       MT_MAX_COLUMNS);
   if (!check_key (&c))
      return false;
   for (c.store = 0; c.store < l->store_count; c.store++)
      if (!check_store (&c, &l->stores[c.store]))
         return false;
   return true;
}
