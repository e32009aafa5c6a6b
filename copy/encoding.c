/* Encodings of COPY's files other than UTF-8. Texts are converted while they are read and written.
 *
 * An encoding with one byte per character is converted by a table, which iconv fills byte by byte.
 * Whole texts are not passed to iconv: in windows-1255 and windows-1258, it would combine
 * characters, and PostgreSQL does not. */
#include "copy/sniff_int.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* An encoding with its names. `name` is PostgreSQL's name. The aliases have only lower-case letters
 * and digits, because PostgreSQL ignores other characters in them. */
typedef struct Row {
   const char *name, *aliases; /* aliases: other names, separated by spaces */
   const char *iconv;          /* iconv's name; NULL: needs no conversion */
   bool wide;                  /* characters can have several bytes */
} Row;

/* The value of Row.iconv if PostgreSQL has the encoding, but iconv does not, or treats it
 * differently. */
#define NO_ICONV ""

static const Row rows[] = {
   {"UTF8", " utf8 unicode ", NULL, true},
   {"SQL_ASCII", " sqlascii ", NULL,
    true}, /* read as UTF-8, as PostgreSQL does in a UTF-8 database */
   {"LATIN1", " latin1 iso88591 ", "ISO-8859-1", false},
   {"LATIN2", " latin2 iso88592 ", "ISO-8859-2", false},
   {"LATIN3", " latin3 iso88593 ", "ISO-8859-3", false},
   {"LATIN4", " latin4 iso88594 ", "ISO-8859-4", false},
   {"LATIN5", " latin5 iso88599 ", "ISO-8859-9", false},
   {"LATIN6", " latin6 iso885910 ", "ISO-8859-10", false},
   {"LATIN7", " latin7 iso885913 ", "ISO-8859-13", false},
   {"LATIN8", " latin8 iso885914 ", "ISO-8859-14", false},
   {"LATIN9", " latin9 iso885915 ", "ISO-8859-15", false},
   {"LATIN10", " latin10 iso885916 ", "ISO-8859-16", false},
   {"ISO_8859_5", " iso88595 ", "ISO-8859-5", false},
   {"ISO_8859_6", " iso88596 ", "ISO-8859-6", false},
   {"ISO_8859_7", " iso88597 ", "ISO-8859-7", false},
   {"ISO_8859_8", " iso88598 ", "ISO-8859-8", false},
   {"WIN866", " win866 alt ibm866 cp866 ", "CP866", false},
   {"WIN874", " win874 windows874 cp874 ", "CP874", false},
   {"WIN1250", " win1250 windows1250 cp1250 ", "CP1250", false},
   {"WIN1251", " win1251 win windows1251 cp1251 ", "CP1251", false},
   {"WIN1252", " win1252 windows1252 cp1252 ", "CP1252", false},
   {"WIN1253", " win1253 windows1253 cp1253 ", "CP1253", false},
   {"WIN1254", " win1254 windows1254 cp1254 ", "CP1254", false},
   {"WIN1255", " win1255 windows1255 cp1255 ", "CP1255", false},
   {"WIN1256", " win1256 windows1256 cp1256 ", "CP1256", false},
   {"WIN1257", " win1257 windows1257 cp1257 ", "CP1257", false},
   {"WIN1258", " win1258 windows1258 abc tcvn tcvn5712 vscii cp1258 ", "CP1258", false},
   {"KOI8R", " koi8r koi8 ", "KOI8-R", false},
   {"KOI8U", " koi8u ", "KOI8-U", false},
   {"EUC_JP", " eucjp ", "EUC-JP", true},
   {"EUC_CN", " euccn gb2312 ", "EUC-CN", true},
   {"EUC_KR", " euckr ", "EUC-KR", true},
   {"EUC_TW", " euctw ", "EUC-TW", true},
   {"SJIS", " sjis shiftjis mskanji win932 windows932 ", "CP932", true},
   {"BIG5", " big5 win950 windows950 ", "BIG5", true},
   {"GBK", " gbk win936 windows936 ", "GBK", true},
   {"GB18030", " gb18030 ", "GB18030", true},
   {"UHC", " uhc win949 windows949 ", "UHC", true},
   {"JOHAB", " johab ", "JOHAB", true},
   {"EUC_JIS_2004", " eucjis2004 ", NO_ICONV, true},
   {"SHIFT_JIS_2004", " shiftjis2004 ", NO_ICONV, true},
   {"MULE_INTERNAL", " muleinternal ", NO_ICONV, true},
   /* Encodings that PostgreSQL does not have, but that files use. */
   {"UTF16LE", " utf16le utf16 ", "UTF-16LE", true},
   {"UTF16BE", " utf16be ", "UTF-16BE", true},
};

struct MtRecode {
   const Row *row;
   iconv_t cd; /* the conversion of a wide encoding; else -1 */
   int map[256];
   char raw[1 << 16]; /* bytes that were read, but not yet converted */
   size_t n;
   bool eof;
   MtBuf text; /* converted text to write */
};

static const Row *find_row (const char *name)
{
   char word[40] = " ";
   size_t n = 1;
   for (const char *c = name; *c && n < sizeof word - 2; c++)
      if (isalnum ((unsigned char) *c))
         word[n++] = (char) tolower ((unsigned char) *c);
   word[n] = ' ';
   word[n + 1] = 0;
   for (size_t i = 0; i < sizeof rows / sizeof rows[0] && n > 1; i++)
      if (strstr (rows[i].aliases, word))
         return &rows[i];
   return NULL;
}

bool mt_encoding_named (const MtPresetOption *o, const char **out, MtError *err)
{
   const Row *r = o->value ? find_row (o->value) : NULL;
   if (!o->value)
      return mt_error_at (err, o->span, MT_E_SYNTAX, "encoding requires a parameter");
   if (!r)
      return mt_error_at (err, o->span, MT_E_PARAMETER,
                          "argument to option \"encoding\" must be a valid encoding name");
   *out = r->name;
   return true;
}

static void release (void *thing)
{
   MtRecode *r = thing;
   if (r->cd != (iconv_t) -1)
      iconv_close (r->cd);
   mt_buf_free (&r->text);
   free (r);
}

bool mt_recode_open (MtArena *a, const char *name, bool write, MtRecode **out, MtError *err)
{
   const Row *row = name ? find_row (name) : NULL;
   *out = NULL;
   if (!row || !row->iconv)
      return true;
   if (!*row->iconv)
      return mt_error (err, MT_E_FEATURE, "encoding \"%s\" is not supported", row->name);
   MtRecode *r = mt_calloc ("COPY", 1, sizeof *r);
   mt_arena_defer (a, release, r);
   r->row = row;
   r->cd = (iconv_t) -1;
   if (row->wide)
      r->cd = write ? iconv_open (row->iconv, "UTF-8") : iconv_open ("UTF-8", row->iconv);
   if (row->wide ? r->cd == (iconv_t) -1 : !mt_encoding_map (name, r->map)) {
      mt_error (err, MT_E_FEATURE, "encoding \"%s\" is not supported", row->name);
      return mt_error_hint (err, "The system's iconv doesn't have it.");
   }
   *out = r;
   return true;
}

static void hex_bytes (const char *p, size_t n, char *out, size_t size)
{
   size_t at = 0;
   for (size_t i = 0; i < n && at + 6 < size; i++)
      at += (size_t) snprintf (out + at, size - at, " 0x%02x", (unsigned char) p[i]);
}

/* Sets the error that bytes at p are not a character of the encoding. Returns false. */
static bool bad_character (const MtRecode *r, const char *p, size_t n, MtError *err)
{
   char hex[40] = "";
   size_t most = r->row->wide ? 2 : 1;
   hex_bytes (p, n < most ? n : most, hex, sizeof hex);
   if (r->row->wide)
      return mt_error (err, MT_E_ENCODING, "invalid byte sequence for encoding \"%s\":%s",
                       r->row->name, hex);
   return mt_error (
      err, MT_E_UNTRANSLATABLE,
      "character with byte sequence%s in encoding \"%s\" has no equivalent in encoding \"UTF8\"",
      hex, r->row->name);
}

/* Converts bytes in r->raw to UTF-8, until *out has no room. Moves *out to the end of the written
 * text. Returns false if the next character is invalid. */
static bool convert (MtRecode *r, char **out, size_t size)
{
   char *p = r->raw, *end = *out + size;
   size_t left = r->n;
   bool ok = true;
   if (r->row->wide)
      ok = iconv (r->cd, &p, &left, out, &size) != (size_t) -1 || errno == E2BIG ||
           (errno == EINVAL && !r->eof);
   else
      for (; left && end - *out >= 4; p++, left--) {
         int c = r->map[(unsigned char) *p];
         if (!(ok = c >= 0))
            break;
         *out += mt_utf8_put (*out, (uint32_t) c);
      }
   memmove (r->raw, p, left);
   r->n = left;
   return ok;
}

/* If a character is invalid, first returns the text before it. Only the next call reports the
 * error, so that the records before it can be read. */
bool mt_recode_read (MtCopyIn *in, char *to, size_t size, long *got, MtError *err)
{
   MtRecode *r = in->recode;
   char *out = to;
   for (;;) {
      bool ok = convert (r, &out, size);
      *got = out - to;
      if (*got || (r->eof && !r->n))
         return true;
      if (!ok) {
         bad_character (r, r->raw, r->n, err);
         in->line += !in->line; /* before the first record, the error is in line 1 */
         return mt_copy_context (in, -1, (MtStr) {NULL, 0}, err);
      }
      long more;
      if (!mt_copy_bytes (in, r->raw + r->n, sizeof r->raw - r->n, &more, err))
         return false;
      r->eof = more == 0;
      r->n += (size_t) more;
   }
}

/* Converts the next character of a text, or for encodings with several bytes per character, the
 * rest of the text. Appends it to r->text. Returns false if the encoding does not have a
 * character. */
static bool write_some (MtRecode *r, char **p, size_t *left)
{
   char block[1 << 12], *to = block;
   size_t room = sizeof block, n;
   if (r->row->wide) {
      bool ok = iconv (r->cd, p, left, &to, &room) != (size_t) -1 || errno == E2BIG;
      mt_buf_add (&r->text, block, (size_t) (to - block));
      return ok;
   }
   utf8proc_int32_t c;
   int i;
   n = (size_t) utf8proc_iterate ((const utf8proc_uint8_t *) *p, (utf8proc_ssize_t) *left,
                                  &c); /* always valid UTF-8, because mtsql made the text */
   for (i = c < 128 && r->map[c] == c ? c : 0; i < 256 && r->map[i] != c;)
      i++;
   if (i == 256)
      return false;
   mt_buf_addc (&r->text, (char) i);
   *p += n;
   *left -= n;
   return true;
}

bool mt_recode_text (MtRecode *r, MtStr text, MtStr *out, MtError *err)
{
   char hex[40] = "", *p = (char *) text.p; /* iconv does not write to its input */
   size_t left = text.n;
   mt_buf_clear (&r->text);
   while (left) {
      if (write_some (r, &p, &left))
         continue;
      size_t n = 1;
      while (n < left && ((unsigned char) p[n] & 0xC0) == 0x80)
         n++;
      hex_bytes (p, n, hex, sizeof hex);
      return mt_error (
         err, MT_E_UNTRANSLATABLE,
         "character with byte sequence%s in encoding \"UTF8\" has no equivalent in encoding \"%s\"",
         hex, r->row->name);
   }
   *out = (MtStr) {r->text.p, r->text.n};
   return true;
}

bool mt_encoding_convert (MtArena *a, const char *encoding, MtStr bytes, bool inside, MtStr *out)
{
   const Row *row = find_row (encoding);
   if (!row || !row->iconv) {
      *out = bytes;
      return true;
   }
   iconv_t cd = iconv_open ("UTF-8", row->iconv);
   if (cd == (iconv_t) -1)
      return false;
   char *text = mt_alloc (a, 3 * bytes.n + 4), *p = (char *) bytes.p, *to = text;
   size_t left = bytes.n, room = 3 * bytes.n, unit = strncmp (row->name, "UTF16", 5) ? 1 : 2;
   bool ok;
   for (;; p += unit, left -= unit) {
      const char *from = to;
      ok = iconv (cd, &p, &left, &to, &room) != (size_t) -1 || errno == EINVAL;
      inside = inside && !memchr (from, '\n', (size_t) (to - from));
      if (ok || !inside || left < unit)
         break;
   }
   iconv_close (cd);
   *out = (MtStr) {text, (size_t) (to - text)};
   return ok;
}

/* ---- encodings with one byte per character ---- */

bool mt_encoding_map (const char *name, int map[256])
{
   const Row *row = find_row (name);
   iconv_t cd = row && row->iconv && !row->wide ? iconv_open ("UTF-32LE", row->iconv)
                                                : (iconv_t) -1;
   if (cd == (iconv_t) -1)
      return false;
   for (int i = 0; i < 256; i++) {
      char byte = (char) i, *p = &byte, *to;
      unsigned char out[8];
      size_t left = 1, room = sizeof out;
      to = (char *) out;
      bool there = iconv (cd, &p, &left, &to, &room) != (size_t) -1 &&
                   iconv (cd, NULL, NULL, &to, &room) != (size_t) -1 && room == sizeof out - 4;
      map[i] = there ? (int) (out[0] | out[1] << 8 | out[2] << 16 | (unsigned) out[3] << 24) : -1;
   }
   iconv_close (cd);
   return true;
}
