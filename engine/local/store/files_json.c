/* Converts JSON files to BSON. This code finds where each document begins and ends, and libbson
 * parses the document as extended JSON.
 *
 * The documents stand one after the other, on one or several lines each, or in one array. Memory
 * holds only one document and one buffer of input. */
#include "base/json_scan.h"
#include "engine/local/store/files_int.h"

#include "base/limits.h"

#include <stdlib.h>

#define CHUNK (256u << 10)
/* The most bytes of one document as JSON text. The text can be longer than the BSON because of
 * escapes and $numberLong. */
#define MAX_JSON_BYTES ((size_t) MT_MAX_DOC_BYTES * 8)

typedef struct Json {
   MtUnpack *in;
   int out;
   const char *path;
   char *buf;
   size_t n, at; /* number of bytes in buf, and index of the next byte to read */
   uint64_t line;
   bool end, array, after_comma, any;
   uint64_t documents;
   MtBuf bson; /* BSON documents that are not written to the file yet */
   uint64_t out_at;
   const MtCancel *cancel;
   MtError *err;
} Json;

static bool bad (Json *j, uint64_t line, const char *what)
{
   return mt_error (j->err, MT_E_TEXT_REPRESENTATION, "file \"%s\", line %llu: %s", j->path,
                    (unsigned long long) line, what);
}

/* Reads more input into the buffer. Sets j->end at the end of the file. */
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

/* Skips white space and returns the next character in *c, or 0 at the end of the input. */
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

/* Computes the length of the JSON object that begins at j->at, and reads more input if needed. */
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

static bool write_out (Json *j)
{
   if (!mt_cancel_check (j->cancel, j->err) ||
       !mt_io_write (j->out, j->bson.p, j->bson.n, j->out_at, NULL, j->err))
      return false;
   j->out_at += j->bson.n;
   mt_buf_clear (&j->bson);
   return true;
}

/* Returns the name of a BSON type in the text that libbson would misread, or NULL. libbson ends
 * code at a null character. It also misreads code and DBPointers in arrays. */
static const char *misread (const char *text, size_t len)
{
   bool code = memmem (text, len, "\"$code\"", 7),
        pointer = memmem (text, len, "\"$dbPointer\"", 12);
   if (code && memmem (text, len, "\\u0000", 6))
      return "code with a null character";
   return (code || pointer) && memchr (text, '[', len) ? "code or a DBPointer beside an array"
                                                       : NULL;
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
      mt_buf_add (&j->bson, bson_get_data (&doc), doc.len);
   bson_destroy (&doc);
   for (size_t i = 0; i < len; i++)
      j->line += text[i] == '\n';
   j->at += len;
   j->documents++;
   return ok && (j->bson.n < (1u << 20) || write_out (j));
}

/* Reads the next document, or the punctuation between two documents. *more is false at the end. */
static bool step (Json *j, bool *more)
{
   char c;
   size_t len = 0;
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
      return object_length (j, &len) && parse_object (j, len);
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

bool mt_json_to_bson (int in, const char *path, int out, const MtCancel *cancel, MtError *err)
{
   MtFileRead file = {in, path, err};
   Json j = {.in = mt_unpack_open (mt_file_read, &file, path, MT_E_CORRUPT),
             .out = out,
             .path = path,
             .line = 1,
             .cancel = cancel,
             .err = err};
   bool more = true, ok = fill (&j);
   if (ok && j.n >= 3 && memcmp (j.buf, "\xEF\xBB\xBF", 3) == 0)
      j.at = 3;
   while (ok && more)
      ok = step (&j, &more);
   ok = ok && (j.bson.n == 0 || write_out (&j));
   mt_buf_free (&j.bson);
   mt_unpack_close (j.in);
   free (j.buf);
   return ok;
}
