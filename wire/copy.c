/* COPY … FROM STDIN and COPY … TO STDOUT for clients: the data are in CopyData messages. */
#include "wire/connection_int.h"

/* Returns how the bytes of a format are divided into rows (MT_COPY_LINES and so on). */
static int form_of (const char *format)
{
   static const struct {
      const char *name;
      int form;
   } rows[] = {{"text", MT_COPY_LINES},
               {"jsonl", MT_COPY_LINES},
               {"csv", MT_COPY_CSV},
               {"binary", MT_COPY_BINARY}};
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (mt_ieq (format, rows[i].name))
         return rows[i].form;
   return MT_COPY_OTHER;
}

bool mt_wire_copy_begin (void *ctx, bool in, size_t columns, const char *format)
{
   MtConnection *c = ctx;
   MtBuf *b = &c->socket.out;
   c->copy = in ? MT_COPY_IN : MT_COPY_OUT;
   c->copy_form = form_of (format);
   c->copy_headed = false;
   c->copy_at = 0;
   mt_buf_clear (&c->copy_bytes);
   mt_error_clear (&c->copy_error);
   size_t at = mt_message_begin (b, in ? 'G' : 'H');
   uint16_t form = c->copy_form == MT_COPY_BINARY ? MT_FORMAT_BINARY : MT_FORMAT_TEXT;
   mt_buf_addc (b, (char) form); /* PostgreSQL's protocol has no other codes */
   mt_put_be16 (b, (uint16_t) columns);
   for (size_t i = 0; i < columns; i++)
      mt_put_be16 (b, form);
   mt_message_end (b, at);
   return !in || mt_socket_flush (&c->socket);
}

/* ---- data from the client ---- */

/* Reads the next message of COPY from the client. Returns 1 if copy_bytes has new data; 0 at the
 * end; -1 after an error. */
static int next_data (MtConnection *c)
{
   for (;;) {
      char type;
      MtNetBytes m;
      if (!mt_message_read (&c->socket, MT_MAX_VALUE_BYTES, &type, &m)) {
         c->socket.lost = true;
         return -1;
      }
      switch (type) {
      case 'd':
         mt_buf_clear (&c->copy_bytes);
         c->copy_at = 0;
         if (!mt_buf_add (&c->copy_bytes, m.p, m.n))
            return -1;
         return 1;
      case 'c': c->copy = MT_NO_COPY; return 0;
      case 'f':
         c->copy = MT_NO_COPY;
         mt_error (&c->copy_error, MT_E_CANCELED, "COPY from stdin failed: %.*s", (int) m.n,
                   (const char *) m.p);
         return -1;
      case 'H':
      case 'S': break; /* PostgreSQL ignores Flush and Sync here, too */
      case 'X': c->ended = true; return -1;
      default:
         mt_error (&c->copy_error, MT_E_PROTOCOL,
                   "unexpected message type 0x%02X during COPY from stdin", (uint8_t) type);
         c->copy = MT_NO_COPY;
         return -1;
      }
   }
}

long mt_wire_copy_read (void *ctx, char *buf, size_t n)
{
   MtConnection *c = ctx;
   while (c->copy == MT_COPY_IN && c->copy_at == c->copy_bytes.n) {
      int got = next_data (c);
      if (got <= 0)
         return got;
   }
   if (c->copy != MT_COPY_IN)
      return mt_error_is_set (&c->copy_error) ? -1 : 0;
   size_t left = c->copy_bytes.n - c->copy_at;
   n = n < left ? n : left;
   memcpy (buf, c->copy_bytes.p + c->copy_at, n);
   c->copy_at += n;
   return (long) n;
}

/* ---- data to the client ---- */

static void send_data (MtConnection *c, const char *p, size_t n)
{
   size_t at = mt_message_begin (&c->socket.out, 'd');
   mt_buf_add (&c->socket.out, p, n);
   mt_message_end (&c->socket.out, at);
}

/* Returns the length of the first line with its newline; 0: it is not complete. csv: a newline
 * within quotes does not end it. */
static size_t line_length (const char *p, size_t n, bool csv)
{
   bool quoted = false;
   for (size_t i = 0; i < n; i++) {
      quoted ^= csv && p[i] == '"';
      if (p[i] == '\n' && !quoted)
         return i + 1;
   }
   return 0;
}

/* Returns the length of the first row in binary format; 0: it is not complete. headed: the header
 * was already sent; otherwise it is part of the first row. */
static size_t binary_length (const char *p, size_t n, bool headed)
{
   enum { HEADER_BYTES = 19, END = 0xffff };
   MtNetBytes m = {.p = (const uint8_t *) p, .n = n};
   if (!headed)
      mt_take_bytes (&m, HEADER_BYTES);
   uint16_t fields = mt_take_be16 (&m);
   for (uint16_t i = 0; fields != END && i < fields && !m.bad; i++) {
      uint32_t length = mt_take_be32 (&m);
      if (length != UINT32_MAX)
         mt_take_bytes (&m, length);
   }
   return m.bad ? 0 : m.at;
}

/* Returns the length of the first row in p, in the format of the COPY; 0: it is not complete. */
static size_t row_length (const MtConnection *c, const char *p, size_t n)
{
   if (c->copy_form == MT_COPY_BINARY)
      return binary_length (p, n, c->copy_headed);
   return line_length (p, n, c->copy_form == MT_COPY_CSV);
}

/* Sends each row in a message of its own, which clients that read row by row expect. */
bool mt_wire_copy_write (void *ctx, const char *buf, size_t n)
{
   MtConnection *c = ctx;
   if (c->copy_form == MT_COPY_OTHER) {
      send_data (c, buf, n);
   } else {
      size_t at = 0, row;
      mt_buf_add (&c->copy_bytes, buf, n);
      while ((row = row_length (c, c->copy_bytes.p + at, c->copy_bytes.n - at)) > 0) {
         send_data (c, c->copy_bytes.p + at, row);
         c->copy_headed = true;
         at += row;
      }
      if (at) {
         memmove (c->copy_bytes.p, c->copy_bytes.p + at, c->copy_bytes.n - at);
         c->copy_bytes.n -= at;
      }
   }
   return c->socket.out.n < MT_FLUSH_BYTES || mt_socket_flush (&c->socket);
}

/* ---- the end of a COPY ---- */

bool mt_wire_copy_end (MtConnection *c, bool ok, MtError *err)
{
   if (c->copy == MT_COPY_OUT) {
      if (ok && c->copy_bytes.n)
         send_data (c, c->copy_bytes.p, c->copy_bytes.n);
      if (ok)
         mt_message_empty (&c->socket.out, 'c');
      c->copy = MT_NO_COPY;
   }
   /* A line "\." may end the data before the client's CopyDone message. */
   while (ok && c->copy == MT_COPY_IN && next_data (c) > 0)
      ;
   c->copy = MT_NO_COPY;
   mt_buf_free (&c->copy_bytes);
   if (!mt_error_is_set (&c->copy_error))
      return ok;
   *err = c->copy_error;
   mt_error_clear (&c->copy_error);
   return false;
}
