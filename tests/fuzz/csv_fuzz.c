/* libFuzzer: any bytes are a file of CSV or text, or are refused with a line, the same in whatever
 * pieces they come; rows that are written again read as the same rows. The first line has the
 * options: "text;null=x;delimiter=|". */
#include "tests/fuzz/fuzz.h"

static MtColumn columns[] = {
   FUZZ_COLUMN ("a", MT_T_INT4),     FUZZ_COLUMN ("b", MT_T_TEXT),
   FUZZ_COLUMN ("c", MT_T_FLOAT8),   FUZZ_COLUMN ("ts", MT_T_TIMESTAMPTZ),
   FUZZ_COLUMN ("n", MT_T_NUMERIC),  FUZZ_COLUMN ("d", MT_T_DATE),
   FUZZ_COLUMN ("k", MT_T_BOOL),     FUZZ_COLUMN ("l", MT_T_TEXT | MT_T_ARRAY),
   FUZZ_COLUMN ("j", MT_T_JSONB),    FUZZ_COLUMN ("y", MT_T_BYTEA),
   FUZZ_COLUMN ("i", MT_T_INTERVAL),
};
static const MtTable table = {
   .name = "t", .columns = columns, .column_count = FUZZ_COUNT (columns), .time_column = -1};
static MtTextStyle style = {.extra_float_digits = 1};

enum { MOST_OPTIONS = 8 };

/* Cuts the first line at ';'. Returns its first word. */
static const char *read_options (char *line, MtPresetOption *options, size_t *count)
{
   char *left = line, *format = strsep (&left, ";"), *one;
   for (*count = 0; *count < MOST_OPTIONS && (one = strsep (&left, ";"));) {
      char *name = strsep (&one, "=");
      options[(*count)++] = (MtPresetOption) {name, one, MT_NO_SPAN};
   }
   return format;
}

static bool collect (void *ctx, const char *buf, size_t n)
{
   mt_buf_add (ctx, buf, n);
   return true;
}

static void write_row (void *ctx, const MtVal *row)
{
   MtError err;
   mt_error_clear (&err);
   if (!mt_copy_out_row (ctx, row, &err))
      fuzz_fail ("a row that was read can't be written: %s", err.message);
}

/* Reads the file, and writes its rows into `out`. */
static size_t rewrite (const char *format, const MtPresetOption *options, size_t option_count,
                       FuzzBytes bytes, const char *out_format, MtBuf *out)
{
   const char *names[FUZZ_COUNT (columns)];
   MtType types[FUZZ_COUNT (columns)];
   for (size_t i = 0; i < FUZZ_COUNT (columns); i++) {
      names[i] = columns[i].name;
      types[i] = columns[i].type;
   }
   MtCopyOutArgs args = {.names = names,
                         .types = types,
                         .column_count = FUZZ_COUNT (columns),
                         .style = &style,
                         .write = collect,
                         .ctx = out};
   MtCopyOut *w;
   MtError err;
   mt_error_clear (&err);
   if (!mt_copy_out_open (out_format, &args, &w, &err))
      fuzz_fail ("%s", err.message);
   size_t n = fuzz_copy_in (
      format,
      (MtCopyInArgs) {
         .table = &table, .options = options, .option_count = option_count, .style = &style},
      bytes, write_row, w);
   if (!mt_copy_out_finish (w, &err))
      fuzz_fail ("%s", err.message);
   mt_copy_out_close (w);
   return n;
}

static void read_again (const char *format, const MtBuf *once)
{
   MtBuf twice = {0};
   rewrite (format, NULL, 0, (FuzzBytes) {(const uint8_t *) once->p, once->n, once->n + 1}, format,
            &twice);
   if (once->n != twice.n || (once->n && memcmp (once->p, twice.p, once->n)))
      fuzz_fail ("rows that were written as %s read as others:\n%.*s\n%.*s", format, (int) once->n,
                 once->p, (int) twice.n, twice.p);
   mt_buf_free (&twice);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   static const char *const written[] = {"csv", "text", "jsonl"};
   MtPresetOption options[MOST_OPTIONS];
   size_t count;
   MtStr first = fuzz_cut (&data, &size, '\n');
   char *line = fuzz_text (first.p, first.n);
   const char *format = strcmp (read_options (line, options, &count), "text") == 0 ? "text" : "csv";
   style.zone = mt_tz_utc ();
   MtBuf whole = {0}, pieces = {0};
   size_t n = rewrite (format, options, count, (FuzzBytes) {data, size, size + 1}, "csv", &whole);
   size_t m = rewrite (format, options, count, (FuzzBytes) {data, size, 3}, "csv", &pieces);
   if (n != m || whole.n != pieces.n || (whole.n && memcmp (whole.p, pieces.p, whole.n)))
      fuzz_fail ("other rows in pieces: %zu and %zu", n, m);
   read_again ("csv", &whole);
   for (size_t i = 1; i < FUZZ_COUNT (written); i++) {
      mt_buf_clear (&pieces);
      rewrite (format, options, count, (FuzzBytes) {data, size, size + 1}, written[i], &pieces);
      read_again (written[i], &pieces);
   }
   mt_buf_free (&whole);
   mt_buf_free (&pieces);
   free (line);
   return 0;
}
