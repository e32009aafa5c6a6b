/* Messages of PostgreSQL's protocol: numbers are big-endian, texts end with a NUL.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html */
#ifndef MT_WIRE_MESSAGE_H
#define MT_WIRE_MESSAGE_H

#include "wire/socket.h"

#include <endian.h>

/* ---- writing ---- */

static inline void mt_put_be16 (MtBuf *b, uint16_t v)
{
   v = htobe16 (v);
   mt_buf_put (b, &v, sizeof v);
}
static inline void mt_put_be32 (MtBuf *b, uint32_t v)
{
   v = htobe32 (v);
   mt_buf_put (b, &v, sizeof v);
}
static inline void mt_put_be64 (MtBuf *b, uint64_t v)
{
   v = htobe64 (v);
   mt_buf_put (b, &v, sizeof v);
}
/* Adds a text with its NUL. */
static inline void mt_put_text (MtBuf *b, const char *s) { mt_buf_put (b, s, strlen (s) + 1); }

/* Replaces four bytes at `at` by the number. */
static inline void mt_set_be32 (MtBuf *b, size_t at, uint32_t v)
{
   v = htobe32 (v);
   if (at + sizeof v <= b->n)
      memcpy (b->p + at, &v, sizeof v);
}

/* Begins a message of this type. Returns its place, for mt_message_end. */
size_t mt_message_begin (MtBuf *b, char type);
/* Ends the message: sets its length. */
void mt_message_end (MtBuf *b, size_t at);
/* Adds a message with one text, or without content. */
void mt_message_text (MtBuf *b, char type, const char *text);
void mt_message_empty (MtBuf *b, char type);

/* ---- reading ---- */

/* A message that was received, borrowed until the next read of the socket. Reads behind its end
 * give 0 or NULL, and set `bad`. */
typedef struct MtMessage {
   char type;
   const uint8_t *p;
   size_t n, at;
   bool bad;
} MtMessage;

uint16_t mt_take_be16 (MtMessage *m);
uint32_t mt_take_be32 (MtMessage *m);
/* Returns n bytes. */
const uint8_t *mt_take_bytes (MtMessage *m, size_t n);
/* Returns a text that ends with a NUL. */
const char *mt_take_text (MtMessage *m);
/* Returns whether the message was read exactly to its end. */
bool mt_message_done (const MtMessage *m);

#endif
