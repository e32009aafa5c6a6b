/* Checks a server's messages before the driver reads them. Version 1.23 of the driver reads beyond
 * the end of a malformed message, and aborts the process at an error whose code is 0.
 *
 * The check is a stream between the driver and the socket (or TLS). It reads a whole message, or
 * the first WHOLE_BYTES of a large one, and passes it on if it is well-formed. */
#include "engine/mongo/net/net.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
   FRAME_TYPE = 101,
   HEAD_BYTES = 16, /* a message's head: length, request id, id of the request answered, opcode */
   MSG_BYTES = HEAD_BYTES + 5, /* an OP_MSG up to its document: flags and the kind of section */
   REPLY_BYTES = HEAD_BYTES + 20,
   LEAST_DOC = 5,
   OP_REPLY = 1,
   OP_MSG = 2013,
   MOST_DEPTH = 1000, /* servers allow 100 in stored documents */
   WHOLE_BYTES = 1 << 16,
   MOST_BYTES = 64 << 20 /* servers announce 48,000,000 */
};

typedef struct Frame {
   mongoc_stream_t base;
   mongoc_stream_t *below;
   MtLink *link;
   uint8_t *bytes; /* the current message; room for WHOLE_BYTES */
   size_t have, given;
   size_t rest; /* bytes of a large message after `bytes`, which are not checked */
   bool ready;  /* `bytes` was checked */
   int error;   /* errno of this stream's own last error; 0: the error of `below` counts */
} Frame;

static uint32_t number_at (const uint8_t *p)
{
   uint32_t n;
   memcpy (&n, p, sizeof n);
   return BSON_UINT32_FROM_LE (n);
}

/* ---- checking that a reply is valid ---- */

/* Returns whether ns has the form DATABASE.COLLECTION with both parts not empty. */
static bool is_namespace (const char *ns)
{
   const char *dot = strchr (ns, '.');
   return dot && dot > ns && dot[1];
}

bool mt_mongo_cursor_has_namespace (const bson_iter_t *cursor)
{
   bson_iter_t at;
   bool more = false, named = false;
   if (!bson_iter_recurse (cursor, &at))
      return true;
   while (bson_iter_next (&at))
      if (!strcmp (bson_iter_key (&at), "ns")) {
         named = BSON_ITER_HOLDS_UTF8 (&at) && is_namespace (bson_iter_utf8 (&at, NULL));
         if (!named)
            return false;
      } else if (!strcmp (bson_iter_key (&at), "id")) {
         more |= bson_iter_as_int64 (&at) != 0;
      }
   return named || !more;
}

/* Returns whether the fields of a reply are as the driver assumes without checking: some fields are
 * texts, a cursor has a namespace, an error's code isn't 0. Checks the reply itself, its cursor and
 * its errors, but not returned documents. */
static bool is_granted (bson_iter_t *it, int depth)
{
   static const char *const texts[] = {"errmsg", "ns", "$err"}, *const within[] = {
                                                                   "cursor", "writeErrors",
                                                                   "writeConcernError"};
   bson_iter_t at;
   while (bson_iter_next (it)) {
      const char *key = bson_iter_key (it);
      if (!strcmp (key, "code") && BSON_ITER_HOLDS_NUMBER (it) &&
          !(uint32_t) bson_iter_as_int64 (it))
         return false;
      for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
         if (!strcmp (key, texts[i]) && !BSON_ITER_HOLDS_UTF8 (it))
            return false;
      if (!depth && !strcmp (key, "cursor") && !mt_mongo_cursor_has_namespace (it))
         return false;
      bool inside = depth == 1; /* an element of writeErrors */
      for (size_t i = 0; i < sizeof within / sizeof *within && !depth; i++)
         inside |= !strcmp (key, within[i]);
      if (inside && (BSON_ITER_HOLDS_DOCUMENT (it) || (!depth && BSON_ITER_HOLDS_ARRAY (it))) &&
          bson_iter_recurse (it, &at) && !is_granted (&at, depth + 1))
         return false;
   }
   return true;
}

static bool is_sound (const uint8_t *p, size_t n, int depth);

/* Returns whether a BSON value of this type is well-formed and ends before the last of the `left`
 * bytes at p. *size is the value's size. */
static bool is_sound_value (uint8_t type, const uint8_t *p, size_t left, int depth, size_t *size)
{
   static const uint8_t sizes[] = {
      [BSON_TYPE_DOUBLE] = 8,    [BSON_TYPE_OID] = 12,       [BSON_TYPE_BOOL] = 1,
      [BSON_TYPE_DATE_TIME] = 8, [BSON_TYPE_INT32] = 4,      [BSON_TYPE_TIMESTAMP] = 8,
      [BSON_TYPE_INT64] = 8,     [BSON_TYPE_DECIMAL128] = 16};
   uint32_t len = left > 4 ? number_at (p) : 0;
   switch (type) {
   case BSON_TYPE_UTF8: *size = 4 + (size_t) len; return len && *size < left && !p[*size - 1];
   case BSON_TYPE_DOCUMENT:
   case BSON_TYPE_ARRAY: *size = len; return len && *size < left && is_sound (p, len, depth + 1);
   default:
      *size = type < sizeof sizes ? sizes[type] : 0; /* 0 for NULL */
      return *size < left && (type != BSON_TYPE_BOOL || *p <= 1);
   }
}

/* Checks a document with libbson, from offset `from` on, where it has a value of a rare type. The
 * values before `from` are already checked; checking them again would double the work at each level
 * of nesting. */
static bool is_sound_to_driver (const uint8_t *p, size_t n, size_t from, int depth)
{
   bson_t doc;
   bson_iter_t it;
   if (!bson_init_static (&doc, p, n) || !bson_iter_init (&it, &doc))
      return false;
   while (bson_iter_next (&it)) {
      const uint8_t *part;
      uint32_t len;
      if (bson_iter_offset (&it) < from)
         continue;
      if (BSON_ITER_HOLDS_DOCUMENT (&it))
         bson_iter_document (&it, &len, &part);
      else if (BSON_ITER_HOLDS_ARRAY (&it))
         bson_iter_array (&it, &len, &part);
      else
         continue;
      if (!is_sound (part, len, depth + 1))
         return false;
   }
   return !it.err_off;
}

static bool is_common (uint8_t type)
{
   const uint32_t common = 1u << BSON_TYPE_DOUBLE | 1u << BSON_TYPE_UTF8 |
                           1u << BSON_TYPE_DOCUMENT | 1u << BSON_TYPE_ARRAY | 1u << BSON_TYPE_OID |
                           1u << BSON_TYPE_BOOL | 1u << BSON_TYPE_DATE_TIME | 1u << BSON_TYPE_NULL |
                           1u << BSON_TYPE_INT32 | 1u << BSON_TYPE_TIMESTAMP |
                           1u << BSON_TYPE_INT64 | 1u << BSON_TYPE_DECIMAL128;
   return type < 32 && common >> type & 1;
}

/* Returns whether the n bytes at p are a well-formed BSON document: all parts lie within them. */
static bool is_sound (const uint8_t *p, size_t n, int depth)
{
   size_t at = 4, size;
   if (depth > MOST_DEPTH || n < LEAST_DOC || number_at (p) != n || p[n - 1])
      return false;
   while (p[at]) {
      uint8_t type = p[at];
      if (!is_common (type))
         return is_sound_to_driver (p, n, at, depth);
      const uint8_t *end = memchr (p + at + 1, 0, n - at - 1);
      if (!end)
         return false;
      at = (size_t) (end + 1 - p);
      if (at >= n || !is_sound_value (type, p + at, n - at, depth, &size))
         return false;
      at += size;
   }
   return at == n - 1;
}

static bool is_answer (const uint8_t *p, size_t n)
{
   bson_t doc;
   bson_iter_t it;
   return is_sound (p, n, 0) && bson_init_static (&doc, p, n) && bson_iter_init (&it, &doc) &&
          is_granted (&it, 0);
}

/* Returns whether a message of `size` bytes, of which p has the first `have`, is well-formed.
 * `have` is at least the size of an empty OP_MSG. Compressed messages are refused: the driver never
 * requests them, and version 1.23 aborts if their sizes are wrong. */
static bool is_message (const uint8_t *p, size_t have, size_t size)
{
   uint32_t opcode = number_at (p + 12);
   size_t head = opcode == OP_MSG ? MSG_BYTES : REPLY_BYTES;
   if ((opcode != OP_MSG && opcode != OP_REPLY) || size < head + LEAST_DOC)
      return false;
   if (opcode == OP_MSG) {
      /* Flags must be 0, because the driver requests none: version 1.23 would read a checksum as a
       * section, beyond the message's end. */
      if (number_at (p + HEAD_BYTES) || p[HEAD_BYTES + 4] != 0)
         return false;
   } else if (number_at (p + HEAD_BYTES + 16) != 1) {
      return false;
   }
   size_t doc = number_at (p + head);
   return doc + head == size && (have < size || is_answer (p + head, doc));
}

/* ---- reading ---- */

static ssize_t refuse (Frame *f)
{
   snprintf (f->link->why, sizeof f->link->why,
             "what the server sent is no answer by its protocol");
   f->link->given_up = true;
   errno = f->error = EPROTO;
   return -1;
}

/* Reads from the socket or TLS (f->below) until the beginning of a message is complete and checked.
 * Returns 1 if f->bytes has bytes for the driver, 0 if the connection is closed, and -1 with errno
 * on an error. */
static ssize_t take_in (Frame *f, int32_t timeout_ms)
{
   while (!f->ready) {
      bool sized = f->have >= 4;
      size_t size = sized ? number_at (f->bytes) : 0, want = sized ? size : 4;
      want = want < WHOLE_BYTES ? want : WHOLE_BYTES;
      if (sized && (size < MSG_BYTES + LEAST_DOC || size > MOST_BYTES))
         return refuse (f);
      if (f->have < want) {
         mongoc_iovec_t iov = {.iov_base = (void *) (f->bytes + f->have),
                               .iov_len = want - f->have};
         ssize_t n = f->below->readv (f->below, &iov, 1, timeout_ms == 0 ? 1 : want - f->have,
                                      timeout_ms);
         if (n <= 0)
            return n;
         f->have += (size_t) n;
         continue;
      }
      if (!is_message (f->bytes, f->have, size))
         return refuse (f);
      f->ready = true;
      f->given = 0;
      f->rest = size - f->have;
   }
   return 1;
}

/* Passes the next bytes of a checked message to the driver: at most `most` bytes to `to`. Returns
 * their number, or the result of a failed read. */
static ssize_t give (Frame *f, uint8_t *to, size_t most, int32_t timeout_ms)
{
   ssize_t n = (ssize_t) (f->have - f->given < most ? f->have - f->given : most);
   if (n) {
      memcpy (to, f->bytes + f->given, (size_t) n);
      f->given += (size_t) n;
   } else {
      mongoc_iovec_t iov = {.iov_base = (void *) to, .iov_len = f->rest < most ? f->rest : most};
      n = f->below->readv (f->below, &iov, 1, timeout_ms == 0 ? 1 : iov.iov_len, timeout_ms);
      if (n <= 0)
         return n;
      f->rest -= (size_t) n;
   }
   if (f->given == f->have && !f->rest) {
      f->ready = false;
      f->have = 0;
   }
   return n;
}

static ssize_t frame_readv (mongoc_stream_t *base, mongoc_iovec_t *iov, size_t count,
                            size_t min_bytes, int32_t timeout_ms)
{
   Frame *f = (Frame *) base;
   size_t total = 0, at = 0;
   f->error = 0;
   for (size_t i = 0; i < count;) {
      ssize_t n = take_in (f, timeout_ms);
      if (n > 0)
         n = give (f, (uint8_t *) iov[i].iov_base + at, iov[i].iov_len - at, timeout_ms);
      if (n <= 0)
         return total && total >= min_bytes ? (ssize_t) total : n;
      total += (size_t) n;
      at += (size_t) n;
      if (at == iov[i].iov_len) {
         at = 0;
         i++;
      }
      if (total >= min_bytes && min_bytes)
         break;
   }
   return (ssize_t) total;
}

/* ---- functions of the stream that call the stream below ---- */

static ssize_t frame_writev (mongoc_stream_t *base, mongoc_iovec_t *iov, size_t count,
                             int32_t timeout_ms)
{
   Frame *f = (Frame *) base;
   f->error = 0;
   return f->below->writev (f->below, iov, count, timeout_ms);
}

static int frame_close (mongoc_stream_t *base)
{
   return ((Frame *) base)->below->close (((Frame *) base)->below);
}

static void frame_destroy (mongoc_stream_t *base)
{
   Frame *f = (Frame *) base;
   mongoc_stream_destroy (f->below);
   free (f->bytes);
   free (f);
}

static int frame_flush (mongoc_stream_t *base)
{
   return ((Frame *) base)->below->flush (((Frame *) base)->below);
}

static int frame_setsockopt (mongoc_stream_t *base, int level, int name, void *value,
                             mongoc_socklen_t len)
{
   return mongoc_stream_setsockopt (((Frame *) base)->below, level, name, value, len);
}

static mongoc_stream_t *frame_below (mongoc_stream_t *base) { return ((Frame *) base)->below; }

static bool frame_check_closed (mongoc_stream_t *base)
{
   return mongoc_stream_check_closed (((Frame *) base)->below);
}

static bool frame_timed_out (mongoc_stream_t *base)
{
   return !((Frame *) base)->error && mongoc_stream_timed_out (((Frame *) base)->below);
}

static bool frame_should_retry (mongoc_stream_t *base)
{
   return !((Frame *) base)->error && mongoc_stream_should_retry (((Frame *) base)->below);
}

mongoc_stream_t *mt_link_frame (MtLink *l, mongoc_stream_t *below)
{
   Frame *f = mt_calloc ("connection", 1, sizeof *f);
   f->base.type = FRAME_TYPE;
   f->base.destroy = f->base.failed = frame_destroy;
   f->base.close = frame_close;
   f->base.flush = frame_flush;
   f->base.readv = frame_readv;
   f->base.writev = frame_writev;
   f->base.setsockopt = frame_setsockopt;
   f->base.get_base_stream = frame_below;
   f->base.check_closed = frame_check_closed;
   f->base.timed_out = frame_timed_out;
   f->base.should_retry = frame_should_retry;
   f->below = below;
   f->link = l;
   f->bytes = mt_calloc ("connection", 1, WHOLE_BYTES);
   return &f->base;
}
