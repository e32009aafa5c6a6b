#include "layouts/collections/server_expiry.h"

#include <string.h>

static bool is_date (const MtEncoding *e)
{
   return e->kind == MT_ENC_DATE || e->kind == MT_ENC_NATIVE;
}

/* Returns the path of the date field by whose age a server may delete the store's documents: the
 * time, the time rounded down to a unit, or the greatest time of the document. NULL: there is
 * none. */
static const char *date_field (const MtTable *t, const MtStoreDesc *s)
{
   const MtNode *root = s->root;
   for (size_t i = 0; i < root->bind_count; i++) {
      const MtBinding *b = &root->binds[i];
      if (b->kind == MT_BIND_COLUMN && b->column != t->time_column)
         continue;
      bool own = b->from == MT_FROM_FIELD && !mt_path_in_id (b->at) && b->kind != MT_BIND_TIME_PART;
      return own && is_date (&b->encoding) ? b->at : NULL;
   }
   for (size_t i = 0; mt_store_is_rows (s) && i < root->raw.count; i++)
      if (root->raw.columns[i] == t->time_column)
         return is_date (&root->raw.encodings[i]) && *root->raw.paths[i] ? root->raw.paths[i]
                                                                         : NULL;
   return root->range.present && is_date (&root->range.encoding) ? root->range.max : NULL;
}

/* Returns after how many seconds a server may delete a document, counted from its date; -1 if that
 * is more than a server can count. Rows expire a whole unit (such as a day) at a time, and the
 * document's date lies in that unit. So the result is the retention `after` plus one unit. */
static int64_t seconds_of (const MtExpiry *x)
{
   static const int64_t month = 31 * 86400, year = 366 * 86400;
   int64_t unit = mt_unit_ms (x->unit) / 1000;
   if (x->unit == MT_UNIT_YEAR)
      unit = year;
   else if (x->unit == MT_UNIT_MONTH)
      unit = month;
   int64_t s = x->after.months / 12 * year + x->after.months % 12 * month +
               x->after.days * INT64_C (86400) + x->after.us / 1000000 + 1;
   s += unit > 0 ? unit : 1;
   return s <= INT32_MAX ? s : -1;
}

/* Returns the expiry of the layout that has this store, found by the name of its collection. NULL:
 * the layout has no expiry of its own. */
static const MtExpiry *expiry_of (const MtTable *t, const MtStoreDesc *s)
{
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t k = 0; k < t->layouts[i].store_count; k++)
         if (strcmp (t->layouts[i].stores[k].collection, s->collection) == 0)
            return t->layouts[i].expiry;
   return NULL;
}

bool mt_expiry_ages (const MtTable *t, const MtStoreDesc *s)
{
   const MtExpiry *own = expiry_of (t, s);
   return (t->expiry && t->expiry->ages) || (own && own->ages);
}

/* Returns after how many seconds a server may delete the store's documents, by the retention of the
 * table or of the layout, whichever is shorter; -1: never. */
static int64_t seconds_in (const MtTable *t, const MtStoreDesc *s)
{
   const MtExpiry *all[] = {t->expiry, expiry_of (t, s)};
   int64_t least = -1;
   for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
      int64_t after = all[i] && all[i]->ages ? seconds_of (all[i]) : -1;
      least = after >= 0 && (least < 0 || after < least) ? after : least;
   }
   return least;
}

/* Like seconds_in, but returns INT64_MAX for never. */
static int64_t told (const MtTable *t, const MtStoreDesc *s)
{
   int64_t after = seconds_in (t, s);
   return after < 0 ? INT64_MAX : after;
}

bool mt_expiry_sooner (const MtTable *next, const MtTable *t)
{
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t k = 0; k < t->layouts[i].store_count; k++)
         if (told (next, &t->layouts[i].stores[k]) < told (t, &t->layouts[i].stores[k]))
            return true;
   return false;
}

MtTimeseries mt_expiry_series (const MtTable *t, const MtStoreDesc *s)
{
   MtTimeseries made = *s->timeseries;
   if (mt_expiry_ages (t, s))
      made.expire_after_s = seconds_in (t, s);
   return made;
}

bool mt_expiry_tell (MtEngine *e, const MtTable *t, const MtStoreDesc *s, const char *collection,
                     bool *does, MtError *err)
{
   const char *field = s->timeseries || s->parts ? NULL : date_field (t, s);
   int64_t seconds = s->timeseries ? mt_expiry_series (t, s).expire_after_s : seconds_in (t, s);
   *does = false;
   if (!field && !s->timeseries)
      return true;
   return mt_engine_expire (e, collection, field, seconds, does, err);
}
