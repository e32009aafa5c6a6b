/* Finds the arbiter of ON CONFLICT: the keys whose conflict the clause handles. */
#include "query/x.h"
#include "session/core/schemas.h"
#include "session/core/checks.h"
#include "session/core/core.h"
#include "session/core/keys.h"
#include "session/dml/conflict.h"

#include <string.h>

static bool no_arbiter (MtError *err)
{
   return mt_error (
      err, MT_E_INVALID_COLUMN_REF,
      "there is no unique or exclusion constraint matching the ON CONFLICT specification");
}

/* Reads the conflict target of ON CONFLICT (a, b): sets seen[n] for each column n, and *count to
 * the number of columns. */
static bool read_target (const MtTable *t, const MtExprList *target, bool *seen, size_t *count,
                         MtError *err)
{
   *count = 0;
   for (const MtExprList *e = target; e; e = e->next) {
      if (e->expr->kind != MT_EXPR_COLUMN || e->expr->column.parts->next)
         return no_arbiter (err);
      const MtName *name = &e->expr->column.parts->name;
      int at = mt_table_column (t, name->text, mt_name_is_exact (name));
      if (at < 0)
         return mt_error_at (err, name->span, MT_E_UNDEFINED_COLUMN, "column \"%s\" does not exist",
                             name->text) ||
                mt_column_near (t, name->text, err);
      *count += !seen[at];
      seen[at] = true;
   }
   return true;
}

static bool has_columns (const MtTableKey *k, const bool *seen, size_t count)
{
   for (size_t i = 0; i < k->count; i++)
      if (!seen[k->columns[i]])
         return false;
   return k->count == count;
}

/* Returns whether x is the condition y, or is an AND of conditions one of which is y. */
static bool says (const MtX *x, const MtX *y)
{
   bool found = mt_x_equal (x, y);
   for (int i = 0; x->kind == MT_X_AND && i < x->count; i++)
      found |= mt_x_equal (x->list[i], y);
   return found;
}

/* Sets *fits if the WHERE of the conflict target implies the condition of partial index k, that is,
 * contains each of its conditions. */
static bool fits_condition (MtStatement *st, const MtTable *t, const MtTableKey *k, bool *fits,
                            MtError *err)
{
   const MtExpr *where = st->stmt->insert.conflict->target_where;
   MtX *given = NULL, *needed;
   *fits = false;
   if (where && !mt_bind_condition (st->arena, &st->env, t, where, &given, err))
      return false;
   if (!k->where || !where) {
      *fits = !k->where;
      return true;
   }
   if (!mt_check_bind (st, t, k->where, &needed, err))
      return false;
   *fits = says (given, needed);
   if (needed->kind != MT_X_AND || *fits)
      return true;
   *fits = true;
   for (int i = 0; i < needed->count; i++)
      *fits &= says (given, needed->list[i]);
   return true;
}

/* Finds the key that has exactly the columns of the conflict target; *out NULL: there is none. A
 * key over all rows is preferred to a partial index. */
static bool infer (MtStatement *st, const MtTable *t, const MtTableKey **out, MtError *err)
{
   bool seen[MT_MAX_COLUMNS] = {false}, fits;
   size_t count;
   *out = NULL;
   if (!read_target (t, st->stmt->insert.conflict->target, seen, &count, err))
      return false;
   for (size_t i = 0; i < t->unique_count; i++) {
      const MtTableKey *k = &t->keys[i];
      if (!has_columns (k, seen, count))
         continue;
      if (!fits_condition (st, t, k, &fits, err))
         return false;
      if (fits && (!*out || ((*out)->where && !k->where)))
         *out = k;
   }
   return *out || no_arbiter (err);
}

static bool named (MtStatement *st, const MtTable *t, const MtName *name, const MtTableKey **out,
                   MtError *err)
{
   MtName full = mt_key_full_name (st->session, st->arena, t, name);
   *out = mt_key_by_name (t, &full);
   return (*out && (*out)->kind != MT_KEY_INDEX) ||
          mt_error (err, MT_E_UNDEFINED_OBJECT, "constraint \"%s\" for table \"%s\" does not exist",
                    name->text, mt_unqualified (st->session, t->name));
}

bool mt_conflict_arbiters (MtStatement *st, const MtTable *t, const MtTableKey ***out,
                           size_t *count, MtError *err)
{
   const MtOnConflict *c = st->stmt->insert.conflict;
   const MtTableKey **keys = MT_NEW_N (st->arena, const MtTableKey *, t->unique_count + 1);
   *out = keys;
   *count = 1;
   if (c->constraint.text)
      return named (st, t, &c->constraint, &keys[0], err);
   if (c->target)
      return infer (st, t, &keys[0], err);
   *count = t->unique_count;
   for (size_t i = 0; i < t->unique_count; i++)
      keys[i] = &t->keys[i];
   if (!c->updates)
      return true;
   mt_error_at (err, c->span, MT_E_SYNTAX,
                "ON CONFLICT DO UPDATE requires inference specification or constraint name");
   return mt_error_hint (err, "For example, ON CONFLICT (column_name).");
}
