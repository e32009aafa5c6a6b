/* Lines of EXPLAIN about a write: how rows are added to documents, and when they are durable
 * (docs/servers.md, "What is promised"). */
#include "layouts/pack/writer.h"
#include "session/coordinate/coordinate.h"
#include "session/state/session.h"

/* Returns the text in EXPLAIN for a layout of latest records: "a row takes its key's document if it
 * is newer, …". If the layout has tie-breaking columns, the text lists them. */
static const char *newer (MtArena *a, const MtTable *t, const MtLayout *l)
{
   const char *list = "";
   for (size_t i = 0; i < l->tie_count; i++)
      list = mt_printf (a, "%s%s%s", list, i ? ", " : "", t->columns[l->tie[i]].name);
   return mt_printf (a, "a row takes its key's document if it is newer%s%s",
                     *list ? ", of rows of one time that with the greater " : "", list);
}

const char *mt_how_rows_are_added (MtArena *a, const MtTable *t, const MtStoreDesc *s,
                                   const MtLayout *l, const MtCaps *caps)
{
   if (l->keeps == MT_KEEPS_LATEST)
      return newer (a, t, l);
   if (mt_store_is_rows (s))
      return "rows are inserted, a document each";
   return mt_writer_increments (t, s, caps) ? "rows are added by $inc, one upsert a document"
                                            : "rows are packed and added";
}

const char *mt_commit_promise (MtStatement *st, const MtTable *t)
{
   const MtSession *s = st->session;
   const MtCaps *caps = mt_engine_caps (s->engine);
   int64_t delay = mt_commit_delay (s);
   if (t->temporary)
      return "one, of the session's own store";
   if (mt_engine_in_pieces (s->engine) || (mt_engine_in_txn (s->engine) && !caps->transactions))
      return "none: others see pieces, which ROLLBACK or an error in the transaction block takes "
             "back";
   if (mt_engine_in_txn (s->engine))
      return "with the transaction block";
   if (caps->transactions && !caps->local_operators)
      return mt_printf (
         st->arena,
         "one transaction up to %zu MB, pieces beyond; what is sent again when an answer is lost "
         "is done once",
         caps->atomic_bytes >> 20);
   if (!caps->local_operators)
      return "none: others see pieces, which an error takes back; a batch whose answer is lost "
             "isn't sent again (08007)";
   if (delay)
      return mt_printf (
         st->arena,
         "one; on disk within %lld ms: until then a crash of the machine takes it whole "
         "(synchronous_commit = off)",
         (long long) delay);
   return "one; on disk when the statement returns";
}
