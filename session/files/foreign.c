/* File formats that mtsql knows but cannot read. The hint of the error has the commands that
 * convert such a file. */
#include "session/files/files.h"

#include <string.h>
#include <unistd.h>

#define TO_CSV "Convert it with one of these commands, then read '#'"
#define UNPACK "Unpack it, then read the result"

static const struct {
   const char *magic; /* the first bytes of the file; '?': any byte */
   size_t n;
   const char *what, *ending;
   /* In the commands, '@' stands for the name of the file, and '#' for the name of the CSV file to
    * make. */
   const char *advice, *commands[2];
} formats[] = {
   {"PAR1\x15",
    5,
    "a Parquet file",
    ".parquet",
    TO_CSV,
    {"duckdb -c \"COPY (FROM '@') TO '#'\"",
     "python3 -c \"import pyarrow.parquet as p, pyarrow.csv as c; "
     "c.write_csv(p.read_table('@'), '#')\""}},
   {"ARROW1\0\0",
    8,
    "an Arrow file",
    ".arrow",
    TO_CSV,
    {"python3 -c \"import pyarrow.feather as f, pyarrow.csv as c; "
     "c.write_csv(f.read_table('@'), '#')\"",
     "python3 -c \"import polars; polars.read_ipc('@').write_csv('#')\""}},
   {"\xFF\xFF\xFF\xFF???\0",
    8,
    "a stream of Arrow",
    ".arrows",
    TO_CSV,
    {"python3 -c \"import pyarrow as a, pyarrow.csv as c; "
     "c.write_csv(a.ipc.open_stream('@').read_all(), '#')\"",
     "python3 -c \"import polars; polars.read_ipc_stream('@').write_csv('#')\""}},
   {"FEA1\0\0\0\0",
    8,
    "a Feather file",
    ".feather",
    TO_CSV,
    {"python3 -c \"import pyarrow.feather as f, pyarrow.csv as c; "
     "c.write_csv(f.read_table('@'), '#')\"",
     "python3 -c \"import pandas; pandas.read_feather('@').to_csv('#', index=False)\""}},
   {"SQLite format 3",
    16,
    "an SQLite database",
    ".db",
    "Export a table, then read '#'",
    {"sqlite3 -header -csv '@' \"SELECT * FROM t\" > '#'"}},
   {"PK\3\4",
    4,
    "a zip archive or an Excel workbook",
    "",
    "Unpack it, or save the sheet as CSV, then read that file",
    {NULL}},
   {"BZh?1AY&SY", 10, "compressed with bzip2", ".bz2", UNPACK, {"bunzip2 -k '@'"}},
   {"\xFD"
    "7zXZ",
    5,
    "compressed with xz",
    ".xz",
    UNPACK,
    {"unxz -k '@'"}},
};

static bool begins_with (const char *bytes, ssize_t got, const char *magic, size_t n)
{
   if (got < (ssize_t) n)
      return false;
   for (size_t i = 0; i < n; i++)
      if (magic[i] != '?' && magic[i] != bytes[i])
         return false;
   return true;
}

/* Returns whether the path can be put in quotes in a command, and is short enough for the hint. */
static bool is_plain (const char *path)
{
   enum { MOST = 48 };
   size_t n = strlen (path);
   for (size_t i = 0; i < n; i++)
      if ((unsigned char) path[i] < ' ' || strchr ("'\"\\$`!", path[i]))
         return false;
   return n <= MOST;
}

static void put_text (MtBuf *b, const char *text, const char *in, const char *out)
{
   for (; *text; text++) {
      if (*text == '@' || *text == '#')
         mt_buf_adds (b, *text == '@' ? in : out);
      else
         mt_buf_addc (b, *text);
   }
}

/* Adds the commands that convert a file of this format to the error's hint. */
static void hint_commands (size_t format, const char *path, MtError *err)
{
   MtBuf in = {0}, out = {0}, b = {0};
   const char *ending = formats[format].ending, *dot, *slash;
   mt_buf_printf (&in, "%s%s", is_plain (path) ? path : "in", is_plain (path) ? "" : ending);
   dot = strrchr (in.p, '.');
   slash = strrchr (in.p, '/');
   bool has_ending = dot && dot > in.p && (!slash || dot > slash + 1);
   mt_buf_printf (&out, "%.*s.csv", (int) (has_ending ? (size_t) (dot - in.p) : in.n), in.p);
   put_text (&b, formats[format].advice, in.p, out.p);
   mt_buf_adds (&b, formats[format].commands[0] ? ":" : ".");
   for (size_t i = 0; i < 2 && formats[format].commands[i]; i++) {
      mt_buf_adds (&b, "\n  ");
      put_text (&b, formats[format].commands[i], in.p, out.p);
   }
   mt_error_hint (err, "%s", b.p);
   mt_buf_free (&in);
   mt_buf_free (&out);
   mt_buf_free (&b);
}

bool mt_file_refuse_foreign (int fd, const char *path, MtSpan span, MtError *err)
{
   char first[16];
   ssize_t n = pread (fd, first, sizeof first, 0);
   for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
      if (begins_with (first, n, formats[i].magic, formats[i].n)) {
         mt_error_at (err, span, MT_E_FEATURE, "\"%s\" is %s, which is not supported", path,
                      formats[i].what);
         hint_commands (i, path, err);
         return false;
      }
   return true;
}
