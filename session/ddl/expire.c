/* The option expire_after of CREATE TABLE and ADD LAYOUT, and ALTER TABLE … SET, RESET for
 * tables and layouts. */
#include "session/coordinate/coordinate.h"
#include "session/ddl/ddl.h"
#include "session/dml/dml.h"
#include "session/ddl/expire.h"

#include "session/core/core.h"
#include "layouts/collections/server_expiry.h"

#include <string.h>

#define OPTION "expire_after"

/* ---- options ---- */

static const MtOption *find_option (const MtOption *o)
{
   while (o && !mt_ieq (o->name.text, OPTION))
      o = o->next;
   return o;
}

static bool read_option (MtStatement *st, const MtOption *o, MtExpiry *out, MtError *err)
{
   if (o->kind == MT_OPT_STRING || o->kind == MT_OPT_WORD) {
      out->ages = mt_expiry_read (mt_strndup (st->arena, o->value.p, o->value.n), &out->after, err);
      if (!out->ages)
         err->span = o->span;
      return out->ages;
   }
   mt_error_at (err, o->span, MT_E_PARAMETER, "invalid value for option \"%s\"", OPTION);
   return mt_error_hint (err, "Use an interval, such as '90 days'.");
}

static bool need_time (const MtTable *t, MtSpan span, MtError *err)
{
   if (t->time_column >= 0)
      return true;
   mt_error_at (err, span, MT_E_INVALID_DEFINITION,
                "rows of table \"%s\" cannot expire: it has no TIME column", t->name);
   return false;
}

static bool may_expire (const MtTable *t, MtError *err)
{
   if (!t->temporary)
      return true;
   mt_error (err, MT_E_FEATURE, "expire_after is not supported for temporary tables");
   return mt_error_hint (err, "Use DELETE to remove old rows.");
}

/* Checks that the time column of a table is NOT NULL, so that each row can expire. */
static bool time_is_kept (MtStatement *st, const MtTable *t, MtSpan span, MtError *err)
{
   const MtColumn *time = &t->columns[t->time_column];
   if (time->not_null)
      return true;
   mt_error_at (err, span, MT_E_STATE,
                "rows of table \"%s\" cannot expire while column \"%s\" may be NULL", t->name,
                time->name);
   return mt_error_hint (err, "Use ALTER TABLE %s ALTER COLUMN %s SET NOT NULL.",
                         mt_quoted (st->arena, t->name), mt_quoted (st->arena, time->name));
}

bool mt_expiry_declare (MtStatement *st, const MtLayoutDef *d, MtTable *t, MtError *err)
{
   const MtOption *o = find_option (d ? d->options : NULL);
   if (!o)
      return true;
   MtExpiry *x = MT_NEW (st->arena, MtExpiry);
   if (!may_expire (t, err) || !need_time (t, o->span, err) || !read_option (st, o, x, err))
      return false;
   MtColumn *time = &t->columns[t->time_column];
   if (!time->not_null)
      mt_notice (st->session, "NOTICE", NULL, "adding not-null constraint to column \"%s\"",
                 time->name);
   time->not_null = true;
   t->expiry = x;
   return true;
}

/* Fails with 0A000 if a key of the table lacks the time column: an expired row, which is hidden,
 * could have the same key as a new row. */
static bool key_fits (const MtTable *t, MtError *err)
{
   for (size_t i = 0; i < t->unique_count; i++) {
      const MtTableKey *k = &t->keys[i];
      if (mt_in_key (k->columns, k->count, t->time_column))
         continue;
      mt_error (err, MT_E_FEATURE, "a %s without the TIME column is not supported if rows expire",
                mt_key_word (k->kind));
      return mt_error_hint (err, "Add column \"%s\" to the key.", t->columns[t->time_column].name);
   }
   return true;
}

static bool series_fit (const MtTable *t, MtError *err)
{
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t k = 0; k < t->layouts[i].store_count; k++) {
         const MtTimeseries *s = t->layouts[i].stores[k].timeseries;
         if (!s || s->expire_after_s < 0 || !(t->expiry || t->layouts[i].expiry))
            continue;
         mt_error (err, MT_E_INVALID_DEFINITION, "layout \"%s\" has expire_after_seconds already",
                   t->layouts[i].name);
         return mt_error_hint (
            err, "Remove one of them: expire_after also sets the option of the server.");
      }
   return true;
}

static const MtExpiry *with_unit (MtArena *a, const MtExpiry *x, MtUnit unit)
{
   MtExpiry *copy = x ? MT_NEW (a, MtExpiry) : NULL;
   if (x) {
      *copy = *x;
      copy->unit = unit;
   }
   return copy;
}

bool mt_expiry_settle (MtStatement *st, MtTable *t, MtError *err)
{
   MtUnit unit;
   if (!mt_expires (t))
      return true;
   if (!key_fits (t, err) || !series_fit (t, err) || !mt_expiry_unit (t, &unit, err))
      return false;
   t->expiry = with_unit (st->arena, t->expiry, unit);
   for (size_t i = 0; i < t->layout_count; i++)
      t->layouts[i].expiry = with_unit (st->arena, t->layouts[i].expiry, unit);
   return true;
}

void mt_expiry_ended (MtStatement *st, MtLayout *l, int64_t before_ms)
{
   if (before_ms == MT_NEVER_EXPIRES ||
       mt_expiry_own (l->expiry, st->env.style.now_ms) >= before_ms)
      return;
   MtExpiry *x = MT_NEW (st->arena, MtExpiry);
   if (l->expiry)
      *x = *l->expiry;
   x->ended = true;
   x->before_ms = before_ms;
   l->expiry = x;
}

/* Makes rows that had already expired in layout l's old version stay hidden in the new version. */
static void keep_floor (MtStatement *st, const MtTable *old, MtLayout *l)
{
   const MtExpiry *was = NULL;
   for (size_t i = 0; i < old->layout_count; i++)
      if (strcmp (old->layouts[i].name, l->name) == 0)
         was = old->layouts[i].expiry;
   mt_expiry_ended (st, l, mt_expiry_own (was, st->env.style.now_ms));
}

bool mt_expiry_retire (MtStatement *st, const MtTable *old, MtTable *next, MtError *err)
{
   int64_t now = st->env.style.now_ms, was = mt_expiry_own (old->expiry, now);
   MtSwept out;
   bool leaves;
   for (size_t i = 0; i < next->layout_count; i++)
      keep_floor (st, old, &next->layouts[i]);
   if (was == MT_NEVER_EXPIRES || mt_expiry_own (next->expiry, now) >= was)
      return true;
   if (!mt_sweep_leaves (st, old, was, &leaves, err) || !mt_sweep (st, old, was, 0, &out, err))
      return false;
   for (size_t i = 0; i < old->layout_count; i++)
      next->layouts[i].stats = out.next.layouts[i].stats;
   MtExpiry *x = MT_NEW (st->arena, MtExpiry);
   *x = next->expiry ? *next->expiry : (MtExpiry) {.unit = old->expiry->unit};
   x->ended = leaves ||
              (out.count && next->layout_count >
                               /* the rows that were visible before this step fill a new layout */
                               old->layout_count);
   x->before_ms = was;
   next->expiry = x->ended || x->ages ? x : NULL;
   return true;
}

bool mt_expiry_of_layout (MtStatement *st, const MtLayoutDef *d, const MtTable *t, MtLayout *l,
                          MtError *err)
{
   const MtOption *o = find_option (d ? d->options : NULL);
   MtExpiry *x = MT_NEW (st->arena, MtExpiry);
   if (!o)
      return true;
   l->expiry = x;
   return may_expire (t, err) && need_time (t, o->span, err) && read_option (st, o, x, err) &&
          time_is_kept (st, t, o->span, err);
}

/* Returns whether a layout may have rows before the time ms, according to its statistics. */
static bool has_before (const MtLayout *l, int64_t ms)
{
   bool has = false;
   for (size_t i = 0; i < l->store_count && !has; i++) {
      const MtStoreStats *s = l->stats ? &l->stats[i] : NULL;
      has = !s || !s->present || (s->documents > 0 && (!s->has_time || s->min_ms < ms));
   }
   return has;
}

bool mt_expiry_may_drop (MtStatement *st, const MtTable *t, const MtLayout *gone,
                         const MtTable *next, MtError *err)
{
   int64_t now = st->env.style.now_ms, left = INT64_MAX;
   for (size_t i = 0; i < next->layout_count; i++) {
      int64_t since = mt_layout_horizon (t, &next->layouts[i], now);
      left = next->layouts[i].keeps != MT_KEEPS_LATEST && since < left
                ? since
                : left; /* a layout of newest records does not replace older rows */
   }
   if (left == INT64_MAX || left <= mt_layout_horizon (t, gone, now) || !has_before (gone, left))
      return true;
   MtBuf time = {0};
   mt_timestamptz_out (left, st->env.style.zone, &time);
   mt_error (err, MT_E_STATE, "layout \"%s\" has older rows than the other layouts of table \"%s\"",
             gone->name, t->name);
   mt_error_detail (err, "No other layout keeps rows before %s.", time.p);
   mt_error_hint (
      err, "Use CALL drop_chunks('%s', older_than => '%s'::timestamptz) to remove them first.",
      t->name, time.p);
   mt_buf_free (&time);
   return false;
}

/* ---- expiry on servers ---- */

static bool tell_store (MtStatement *st, const MtTable *t, const MtStoreDesc *s, MtError *err)
{
   MtEngine *e = st->session->engine;
   bool does, has, ages = mt_expiry_ages (t, s);
   if (!mt_engine_has_collection (e, s->collection, &has, err))
      return false;
   if (!has)
      return true;
   if (!mt_expiry_tell (e, t, s, s->collection, &does, err))
      return false;
   if (ages && !does)
      mt_notice (st->session, "NOTICE", "Use VACUUM or drop_chunks.",
                 "the server does not delete expired documents of collection \"%s\" by itself",
                 s->collection);
   return true;
}

bool mt_expiry_tell_all (MtStatement *st, const MtTable *t, MtError *err)
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

static bool tell_afterwards (MtStatement *st, const MtTable *t, MtError *err)
{
   if (!mt_step_begin (st->session, err))
      return false;
   if (mt_expiry_tell_all (st, t, err) && mt_step_commit (st->session, err))
      return true;
   mt_step_rollback (st->session);
   return mt_error_hint (
      err,
      "The rows expire, but the server does not delete all of them yet. Run the statement again.");
}

/* Saves the changed expiry of a table in the catalog and on the server. The server must never
 * delete rows that are still visible. So a shorter expiry reaches the server after the commit, and
 * a longer one before. */
static bool save_expiry (MtStatement *st, const MtTable *t, MtTable *next, MtError *err)
{
   MtSession *s = st->session;
   if (!may_expire (t, err) || !mt_expiry_settle (st, next, err) || !mt_step_begin (s, err))
      return false;
   bool sooner = mt_expiry_sooner (next, t);
   if (!mt_expiry_retire (st, t, next, err) || (!sooner && !mt_expiry_tell_all (st, next, err)) ||
       !mt_catalog_save (s->catalog, next, NULL, err) || !mt_step_commit (s, err)) {
      mt_step_rollback (s);
      return false;
   }
   return !sooner || tell_afterwards (st, next, err);
}

/* Sets the expiry *x of a table or layout to option o, and saves the table. o NULL: RESET, which
 * removes the expiry. Rows that were hidden stay hidden. */
static bool change_expiry (MtStatement *st, const MtTable *t, const MtOption *o, const MtExpiry **x,
                           MtTable *next, MtError *err)
{
   MtExpiry *made = MT_NEW (st->arena, MtExpiry);
   if (*x)
      *made = **x;
   if (o && (!need_time (t, o->span, err) || !read_option (st, o, made, err) ||
             !time_is_kept (st, t, o->span, err)))
      return false;
   *x = o ? made : NULL;
   return save_expiry (st, t, next, err);
}

bool mt_alter_options (MtStatement *st, const MtTable *t, MtError *err)
{
   bool sets = st->stmt->alter_table.action == MT_ALTER_SET_OPTIONS;
   const MtName *name = &st->stmt->alter_table.name;
   const MtOption *found = NULL;
   size_t layout = 0;
   if (name->text && !mt_need_layout (t, name, &layout, err))
      return false;
   for (const MtOption *o = st->stmt->alter_table.options; o; o = o->next) {
      if (!mt_ieq (o->name.text, OPTION)) {
         mt_error_at (err, o->name.span, MT_E_PARAMETER, "unrecognized parameter \"%s\"",
                      o->name.text);
         return mt_error_hint (
            err, "%s is %s. Use ADD LAYOUT to create a layout with other options.",
            name->text ? "The only parameter of a layout" : "The only parameter of a table",
            OPTION);
      }
      if (found)
         return mt_error_at (err, o->span, MT_E_PARAMETER,
                             "parameter \"%s\" specified more than once", OPTION);
      if (!sets && o->kind != MT_OPT_NONE)
         return mt_error_at (err, o->span, MT_E_SYNTAX,
                             "RESET must not include values for parameters");
      found = o;
   }
   if (mt_engine_caps (st->session->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot execute ALTER TABLE: the target is read-only");
   MtTable next = mt_table_to_change (st->arena, t);
   const MtExpiry **x = name->text ? &next.layouts[layout].expiry : &next.expiry;
   return (!sets && !*x) || change_expiry (st, t, sets ? found : NULL, x, &next, err);
}
