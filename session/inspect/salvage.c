/* mt_salvage: copies the data of a damaged store that pass their checksums to a new store, and
 * reports what was lost. */
#include "session/state/session.h"

#include <inttypes.h>

typedef struct Report {
   MtBuf text;
   bool whole;
   MtReport to;
} Report;

static void end_line (Report *r)
{
   mt_buf_addc (&r->text, '\0');
   r->to.line (r->to.ctx, r->text.p);
   mt_buf_clear (&r->text);
}

static void report_collection (void *ctx, const MtSalvaged *c)
{
   Report *r = ctx;
   mt_buf_printf (&r->text, "%s: %" PRIu64 " document%s saved", c->collection, c->saved,
                  mt_plural (c->saved));
   if (c->damaged_blocks)
      mt_buf_printf (&r->text, ", %" PRIu64 " lost in %" PRIu64 " damaged block%s", c->lost,
                     c->damaged_blocks, mt_plural (c->damaged_blocks));
   if (c->increments_lost)
      mt_buf_adds (&r->text, ", its last increments are lost");
   r->whole &= !c->lost && !c->increments_lost;
   end_line (r);
}

bool mt_salvage (MtSession *s, const char *folder, const char *new_folder, MtReport report,
                 bool *whole, MtError *err)
{
   uint64_t lost;
   Report r = {.whole = true, .to = report};
   MtSalvageOptions o = {folder, new_folder, &s->cancel, &s->running, report_collection, &r};
   bool ok = mt_store_salvage (&o, &lost, err);
   if (ok && lost) {
      mt_buf_printf (&r.text,
                     "%" PRIu64
                     " commit%s cannot be read: deleted or replaced documents may have come back",
                     lost, mt_plural (lost));
      end_line (&r);
   }
   *whole = ok && r.whole && !lost;
   if (ok && !*whole) {
      mt_buf_adds (
         &r.text,
         "Run ANALYZE and CHECK TABLE for each table of the new store, and REPAIR TABLE where it "
         "finds faults.");
      end_line (&r);
   }
   mt_buf_free (&r.text);
   return ok;
}
