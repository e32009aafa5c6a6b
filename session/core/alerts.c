/* Stores alerts, and the states that their checks found, in the catalog. */
#include "session/core/alerts.h"
#include "engine/pipe.h"

#include <string.h>

#define ALERT "alert"
/* Kind of the documents with alert states. They look like catalog objects, but are written and read
 * without the cache, because each check replaces one. */
#define ALERT_STATE "alert_state"

/* ---- definitions ---- */

static const char *text_of (MtArena *a, MtVal v)
{
   return v.type == MT_STRING ? mt_strndup (a, (const char *) v.p, v.len) : NULL;
}

static bool damaged (const char *name, MtError *err)
{
   mt_error (err, MT_E_CORRUPT, "the catalog's document of alert \"%s\" is damaged", name);
   return mt_error_hint (err, "Drop the alert, and create it again.");
}

static bool read_alert (MtArena *a, const MtCatalogObject *o, MtAlert *out, MtError *err)
{
   MtVal body = mt_v_doc (o->body), keys = mt_doc_field (body, "keys");
   MtVal enabled = mt_doc_field (body, "enabled"), lasting = mt_doc_field (body, "lasting_ms"),
         every = mt_doc_field (body, "every_ms");
   *out = (MtAlert) {.name = mt_strdup (a, o->name),
                     .sql = text_of (a, mt_doc_field (body, "sql")),
                     .lasting_ms = lasting.i,
                     .every_ms = every.i,
                     .notify = text_of (a, mt_doc_field (body, "notify")),
                     .enabled = enabled.type == MT_BOOL && enabled.i};
   if (!out->sql || keys.type != MT_ARRAY || lasting.type != MT_INT64 || every.type != MT_INT64)
      return damaged (o->name, err);
   out->key_count = mt_doc_count (keys);
   out->keys = MT_NEW_N (a, const char *, out->key_count + 1);
   for (size_t i = 0; i < out->key_count; i++)
      if (!(out->keys[i] = text_of (a, mt_doc_at (keys, i))))
         return damaged (o->name, err);
   return true;
}

bool mt_alert_find (MtSession *s, MtArena *a, const char *name, const MtAlert **out, MtError *err)
{
   const MtCatalogObject *o;
   MtAlert *alert = MT_NEW (a, MtAlert);
   mt_catalog_find_object (s->catalog, ALERT, name, &o);
   if (o && !read_alert (a, o, alert, err))
      return false;
   *out = o ? alert : NULL;
   return true;
}

bool mt_alert_list (MtSession *s, MtArena *a, MtAlert **out, size_t *count, MtError *err)
{
   const MtCatalogObject *o = mt_catalog_objects (s->catalog, ALERT, count);
   *out = MT_NEW_N (a, MtAlert, *count + 1);
   for (size_t i = 0; i < *count; i++)
      if (!read_alert (a, &o[i], &(*out)[i], err))
         return false;
   return true;
}

bool mt_alert_save (MtStatement *st, const MtAlert *alert, MtError *err)
{
   bson_t *body = mt_doc_new (st->arena), *keys = mt_doc_new (st->arena);
   for (size_t i = 0; i < alert->key_count; i++)
      mt_doc_push (keys, mt_v_cstr (alert->keys[i]));
   mt_doc_add_text (body, "sql", alert->sql);
   mt_doc_add_array (body, "keys", keys);
   mt_doc_add (body, "lasting_ms", mt_v_int64 (alert->lasting_ms));
   mt_doc_add (body, "every_ms", mt_v_int64 (alert->every_ms));
   if (alert->notify)
      mt_doc_add_text (body, "notify", alert->notify);
   mt_doc_add (body, "enabled", mt_v_bool (alert->enabled));
   return mt_catalog_save_object (st->session->catalog, ALERT, alert->name, body, err);
}

/* ---- command lines ---- */

static bool is_blank (char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Appends the word at *at to `out`, and moves *at to its end. False: a quote or a backslash is not
 * closed. */
static bool read_word (const char **at, MtBuf *out)
{
   const char *p = *at;
   char quote = 0;
   for (; *p && (quote || !is_blank (*p)); p++) {
      if (*p == quote)
         quote = 0;
      else if (!quote && (*p == '\'' || *p == '"'))
         quote = *p;
      else if (*p == '\\' && quote != '\'' && !*++p)
         return false;
      else
         mt_buf_addc (out, *p);
   }
   *at = p;
   return !quote;
}

bool mt_alert_words (MtArena *a, const char *line, const char ***out, MtError *err)
{
   size_t n = 0, cap = 0;
   const char **words = NULL;
   MtBuf word = {0};
   bool ok = true;
   for (;;) {
      while (is_blank (*line))
         line++;
      MT_GROW_IN (a, words, n, cap, 8);
      words[n] = NULL;
      if (!*line)
         break;
      mt_buf_clear (&word);
      if (!(ok = read_word (&line, &word)))
         break;
      words[n++] = mt_strndup (a, word.n ? word.p : "", word.n);
   }
   mt_buf_free (&word);
   *out = words;
   if (ok)
      return true;
   mt_error (err, MT_E_PARAMETER, "the command has a quote or a backslash without an end");
   return mt_error_hint (err, "Put a backslash before a quote that belongs to a word.");
}

/* ---- states ---- */

static bson_t *cell_doc (MtArena *a, const MtAlertCell *c)
{
   bson_t *doc = mt_doc_new (a);
   mt_doc_add_text (doc, "name", c->name);
   mt_doc_add (doc, "text", c->text ? mt_v_cstr (c->text) : mt_v_null ());
   mt_doc_add_int (doc, "form", c->form);
   return doc;
}

static bson_t *row_doc (MtArena *a, const MtAlertRow *r)
{
   bson_t *doc = mt_doc_new (a), *cells = mt_doc_new (a);
   for (size_t i = 0; i < r->count; i++)
      mt_doc_push (cells, mt_v_doc (cell_doc (a, &r->cells[i])));
   mt_doc_add (doc, "since", mt_v_date (r->since_ms));
   mt_doc_add (doc, "firing", mt_v_bool (r->firing));
   mt_doc_add (doc, "missing", mt_v_bool (r->missing));
   mt_doc_add_array (doc, "cells", cells);
   return doc;
}

bool mt_alert_state_save (MtSession *s, MtArena *a, const char *name, const MtAlertState *state,
                          MtError *err)
{
   bson_t *doc = mt_doc_new (a), *body = mt_doc_new (a), *rows = mt_doc_new (a);
   for (size_t i = 0; i < state->count; i++)
      mt_doc_push (rows, mt_v_doc (row_doc (a, &state->rows[i])));
   mt_doc_add (body, "checked", mt_v_date (state->checked_ms));
   mt_doc_add_array (body, "rows", rows);
   mt_doc_add (doc, "_id", mt_catalog_object_id (a, ALERT_STATE, name));
   mt_doc_add_text (doc, "kind", ALERT_STATE);
   mt_doc_add_text (doc, "name", name);
   mt_doc_add_doc (doc, "body", body);
   return mt_engine_replace (s->engine, MT_CATALOG_COLLECTION, doc, err);
}

bool mt_alert_state_drop (MtSession *s, MtArena *a, const char *name, MtError *err)
{
   bool deleted;
   return mt_engine_caps (s->engine)->read_only ||
          mt_engine_delete_id (s->engine, MT_CATALOG_COLLECTION,
                               mt_catalog_object_id (a, ALERT_STATE, name), &deleted, err);
}

static bool is_true (MtVal v) { return v.type == MT_BOOL && v.i; }

static void read_row (MtArena *a, MtVal v, MtAlertRow *out)
{
   MtVal cells = mt_doc_field (v, "cells");
   size_t n = cells.type == MT_ARRAY ? mt_doc_count (cells) : 0;
   *out = (MtAlertRow) {.missing = is_true (mt_doc_field (v, "missing")),
                        .firing = is_true (mt_doc_field (v, "firing")),
                        .since_ms = mt_doc_field (v, "since").i,
                        .cells = MT_NEW_N (a, MtAlertCell, n + 1),
                        .count = n};
   for (size_t i = 0; i < n; i++) {
      MtVal cell = mt_doc_at (cells, i), form = mt_doc_field (cell, "form");
      const char *name = text_of (a, mt_doc_field (cell, "name"));
      out->cells[i] = (MtAlertCell) {.name = name ? name : "",
                                     .text = text_of (a, mt_doc_field (cell, "text")),
                                     .form = (MtAlertForm) form.i};
   }
}

bool mt_alert_state_read (MtSession *s, MtArena *a, const char *name, MtAlertState *out,
                          MtError *err)
{
   bson_t *doc;
   *out = (MtAlertState) {0};
   if (!mt_engine_find_id (s->engine, a, MT_CATALOG_COLLECTION,
                           mt_catalog_object_id (a, ALERT_STATE, name), &doc, err))
      return false;
   if (!doc)
      return true;
   MtVal body = mt_doc_field (mt_v_doc (doc), "body"), rows = mt_doc_field (body, "rows"), v;
   MtDocIter it = mt_doc_iter (rows);
   MtStr key;
   out->checked_ms = mt_doc_field (body, "checked").i;
   out->rows = MT_NEW_N (a, MtAlertRow, mt_doc_count (rows) + 1);
   while (mt_doc_next (&it, &key, &v))
      read_row (a, v, &out->rows[out->count++]);
   return true;
}

/* Returns the severity of a row, as an index of the words in mt_alert_state_word. */
static int rank (const MtAlertRow *r)
{
   if (!r->firing)
      return 1;
   return r->missing ? 2 : 3;
}

const char *mt_alert_state_word (const MtAlertState *state, int64_t *since_ms)
{
   static const char *const words[] = {"ok", "pending", "missing", "firing"};
   int worst = 0;
   for (size_t i = 0; i < state->count; i++) {
      int is = rank (&state->rows[i]);
      if (is > worst || (is == worst && state->rows[i].since_ms < *since_ms))
         *since_ms = state->rows[i].since_ms;
      worst = is > worst ? is : worst;
   }
   return state->checked_ms ? words[worst] : NULL;
}
