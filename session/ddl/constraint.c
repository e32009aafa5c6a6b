/* The CHECK constraints of new tables and columns. */
#include "session/core/checks.h"
#include "session/ddl/constraint.h"
#include "session/ddl/ddl.h"
#include "session/core/schemas.h"

#include <stdlib.h>
#include <string.h>

static const MtTableCheck *check_named (const MtTable *t, const char *name)
{
   for (size_t i = 0; i < t->check_count; i++)
      if (strcmp (t->checks[i].name, name) == 0)
         return &t->checks[i];
   return NULL;
}

/* Returns a name for a constraint without one: "table_column_check", or "table_check" unless the
 * condition reads exactly one column. A number is appended if the name is taken. */
static const char *made_name (MtStatement *st, const MtTable *t, const MtTableCheck *c)
{
   const char *base = c->column_count == 1
                         ? mt_printf (st->arena, "%s_%s_check",
                                      mt_unqualified (st->session, t->name), c->columns[0])
                         : mt_printf (st->arena, "%s_check", mt_unqualified (st->session, t->name));
   const char *name = base;
   for (int i = 1; check_named (t, name); i++)
      name = mt_printf (st->arena, "%s%d", base, i);
   return name;
}

static int by_name (const void *a, const void *b)
{
   return strcmp (((const MtTableCheck *) a)->name, ((const MtTableCheck *) b)->name);
}

void mt_sort_checks (MtTable *t)
{
   if (t->check_count)
      qsort (t->checks, t->check_count, sizeof *t->checks, by_name);
}

bool mt_add_check_to (MtStatement *st, MtTable *t, const MtCheckDef *d, MtError *err)
{
   MtX *x;
   MtBuf text = {0};
   MtTableCheck c = {0};
   if (!mt_bind_check (st->arena, &st->env, t, d->expr, &x, err))
      return false;
   mt_print_expr (d->expr, &text);
   c.sql = mt_strndup (st->arena, text.p, text.n);
   mt_buf_free (&text);
   mt_check_columns_of (st->arena, t, x, &c);
   c.name = d->name.text ? d->name.text : made_name (st, t, &c);
   const MtTableKey *key = mt_key_named (t, c.name);
   if (check_named (t, c.name) || (key && key->kind != MT_KEY_INDEX))
      return mt_error (err, MT_E_DUPLICATE_OBJECT,
                       "constraint \"%s\" for relation \"%s\" already exists", c.name, t->name);
   MtTableCheck *more = MT_NEW_N (st->arena, MtTableCheck, t->check_count + 2);
   if (t->check_count)
      memcpy (more, t->checks, t->check_count * sizeof *more);
   more[t->check_count++] = c;
   t->checks = more;
   mt_sort_checks (t);
   return true;
}

static bool add_list (MtStatement *st, MtTable *t, const MtCheckDef *d, bool named, MtError *err)
{
   for (; d; d = d->next)
      if ((d->name.text != NULL) == named && !mt_add_check_to (st, t, d, err))
         return false;
   return true;
}

bool mt_build_checks (MtStatement *st, MtTable *t, const MtColumnDef *columns,
                      const MtCheckDef *own, MtError *err)
{
   /* The constraints with a given name come first, so that generated names avoid these names. */
   for (int named = 1; named >= 0; named--) {
      for (const MtColumnDef *d = columns; d; d = d->next)
         if (!add_list (st, t, d->checks, named, err))
            return false;
      if (!add_list (st, t, own, named, err))
         return false;
   }
   return true;
}

void mt_without_check (MtStatement *st, MtTable *t, const char *name, const char *column)
{
   MtTableCheck *left = MT_NEW_N (st->arena, MtTableCheck, t->check_count + 1);
   size_t n = 0;
   for (size_t i = 0; i < t->check_count; i++)
      if (name ? strcmp (t->checks[i].name, name) != 0 : !mt_check_mentions (&t->checks[i], column))
         left[n++] = t->checks[i];
   t->checks = left;
   t->check_count = n;
}

bool mt_checks_fit (MtStatement *st, const MtTable *t, MtError *err)
{
   MtX *x;
   for (size_t i = 0; i < t->check_count; i++)
      if (!mt_check_bind (st, t, &t->checks[i], &x, err)) {
         mt_error_hint (err, "Drop the constraint \"%s\" first.", t->checks[i].name);
         return false;
      }
   return true;
}
