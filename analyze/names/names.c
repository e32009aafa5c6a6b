/* The names of FROM's columns. */
#include "analyze/names/names.h"

#include <string.h>

bool mt_same_name (const char *have, const MtName *want)
{
   return mt_name_is_exact (want) ? strcmp (have, want->text) == 0 : mt_ieq (have, want->text);
}

/* ---- the names of FROM ---- */

MtNames mt_names_all (const MtRel *rel)
{
   return (MtNames) {rel, rel->alias, rel->names, rel->names ? rel->name_count : rel->column_count,
                     rel->items ? NULL : rel->full};
}

static bool item_is_exactly (const MtRelItem *item, const char *name)
{
   return (item->alias && strcmp (item->alias, name) == 0) ||
          (item->full && strcmp (item->full, name) == 0);
}

/* If an alias is exactly `alias`, items whose aliases differ only in case are ignored. */
int mt_rel_item (const MtRel *rel, const MtName *alias)
{
   int found = -1, exact = -1, exacts = 0;
   for (int i = 0; i < rel->item_count; i++) {
      const MtRelItem *item = &rel->items[i];
      if (item_is_exactly (item, alias->text)) {
         exact = i;
         exacts++;
      }
      if (found < 0 && ((item->alias && mt_same_name (item->alias, alias)) ||
                        (item->full && mt_same_name (item->full, alias))))
         found = i;
   }
   if (exacts)
      return exacts == 1 ? exact : -1; /* -1: several schemas have a table of this name */
   return found;
}

bool mt_names_of_table (const MtRel *rel, const MtName *alias, MtNames *out)
{
   int i = mt_rel_item (rel, alias);
   if (i >= 0) {
      const MtRelItem *item = &rel->items[i];
      *out = (MtNames) {rel, item->alias, item->names, item->name_count, item->full};
      return true;
   }
   bool same = (rel->alias && mt_same_name (rel->alias, alias)) ||
               (rel->full && mt_same_name (rel->full, alias));
   if (rel->items || !same)
      return false;
   *out = mt_names_all (rel);
   return true;
}

/* Finds table `name` in rel (the FROM) or in the enclosing queries. *out: its column names. False:
 * there is none. */
static bool find_table (const MtBinder *b, const MtRel *rel, const MtName *name, MtNames *out)
{
   return (rel && mt_names_of_table (rel, name, out)) || mt_names_around (b, name, out);
}

const MtName *mt_qualifier_of (MtBinder *b, const MtRel *rel, const MtNameList *parts)
{
   const MtName *schema = &parts->name, *table = &parts->next->name;
   MtName *full = MT_NEW (b->a, MtName);
   MtNames names;
   *full = (MtName) {mt_printf (b->a, "%s.%s", schema->text, table->text),
                     schema->quoted || table->quoted, table->span};
   if (find_table (b, rel, full, &names))
      return full;
   return find_table (b, rel, table, &names) && names.full ? full : table;
}

const char *mt_names_text (const MtNames *n, int i)
{
   return n->list ? n->list[i].name : n->rel->columns[i].name;
}

MtX *mt_names_x (MtBinder *b, const MtNames *n, int i, MtSpan span)
{
   int column = n->list ? n->list[i].column : i;
   if (n->list && n->list[i].expr)
      return n->list[i].expr;
   MtX *x = mt_x_new (b->a, MT_X_COLUMN, n->rel->columns[column].type, span);
   x->column = column;
   mt_x_refers_column (x, &n->rel->columns[column]);
   return x;
}

const char *mt_column_table (const MtRel *rel, int column)
{
   for (int i = 0; i < rel->item_count; i++)
      for (int k = 0; k < rel->items[i].name_count; k++)
         if (!rel->items[i].names[k].expr && rel->items[i].names[k].column == column)
            return rel->items[i].alias;
   return rel->items ? NULL : rel->alias;
}

/* If a column name is exactly `name`, columns whose names differ only in case are ignored. */
int mt_names_find (const MtNames *n, const MtName *name)
{
   int found = -1, exact = -1, count = 0, exacts = 0;
   for (int i = 0; i < n->count; i++) {
      const char *c = mt_names_text (n, i);
      if (strcmp (c, name->text) == 0) {
         exact = i;
         exacts++;
      }
      if (mt_same_name (c, name)) {
         found = i;
         count++;
      }
   }
   if (exacts)
      return exacts > 1 ? -2 : exact;
   return count > 1 ? -2 : found;
}

int mt_rel_column (const MtRel *rel, const MtName *name)
{
   MtNames all = mt_names_all (rel);
   return mt_names_find (&all, name);
}

static const char **texts_of (MtArena *a, const MtNames *n)
{
   const char **texts = MT_NEW_N (a, const char *, (size_t) n->count + 1);
   for (int i = 0; i < n->count; i++)
      texts[i] = mt_names_text (n, i);
   return texts;
}

const char *mt_names_nearest (MtArena *a, const MtNames *n, const char *name)
{
   return mt_nearest (name, texts_of (a, n), (size_t) n->count);
}

bool mt_names_near (MtBinder *b, const MtRel *rel, const char *name)
{
   MtNames n = mt_names_all (rel);
   return mt_error_near (b->err, name, texts_of (b->a, &n), (size_t) n.count);
}

bool mt_names_around (const MtBinder *b, const MtName *alias, MtNames *out)
{
   for (const MtOuter *o = b->outer; o; o = o->next)
      if (o->scope->rel && mt_names_of_table (o->scope->rel, alias, out))
         return true;
   return false;
}
