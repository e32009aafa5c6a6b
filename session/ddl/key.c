/* PRIMARY KEY and UNIQUE in CREATE TABLE and ADD COLUMN. */
#include "session/ddl/key_int.h"

#include "session/core/keys.h"
#include "session/core/schemas.h"

#include <string.h>

/* ---- names ---- */

static bool is_taken (MtStatement *st, const MtTable *t, const char *name)
{
   return mt_key_named (t, name) || mt_is_relation_name (st->session, name, t->temporary);
}

/* Returns a name for a key without one: "table_pkey" for PRIMARY KEY, "table_a_b_key" for UNIQUE,
 * "table_a_b_idx" for an index, where a and b are the columns. A number is appended if the name is
 * taken. */
static const char *made_name (MtStatement *st, const MtTable *t, const MtTableKey *k)
{
   static const char *const endings[] = {
      [MT_KEY_PRIMARY] = "pkey", [MT_KEY_UNIQUE] = "key", [MT_KEY_INDEX] = "idx"};
   const char *base = t->name;
   for (size_t i = 0; i < k->count && k->kind != MT_KEY_PRIMARY; i++)
      base = mt_printf (st->arena, "%s_%s", base, t->columns[k->columns[i]].name);
   base = mt_printf (st->arena, "%s_%s", base, endings[k->kind]);
   const char *name = base;
   for (int i = 1; is_taken (st, t, name); i++)
      name = mt_printf (st->arena, "%s%d", base, i);
   return name;
}

bool mt_name_key (MtStatement *st, const MtTable *t, const MtName *given, MtTableKey *k,
                  MtError *err)
{
   k->name = given->text ? given->text : made_name (st, t, k);
   const char *shown = mt_unqualified (st->session, k->name);
   for (size_t i = 0; i < t->check_count; i++)
      if (strcmp (t->checks[i].name, shown) == 0)
         return mt_error (err, MT_E_DUPLICATE_OBJECT,
                          "constraint \"%s\" for relation \"%s\" already exists", shown,
                          mt_unqualified (st->session, t->name));
   return !is_taken (st, t, k->name) ||
          mt_error (err, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists", shown);
}

/* ---- columns ---- */

static bool find_columns (MtStatement *st, const MtTable *t, const MtKeyDef *d, MtTableKey *k,
                          MtError *err)
{
   k->columns = MT_NEW_N (st->arena, int, t->column_count + 1);
   for (const MtNameList *n = d->columns; n; n = n->next) {
      int c = mt_table_column (t, n->name.text, mt_name_is_exact (&n->name));
      if (c < 0)
         return mt_error_at (err, d->span, MT_E_UNDEFINED_COLUMN,
                             "column \"%s\" named in key does not exist", n->name.text) ||
                mt_column_near (t, n->name.text, err);
      if (mt_in_key (k->columns, k->count, c))
         return mt_error_at (err, d->span, MT_E_DUPLICATE_COLUMN,
                             "column \"%s\" appears twice in %s constraint", t->columns[c].name,
                             d->kind == MT_KEYDEF_UNIQUE ? "unique" : "primary key");
      /* Type json has no operator for equality, so its values can't be keys. */
      if (mt_type_element (t->columns[c].type.id) == MT_T_JSON)
         return mt_error (err, MT_E_UNDEFINED_OBJECT,
                          "data type json has no default operator class for access method "
                          "\"btree\"");
      k->columns[k->count++] = c;
   }
   return k->count <= 32 ||
          mt_error (err, MT_E_TOO_MANY_COLUMNS, "cannot use more than 32 columns in an index");
}

bool mt_make_key (MtStatement *st, MtTable *t, const MtKeyDef *d, MtTableKey *k, MtError *err)
{
   *k = (MtTableKey) {.kind = d->kind == MT_KEYDEF_UNIQUE ? MT_KEY_UNIQUE : MT_KEY_PRIMARY,
                      .nulls_equal = d->nulls_equal};
   if (!find_columns (st, t, d, k, err))
      return false;
   if (d->kind == MT_KEYDEF_PRIMARY && mt_primary_key (t))
      return mt_error_at (err, d->span, MT_E_TABLE_DEFINITION,
                          "multiple primary keys for table \"%s\" are not allowed",
                          mt_unqualified (st->session, t->name));
   for (size_t i = 0; i < k->count && d->kind == MT_KEYDEF_PRIMARY; i++)
      t->columns[k->columns[i]].not_null = true;
   return true;
}

/* ---- CREATE TABLE ---- */

/* The key definitions of a statement: first those of single columns, then the table's own. */
typedef struct Defs {
   const MtKeyDef **list;
   size_t count;
} Defs;

static Defs collect (MtStatement *st, const MtColumnDef *columns, const MtKeyDef *own)
{
   Defs d = {0};
   size_t n = 0;
   for (const MtColumnDef *c = columns; c; c = c->next)
      for (const MtKeyDef *k = c->keys; k; k = k->next)
         n++;
   for (const MtKeyDef *k = own; k; k = k->next)
      n++;
   d.list = MT_NEW_N (st->arena, const MtKeyDef *, n + 1);
   for (const MtColumnDef *c = columns; c; c = c->next)
      for (const MtKeyDef *k = c->keys; k; k = k->next)
         d.list[d.count++] = k;
   for (const MtKeyDef *k = own; k; k = k->next)
      d.list[d.count++] = k;
   return d;
}

/* Returns the key of t that has the same columns as k; NULL: there is none. As in PostgreSQL, a
 * second key of the same columns is not made. */
static MtTableKey *same_key (MtTable *t, const MtTableKey *k)
{
   for (size_t i = 0; i < t->unique_count; i++)
      if (t->keys[i].nulls_equal == k->nulls_equal && mt_same_columns (&t->keys[i], k))
         return &t->keys[i];
   return NULL;
}

/* Adds to t the keys among the definitions d that are of one kind. names[i] receives the name that
 * the statement gives to key i of t. */
static bool add_kind (MtStatement *st, MtTable *t, Defs d, MtKeyDefKind kind, MtName *names,
                      MtError *err)
{
   for (size_t i = 0; i < d.count; i++) {
      MtTableKey k, *same;
      if (d.list[i]->kind != kind)
         continue;
      if (!mt_make_key (st, t, d.list[i], &k, err))
         return false;
      if (kind == MT_KEYDEF_SUMS && t->key_count)
         return mt_error_at (err, d.list[i]->span, MT_E_TABLE_DEFINITION,
                             "multiple primary keys for table \"%s\" are not allowed",
                             mt_unqualified (st->session, t->name));
      if (kind != MT_KEYDEF_UNIQUE) {
         t->key = k.columns;
         t->key_count = k.count;
      }
      if (kind == MT_KEYDEF_SUMS)
         continue;
      if ((same = same_key (t, &k))) {
         MtName *name = &names[same - t->keys];
         *name = name->text ? *name : d.list[i]->name;
         continue;
      }
      names[t->unique_count] = d.list[i]->name;
      mt_keys_with (st->arena, t, &k);
   }
   return true;
}

bool mt_build_keys (MtStatement *st, MtTable *t, const MtColumnDef *columns, const MtKeyDef *own,
                    MtError *err)
{
   Defs d = collect (st, columns, own);
   MtName *names = MT_NEW_N (st->arena, MtName, t->unique_count + d.count + 1);
   size_t before = t->unique_count;
   for (int kind = MT_KEYDEF_PRIMARY; kind <= MT_KEYDEF_UNIQUE; kind++)
      if (!add_kind (st, t, d, (MtKeyDefKind) kind, names, err))
         return false;
   if (!add_kind (st, t, d, MT_KEYDEF_SUMS, names, err))
      return false;
   size_t all = t->unique_count;
   for (size_t i = before; i < all; i++) {
      t->unique_count = i; /* only the keys before it have names */
      MtName name = mt_key_full_name (st->session, st->arena, t, &names[i]);
      if (!mt_name_key (st, t, &name, &t->keys[i], err))
         return false;
   }
   t->unique_count = all;
   return true;
}
