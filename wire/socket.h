/* Reads and writes the bytes of a connection, with or without TLS. */
#ifndef MT_WIRE_SOCKET_H
#define MT_WIRE_SOCKET_H

#include "wire/openssl.h"
#include "base/str.h"

/* A socket. Only the thread of its connection may use it; other threads may only call
 * mt_socket_stop. */
typedef struct MtSocket {
   int fd;
   SSL *tls; /* NULL: plain */
   /* bytes that were received, but not read yet: in.p[at] to in.p[in.n] (exclusive) */
   MtBuf in;
   size_t at;
   MtBuf out;           /* bytes to send */
   int64_t deadline_ms; /* of mt_now_ms: reading ends then; 0: never */
   bool lost;           /* the client is gone: reading and writing fail */
   bool late;           /* the deadline ended the reading */
} MtSocket;

/* Initializes s with a connected socket, which s then owns. */
void mt_socket_init (MtSocket *s, int fd);
/* Sends the bytes of s->out, and closes the socket. */
void mt_socket_close (MtSocket *s);
/* Makes all reads and writes of the thread that uses the socket fail, now and later. */
void mt_socket_stop (const MtSocket *s);
/* Starts TLS as the server. No bytes without TLS may have been received beyond the request for
 * it. */
bool mt_socket_tls (MtSocket *s, SSL_CTX *context);

/* Returns the next n bytes, borrowed until the next call. NULL: the connection is lost, the
 * deadline has passed, or memory is exhausted. */
const uint8_t *mt_socket_read (MtSocket *s, size_t n);
/* Waits for the next byte, and returns it without consuming it; -1: the connection is lost.
 * Borrowed bytes are not valid afterwards. */
int mt_socket_next (MtSocket *s);
/* Sends all bytes of s->out. Returns false if the connection is lost. */
bool mt_socket_flush (MtSocket *s);

#endif
