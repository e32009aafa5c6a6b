/* COPY's text format, as in PostgreSQL (copyfromparse.c, copyto.c): one record per line,
 * delimiters between fields, backslash escapes, and \N for NULL. */
#include "copy/copy_int.h"

#include <string.h>

typedef struct Text {
   size_t record_len; /* length of the current record with its line end */
   MtStr line;        /* the current record without its line end */
   char ends;         /* the file's line end: '\n', '\r', 'b' for "\r\n"; 0: not known yet */
   uint64_t next_line;
} Text;

const MtCopyOptionRow mt_text_options[] = {
   {"delimiter", "character", "a tab", "between fields"},
   {"null", "text", "\\N", "what stands for NULL"},
   {"header", "boolean|match", "false",
    "the first line has names; match: they must be the columns' names"},
   {"epoch", "s|ms|us|ns", NULL, "times are numbers of these since 1970"},
   {"datestyle", "mdy|dmy|ymd", "mdy", "the order of the numbers in dates such as 1/2/2026"},
   {"encoding", "name", "UTF8", "how the file is encoded: LATIN1, WIN1252, …"},
   {0},
};

bool mt_text_open_in (MtCopyIn *in, MtError *err)
{
   Text *t = in->state = MT_NEW (in->a, Text);
   t->next_line = 1;
   return true;
}

/* ---- lines ---- */

static bool literal_end (MtCopyIn *in, bool newline, MtError *err)
{
   mt_error (err, MT_E_COPY_FORMAT, "literal %s found in data",
             newline ? "newline" : "carriage return");
   mt_error_hint (err, "Use \"\\%c\" to represent %s.", newline ? 'n' : 'r',
                  newline ? "newline" : "carriage return");
   return mt_copy_context (in, -1, (MtStr) {NULL, 0}, err);
}

/* Reads more of the file until there are at least n bytes at *p, or the file ends. */
static bool more (MtCopyIn *in, const char **p, size_t n, MtError *err)
{
   while ((size_t) (in->buf + in->n - *p) < n && !in->eof)
      if (!mt_copy_fill (in, p, err))
         return false;
   return true;
}

/* Sets *len to the length of the line end at *p, 1 or 2. Fails if it is of another kind (\n, \r or
 * \r\n) than the first line end of the file. */
static bool line_end (MtCopyIn *in, Text *t, const char **p, size_t *len, MtError *err)
{
   if (!more (in, p, 2, err))
      return false;
   bool both = **p == '\r' && *p + 1 < in->buf + in->n && (*p)[1] == '\n';
   char kind = both ? 'b' : **p;
   if (!t->ends)
      t->ends = kind;
   if (t->ends != kind)
      return literal_end (in, **p == '\n', err);
   *len = both ? 2 : 1;
   return true;
}

/* Reads the next record. A backslash before a line end continues the record in the next line. Sets
 * *end if there is none. */
static bool read_line (MtCopyIn *in, Text *t, bool *end, MtError *err)
{
   const char *p = in->buf + in->start;
   size_t len = 0;
   in->line = t->next_line;
   for (;;) {
      if (!more (in, &p, 1, err))
         return false;
      if (p == in->buf + in->n)
         break;
      if (*p == '\n' || *p == '\r') {
         if (!line_end (in, t, &p, &len, err))
            return false;
         t->next_line++;
         break;
      }
      if (*p++ != '\\')
         continue;
      if (!more (in, &p, 1, err))
         return false;
      if (p < in->buf + in->n)
         t->next_line += *p++ == '\n';
   }
   t->line = (MtStr) {in->buf + in->start, (size_t) (p - in->buf) - in->start};
   t->record_len = t->line.n + len;
   *end = !t->record_len || mt_str_is (t->line, "\\.");
   return true;
}

/* ---- fields ---- */

static size_t field_len (const MtCopyIn *in, const char *p, const char *end)
{
   const char *q = p;
   while (q < end && *q != in->o.delimiter)
      q += *q == '\\' && q + 1 < end ? 2 : 1;
   return (size_t) (q - p);
}

static size_t octal (const char *p, const char *end, char *out)
{
   unsigned v = 0;
   size_t n = 0;
   for (; n < 3 && p + n < end && p[n] >= '0' && p[n] <= '7'; n++)
      v = v * 8 + (unsigned) (p[n] - '0');
   *out = (char) v;
   return n;
}

static size_t hexadecimal (const char *p, const char *end, char *out)
{
   unsigned v = 0;
   size_t n = 0;
   for (; n < 2 && p + n < end && mt_hex_digit (p[n]) >= 0; n++)
      v = v * 16 + (unsigned) mt_hex_digit (p[n]);
   *out = n ? (char) v : 'x';
   return n;
}

/* Returns a text with its backslash escapes replaced: `raw` itself if it has none, otherwise a copy
 * in in->scratch, which must have enough room. */
static MtStr unescaped (MtCopyIn *in, MtStr raw)
{
   static const char letters[] = "bfnrtv", bytes[] = "\b\f\n\r\t\v";
   if (!memchr (raw.p, '\\', raw.n))
      return raw;
   MtBuf *b = &in->scratch;
   size_t from = b->n;
   for (const char *p = raw.p, *end = raw.p + raw.n; p < end;) {
      const char *letter;
      char c = *p++;
      if (c == '\\' && p < end) {
         c = *p++;
         if (c >= '0' && c <= '7')
            p += octal (p - 1, end, &c) - 1;
         else if (c == 'x')
            p += hexadecimal (p, end, &c);
         else if (c && (letter = strchr (letters, c)) != NULL)
            c = bytes[letter - letters];
      }
      mt_buf_addc (b, c);
   }
   return (MtStr) {b->p + from, b->n - from};
}

static bool wrong_count (MtCopyIn *in, const Text *t, size_t count, MtError *err)
{
   if (count > in->column_count)
      mt_error (err, MT_E_COPY_FORMAT, "extra data after last expected column");
   else
      mt_error (err, MT_E_COPY_FORMAT, "missing data for column \"%s\"",
                in->x.table->columns[in->columns[count]].name);
   return mt_copy_context (in, -1, t->line, err);
}

static bool take_field (MtCopyIn *in, int column, MtStr raw, bool odd, MtError *err)
{
   if (mt_copy_is_null (in, raw)) {
      in->row[column] = mt_v_null ();
      return true;
   }
   MtStr text = unescaped (in, raw);
   return ((!odd && text.p == raw.p) || mt_copy_check_utf8 (in, column, text, err)) &&
          mt_copy_value (in, column, text, &in->row[column], err);
}

static bool is_odd (MtStr s)
{
   for (size_t i = 0; i < s.n; i++)
      if ((signed char) s.p[i] <= 0)
         return true;
   return false;
}

/* ---- the header ---- */

static bool match_names (MtCopyIn *in, const Text *t, MtError *err)
{
   const char *p = t->line.p, *end = p + t->line.n;
   for (size_t i = 0; i < in->column_count; i++) {
      const char *name = in->x.table->columns[in->columns[i]].name;
      size_t n = p <= end ? field_len (in, p, end) : 0;
      if (p > end)
         return wrong_count (in, t, i, err);
      mt_buf_clear (&in->scratch);
      if (!mt_buf_reserve (&in->scratch, n + 1))
         return mt_memory_check (err);
      if (!mt_str_is (unescaped (in, (MtStr) {p, n}), name)) {
         mt_error (err, MT_E_COPY_FORMAT,
                   "column name mismatch in header line field %zu: got \"%.*s\", expected \"%s\"",
                   i + 1, (int) (n > 100 ? 100 : n), p, name);
         return mt_copy_context (in, -1, t->line, err);
      }
      p += n + 1;
   }
   return p > end || wrong_count (in, t, in->column_count + 1, err);
}

static bool begin (MtCopyIn *in, Text *t, bool *end, MtError *err)
{
   if (!mt_copy_skip_mark (in, err))
      return false;
   for (size_t i = 0; i < in->x.table->column_count; i++)
      in->row[i] = mt_v_missing ();
   if (!in->o.header)
      return true;
   if (!read_line (in, t, end, err) || (in->o.header_match && !match_names (in, t, err)))
      return false;
   in->start += t->record_len;
   t->record_len = 0;
   return true;
}

bool mt_text_next (MtCopyIn *in, bool *end, MtError *err)
{
   Text *t = in->state;
   /* The start moves only now, because the values of the previous record borrowed its bytes in the
    * buffer. */
   in->start += t->record_len;
   t->record_len = 0;
   if (!in->started && !begin (in, t, end, err))
      return false;
   if (*end || !read_line (in, t, end, err))
      return *end;
   if (*end)
      return true;
   /* Makes room for the length of the line in in->scratch. Unescaped text is never longer than the
    * line, so the buffer is not reallocated while values borrow from it. */
   mt_buf_clear (&in->scratch);
   if (!mt_buf_reserve (&in->scratch, t->line.n + 1))
      return mt_memory_check (err);
   const char *p = t->line.p, *line_ends = p + t->line.n;
   bool odd = is_odd (t->line);
   in->record = t->line;
   for (size_t i = 0; i < in->column_count; i++) {
      if (p > line_ends)
         return wrong_count (in, t, i, err);
      size_t n = field_len (in, p, line_ends);
      if (!take_field (in, in->columns[i], (MtStr) {p, n}, odd, err)) {
         in->can_go_on = in->mistyped;
         return false;
      }
      p += n + 1;
   }
   if (p <= line_ends)
      return wrong_count (in, t, in->column_count + 1, err);
   return t->record_len <= MT_MAX_DOC_BYTES || mt_copy_check_size (in, err);
}

/* ---- writing ---- */

static void put_text (MtCopyOut *out, const char *p, size_t n, bool quote)
{
   static const char bytes[] = "\b\f\n\r\t\v\\", letters[] = "bfnrtv\\";
   for (size_t i = 0; i < n; i++) {
      const char *escape = p[i] ? strchr (bytes, p[i]) : NULL;
      if (escape || p[i] == out->o.delimiter)
         mt_buf_addc (&out->text, '\\');
      mt_buf_addc (&out->text, escape ? letters[escape - bytes] : p[i]);
   }
}

bool mt_text_open_out (MtCopyOut *out, MtError *err)
{
   mt_copy_put_header (out, put_text);
   return true;
}

bool mt_text_row (MtCopyOut *out, const MtVal *row, MtError *err)
{
   return mt_copy_put_row (out, row, put_text, err);
}
