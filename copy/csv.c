/* CSV by the rules of PostgreSQL 15 (copyfromparse.c, copyto.c). A quote inside a field begins a
 * quoted part of the field. An unquoted field that equals the text of NULL is NULL. All lines must
 * have the same kind of line end. */
#include "copy/copy_int.h"

#include <string.h>

const MtCopyOptionRow mt_csv_options[] = {
   {"header", "boolean|match", "false",
    "the first line names the columns; match: they must be the right ones"},
   {"delimiter", "character", ",", "what separates the fields"},
   {"null", "text", "the empty string", "what stands for NULL when it isn't quoted"},
   {"quote", "character", "\"", "what quotes a field"},
   {"escape", "character", "the quote", "what goes before a quote inside a quoted field"},
   {"epoch", "s|ms|us|ns", "none", "times are numbers since 1970-01-01 UTC"},
   {"datestyle", "mdy|dmy|ymd", "mdy", "the order of the numbers in dates such as 1/2/2026"},
   {"decimal_separator", ".|,", ".", "what separates the fraction of a number"},
   {"skip", "number", "0", "how many lines before the header or the first record are ignored"},
   {"encoding", "name", "UTF8", "how the file is encoded: LATIN1, WIN1252, …"},
   {NULL, NULL, NULL, NULL},
};

typedef enum Eol { EOL_UNKNOWN, EOL_NL, EOL_CR, EOL_CRNL } Eol;

typedef struct Field {
   size_t at, len; /* the field is `len` bytes at offset `at` of the record, or of `scratch` */
   bool in_scratch;
   bool quoted;
   uint64_t line; /* the line where the field begins */
   bool odd;      /* the field contains a NUL or bytes beyond ASCII */
} Field;

typedef struct Csv {
   uint8_t special[256]; /* by byte: 1: delimiter, quote, line end; 2: NUL or not ASCII; 0: other */
   Eol eol;
   Field *fields; /* memory for one field more than the table has columns */
   size_t count;
   size_t record_len; /* length of the record without its line end */
   /* The number of the current line in the file. A record may have several lines. */
   uint64_t line;
} Csv;

bool mt_csv_open_in (MtCopyIn *in, MtError *err)
{
   Csv *c = in->state = MT_NEW (in->a, Csv);
   c->special[(uint8_t) in->o.delimiter] = c->special[(uint8_t) in->o.quote] = 1;
   c->special['\n'] = c->special['\r'] = 1;
   c->special[0] = 2;
   for (int i = 128; i < 256; i++)
      c->special[i] |= 2;
   c->fields = MT_NEW_N (in->a, Field, in->column_count + 1);
   return true;
}

static bool bad_file (MtCopyIn *in, const char *what, const char *hint, MtError *err)
{
   mt_error (err, MT_E_COPY_FORMAT, "%s", what);
   if (hint)
      mt_error_hint (err, "%s", hint);
   return mt_copy_context (in, -1, (MtStr) {NULL, 0}, err);
}

/* Reads more of the file if *p is at the end of the buffer. Afterwards *p points to a byte, or to
 * the end of the file. */
static inline bool have (MtCopyIn *in, const char **p, MtError *err)
{
   while (*p == in->buf + in->n && !in->eof)
      if (!mt_copy_fill (in, p, err))
         return false;
   return true;
}

#define AT_END(in, p) ((p) == (in)->buf + (in)->n)

/* Moves *p from a line end to the character after it. Fails if it is of another kind (\n, \r or
 * \r\n) than the first line end of the file. */
static bool line_end (MtCopyIn *in, Csv *c, const char **p, MtError *err)
{
   Eol kind = **p == '\n' ? EOL_NL : EOL_CR;
   ++*p;
   if (kind == EOL_CR && (c->eol == EOL_UNKNOWN || c->eol == EOL_CRNL)) {
      if (!have (in, p, err))
         return false;
      if (!AT_END (in, *p) && **p == '\n') {
         kind = EOL_CRNL;
         ++*p;
      }
   }
   if (c->eol == EOL_UNKNOWN)
      c->eol = kind;
   if (c->eol == kind)
      return true;
   in->line = c->line;
   return kind == EOL_NL ? bad_file (in, "unquoted newline found in data",
                                     "Use quoted CSV field to represent newline.", err)
                         : bad_file (in, "unquoted carriage return found in data",
                                     "Use quoted CSV field to represent carriage return.", err);
}

static bool unterminated (MtCopyIn *in, const Field *f, MtError *err)
{
   in->line = f->line;
   mt_error (err, MT_E_COPY_FORMAT, "unterminated CSV quoted field");
   return mt_copy_context (in, -1, (MtStr) {in->buf + in->start, in->n - in->start}, err);
}

/* Reads a field from its first quote on, and appends its unescaped text to in->scratch. from: where
 * the field began; the characters before the quote belong to it. */
static bool quoted_field (MtCopyIn *in, Csv *c, const char **p, size_t from, Field *f, MtError *err)
{
   bool inside = false;
   size_t at = in->scratch.n;
   mt_buf_add (&in->scratch, in->buf + in->start + from,
               (size_t) (*p - in->buf) - in->start - from);
   f->quoted = true;
   for (;;) {
      if (!have (in, p, err))
         return false;
      if (AT_END (in, *p)) {
         if (inside)
            return unterminated (in, f, err);
         break;
      }
      char ch = **p;
      if (!inside && (ch == in->o.delimiter || ch == '\n' || ch == '\r'))
         break;
      ++*p;
      if (!inside && ch == in->o.quote) {
         inside = true;
         continue;
      }
      if (inside && ch == in->o.escape) {
         if (!have (in, p, err))
            return false;
         if (!AT_END (in, *p) && (**p == in->o.quote || **p == in->o.escape)) {
            mt_buf_addc (&in->scratch, **p);
            ++*p;
            continue;
         }
      }
      if (inside && ch == in->o.quote) {
         inside = false;
         continue;
      }
      c->line += inside && (ch == '\n' || (ch == '\r' && c->eol == EOL_CR));
      f->odd = f->odd || c->special[(uint8_t) ch] & 2;
      mt_buf_addc (&in->scratch, ch);
   }
   f->at = at;
   f->len = in->scratch.n - at;
   f->in_scratch = true;
   return true;
}

/* Reads a field that is completely quoted, and has no quotes or escapes inside. Its text is not
 * copied from the buffer. Returns false if the field has another form. */
static bool simple_quoted (MtCopyIn *in, Csv *c, const char **p, Field *f)
{
   const char *q = *p + 1, *end = in->buf + in->n;
   char quote = in->o.quote, escape = in->o.escape, delimiter = in->o.delimiter;
   uint8_t odd = 0;
   size_t lines = 0;
   for (; q < end && *q != quote && *q != escape; q++) {
      odd |= c->special[(uint8_t) *q];
      lines += *q == '\n';
   }
   if (q + 1 >= end || *q != quote || (q[1] != delimiter && q[1] != '\n' && q[1] != '\r'))
      return false;
   if (lines && c->eol == EOL_CR)
      return false;
   *f = (Field) {.at = (size_t) (*p + 1 - in->buf) - in->start,
                 .len = (size_t) (q - *p - 1),
                 .quoted = true,
                 .odd = odd & 2,
                 .line = f->line};
   c->line += lines;
   *p = q + 1;
   return true;
}

/* Returns the first byte from q on that is not plain: a delimiter, quote, line end, NUL or
 * non-ASCII byte. Most bytes of a file are plain. */
static inline const char *plain_end (const uint8_t *special, const char *q, const char *end)
{
   while (q < end && !special[(uint8_t) *q])
      q++;
   return q;
}

/* Reads a field. *p moves to the delimiter, the end of the line, or the end of the file. */
static bool read_field (MtCopyIn *in, Csv *c, const char **p, Field *f, MtError *err)
{
   size_t from = (size_t) (*p - in->buf) - in->start;
   *f = (Field) {.at = from, .line = c->line};
   if (*p < in->buf + in->n && **p == in->o.quote && simple_quoted (in, c, p, f))
      return true;
   for (;;) {
      const char *end = in->buf + in->n, *q = plain_end (c->special, *p, end);
      while (q < end && !(c->special[(uint8_t) *q] & 1)) {
         f->odd = true;
         q = plain_end (c->special, q + 1, end);
      }
      *p = q;
      if (q < end) {
         if (*q == in->o.quote)
            return quoted_field (in, c, p, from, f, err);
         break;
      }
      if (in->eof)
         break;
      if (!mt_copy_fill (in, p, err))
         return false;
   }
   f->len = (size_t) (*p - in->buf) - in->start - from;
   return true;
}

static MtStr field_text (const MtCopyIn *in, const Field *f)
{
   if (f->in_scratch)
      return (MtStr) {in->scratch.p ? in->scratch.p + f->at : "", f->len};
   return (MtStr) {in->buf + in->start + f->at, f->len};
}

/* Skips empty lines: moves the start of the next record, and *p, to the first character after
 * them. */
static bool skip_empty_lines (MtCopyIn *in, Csv *c, const char **p, MtError *err)
{
   while (!AT_END (in, *p) && (**p == '\n' || **p == '\r')) {
      if (!line_end (in, c, p, err))
         return false;
      c->line++;
      in->start = (size_t) (*p - in->buf);
      if (!have (in, p, err))
         return false;
   }
   return true;
}

/* Reads the next record, and splits it into fields. Sets *end if there is none. Stores at most
 * `limit` fields; c->count is the number of all fields. */
static bool read_record (MtCopyIn *in, Csv *c, size_t limit, const char **next, bool *end,
                         MtError *err)
{
   const char *p = in->buf + in->start;
   c->count = 0;
   mt_buf_clear (&in->scratch);
   if (!have (in, &p, err))
      return false;
   if (in->x.skip_empty && in->column_count > 1 && !skip_empty_lines (in, c, &p, err))
      return false;
   *end = AT_END (in, p);
   if (*end)
      return true;
   in->line = ++c->line;
   for (;;) {
      Field extra;
      if (!read_field (in, c, &p, c->count < limit ? &c->fields[c->count] : &extra, err))
         return false;
      c->count++;
      if (AT_END (in, p) || *p != in->o.delimiter)
         break;
      p++;
      if (!have (in, &p, err))
         return false;
   }
   c->record_len = (size_t) (p - in->buf) - in->start;
   if (!AT_END (in, p) && !line_end (in, c, &p, err))
      return false;
   MtStr line = {in->buf + in->start, c->record_len};
   *end = c->count == 1 && mt_str_is (line, "\\."); /* psql ends its files with this line */
   *next = p;
   return true;
}

static bool is_null (const MtCopyIn *in, const Field *f, MtStr text)
{
   return !f->quoted && mt_copy_is_null (in, text);
}

/* Returns whether a field is NULL, considering FORCE_NULL and FORCE_NOT_NULL for its column. */
static bool is_null_for (const MtCopyIn *in, const Field *f, MtStr text, int column)
{
   if (!mt_copy_is_null (in, text) ||
       (in->x.force_not_null && in->x.force_not_null[column] && !f->quoted))
      return false;
   return !f->quoted || (in->x.force_null && in->x.force_null[column]);
}

static bool match_header (MtCopyIn *in, Csv *c, MtError *err)
{
   if (c->count != in->column_count) {
      mt_error (err, MT_E_COPY_FORMAT,
                "wrong number of fields in header line: got %zu, expected %zu", c->count,
                in->column_count);
      if (in->x.header)
         mt_error_hint (err, "All files that a pattern names must have the same columns.");
      return mt_copy_context (in, -1, (MtStr) {in->buf + in->start, c->record_len}, err);
   }
   for (size_t i = 0; i < c->count; i++) {
      MtStr got = field_text (in, &c->fields[i]);
      const char *want = in->x.header ? in->x.header[i] : in->x.table->columns[in->columns[i]].name;
      if (!in->x.header && is_null (in, &c->fields[i], got))
         mt_error (
            err, MT_E_COPY_FORMAT,
            "column name mismatch in header line field %zu: got null value (\"%s\"), expected "
            "\"%s\"",
            i + 1, in->o.null, want);
      else if (!mt_str_is (got, want))
         mt_error (err, MT_E_COPY_FORMAT,
                   "column name mismatch in header line field %zu: got \"%.*s\", expected \"%s\"",
                   i + 1, (int) (got.n < 200 ? got.n : 200), got.p, want);
      else
         continue;
      if (in->x.header)
         mt_error_hint (err, "All files that a pattern names must have the same columns.");
      return mt_copy_context (in, -1, (MtStr) {in->buf + in->start, c->record_len}, err);
   }
   return true;
}

/* Skips as many lines at the start of the file as the option SKIP requires. */
static bool skip_lines (MtCopyIn *in, Csv *c, MtError *err)
{
   const char *p = in->buf + in->start;
   for (int64_t left = in->o.skip; left > 0; left--) {
      if (!have (in, &p, err))
         return false;
      if (AT_END (in, p))
         break;
      for (; !AT_END (in, p) && *p != '\n' && *p != '\r'; p++)
         if (p + 1 == in->buf + in->n && !mt_copy_fill (in, &p, err))
            return false;
      if (!AT_END (in, p) && !line_end (in, c, &p, err))
         return false;
      c->line++;
      in->start = (size_t) (p - in->buf);
   }
   return true;
}

static bool start (MtCopyIn *in, Csv *c, bool *end, MtError *err)
{
   const char *next = NULL;
   if (!mt_copy_skip_mark (in, err) || !skip_lines (in, c, err))
      return false;
   if (!in->o.header)
      return true;
   if (!read_record (in, c, in->column_count, &next, end, err))
      return false;
   if (*end && !in->o.header_match)
      return true;
   if (*end) { /* the header of an empty file has one empty field */
      c->count = 1;
      c->fields[0] = (Field) {.at = 0};
      in->line = 1;
   }
   if ((in->o.header_match || in->x.header) && !match_header (in, c, err))
      return false;
   in->start = *end ? in->start : (size_t) (next - in->buf);
   return true;
}

/* Converts `text`, that of field i, to a value of its column. Errors have the line number of the
 * field. */
static bool in_field (MtCopyIn *in, Csv *c, size_t i, MtStr text, MtError *err)
{
   const Field *f = &c->fields[i];
   uint64_t record = in->line;
   in->line = f->line;
   if ((f->odd && !mt_copy_check_utf8 (in, in->columns[i], text, err)) ||
       !mt_copy_value (in, in->columns[i], text, &in->row[in->columns[i]], err))
      return false;
   in->line = record;
   return true;
}

/* Returns whether a field of the first line, which was read as data, is a column's name. The file
 * then probably has a header. */
static bool names_columns (const MtCopyIn *in, const Csv *c)
{
   size_t n = c->count < in->column_count ? c->count : in->column_count;
   if (in->o.header || in->line != 1)
      return false;
   for (size_t i = 0; i < n; i++)
      if (mt_str_ieq (field_text (in, &c->fields[i]),
                      mt_str (in->x.table->columns[in->columns[i]].name)))
         return true;
   return false;
}

static bool wrong_count (MtCopyIn *in, Csv *c, MtError *err)
{
   if (c->count > in->column_count)
      mt_error (err, MT_E_COPY_FORMAT, "extra data after last expected column");
   else
      mt_error (err, MT_E_COPY_FORMAT, "missing data for column \"%s\"",
                in->x.table->columns[in->columns[c->count]].name);
   if (names_columns (in, c))
      mt_error_hint (err, "The first line has the names of columns: add HEADER to the options.");
   else if (!in->x.source && c->count > in->column_count)
      mt_error_hint (err,
                     "The line has %zu fields for %zu columns. INSERT INTO %s SELECT columns FROM "
                     "read_csv ('file') leaves some out.",
                     c->count, in->column_count, in->x.table->name);
   else if (in->x.source)
      mt_error_hint (err,
                     "Number of fields: %zu in this line, %zu in others. Mend it, or read_csv's "
                     "options delimiter, quote and skip change how lines are divided.",
                     c->count, in->column_count);
   return mt_copy_context (in, -1, (MtStr) {in->buf + in->start, c->record_len}, err);
}

bool mt_csv_next (MtCopyIn *in, bool *end, MtError *err)
{
   Csv *c = in->state;
   const char *next = NULL;
   /* The start moves only now, because the values of the previous record borrowed its bytes in the
    * buffer. */
   if (in->started)
      in->start += c->record_len;
   else {
      if (!start (in, c, end, err))
         return false;
      if (*end)
         return true;
      for (size_t i = 0; i < in->x.table->column_count; i++)
         in->row[i] = mt_v_missing ();
   }
   if (!read_record (in, c, in->column_count, &next, end, err))
      return false;
   if (*end)
      return true;
   in->record = (MtStr) {in->buf + in->start, c->record_len};
   if (c->count > in->column_count)
      return wrong_count (in, c, err);
   for (size_t i = 0; i < c->count; i++) {
      MtStr text = field_text (in, &c->fields[i]);
      if (is_null_for (in, &c->fields[i], text, in->columns[i]))
         in->row[in->columns[i]] = mt_v_null ();
      else if (!in_field (in, c, i, text, err)) {
         if (in->mistyped && names_columns (in, c))
            mt_error_hint (err,
                           "The first line has the names of columns: add HEADER to the options.");
         in->can_go_on = in->mistyped;
         c->record_len = (size_t) (next - in->buf) - in->start;
         return false;
      }
   }
   /* A missing field is reported only after errors in the fields before it, as in PostgreSQL. */
   if (c->count < in->column_count)
      return wrong_count (in, c, err);
   if (c->record_len > MT_MAX_DOC_BYTES && !mt_copy_check_size (in, err))
      return false;
   c->record_len = (size_t) (next - in->buf) - in->start;
   return true;
}

/* ---- writing ---- */

static void put_field (MtCopyOut *out, const char *p, size_t n, bool quote)
{
   quote = quote || (n == out->o.null_len && !memcmp (p, out->o.null, n));
   quote = quote || (out->x.column_count == 1 && n == 2 && !memcmp (p, "\\.", 2));
   for (size_t i = 0; i < n && !quote; i++)
      quote = p[i] == out->o.delimiter || p[i] == out->o.quote || p[i] == '\n' || p[i] == '\r';
   if (!quote) {
      mt_buf_add (&out->text, p, n);
      return;
   }
   mt_buf_addc (&out->text, out->o.quote);
   for (size_t i = 0; i < n; i++) {
      if (p[i] == out->o.quote || p[i] == out->o.escape)
         mt_buf_addc (&out->text, out->o.escape);
      mt_buf_addc (&out->text, p[i]);
   }
   mt_buf_addc (&out->text, out->o.quote);
}

bool mt_csv_open_out (MtCopyOut *out, MtError *err)
{
   mt_copy_put_header (out, put_field);
   return true;
}

bool mt_csv_row (MtCopyOut *out, const MtVal *row, MtError *err)
{
   return mt_copy_put_row (out, row, put_field, err);
}
