/* The intents of other writers. An intent is a note in the catalog of what a statement is about to
 * write. */
#include "session/coordinate/coordinate_int.h"

#include <string.h>

MtVal mt_intent_part (const MtCatalogObject *o, const char *name)
{
   return mt_doc_field (mt_v_doc (o->body), name);
}

const char *mt_intent_text (MtArena *a, const MtCatalogObject *o, const char *name)
{
   MtVal v = mt_intent_part (o, name);
   return v.type == MT_STRING ? mt_strndup (a, (const char *) v.p, v.len) : NULL;
}

bool mt_intent_is_own (const MtSession *s, const char *name)
{
   for (size_t i = 0; i < s->coordination->intent_count; i++)
      if (!strcmp (s->coordination->intents[i], name))
         return true;
   return false;
}

bool mt_intent_is_of_table (const char *what)
{
   return !strcmp (what, MT_INTENDS_CREATE) || !strcmp (what, MT_INTENDS_DROP);
}

MtIntent *mt_intents_of (MtSession *s, MtArena *a, const MtTable *t, size_t *count)
{
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, MT_INTENT_KIND, &n);
   MtIntent *out = MT_NEW_N (a, MtIntent, n + 1);
   *count = 0;
   for (size_t i = 0; i < n; i++) {
      MtVal table = mt_intent_part (&all[i], "table"), what = mt_intent_part (&all[i], "what"),
            at = mt_intent_part (&all[i], "at");
      if (table.type != MT_STRING || what.type != MT_STRING || mt_intent_is_own (s, all[i].name) ||
          table.len != strlen (t->name) || memcmp (table.p, t->name, table.len))
         continue;
      out[(*count)++] = (MtIntent) {
         .name = mt_strdup (a, all[i].name),
         .what = mt_strndup (a, (const char *) what.p, what.len),
         .at_ms = at.type == MT_DATE ? at.i : 0,
         .collections = mt_v_copy (a, mt_intent_part (&all[i], "collections"))};
   }
   return out;
}

bool mt_others_remake (MtStatement *st, const MtTable *t)
{
   size_t n;
   const MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   bool yes = false;
   for (size_t i = 0; i < n; i++)
      yes |= strcmp (list[i].what, MT_INTENDS_WRITE) != 0;
   return yes;
}

bool mt_intents_break (MtStatement *st, const MtTable *t, MtError *err)
{
   size_t n;
   bool dropped, ok = true;
   const MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   for (size_t i = 0; i < n && ok && mt_intents_apply (st->session); i++)
      ok = strcmp (list[i].what, MT_INTENDS_WRITE) ||
           mt_catalog_drop_object (st->session->catalog, MT_INTENT_KIND, list[i].name, &dropped,
                                   err);
   return ok;
}

/* ---- messages ---- */

static const char *time_text (MtStatement *st, int64_t ms)
{
   MtBuf text = {0};
   mt_value_print (mt_type (MT_T_TIMESTAMPTZ), mt_v_date (ms / 1000 * 1000), &st->env.style, &text,
                   NULL);
   const char *out = mt_strndup (st->arena, text.p ? text.p : "", text.n);
   mt_buf_free (&text);
   return out;
}

void mt_tell_intents (MtStatement *st, const MtTable *t)
{
   size_t n;
   const MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   for (size_t i = 0; i < n; i++)
      mt_notice (
         st->session, "NOTICE", "REPAIR TABLE does what is left of it when its writer has died.",
         "a statement (%s) that began to change table \"%s\" at %s goes on, or wasn't finished",
         list[i].what, t->name, time_text (st, list[i].at_ms));
}

bool mt_no_live_intents (MtStatement *st, const MtTable *t, MtError *err)
{
   size_t n;
   const MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   for (size_t i = 0; i < n; i++) {
      if (!mt_intent_may_live (st->session, &list[i]))
         continue;
      mt_error (err, MT_E_IN_USE,
                "a statement (%s) that began to change table \"%s\" at %s may still go on",
                list[i].what, t->name, time_text (st, list[i].at_ms));
      return mt_error_hint (
         err,
         "Run the statement again when that one has ended. A writer that gives no sign of life for "
         "intent_timeout is taken for dead.");
   }
   return true;
}

bool mt_not_written_meanwhile (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   const MtTable *now;
   const char *name = mt_strdup (st->arena, t->name);
   int64_t version = t->version, writes = t->writes;
   MtTableScope among = t->temporary ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES;
   if (!mt_intents_apply (s))
      return true;
   if (!mt_catalog_refresh (s->catalog, NULL, err) ||
       !mt_catalog_find_among (s->catalog, among, name, true, &now, err))
      return false;
   if (now && now->version == version && now->writes == writes)
      return mt_no_live_intents (st, now, err);
   mt_error (err, MT_E_SERIALIZATION, "table \"%s\" was written to meanwhile", name);
   return mt_error_hint (err, "Run the statement again while nobody writes to the table.");
}
