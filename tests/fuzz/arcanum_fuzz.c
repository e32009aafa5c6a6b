/* libFuzzer: any bytes are read as an Arcanum feed or refused with a place, the same in whatever
 * pieces they come; behind a bad record it goes on. What stands before a zero byte is the option
 * `paths`. */
#include "tests/fuzz/fuzz.h"

static MtColumn columns[] = {FUZZ_COLUMN ("UserId", MT_T_INT8),
                             FUZZ_COLUMN ("CellTower", MT_T_TEXT),
                             FUZZ_COLUMN ("T", MT_T_TIMESTAMPTZ), FUZZ_COLUMN ("type", MT_T_TEXT)};
static const MtTable table = {
   .name = "t", .columns = columns, .column_count = FUZZ_COUNT (columns), .time_column = -1};
static MtTextStyle style;

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   MtStr before = fuzz_cut (&data, &size, 0);
   char *said = fuzz_text (before.p, before.n);
   const MtPresetOption paths = {
      "paths",
      *said ? said : "UserId = subscriber/@id, CellTower = location/cell/@id, T = event/time",
      MT_NO_SPAN};
   const MtCopyInArgs args = {
      .table = &table, .options = &paths, .option_count = 1, .style = &style};
   style.zone = mt_tz_utc ();
   if (fuzz_copy_in ("arcanum", args, (FuzzBytes) {data, size, size + 1}, NULL, NULL) !=
       fuzz_copy_in ("arcanum", args, (FuzzBytes) {data, size, 3}, NULL, NULL))
      fuzz_fail ("other records in pieces");
   free (said);
   return 0;
}
