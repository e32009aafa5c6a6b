/* Formats json and jsonl. Numbers keep all their digits, and jsonb is printed unchanged. Invalid
 * UTF-8 becomes U+FFFD. */
#include "base/value.h"
#include "shell/format/format_int.h"

#include <ctype.h>
#include <string.h>

static void string (MtBuf *out, MtStr s)
{
   if (mt_utf8_valid (s.p, s.n)) {
      mt_json_string (out, s.p, s.n);
      return;
   }
   MtBuf mended = {0};
   for (size_t i = 0; i < s.n;) {
      uint32_t cp;
      int width;
      size_t len = mt_text_step (s.p + i, s.n - i, &cp, &width);
      if (len == 1 && (unsigned char) s.p[i] >= 0x80)
         mt_buf_adds (&mended, "\xEF\xBF\xBD");
      else
         mt_buf_add (&mended, s.p + i, len);
      i += len;
   }
   mt_json_string (out, mended.p, mended.n);
   mt_buf_free (&mended);
}

static size_t digits (const char *p, size_t n, size_t i)
{
   while (i < n && isdigit ((unsigned char) p[i]))
      i++;
   return i;
}

/* Returns whether a text is a number in JSON's grammar. NaN and Infinity are not, so they are
 * printed as strings. */
static bool is_number (MtStr s)
{
   size_t i = s.n > 0 && s.p[0] == '-', start = i;
   i = digits (s.p, s.n, i);
   if (i == start || (s.p[start] == '0' && i > start + 1))
      return false;
   if (i < s.n && s.p[i] == '.') {
      start = ++i;
      i = digits (s.p, s.n, i);
      if (i == start)
         return false;
   }
   if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
      i++;
      if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
         i++;
      start = i;
      i = digits (s.p, s.n, i);
      if (i == start)
         return false;
   }
   return i == s.n;
}

/* Prints a time such as 2024-05-01 12:00:00+02 in ISO 8601 format, as PostgreSQL's to_json does:
 * 2024-05-01T12:00:00+02:00. Infinite times are printed unchanged. */
static void time_stamp (MtBuf *out, MtStr s)
{
   const char *space = memchr (s.p, ' ', s.n);
   if (!space) {
      string (out, s);
      return;
   }
   size_t day = (size_t) (space - s.p), at = day + 1;
   while (at < s.n && s.p[at] != '+' && s.p[at] != '-' && s.p[at] != ' ')
      at++;
   size_t end = at < s.n && s.p[at] != ' ' ? at + 3 : at; /* after the hours of the zone */
   mt_buf_printf (out, "\"%.*sT%.*s", (int) day, s.p, (int) (end - day - 1), space + 1);
   if (end > at && (end == s.n || s.p[end] != ':'))
      mt_buf_adds (out, ":00");
   mt_buf_add (out, s.p + end, s.n - end); /* minutes and seconds of the zone; BC */
   mt_buf_addc (out, '"');
}

static void scalar (MtBuf *out, MtCellKind kind, MtStr s)
{
   switch (kind) {
   case MT_CELL_NUMBER:
      if (is_number (s))
         mt_buf_add (out, s.p, s.n);
      else
         string (out, s);
      return;
   case MT_CELL_BOOL: mt_buf_adds (out, s.n && s.p[0] == 't' ? "true" : "false"); return;
   case MT_CELL_JSON: mt_buf_add (out, s.p, s.n); return;
   case MT_CELL_TIME: time_stamp (out, s); return;
   case MT_CELL_TEXT: string (out, s); return;
   }
}

/* Prints the array element at offset i, which is no array itself, as JSON, and returns the offset
 * after it. An element in quotes has backslash escapes. */
static size_t element (MtBuf *out, MtCellKind kind, MtStr s, size_t i)
{
   MtBuf text = {0};
   bool quoted = s.p[i] == '"';
   for (i += quoted; i < s.n && (quoted ? s.p[i] != '"' : s.p[i] != ',' && s.p[i] != '}'); i++) {
      i += quoted && s.p[i] == '\\';
      mt_buf_addc (&text, s.p[i]);
   }
   if (!quoted && mt_str_is ((MtStr) {text.p, text.n}, "NULL"))
      mt_buf_adds (out, "null");
   else
      scalar (out, kind, (MtStr) {text.p ? text.p : "", text.n});
   mt_buf_free (&text);
   return i + quoted;
}

/* Prints an array in PostgreSQL's form, such as {1,NULL,"a b"}, of any number of dimensions, as a
 * JSON array. */
static void array (MtBuf *out, MtCellKind kind, MtStr s)
{
   for (size_t i = 0; i < s.n;) {
      static const char from[] = "{},", to[] = "[],";
      const char *at = s.p[i] ? strchr (from, s.p[i]) : NULL;
      if (at) {
         mt_buf_addc (out, to[at - from]);
         i++;
      } else {
         i = element (out, kind, s, i);
      }
   }
}

static void value (MtFmt *f, size_t i, MtStr s)
{
   if (!s.p)
      mt_buf_adds (&f->out, "null");
   else if (f->columns[i].array)
      array (&f->out, f->columns[i].kind, s);
   else
      scalar (&f->out, f->columns[i].kind, s);
}

/* Prints the name of column i as a key. If the name occurs again, a number is appended: the second
 * "count" becomes "count_2". */
static void key (MtFmt *f, size_t i)
{
   size_t before = 0;
   for (size_t k = 0; k < i; k++)
      before += mt_str_eq (f->columns[k].name, f->columns[i].name);
   if (!before) {
      string (&f->out, f->columns[i].name);
      return;
   }
   MtBuf name = {0};
   mt_buf_add (&name, f->columns[i].name.p, f->columns[i].name.n);
   mt_buf_printf (&name, "_%zu", before + 1);
   string (&f->out, (MtStr) {name.p, name.n});
   mt_buf_free (&name);
}

static void object (MtFmt *f, const MtStr *cells)
{
   mt_buf_addc (&f->out, '{');
   for (size_t i = 0; i < f->n; i++) {
      if (i)
         mt_buf_addc (&f->out, ',');
      key (f, i);
      mt_buf_addc (&f->out, ':');
      value (f, i, cells[i]);
   }
   mt_buf_addc (&f->out, '}');
}

void mt_json_begin (MtFmt *f) { mt_buf_addc (&f->out, '['); }

void mt_json_row (MtFmt *f, const MtStr *cells)
{
   if (f->started)
      mt_buf_adds (&f->out, ",\n ");
   f->started = true;
   object (f, cells);
}

void mt_json_finish (MtFmt *f, const char *const *footers)
{
   (void) footers;
   mt_buf_adds (&f->out, "]\n");
}

void mt_fmt_jsonl_row (MtFmt *f, const MtStr *cells)
{
   object (f, cells);
   mt_buf_addc (&f->out, '\n');
}
