/* Reads the documents of JSON and BSON files one by one. In JSON, this code finds where each
 * document begins and ends, and libbson parses the document as extended JSON.
 *
 * The documents follow one another, on one or several lines each, or are the elements of one array.
 * Memory holds only one document and one buffer of input. */
#include "base/json_scan.h"
#include "base/memory.h"
#include "engine/local/store/files_int.h"

#include "base/limits.h"

#include <stdlib.h>

#define CHUNK (256u << 10)
/* The maximum length of one document as JSON text. Escapes and $numberLong make the text longer
 * than the BSON. */
#define MAX_JSON_BYTES ((size_t) MT_MAX_DOC_BYTES * 8)

typedef struct Json {
   MtUnpack *in;
   const char *path;
   char *buf;
   size_t n, at; /* number of bytes in buf, and index of the next byte to read */
   uint64_t line;
   bool end, array, after_comma, any;
   uint64_t documents;
   bool raw;   /* documents are passed over */
   MtStr text; /* the document that was passed last; p NULL: none */
   MtBuf bson; /* the document that was read last */
   const MtCancel *cancel;
   MtError *err;
} Json;

static bool bad (Json *j, uint64_t line, const char *what)
{
   return mt_error (j->err, MT_E_TEXT_REPRESENTATION, "file \"%s\", line %llu: %s", j->path,
                    (unsigned long long) line, what);
}

/* Reads more input into the buffer, and moves the unread bytes to its front, so that j->at is 0.
 * Sets j->end at the end of the file. */
static bool fill (Json *j)
{
   if (j->at > 0) {
      memmove (j->buf, j->buf + j->at, j->n - j->at);
      j->n -= j->at;
      j->at = 0;
   }
   char *buf = mt_try_realloc ("file", j->buf, j->n + CHUNK);
   if (!buf)
      return mt_memory_check (j->err);
   j->buf = buf;
   long r = mt_cancel_check (j->cancel, j->err) ? mt_unpack_read (j->in, buf + j->n, CHUNK, j->err)
                                                : -1;
   if (r < 0)
      return false;
   j->end = r == 0;
   j->n += (size_t) r;
   return true;
}

/* Skips white space, and sets *c to the next character without consuming it; 0 at the end of the
 * input. */
static bool peek (Json *j, char *c)
{
   for (;;) {
      while (j->at < j->n) {
         *c = j->buf[j->at];
         if (*c == '\n')
            j->line++;
         else if (*c != ' ' && *c != '\t' && *c != '\r')
            return true;
         j->at++;
      }
      *c = 0;
      if (j->end)
         return true;
      if (!fill (j))
         return false;
   }
}

/* Sets *len to the length of the JSON object that begins at j->at. Reads more input if needed. */
static bool object_length (Json *j, size_t *len)
{
   MtJsonExtent extent = {0};
   for (size_t i = 0;; i++) {
      if (j->at + i == j->n) {
         /* fill moves the unread bytes to the front of the buffer, so j->at is 0 now */
         if (!j->end && !fill (j))
            return false;
         if (j->at + i == j->n)
            return bad (j, j->line, "the file ends within a document");
      }
      if (i > MAX_JSON_BYTES)
         return mt_error (j->err, MT_E_LIMIT, "file \"%s\", line %llu: the document is too large",
                          j->path, (unsigned long long) j->line);
      if (mt_json_extent (&extent, j->buf[j->at + i])) {
         *len = i + 1;
         return true;
      }
   }
}

/* Returns what libbson would misread in the text, as words for an error message, or NULL. libbson
 * ends code at a null character. It also misreads code and DBPointers in arrays. */
static const char *misread (const char *text, size_t len)
{
   bool code = memmem (text, len, "\"$code\"", 7),
        pointer = memmem (text, len, "\"$dbPointer\"", 12);
   if (code && memmem (text, len, "\\u0000", 6))
      return "code with a null character";
   return (code || pointer) && memchr (text, '[', len) ? "code or a DBPointer beside an array"
                                                       : NULL;
}

static bool is_decimal (const char *text)
{
   bson_decimal128_t ignored;
   return bson_decimal128_from_string (text, &ignored);
}

static bool is_double (const char *text)
{
   char *end;
   strtod (text, &end);
   return *text && !*end;
}

/* Keys of numbers written as strings, for which libbson does not report errors: it reads an invalid
 * decimal as NaN, and only the valid beginning of a double. */
static const struct {
   const char *key, *type;
   bool (*valid) (const char *text);
} numbers[] = {
   {"\"$numberDecimal\"", "decimal", is_decimal},
   {"\"$numberDouble\"", "double", is_double},
};

/* Checks the string that follows the key numbers[kind]. `text` points behind the key, `end` is the
 * end of the document. Anything but a string is accepted, because libbson reports it. */
static bool check_number (Json *j, size_t kind, const char *text, const char *end)
{
   MtBuf copy = {0};
   while (text < end && memchr (" \t\r\n:", *text, 5))
      text++;
   const char *stop = text < end && *text == '"' ? memchr (text + 1, '"', (size_t) (end - text - 1))
                                                 : NULL;
   if (!stop)
      return true; /* libbson refuses it */
   bool ok = mt_buf_add (&copy, text + 1, (size_t) (stop - text - 1)) || mt_memory_check (j->err);
   if (ok && !numbers[kind].valid (copy.n ? copy.p : ""))
      ok = mt_error (j->err, MT_E_TEXT_REPRESENTATION,
                     "file \"%s\", line %llu: invalid %s: \"%.*s\"", j->path,
                     (unsigned long long) j->line, numbers[kind].type,
                     (int) (copy.n > 60 ? 60 : copy.n), copy.n ? copy.p : "");
   mt_buf_free (&copy);
   return ok;
}

static bool check_numbers (Json *j, const char *text, size_t len)
{
   for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      size_t n = strlen (numbers[i].key);
      const char *p = text, *end = text + len;
      while ((p = memmem (p, (size_t) (end - p), numbers[i].key, n))) {
         p += n;
         if (!check_number (j, i, p, end))
            return false;
      }
   }
   return true;
}

static bool parse_object (Json *j, size_t len)
{
   bson_error_t e;
   bson_t doc;
   size_t wrong;
   const char *text = j->buf + j->at;
   const char *refused = misread (text, len);
   if (refused)
      return mt_error (j->err, MT_E_FEATURE, "file \"%s\", line %llu: %s is not supported", j->path,
                       (unsigned long long) j->line, refused);
   if (!check_numbers (j, text, len))
      return false;
   if (!bson_init_from_json (&doc, text, (ssize_t) len, &e)) {
      char *line = strchr (e.message, '\n'); /* keep only the first line of libbson's message */
      if (line)
         *line = 0;
      return bad (j, j->line, e.message);
   }
   bool ok = true;
   if (doc.len > MT_MAX_DOC_BYTES)
      ok = mt_error (j->err, MT_E_LIMIT,
                     "file \"%s\", line %llu: document of %u bytes is larger than the limit of %u",
                     j->path, (unsigned long long) j->line, doc.len, MT_MAX_DOC_BYTES);
   else if (mt_bson_check (bson_get_data (&doc), doc.len, &wrong) != MT_BSON_OK)
      ok = mt_error (j->err, MT_E_LIMIT,
                     "file \"%s\", line %llu: document is nested deeper than %d levels", j->path,
                     (unsigned long long) j->line, MT_MAX_BSON_DEPTH);
   else
      ok = mt_buf_add (&j->bson, bson_get_data (&doc), doc.len) || mt_memory_check (j->err);
   bson_destroy (&doc);
   return ok;
}

/* Parses the JSON object that begins at j->at into j->bson, or only skips it if j->raw. Sets
 * j->text to its text. */
static bool take_object (Json *j)
{
   size_t len = 0;
   if (!object_length (j, &len) || (!j->raw && !parse_object (j, len)))
      return false;
   const char *text = j->buf + j->at;
   uint64_t lines = 0;
   for (size_t i = 0; i < len; i++)
      lines += text[i] == '\n';
   j->text = (MtStr) {text, len};
   j->line += lines;
   j->at += len;
   j->documents++;
   return true;
}

/* Consumes one thing of the input: a document, a bracket, or a comma. *more is false at the end of
 * the input. */
static bool step (Json *j, bool *more)
{
   char c;
   if (!peek (j, &c))
      return false;
   *more = c != 0;
   if (c == 0)
      return (!j->array && !j->after_comma) || bad (j, j->line, "the file ends within the array");
   if (c == '[' && !j->any) {
      j->array = j->any = j->after_comma = true;
      j->at++;
      return true;
   }
   if (c == '{' && (!j->array || j->after_comma)) {
      j->any = true;
      j->after_comma = false;
      return take_object (j);
   }
   if (c == ',' && j->array && !j->after_comma) {
      j->after_comma = true;
      j->at++;
      return true;
   }
   if (c == ']' && j->array && !(j->after_comma && j->documents > 0)) {
      j->array = j->after_comma = false;
      j->at++;
      if (!peek (j, &c))
         return false;
      *more = false;
      return c == 0 || bad (j, j->line, "something follows the array");
   }
   return bad (j, j->line, "a document was expected here");
}

typedef struct JsonStream {
   MtDocStream base;
   Json json;
   bool more;
   bson_t doc;
} JsonStream;

/* Reads the next document; with `raw`, skips it without parsing. j->text.p is NULL at the end of
 * the input. */
static bool advance (JsonStream *s, bool raw, MtError *err)
{
   Json *j = &s->json;
   j->err = err;
   j->raw = raw;
   j->text = (MtStr) {NULL, 0};
   mt_buf_clear (&j->bson);
   if (!j->buf) {
      if (!fill (j))
         return false;
      if (j->n >= 3 && memcmp (j->buf, "\xEF\xBB\xBF", 3) == 0)
         j->at = 3;
   }
   while (s->more && !j->text.p)
      if (!step (j, &s->more))
         return false;
   return true;
}

static bool next_json (MtDocStream *base, const bson_t **doc, MtError *err)
{
   JsonStream *s = (JsonStream *) base;
   Json *j = &s->json;
   *doc = NULL;
   if (!advance (s, false, err))
      return false;
   if (!j->text.p)
      return true;
   *doc = &s->doc;
   return bson_init_static (&s->doc, (const uint8_t *) j->bson.p, j->bson.n) ||
          bad (j, j->line, "a document is damaged");
}

static bool pass_json (MtDocStream *base, MtStr *raw, MtError *err)
{
   JsonStream *s = (JsonStream *) base;
   bool ok = advance (s, true, err);
   *raw = s->json.text;
   return ok;
}

static void close_json (MtDocStream *base)
{
   JsonStream *s = (JsonStream *) base;
   mt_buf_free (&s->json.bson);
   free (s->json.buf);
   free (s);
}

static MtDocStream *json_stream (MtUnpack *in, const char *path, const MtCancel *cancel)
{
   JsonStream *s = mt_aligned ("file", _Alignof (JsonStream), sizeof *s);
   s->base = (MtDocStream) {next_json, close_json, pass_json};
   s->json = (Json) {.in = in, .path = path, .line = 1, .cancel = cancel};
   s->more = true;
   return &s->base;
}

MtDocStream *mt_json_stream (MtUnpack *in, const char *path)
{
   return json_stream (in, path, NULL);
}

static bool write_out (int out, MtBuf *b, uint64_t *at, MtError *err)
{
   if (!mt_io_write (out, b->p, b->n, *at, NULL, err))
      return false;
   *at += b->n;
   mt_buf_clear (b);
   return true;
}

bool mt_json_to_bson (int in, const char *path, int out, const MtCancel *cancel, MtError *err)
{
   enum { PIECE = 1 << 20 };
   MtFileRead file = {in, path, err};
   MtUnpack *u = mt_unpack_open (mt_file_read, &file, path, MT_E_CORRUPT);
   MtDocStream *s = json_stream (u, path, cancel);
   MtBuf b = {0};
   uint64_t at = 0;
   const bson_t *doc;
   bool ok;
   while ((ok = s->next (s, &doc, err)) && doc) {
      mt_buf_add (&b, bson_get_data (doc), doc->len);
      ok = b.n < PIECE || write_out (out, &b, &at, err);
      if (!ok)
         break;
   }
   ok = ok && (b.n == 0 || write_out (out, &b, &at, err));
   mt_buf_free (&b);
   s->close (s);
   mt_unpack_close (u);
   return ok;
}

/* ---- BSON ---- */

typedef struct BsonStream {
   MtDocStream base;
   MtUnpack *in;
   const char *path;
   uint64_t offset; /* in the file, of the document that was read last */
   MtBuf buf;
   size_t at, len; /* place in buf of this document, and its length */
   bson_t doc;
} BsonStream;

/* Reads more input until the buffer has n bytes from s->at on. It has fewer if the file ends
 * before. */
static bool fill_bson (BsonStream *s, size_t n, MtError *err)
{
   size_t left = s->buf.n - s->at;
   if (left >= n)
      return true;
   if (s->at)
      memmove (s->buf.p, s->buf.p + s->at, left);
   s->buf.n = left;
   s->at = 0;
   if (!mt_buf_reserve (&s->buf, n + CHUNK - left))
      return mt_memory_check (err);
   for (long k = 1; s->buf.n < n && k; s->buf.n += (size_t) k) {
      k = mt_unpack_read (s->in, s->buf.p + s->buf.n, n + CHUNK - s->buf.n, err);
      if (k < 0)
         return false;
   }
   return true;
}

static bool pass_bson (MtDocStream *base, MtStr *raw, MtError *err)
{
   BsonStream *s = (BsonStream *) base;
   s->at += s->len;
   s->offset += s->len;
   s->len = 0;
   *raw = (MtStr) {NULL, 0};
   if (!fill_bson (s, 4, err))
      return false;
   size_t left = s->buf.n - s->at;
   if (left == 0)
      return true;
   uint32_t n = left < 4 ? 0 : mt_get32 ((const uint8_t *) s->buf.p + s->at);
   if (!mt_file_check_length (s->path, s->offset, n, left < 4 ? left : UINT64_MAX, err) ||
       !fill_bson (s, n, err) ||
       !mt_file_check_length (s->path, s->offset, n, s->buf.n - s->at, err))
      return false;
   s->len = n;
   *raw = (MtStr) {s->buf.p + s->at, n};
   return true;
}

static bool next_bson (MtDocStream *base, const bson_t **doc, MtError *err)
{
   BsonStream *s = (BsonStream *) base;
   MtStr raw;
   *doc = NULL;
   if (!pass_bson (base, &raw, err))
      return false;
   if (!raw.p)
      return true;
   *doc = &s->doc;
   return mt_file_check_document (s->path, s->offset, (const uint8_t *) raw.p, (uint32_t) raw.n,
                                  err) &&
          bson_init_static (&s->doc, (const uint8_t *) raw.p, raw.n);
}

static void close_bson (MtDocStream *base)
{
   BsonStream *s = (BsonStream *) base;
   mt_buf_free (&s->buf);
   free (s);
}

MtDocStream *mt_bson_stream (MtUnpack *in, const char *path)
{
   BsonStream *s = mt_aligned ("file", _Alignof (BsonStream), sizeof *s);
   s->base = (MtDocStream) {next_bson, close_bson, pass_bson};
   s->in = in;
   s->path = path;
   return &s->base;
}
