/* Checks around a short write on a server without transactions. The statement must not write by a
 * table description that other clients have replaced. */
#include "session/coordinate/coordinate_int.h"

/* Reads the table's description again into *now. It is set to NULL if the table was changed, or was
 * dropped and created again. */
static bool look_again (MtSession *s, const MtTable *t, const MtTable **now, MtError *err)
{
   if (!mt_catalog_refresh (s->catalog, NULL, err) ||
       !mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, t->name, true, now, err))
      return false;
   if (*now && ((*now)->version != t->version || (*now)->made != t->made))
      *now = NULL;
   return true;
}

bool mt_write_ahead (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   const MtTable *now;
   s->coordination->announced = mt_leases_apply (s) && !t->temporary && mt_others_remake (st, t);
   return !s->coordination->announced ||
          (look_again (s, t, &now, err) && (now || mt_catalog_changed_meanwhile (t->name, err)));
}

bool mt_write_confirm (MtStatement *st, const MtTable *t, const MtTable **now, MtError *err)
{
   MtSession *s = st->session;
   uint64_t made;
   bool same;
   *now = NULL;
   if (!mt_leases_apply (s) || t->temporary)
      return true;
   if (!mt_engine_incremented (
          s->engine, &made,
          /* Rows are sent before the table's description is saved: DROP TABLE removes the
           * description before the collection, so saving it then fails. */
          err))
      return false;
   /* In these cases the caller must save the table's description, which fails if other clients have
    * changed it. */
   if (t->unique_count || s->coordination->announced || s->coordination->intent_count ||
       mt_others_remake (st, t))
      return true;
   if (!mt_lease_confirms (s, &same, err))
      return false;
   if (same)
      *now = t;
   if (same || !look_again (s, t, now, err))
      return same;
   if (*now && mt_others_remake (st, *now))
      *now = NULL;
   return true;
}

void mt_write_ambiguous (MtSession *s, const char *table, int64_t made, int64_t version,
                         size_t layouts, MtError *err)
{
   const MtTable *now;
   MtError ignored;
   if (s->coordination->announced || !mt_leases_apply (s) ||
       !mt_catalog_refresh (s->catalog, NULL, &ignored) ||
       !mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, table, true, &now, &ignored) ||
       !now || now->made != made || (now->layout_count <= layouts && now->version == version))
      return;
   mt_error_detail (
      err,
      now->layout_count > layouts
         ? "Another client added a layout while the statement ran. The layout may have rows of the "
           "statement."
         : "The statement's rows were removed again. If another client rewrote the table while the "
           "statement ran, the rows may still be there.");
   mt_error_hint (
      err,
      now->layout_count > layouts
         ? "Run CHECK TABLE, and REPAIR TABLE if it reports a difference. Then run the statement "
           "again."
         : "Check whether the rows are there. If not, run the statement again.");
}
