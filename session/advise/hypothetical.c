/* Layouts that do not exist, for EXPLAIN and ADVISE. */
#include "session/advise/advise.h"
#include "session/ddl/ddl.h"
#include "session/core/schemas.h"

#include <string.h>

/* Returns the list's item for table t; adds one if there is none. */
static MtHypothetical *entry_of (MtStatement *st, MtHypothetical **list, const MtTable *t)
{
   MtHypothetical *h = *list;
   while (h && h->real != t)
      h = h->next;
   if (h)
      return h;
   h = MT_NEW (st->arena, MtHypothetical);
   *h = (MtHypothetical) {
      .real = t, .with = MT_NEW (st->arena, MtTable), .first = t->layout_count, .next = *list};
   *h->with = *t;
   *list = h;
   return h;
}

static MtLayout *add_layout (MtStatement *st, MtTable *t)
{
   MtLayout *layouts = MT_NEW_N (st->arena, MtLayout, t->layout_count + 1);
   memcpy (layouts, t->layouts, t->layout_count * sizeof *layouts);
   t->layouts = layouts;
   return &layouts[t->layout_count];
}

static bool read_one (MtStatement *st, const MtStmt *s, MtHypothetical **list, MtError *err)
{
   const MtTable *t;
   if (!s || s->kind != MT_STMT_ALTER_TABLE || s->alter_table.action != MT_ALTER_ADD_LAYOUT ||
       s->alter_table.next) {
      mt_error (err, MT_E_PARAMETER, "a hypothetical layout must be an ALTER TABLE … ADD LAYOUT");
      return mt_error_hint (
         err,
         "For example: 'ALTER TABLE t ADD LAYOUT days USING nested WITH (cluster_by = ''day'')'.");
   }
   MtName schema = s->alter_table.schema, name = s->alter_table.table;
   if (!mt_place_name (st->session, st->arena, &schema, &name, NULL, err) ||
       !mt_need_table (st, &name, &t, err))
      return false;
   MtHypothetical *h = entry_of (st, list, t);
   if (!mt_build_layout (st, h->with, s->alter_table.layout, add_layout (st, h->with), err))
      return false;
   h->with->layout_count++;
   return true;
}

static bool read_all (MtStatement *st, MtStr text, MtHypothetical **out, MtError *err)
{
   size_t end;
   for (size_t at = 0; at < text.n; at += end) {
      MtScanState state;
      MtStmt *s;
      bool whole = mt_scan_statement (text.p + at, text.n - at, &end, &state);
      if (!whole && state == MT_SCAN_READY)
         return *out || read_one (st, NULL, out, err); /* only white space is left */
      end = whole ? end : text.n - at;
      if (!mt_parse (st->arena, text.p + at, end, &s, err) || !read_one (st, s, out, err))
         return false;
   }
   return *out || read_one (st, NULL, out, err);
}

bool mt_hypothetical_read (MtStatement *st, MtStr text, MtSpan place, MtHypothetical **out,
                           MtError *err)
{
   bool ok = read_all (st, text, out, err);
   for (MtHypothetical *h = *out; ok && h; h = h->next)
      ok = mt_estimate_missing (st, h->real, h->with->layouts, h->with->layout_count, err);
   if (!ok)
      err->span = place;
   return ok;
}

static bool replace_table (void *ctx, const MtTable **t)
{
   for (const MtHypothetical *h = ctx; h; h = h->next)
      if (h->real == *t)
         *t = h->with;
   return true;
}

void mt_hypothetical_apply (MtArena *a, MtQuery *q, const MtHypothetical *list)
{
   mt_tables_each (a, q, replace_table, (void *) (uintptr_t) list);
}

bool mt_hypothetical_has (const MtHypothetical *list, const char *table, const char *layout)
{
   for (const MtHypothetical *h = list; h; h = h->next)
      for (size_t i = h->first; i < h->with->layout_count && !strcmp (h->with->name, table); i++)
         if (!strcmp (h->with->layouts[i].name, layout))
            return true;
   return false;
}
