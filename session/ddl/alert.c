/* CREATE ALERT, ALTER ALERT, DROP ALERT. */
#include "session/core/alerts.h"
#include "session/core/core.h"
#include "session/ddl/ddl.h"
#include "session/core/schemas.h"
#include "query/x.h"
#include "types/datetime.h"

#include <ctype.h>
#include <string.h>

enum { MOST_DAYS = 36500 }; /* the longest time in FOR and EVERY */

/* ---- clauses ---- */

static bool read_time (const MtTypedText *text, const char *what, int64_t least, int64_t *ms,
                       MtError *err)
{
   MtInterval iv;
   if (!text->str.p)
      return true;
   if (!mt_interval_in (text->str.p, text->str.n, &iv, err)) {
      err->span = text->span;
      return false;
   }
   int64_t n = iv.days * MT_DAY_MS + iv.us / 1000;
   if (iv.months || iv.us % 1000 || n < least || n > MOST_DAYS * MT_DAY_MS)
      return mt_error_at (err, text->span, MT_E_PARAMETER,
                          "%s must be a %s, fixed time of whole milliseconds", what,
                          least ? "positive" : "non-negative");
   *ms = n;
   return true;
}

static bool read_command (MtStatement *st, const MtTypedText *text, MtAlert *alert, MtError *err)
{
   const char **words;
   if (!text->str.p)
      return true;
   const char *line = mt_strndup (st->arena, text->str.p, text->str.n);
   if (!mt_alert_words (st->arena, line, &words, err)) {
      err->span = text->span;
      return false;
   }
   if (words[0] && st->session->options.restricted)
      return mt_error_at (err, text->span, MT_E_PRIVILEGE,
                          "NOTIFY is not allowed in restricted mode");
   alert->notify = words[0] ? line : NULL;
   return true;
}

static bool read_clauses (MtStatement *st, MtAlert *alert, MtError *err)
{
   const MtStmt *s = st->stmt;
   return read_time (&s->alert.lasting, "FOR", 0, &alert->lasting_ms, err) &&
          read_time (&s->alert.every, "EVERY", 1, &alert->every_ms, err) &&
          read_command (st, &s->alert.notify, alert, err);
}

/* ---- columns ---- */

static bool is_agg (void *ctx, const MtX *x) { return x->kind == MT_X_AGG; }

/* Returns whether output column x is part of the key that identifies a row of the alert's query: in
 * a grouped query, any column without an aggregate; else any column that is not a number. */
static bool is_key (const MtQuery *q, const MtX *x)
{
   return q->grouped ? !mt_x_find (x, is_agg, NULL) : !mt_type_is_number (x->type.id);
}

/* Returns whether two names become the same environment variable of the alert's command: upper and
 * lower case are equal, and so are all special characters. */
static bool same_variable (const char *a, const char *b)
{
   for (; *a && *b; a++, b++) {
      bool plain = isalnum ((unsigned char) *a) && isalnum ((unsigned char) *b);
      if (plain ? tolower ((unsigned char) *a) != tolower ((unsigned char) *b)
                : isalnum ((unsigned char) *a) || isalnum ((unsigned char) *b))
         return false;
   }
   return !*a && !*b;
}

static bool rename_hint (MtError *err)
{
   return mt_error_hint (err, "Give the column another name with AS.");
}

static bool check_columns (const MtQuery *q, MtError *err)
{
   static const char *const own[] = {"ALERT", "STATE", "SINCE"};
   for (int i = 0; i < q->visible_count; i++) {
      const char *name = q->targets[i].name;
      for (size_t k = 0; k < sizeof own / sizeof *own; k++)
         if (same_variable (name, own[k]))
            return mt_error (err, MT_E_DUPLICATE_COLUMN,
                             "column \"%s\" would replace the variable MTSQL_%s of the command",
                             name, own[k]) ||
                   rename_hint (err);
      for (int k = 0; k < i; k++)
         if (same_variable (name, q->targets[k].name))
            return mt_error (err, MT_E_DUPLICATE_COLUMN,
                             "columns \"%s\" and \"%s\" would be one variable of the command",
                             q->targets[k].name, name) ||
                   rename_hint (err);
   }
   return q->visible_count > 0 ||
          mt_error (err, MT_E_INVALID_DEFINITION, "an alert must have at least one column");
}

/* Binds the alert's query, and sets its text and the columns that identify its rows. */
static bool read_query (MtStatement *st, MtAlert *alert, MtError *err)
{
   MtQuery *q;
   MtBuf sql = {0};
   bool before = mt_look_begin (st),
        ok = mt_bind_select (st->arena, &st->env, st->stmt->alert.query, &q, err);
   mt_look_end (st, before);
   if (!ok || !mt_no_temporary (st, "alerts", err) || !check_columns (q, err))
      return false;
   alert->keys = MT_NEW_N (st->arena, const char *, (size_t) q->visible_count + 1);
   for (int i = 0; i < q->visible_count; i++)
      if (is_key (q, q->targets[i].expr))
         alert->keys[alert->key_count++] = q->targets[i].name;
   if (!mt_print_stored (st, st->stmt->alert.query, &sql, err))
      return false;
   alert->sql = mt_strndup (st->arena, sql.p, sql.n);
   mt_buf_free (&sql);
   return true;
}

/* ---- statements ---- */

static bool exists (const MtName *name, MtError *err)
{
   return mt_error_at (err, name->span, MT_E_DUPLICATE_OBJECT, "alert \"%s\" already exists",
                       name->text);
}

bool mt_run_create_alert (MtStatement *st, MtError *err)
{
   const MtStmt *s = st->stmt;
   const MtName *name = &s->alert.name;
   const MtAlert *old;
   MtAlert alert = {.name = name->text, .enabled = true};
   mt_result_set_tag (st->result, "CREATE ALERT");
   if (!mt_alert_find (st->session, st->arena, name->text, &old, err))
      return false;
   if (old && s->alert.if_exists) {
      mt_notice (st->session, "NOTICE", NULL, "alert \"%s\" already exists, skipping", old->name);
      return true;
   }
   if (old && !s->alert.or_replace)
      return exists (name, err);
   alert.name = old ? old->name : alert.name;
   return read_clauses (st, &alert, err) && read_query (st, &alert, err) &&
          mt_alert_state_drop (st->session, st->arena, alert.name, err) &&
          mt_alert_save (st, &alert, err);
}

/* Finds the alert `name`. *out NULL: it does not exist, and IF EXISTS was given (with a notice). */
static bool need_alert (MtStatement *st, const MtName *name, bool if_exists, const MtAlert **out,
                        MtError *err)
{
   if (!mt_alert_find (st->session, st->arena, name->text, out, err))
      return false;
   if (!*out && !if_exists)
      return mt_error_at (err, name->span, MT_E_UNDEFINED_OBJECT, "alert \"%s\" does not exist",
                          name->text) ||
             mt_object_near (st, "alert", name->text, err);
   if (!*out)
      mt_notice (st->session, "NOTICE", NULL, "alert \"%s\" does not exist, skipping", name->text);
   return true;
}

static bool drop (MtStatement *st, const char *name, MtError *err)
{
   bool dropped;
   return mt_alert_state_drop (st->session, st->arena, name, err) &&
          mt_catalog_drop_object (st->session->catalog, "alert", name, &dropped, err);
}

static bool rename_alert (MtStatement *st, const MtAlert *old, MtError *err)
{
   const MtName *to = &st->stmt->alert.new_name;
   const MtAlert *other;
   MtAlertState state;
   MtAlert alert = *old;
   alert.name = to->text;
   if (!mt_alert_find (st->session, st->arena, to->text, &other, err))
      return false;
   if (other)
      return exists (to, err);
   return mt_alert_state_read (st->session, st->arena, old->name, &state, err) &&
          drop (st, old->name, err) && mt_alert_save (st, &alert, err) &&
          (state.checked_ms ? mt_alert_state_save (st->session, st->arena, alert.name, &state, err)
                            : mt_alert_state_drop (st->session, st->arena, alert.name, err));
}

bool mt_run_alter_alert (MtStatement *st, MtError *err)
{
   const MtStmt *s = st->stmt;
   const MtAlert *old;
   mt_result_set_tag (st->result, "ALTER ALERT");
   if (!need_alert (st, &s->alert.name, s->alert.if_exists, &old, err))
      return false;
   if (!old)
      return true;
   if (s->alert.new_name.text)
      return rename_alert (st, old, err);
   MtAlert alert = *old;
   if (s->alert.enable)
      alert.enabled = s->alert.enable == MT_ALERT_ENABLE;
   return read_clauses (st, &alert, err) && mt_alert_save (st, &alert, err);
}

bool mt_run_drop_alert (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "DROP ALERT");
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      const MtAlert *alert;
      if (!need_alert (st, &n->name, st->stmt->drop.if_exists, &alert, err) ||
          (alert && !drop (st, alert->name, err)))
         return false;
   }
   return true;
}
