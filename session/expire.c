/* expire_after: as an option of CREATE TABLE, and ALTER TABLE … SET, RESET. */
#include "session/expire.h"

#include "session/maintain.h"

#include <string.h>

#define OPTION "expire_after"

/* ---- options ---- */

static const MtOption *
find (const MtOption *o)
{
   while (o && !mt_ieq (o->name.text, OPTION))
      o = o->next;
   return o;
}

static bool
read_option (MtStatement *st, const MtOption *o, MtExpiry *out, MtError *err)
{
   if (o->kind == MT_OPT_STRING || o->kind == MT_OPT_WORD) {
      out->ages = mt_expiry_read (mt_strndup (st->arena, o->value.p, o->value.n), &out->after, err);
      if (!out->ages)
         err->span = o->span;
      return out->ages;
   }
   mt_error_at (err, o->span, MT_E_PARAMETER, "invalid value for option \"%s\"", OPTION);
   return mt_error_hint (err, "It must be an interval, like '90 days'.");
}

static bool
need_time (const MtTable *t, MtSpan span, MtError *err)
{
   if (t->time_column >= 0)
      return true;
   mt_error_at (err, span, MT_E_INVALID_DEFINITION, "rows of table \"%s\" can't expire: it has no TIME column", t->name);
   return false;
}

static bool
may_expire (const MtTable *t, MtError *err)
{
   if (!t->temporary)
      return true;
   mt_error (err, MT_E_FEATURE, "rows of temporary tables that expire are not supported");
   return mt_error_hint (err, "DELETE removes old rows; the table ends with the session.");
}

bool
mt_expiry_declare (MtStatement *st, const MtLayoutDef *d, MtTable *t, MtError *err)
{
   const MtOption *o = find (d ? d->options : NULL);
   if (!o)
      return true;
   MtExpiry *x = MT_NEW (st->arena, MtExpiry);
   if (!may_expire (t, err) || !need_time (t, o->span, err) || !read_option (st, o, x, err))
      return false;
   MtColumn *time = &t->columns[t->time_column];
   if (!time->not_null)
      mt_notice (st->session, "NOTICE", NULL, "adding not-null constraint to column \"%s\"", time->name);
   time->not_null = true;
   t->expiry = x;
   return true;
}

/* A key without the time could be that of a row that nobody sees any more. */
static bool
key_fits (const MtTable *t, MtError *err)
{
   if (!t->unique || mt_in_key (t->key, t->key_count, t->time_column))
      return true;
   mt_error (err, MT_E_FEATURE, "a PRIMARY KEY without the time of a table whose rows expire is not supported");
   return mt_error_hint (err, "Add column \"%s\" to the key.", t->columns[t->time_column].name);
}

static bool
series_fit (const MtTable *t, MtError *err)
{
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t k = 0; k < t->layouts[i].store_count; k++) {
         const MtTimeseries *s = t->layouts[i].stores[k].timeseries;
         if (!s || s->expire_after_s < 0)
            continue;
         mt_error (err, MT_E_INVALID_DEFINITION, "layout \"%s\" has expire_after_seconds already", t->layouts[i].name);
         return mt_error_hint (err, "With expire_after the server is told by itself.");
      }
   return true;
}

bool
mt_expiry_settle (MtStatement *st, MtTable *t, MtError *err)
{
   if (!t->expiry)
      return true;
   MtExpiry *x = MT_NEW (st->arena, MtExpiry);
   *x = *t->expiry;
   if (!key_fits (t, err) || !series_fit (t, err) || !mt_expiry_unit (t, &x->unit, err))
      return false;
   t->expiry = x;
   return true;
}

bool
mt_expiry_retire (MtStatement *st, const MtTable *old, MtTable *next, MtError *err)
{
   int64_t was = mt_expiry_horizon (old, st->env.style.now_ms);
   MtTable swept;
   MtSwept out;
   bool leaves;
   if (was == MT_NEVER_EXPIRES || mt_expiry_horizon (next, st->env.style.now_ms) >= was)
      return true;
   if (!mt_sweep_leaves (st, old, was, &leaves, err) || !mt_sweep (st, old, was, 0, &swept, &out, err))
      return false;
   for (size_t i = 0; i < old->layout_count; i++)
      next->layouts[i].stats = swept.layouts[i].stats;
   MtExpiry *x = MT_NEW (st->arena, MtExpiry);
   *x = next->expiry ? *next->expiry : (MtExpiry){.unit = old->expiry->unit};
   x->ended = leaves;
   x->before_ms = was;
   next->expiry = x->ended || x->ages ? x : NULL;
   return true;
}

bool
mt_expiry_of_table (const MtLayoutDef *d, MtError *err)
{
   const MtOption *o = find (d ? d->options : NULL);
   if (!o)
      return true;
   mt_error_at (err, o->span, MT_E_FEATURE, "a layout whose rows expire at a time of their own is not supported");
   return mt_error_hint (err, "ALTER TABLE ... SET (%s = '...') is about all layouts of a table.", OPTION);
}

/* ---- servers ---- */

static bool
tell_store (MtStatement *st, const MtTable *t, const MtStoreDesc *s, MtError *err)
{
   MtEngine *e = st->session->engine;
   bool does, has, ages = t->expiry && t->expiry->ages;
   if (!mt_engine_has_collection (e, s->collection, &has, err))
      return false;
   if (!has)
      return true;
   if (!mt_expiry_tell (e, t, s, s->collection, &does, err))
      return false;
   if (ages && !does)
      mt_notice (st->session, "NOTICE", "VACUUM and drop_chunks do.", "the server doesn't delete by itself what expires in collection \"%s\"", s->collection);
   return true;
}

bool
mt_expiry_tell_all (MtStatement *st, const MtTable *t, MtError *err)
{
   if (mt_engine_caps (st->session->engine)->local_operators)
      return true;
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t k = 0; k < t->layouts[i].store_count; k++)
         if (!t->layouts[i].stores[k].parts && !tell_store (st, t, &t->layouts[i].stores[k], err))
            return false;
   return true;
}

/* ---- ALTER TABLE ---- */

static bool
tell_afterwards (MtStatement *st, const MtTable *t, MtError *err)
{
   if (!mt_step_begin (st->session, err))
      return false;
   if (mt_expiry_tell_all (st, t, err) && mt_step_commit (st->session, err))
      return true;
   mt_step_rollback (st->session);
   return mt_error_hint (err, "The rows expire, but the server doesn't delete all of them by itself yet: run the statement again.");
}

/* A server never deletes what the catalog, as it is at that moment, lets be seen: it hears of an earlier time when that is committed, and of a later one before. */
static bool
save (MtStatement *st, const MtTable *t, const MtExpiry *x, MtError *err)
{
   MtSession *s = st->session;
   MtTable next = mt_table_to_change (st->arena, t);
   next.expiry = x;
   if (!may_expire (t, err) || !mt_expiry_settle (st, &next, err) || !mt_step_begin (s, err))
      return false;
   bool sooner = mt_expiry_horizon (&next, st->env.style.now_ms) > mt_expiry_horizon (t, st->env.style.now_ms);
   if (!mt_expiry_retire (st, t, &next, err) || (!sooner && !mt_expiry_tell_all (st, &next, err)) || !mt_catalog_save (s->catalog, &next, NULL, err) || !mt_step_commit (s, err)) {
      mt_step_rollback (s);
      return false;
   }
   return !sooner || tell_afterwards (st, &next, err);
}

static bool
set (MtStatement *st, const MtTable *t, const MtOption *o, MtError *err)
{
   MtExpiry *x = MT_NEW (st->arena, MtExpiry);
   if (t->expiry)
      *x = *t->expiry;
   if (!need_time (t, o->span, err) || !read_option (st, o, x, err))
      return false;
   const MtColumn *time = &t->columns[t->time_column];
   if (time->not_null)
      return save (st, t, x, err);
   mt_error_at (err, o->span, "55000", "rows of table \"%s\" can't expire while column \"%s\" may be NULL", t->name, time->name);
   return mt_error_hint (err, "ALTER TABLE %s ALTER COLUMN %s SET NOT NULL.", mt_quoted (st->arena, t->name), mt_quoted (st->arena, time->name));
}

bool
mt_alter_options (MtStatement *st, const MtTable *t, MtError *err)
{
   bool sets = st->stmt->alter_table.action == MT_ALTER_SET_OPTIONS;
   const MtOption *found = NULL;
   for (const MtOption *o = st->stmt->alter_table.options; o; o = o->next) {
      if (!mt_ieq (o->name.text, OPTION)) {
         mt_error_at (err, o->name.span, MT_E_PARAMETER, "unrecognized parameter \"%s\"", o->name.text);
         return mt_error_hint (err, "A table's only parameter is %s. Options of a layout stay as they were made: ADD LAYOUT makes another one.", OPTION);
      }
      if (found)
         return mt_error_at (err, o->span, MT_E_PARAMETER, "parameter \"%s\" specified more than once", OPTION);
      if (!sets && o->kind != MT_OPT_NONE)
         return mt_error_at (err, o->span, MT_E_SYNTAX, "RESET must not include values for parameters");
      found = o;
   }
   if (mt_engine_caps (st->session->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot execute ALTER TABLE: the target is read-only");
   return sets ? set (st, t, found, err) : !t->expiry || save (st, t, NULL, err);
}
