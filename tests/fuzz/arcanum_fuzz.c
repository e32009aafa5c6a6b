/* libFuzzer: any bytes are read as an Arcanum feed or refused with a place, the same in whatever pieces they come; behind a bad record it goes on. */
#include "layouts/copy.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

typedef struct Bytes {
   const uint8_t *p;
   size_t n, step;
} Bytes;

static long read_some (void *ctx, char *buf, size_t n)
{
   Bytes *b = ctx;
   size_t k = b->n < n ? b->n : n;
   k = k < b->step ? k : b->step;
   if (k)
      memcpy (buf, b->p, k);
   b->p += k;
   b->n -= k;
   return (long) k;
}

/* How many records there were, good and bad. */
static size_t read_all (const uint8_t *data, size_t size, size_t step)
{
   static MtColumn columns[] = {{.name = "UserId", .type = {.id = MT_T_INT8, .mod1 = -1, .mod2 = -1}}, {.name = "CellTower", .type = {.id = MT_T_TEXT, .mod1 = -1, .mod2 = -1}},
                                {.name = "T", .type = {.id = MT_T_TIMESTAMPTZ, .mod1 = -1, .mod2 = -1}}, {.name = "type", .type = {.id = MT_T_TEXT, .mod1 = -1, .mod2 = -1}}};
   static const MtTable table = {.name = "t", .columns = columns, .column_count = 4, .time_column = -1};
   static const MtTextStyle style = {0};
   static const MtPresetOption paths = {"paths", "UserId = subscriber/@id, CellTower = location/cell/@id, T = event/time", MT_NO_SPAN};
   Bytes b = {data, size, step};
   MtCopyInArgs args = {.table = &table, .options = &paths, .option_count = 1, .style = &style, .read = read_some, .ctx = &b};
   MtCopyIn *in;
   MtError err;
   MtCopyBad bad;
   const MtVal *row;
   size_t records = 0;
   mt_error_clear (&err);
   if (!mt_copy_in_open ("arcanum", &args, &in, &err))
      abort ();
   for (;; records++, mt_error_clear (&err)) {
      bool ok = mt_copy_in_next (in, &row, &err);
      if (ok != !mt_error_is_set (&err) || (!ok && !strstr (err.detail, "COPY t, line ")))
         abort ();
      if (ok ? !row : !mt_copy_in_bad (in, &bad))
         break;
   }
   mt_copy_in_close (in);
   return records;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   if (read_all (data, size, size + 1) != read_all (data, size, 3))
      abort ();
   return 0;
}
