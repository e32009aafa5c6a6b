/* Finds columns of a table by name. */
#include "session/state/session.h"

#include <stdlib.h>

bool mt_column_near (const MtTable *t, const char *name, MtError *err)
{
   const char **names = mt_malloc ("names", t->column_count * sizeof *names + 1);
   for (size_t i = 0; i < t->column_count; i++)
      names[i] = t->columns[i].name;
   const char *near = mt_nearest (name, names, t->column_count);
   free (names);
   return near && mt_error_hint (err, "Perhaps you meant the column \"%s\".", near);
}

static bool no_column (const MtTable *t, const MtName *name, MtError *err)
{
   mt_error_at (err, name->span, MT_E_UNDEFINED_COLUMN,
                "column \"%s\" of relation \"%s\" does not exist", name->text, t->name);
   return mt_column_near (t, name->text, err);
}

bool mt_need_column (const MtTable *t, const MtName *name, int *out, MtError *err)
{
   int at = mt_table_column (t, name->text, mt_name_is_exact (name));
   if (at == -2)
      return mt_error_at (err, name->span, MT_E_AMBIGUOUS_COLUMN,
                          "column reference \"%s\" is ambiguous", name->text);
   if (at < 0)
      return no_column (t, name, err);
   *out = at;
   return true;
}

bool mt_not_always (const MtColumn *c, bool hint, MtError *err)
{
   mt_error_detail (err, "Column \"%s\" is an identity column defined as GENERATED ALWAYS.",
                    c->name);
   return hint && mt_error_hint (err, "Use OVERRIDING SYSTEM VALUE to override.");
}

bool mt_check_columns (const MtTable *t, const MtNameList *columns, MtError *err)
{
   int at;
   for (const MtNameList *c = columns; c; c = c->next)
      if (!mt_need_column (t, &c->name, &at, err))
         return false;
   return true;
}
