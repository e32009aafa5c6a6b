/* Lists of a table's unique keys, their names and definitions, and dropping them. */
#include "session/core/keys.h"
#include "session/core/schemas.h"

#include "layouts/collections/collections.h"
#include "layouts/collections/partition.h"
#include "session/coordinate/coordinate.h"
#include "session/core/checks.h"
#include "session/core/objects.h"
#include "session/core/sequence.h"

#include <string.h>

/* ---- lists ---- */

static MtTableKey *copy_keys (MtArena *a, const MtTable *t)
{
   MtTableKey *list = MT_NEW_N (a, MtTableKey, t->unique_count + 2);
   if (t->unique_count)
      memcpy (list, t->keys, t->unique_count * sizeof *list);
   return list;
}

void mt_keys_with (MtArena *a, MtTable *t, const MtTableKey *k)
{
   MtTableKey *list = copy_keys (a, t);
   size_t at = t->unique_count;
   if (k->kind == MT_KEY_PRIMARY) {
      memmove (list + 1, list, at * sizeof *list);
      at = 0;
   }
   list[at] = *k;
   t->keys = list;
   t->unique_count++;
}

void mt_keys_without (MtArena *a, MtTable *t, const MtTableKey *k)
{
   MtTableKey *list = copy_keys (a, t);
   size_t n = 0;
   for (size_t i = 0; i < t->unique_count; i++)
      if (strcmp (t->keys[i].name, k->name) != 0)
         list[n++] = t->keys[i];
   t->keys = list;
   t->unique_count = n;
}

static int *without_column (MtArena *a, const int *columns, size_t count, int gone)
{
   int *list = MT_NEW_N (a, int, count + 1);
   for (size_t i = 0; i < count; i++)
      list[i] = columns[i] > gone ? columns[i] - 1 : columns[i];
   return list;
}

void mt_keys_without_column (MtArena *a, const MtTable *from, MtTable *t, int gone)
{
   MtTableKey *list = copy_keys (a, from);
   size_t n = 0;
   for (size_t i = 0; i < from->unique_count; i++) {
      MtTableKey k = from->keys[i];
      if (mt_in_key (k.columns, k.count, gone) ||
          (k.where && mt_check_mentions (k.where, from->columns[gone].name)))
         continue;
      k.columns = without_column (a, k.columns, k.count, gone);
      MtKeyTerm *terms = k.terms ? MT_NEW_N (a, MtKeyTerm, k.term_count + 1) : NULL;
      for (size_t j = 0; j < k.term_count; j++) {
         terms[j] = k.terms[j];
         terms[j].column -= terms[j].column > gone;
      }
      k.terms = terms;
      list[n++] = k;
   }
   t->keys = list;
   t->unique_count = n;
   t->key = without_column (a, from->key, from->key_count, gone);
}

/* ---- names ---- */

MtName mt_key_full_name (MtSession *s, MtArena *a, const MtTable *t, const MtName *given)
{
   const char *rest, *schema = mt_schema_of (s, a, t->name, &rest);
   MtName name = *given;
   if (schema && name.text)
      name.text = mt_printf (a, "%s.%s", schema, name.text);
   return name;
}

const MtTableKey *mt_key_by_name (const MtTable *t, const MtName *name)
{
   const MtTableKey *k = mt_key_named (t, name->text);
   for (size_t i = 0; i < t->unique_count && !k && !mt_name_is_exact (name); i++)
      k = mt_ieq (t->keys[i].name, name->text) ? &t->keys[i] : NULL;
   return k;
}

/* Finds a key by name, among temporary tables only, or among all other tables. *of is set to its
 * table. */
static const MtTableKey *find_among (MtSession *s, const MtName *name, bool temporary,
                                     const MtTable **of)
{
   size_t n;
   const MtTable *const *all = mt_catalog_tables (s->catalog, &n);
   for (size_t i = 0; i < n; i++) {
      const MtTableKey *k = all[i]->temporary == temporary ? mt_key_by_name (all[i], name) : NULL;
      *of = all[i];
      if (k)
         return k;
   }
   *of = NULL;
   return NULL;
}

const MtTableKey *mt_find_key (MtSession *s, const MtName *name, const MtTable **of)
{
   const MtTableKey *own = find_among (s, name, true, of);
   return own ? own : find_among (s, name, false, of);
}

bool mt_is_relation_name (MtSession *s, const char *name, bool temporary)
{
   const MtTable *t;
   const MtCatalogObject *index;
   MtError ignored;
   MtName exact = {.text = name, .quoted = true};
   mt_catalog_find_object (s->catalog, "index", name, &index);
   if (index || find_among (s, &exact, temporary, &t) ||
       (!temporary && (mt_is_view (s, name) || mt_is_sequence (s, name))))
      return true;
   return mt_catalog_find_among (s->catalog, temporary ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES,
                                 name, true, &t, &ignored) &&
          t;
}

/* ---- definitions in SQL ---- */

static void add_columns (MtArena *a, const MtTable *t, const MtTableKey *k, MtBuf *out)
{
   mt_buf_addc (out, '(');
   for (size_t i = 0; i < k->count; i++)
      mt_buf_printf (out, "%s%s", i ? ", " : "", mt_quoted (a, t->columns[k->columns[i]].name));
   mt_buf_addc (out, ')');
}

static const char *text_of (MtArena *a, MtBuf *b)
{
   const char *text = mt_strndup (a, b->p, b->n);
   mt_buf_free (b);
   return text;
}

const char *mt_key_shown (MtArena *a, const MtTable *t, const MtTableKey *k)
{
   MtBuf b = {0};
   mt_buf_adds (&b, k->kind == MT_KEY_PRIMARY ? "PRIMARY KEY " : "UNIQUE ");
   if (k->nulls_equal)
      mt_buf_adds (&b, "NULLS NOT DISTINCT ");
   add_columns (a, t, k, &b);
   return text_of (a, &b);
}

const char *mt_key_index_shown (MtArena *a, const MtTable *t, const MtTableKey *k, bool pretty)
{
   MtBuf b = {0};
   add_columns (a, t, k, &b);
   if (k->nulls_equal)
      mt_buf_adds (&b, " NULLS NOT DISTINCT");
   if (k->where)
      mt_buf_printf (&b, " WHERE %s", pretty ? k->where->sql : mt_check_condition (a, k->where));
   return text_of (a, &b);
}

/* ---- unique indexes on servers ---- */

typedef bool (*EachStore) (MtEngine *e, const MtTable *t, const MtTableKey *k, const MtStoreDesc *s,
                           const char *collection, MtError *err);

static bool each_collection (MtStatement *st, const MtTable *t, const MtTableKey *k, EachStore what,
                             MtError *err)
{
   const MtTable *look = t;
   if (!mt_engine_caps (st->session->engine)->unique_indexes)
      return true;
   if (!mt_partitions_look (st->session->engine, &look, 1, err))
      return false;
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count && !t->layouts[i].attached; j++) {
         const MtStoreDesc *s = &t->layouts[i].stores[j];
         size_t n;
         const char *const *names = mt_store_collections_of (st->arena, s, &n);
         for (size_t c = 0; c < n; c++)
            if (!what (st->session->engine, t, k, s, names[c], err))
               return false;
      }
   return true;
}

bool mt_key_make_indexes (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err)
{
   return each_collection (st, t, k, mt_store_make_key, err);
}

bool mt_key_drop_indexes (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err)
{
   return each_collection (st, t, k, mt_store_drop_key, err);
}

/* ---- dropping keys ---- */

/* After the PRIMARY KEY was dropped: removes also the declared key of a table whose layouts all
 * keep records, because they don't use it. */
static void forget_declared (MtStatement *st, MtTable *t)
{
   for (size_t i = 0; i < t->layout_count; i++)
      if (t->layouts[i].keeps != MT_KEEPS_RECORDS)
         return;
   MtLayout *layouts = MT_NEW_N (st->arena, MtLayout, t->layout_count);
   memcpy (layouts, t->layouts, t->layout_count * sizeof *layouts);
   for (size_t i = 0; i < t->layout_count; i++)
      layouts[i].key_count = 0;
   t->layouts = layouts;
   t->key_count = 0;
}

/* Creates again the indexes of keys with the same columns as the dropped key. They may have shared
 * its index, because a collection can't have two equal indexes. */
static bool make_shared_indexes (MtStatement *st, const MtTable *t, const MtTableKey *gone,
                                 MtError *err)
{
   for (size_t i = 0; i < t->unique_count; i++)
      if (mt_same_columns (&t->keys[i], gone) && !mt_key_make_indexes (st, t, &t->keys[i], err))
         return false;
   return true;
}

bool mt_drop_key (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err)
{
   MtSession *s = st->session;
   MtTable next = *t;
   mt_keys_without (st->arena, &next, k);
   if (k->kind == MT_KEY_PRIMARY)
      forget_declared (st, &next);
   if (!mt_no_live_intents (st, t, err) || !mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   if (mt_key_drop_indexes (st, t, k, err) && make_shared_indexes (st, &next, k, err) &&
       mt_catalog_save_unwritten (s->catalog, t, &next, err) && mt_intents_break (st, t, err) &&
       mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

/* ---- SET CONSTRAINTS ---- */

static bool is_constraint (MtSession *s, const MtName *name)
{
   size_t count;
   const MtTable *of, *const *all = mt_catalog_tables (s->catalog, &count);
   const MtTableKey *k = mt_find_key (s, name, &of);
   for (size_t i = 0; i < count; i++)
      for (size_t c = 0; c < all[i]->check_count; c++)
         if (strcmp (all[i]->checks[c].name, name->text) == 0)
            return true;
   return k && k->kind != MT_KEY_INDEX;
}

bool mt_run_set_constraints (MtStatement *st, MtError *err)
{
   const MtNameList *n = st->stmt->drop.names;
   mt_result_set_tag (st->result, "SET CONSTRAINTS");
   if (st->session->txn.state == MT_TRANSACTION_NONE) {
      mt_notice (st->session, "WARNING", NULL,
                 "SET CONSTRAINTS can only be used in transaction blocks");
      return true;
   }
   if (!n)
      return true;
   if (is_constraint (st->session, &n->name))
      return mt_error (err, MT_E_WRONG_OBJECT, "constraint \"%s\" is not deferrable", n->name.text);
   return mt_error (err, MT_E_UNDEFINED_OBJECT, "constraint \"%s\" does not exist", n->name.text);
}
