/* Detects the encoding of a CSV file, and splits samples of the file into records. */
#include "copy/sniff.h"

#include "base/shown.h"
#include "copy/sniff_int.h"

#include <stdio.h>
#include <string.h>

enum {
   MOST_RECORDS = 20480,
   MOST_CELLS = 2 << 20, /* the limit of records times columns */
   NEAR_RECORDS = 4096,  /* this many records are taken from the beginning of the file */
   DIVISIONS = 30,       /* a larger file is also sampled at this many places */
   LAST_LINES = 256      /* and this many lines are taken from its end */
};

void mt_sniff_doubt (MtArena *a, MtSniffed *out, const char *text)
{
   const char **list = MT_NEW_N (a, const char *, out->doubt_count + 1);
   for (size_t i = 0; i < out->doubt_count; i++)
      list[i] = out->doubts[i];
   list[out->doubt_count++] = text;
   out->doubts = list;
}

/* ---- the encoding ---- */

/* Counts the valid multibyte characters (*wide) and the invalid bytes (*bad) of a sample, if it is
 * UTF-8. Incomplete characters at its start and end don't count. */
static void count_utf8 (MtStr s, uint64_t *wide, uint64_t *bad)
{
   const unsigned char *p = (const unsigned char *) s.p;
   size_t i = 0;
   while (i < s.n && i < 4 && (p[i] & 0xC0) == 0x80)
      i++;
   for (; i < s.n; i++) {
      if (p[i] < 0x80)
         continue;
      size_t n = 2 + (size_t) (p[i] >= 0xE0) + (p[i] >= 0xF0);
      if (i + n > s.n)
         return;
      bool ok = p[i] >= 0xC2 && mt_utf8_valid (s.p + i, n);
      *wide += ok;
      *bad += !ok;
      i += ok ? n - 1 : 0;
   }
}

/* Returns "UTF16LE" or "UTF16BE" if the text has a byte order mark, or if nearly every second byte
 * is 0. Otherwise NULL. */
static const char *utf16 (MtStr s)
{
   size_t zeros[2] = {0}, n = s.n < 4096 ? s.n & ~(size_t) 1 : 4096;
   if (s.n >= 2 && !memcmp (s.p, "\xFF\xFE", 2))
      return "UTF16LE";
   if (s.n >= 2 && !memcmp (s.p, "\xFE\xFF", 2))
      return "UTF16BE";
   for (size_t i = 0; i < n; i++)
      zeros[i & 1] += s.p[i] == 0;
   if (n < 8 || zeros[0] + zeros[1] < n * 2 / 5)
      return NULL;
   return zeros[1] > zeros[0] ? "UTF16LE" : "UTF16BE";
}

static bool has_bytes (MtStr s, unsigned char low, unsigned char high)
{
   for (size_t i = 0; i < s.n; i++)
      if ((unsigned char) s.p[i] >= low && (unsigned char) s.p[i] <= high)
         return true;
   return false;
}

static bool find_encoding (MtArena *a, const MtSniffGiven *given, const MtSniffPiece *pieces,
                           size_t count, MtSniffed *out, MtError *err)
{
   uint64_t wide = 0, bad = 0;
   out->encoding = given->encoding ? given->encoding : utf16 (pieces[0].bytes);
   if (out->encoding)
      return true;
   for (size_t i = 0; i < count; i++)
      count_utf8 (pieces[i].bytes, &wide, &bad);
   out->encoding = "UTF8";
   if (!bad)
      return true;
   if (wide > bad) {
      mt_error (err, MT_E_ENCODING, "the file mixes UTF-8 with another encoding");
      return mt_error_hint (err,
                            "Name one with the option encoding, such as encoding => 'LATIN1'.");
   }
   out->encoding = "LATIN1";
   for (size_t i = 0; i < count; i++)
      if (has_bytes (pieces[i].bytes, 0x80, 0x9F)) /* LATIN1 has control characters there */
         out->encoding = "WIN1252";
   mt_sniff_doubt (a, out,
                   mt_printf (a,
                              "The file is not UTF-8, and %s is a guess: encoding => '…' says "
                              "which encoding it is.",
                              out->encoding));
   return true;
}

/* ---- records ---- */

/* Moves the start of *s to the line after the next line end. The line end may be inside quotes, so
 * the caller checks the records that follow. */
static void next_line (MtStr *s)
{
   const char *nl = s->n ? memchr (s->p, '\n', s->n) : NULL;
   if (!nl)
      nl = s->n ? memchr (s->p, '\r', s->n) : NULL;
   size_t n = nl ? (size_t) (nl + 1 - s->p) : s->n;
   s->p += n;
   s->n -= n;
}

typedef struct Taking {
   MtArena *a;
   const MtSniffed *found;
   MtSniffRows *rows;
   size_t cap; /* the most records to take */
} Taking;

/* Adds the records of a sample to t->rows. at_edge: the sample may begin inside a record or inside
 * quotes. Then a record with a wrong number of fields shows that the splitting went wrong, and none
 * of the sample's records are added. most: the maximum number of records. */
static void take_records (Taking *t, MtStr text, bool last, bool at_edge, size_t most)
{
   MtSniffRows *rows = t->rows;
   MtSplit s = {.a = t->a,
                .p = text.p,
                .end = text.p + text.n,
                .delimiter = t->found->delimiter,
                .quote = t->found->quote,
                .escape = t->found->escape,
                .whole = last};
   size_t width = rows->width, before = rows->count;
   while (rows->count < t->cap && rows->count - before < most) {
      MtSniffCell *cells = rows->cells + rows->count * width;
      size_t n = mt_split_next (&s, cells, width);
      if (!n)
         return;
      bool short_head = !at_edge && rows->count == 0 && n + 1 == width;
      if (short_head) /* the records end with a delimiter, but the header doesn't */
         cells[n] = (MtSniffCell) {{"", 0}, false};
      if (n == width || short_head)
         rows->count++;
      else if (at_edge) {
         rows->count = before;
         return;
      }
   }
}

static void skip_mark (MtStr *s)
{
   if (s->n >= 3 && !memcmp (s->p, "\xEF\xBB\xBF", 3)) {
      s->p += 3;
      s->n -= 3;
   }
}

static void take_pieces (Taking *t, const MtSniffPiece *pieces, size_t count)
{
   /* At most about half of the records come from the beginning of the file. */
   size_t near = t->cap / 2 > NEAR_RECORDS ? NEAR_RECORDS : t->cap / 2 + 1;
   if (count == 1)
      near = t->cap;
   for (size_t i = 0; i < count; i++) {
      MtStr text = pieces[i].bytes;
      bool first = pieces[i].at == 0;
      for (int64_t skip = first ? t->found->skip : 1; skip > 0; skip--)
         next_line (&text);
      take_records (t, text, pieces[i].last, !first,
                    first ? near : (t->cap - t->rows->near) / (count - 1) + 1);
      if (first)
         t->rows->near = t->rows->count;
   }
}

/* Returns the position where the last LAST_LINES lines of a text begin. */
static size_t last_lines (MtStr text)
{
   size_t at = text.n;
   for (int lines = 0; at > 0; at--)
      if (text.p[at - 1] == '\n' && ++lines > LAST_LINES)
         break;
   return at;
}

/* Takes sample records from all parts of a file, for a file that was read completely, but has more
 * records than a sample. */
static void take_divided (Taking *t, const MtSniffPiece *whole)
{
   MtSniffPiece parts[DIVISIONS + 1] = {*whole};
   MtStr text = whole->bytes;
   for (size_t i = 1; i <= DIVISIONS; i++) {
      size_t at = i < DIVISIONS ? text.n / DIVISIONS * i : last_lines (text);
      parts[i] = (MtSniffPiece) {
         .bytes = {text.p + at, text.n - at}, .at = at, .last = whole->last};
   }
   t->rows->count = t->rows->near = 0;
   take_pieces (t, parts, DIVISIONS + 1);
}

static bool take_rows (MtArena *a, const MtSniffed *found, const MtSniffPiece *pieces, size_t count,
                       MtSniffRows *rows, MtError *err)
{
   if (rows->width > MT_MAX_COLUMNS)
      return mt_error (err, MT_E_TOO_MANY_COLUMNS,
                       "the file has %zu columns, and tables can have at most %d", rows->width,
                       MT_MAX_COLUMNS);
   Taking t = {a, found, rows, MOST_CELLS / rows->width};
   t.cap = t.cap > MOST_RECORDS ? MOST_RECORDS : t.cap;
   size_t bytes = 0;
   for (size_t i = 0; i < count; i++)
      bytes += pieces[i].bytes.n;
   if (t.cap > bytes / rows->width + 2) /* a field has at least a delimiter or line end */
      t.cap = bytes / rows->width + 2;
   rows->cells = MT_NEW_N (a, MtSniffCell, (t.cap + 1) * rows->width);
   take_pieces (&t, pieces, count);
   if (count == 1 && rows->count == t.cap)
      take_divided (&t, &pieces[0]);
   return rows->count > 0 || mt_error (err, MT_E_COPY_FORMAT, "no record was found");
}

/* ---- the entry point ---- */

/* Converts all pieces of the file to UTF-8. */
static bool as_utf8 (MtArena *a, const MtSniffed *out, const MtSniffPiece *pieces, size_t count,
                     MtSniffPiece **text, MtError *err)
{
   *text = MT_NEW_N (a, MtSniffPiece, count);
   for (size_t i = 0; i < count; i++) {
      (*text)[i] = pieces[i];
      if (!mt_encoding_convert (a, out->encoding, pieces[i].bytes, pieces[i].at > 0,
                                &(*text)[i].bytes))
         return mt_error (err, MT_E_ENCODING, "the file is not encoded in %s", out->encoding);
   }
   skip_mark (&(*text)[0].bytes);
   return true;
}

bool mt_sniff (MtArena *a, const MtSniffGiven *given, const MtSniffPiece *pieces, size_t count,
               MtSniffed *out, MtError *err)
{
   MtArena *scratch = mt_arena_new ("sample", a);
   MtSniffPiece *text;
   MtSniffRows rows = {0};
   *out = (MtSniffed) {0};
   if (!pieces[0].bytes.n)
      return mt_error (err, MT_E_COPY_FORMAT, "the file is empty");
   bool ok = find_encoding (a, given, pieces, count, out, err) &&
             as_utf8 (scratch, out, pieces, count, &text, err) &&
             mt_sniff_dialect (scratch, given, &text[0], out, &rows.width, err) &&
             take_rows (scratch, out, text, count, &rows, err);
   if (ok)
      mt_sniff_types (a, given, &rows, out);
   mt_arena_free (scratch);
   return ok;
}

/* ---- the result as text ---- */

static void put_char (MtBuf *b, const char *name, char c)
{
   static const char escaped[] = "\t\\\b", letters[] = "t\\b";
   const char *at = strchr (escaped, c);
   if (at)
      mt_buf_printf (b, ", %s E'\\%c'", name, letters[at - escaped]);
   else
      mt_buf_printf (b, ", %s '%s%c'", name, c == '\'' ? "'" : "", c);
}

static void put_nulls (MtBuf *b, MtArena *a, const MtSniffed *s)
{
   if (s->null_count == 1 && !*s->nulls[0])
      return;
   mt_buf_adds (b, s->null_count > 1 ? ", NULL (" : ", NULL ");
   for (size_t i = 0; i < s->null_count; i++)
      mt_buf_printf (b, "%s%s", i ? ", " : "", mt_shown_sql (a, '\'', s->nulls[i]));
   mt_buf_adds (b, s->null_count > 1 ? ")" : "");
}

static void put_forced (MtBuf *b, MtArena *a, const MtSniffed *s, bool null)
{
   const char *before = null ? ", FORCE_NULL (" : ", FORCE_NOT_NULL (";
   bool any = false;
   for (size_t i = 0; i < s->column_count; i++) {
      const MtSniffColumn *c = &s->columns[i];
      if (!(null ? c->force_null : c->force_not_null))
         continue;
      mt_buf_printf (b, "%s%s", any ? ", " : before, mt_shown_sql (a, '"', c->name));
      any = true;
   }
   mt_buf_adds (b, any ? ")" : "");
}

const char *mt_sniff_options (MtArena *a, const MtSniffed *s)
{
   MtBuf b = {0};
   mt_buf_adds (&b, "FORMAT csv");
   mt_buf_adds (&b, s->header ? ", HEADER" : "");
   if (s->delimiter != ',')
      put_char (&b, "DELIMITER", s->delimiter);
   if (s->quote != '"')
      put_char (&b, "QUOTE", s->quote ? s->quote : '\b');
   if (s->quote && s->escape != s->quote)
      put_char (&b, "ESCAPE", s->escape);
   if (s->skip)
      mt_buf_printf (&b, ", SKIP %lld", (long long) s->skip);
   put_nulls (&b, a, s);
   if (s->epoch)
      mt_buf_printf (&b, ", EPOCH '%s'", mt_epoch_word (s->epoch));
   if (s->order != MT_ORDER_MDY)
      mt_buf_printf (&b, ", DATESTYLE '%s'", mt_order_words[s->order]);
   if (s->decimal != '.')
      put_char (&b, "DECIMAL_SEPARATOR", s->decimal);
   if (strcmp (s->encoding, "UTF8") != 0)
      mt_buf_printf (&b, ", ENCODING '%s'", s->encoding);
   put_forced (&b, a, s, true);
   put_forced (&b, a, s, false);
   const char *text = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return text;
}

const char *mt_sniff_summary (MtArena *a, const MtSniffed *s)
{
   MtBuf b = {0};
   const char *shown = mt_printf (a, "'%c'", s->delimiter);
   if (s->delimiter == '\t')
      shown = "a tab";
   if (s->column_count > 1)
      mt_buf_printf (&b, "delimiter %s, ", shown);
   if (!s->quote)
      mt_buf_adds (&b, "no quotes, ");
   else if (s->quote != '"')
      mt_buf_printf (&b, "quote %c, ", s->quote);
   if (s->quote && s->escape != s->quote)
      mt_buf_printf (&b, "escape %c, ", s->escape);
   mt_buf_printf (&b, "%s, encoding %s", s->header ? "a header" : "no header", s->encoding);
   if (s->skip)
      mt_buf_printf (&b, ", %lld line%s skipped", (long long) s->skip, s->skip == 1 ? "" : "s");
   for (size_t i = 0; i < s->null_count; i++)
      if (*s->nulls[i])
         mt_buf_printf (&b, ", NULL '%s'", s->nulls[i]);
   if (s->epoch)
      mt_buf_printf (&b, ", times are numbers (%s)", mt_epoch_word (s->epoch));
   if (s->order != MT_ORDER_MDY)
      mt_buf_printf (&b, ", dates %s", mt_order_words[s->order]);
   if (s->decimal != '.')
      mt_buf_printf (&b, ", decimal separator '%c'", s->decimal);
   const char *text = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return text;
}
