/* The bytes of a connection, as they are or through TLS. */
#ifndef MT_WIRE_SOCKET_H
#define MT_WIRE_SOCKET_H

#include "wire/openssl.h"
#include "base/str.h"

/* One connection. One thread uses it; only mt_socket_stop may be called by another. */
typedef struct MtSocket {
   int fd;
   SSL *tls; /* NULL: plain */
   /* bytes that were received and not read yet: in.p[at] to in.p[in.n] */
   MtBuf in;
   size_t at;
   MtBuf out;           /* bytes to send */
   int64_t deadline_ms; /* of mt_now_ms: reading ends then; 0: never */
   bool lost;           /* the client is gone: reading and writing fail */
   bool late;           /* reading ended by the deadline */
} MtSocket;

/* Takes over a connected socket. */
void mt_socket_init (MtSocket *s, int fd);
/* Sends the bytes of s->out, and closes the socket. */
void mt_socket_close (MtSocket *s);
/* Makes the reads and writes of the thread that uses the socket fail. */
void mt_socket_stop (const MtSocket *s);
/* Begins TLS as the server. No plain bytes may have been received ahead. */
bool mt_socket_tls (MtSocket *s, SSL_CTX *context);

/* Returns n bytes, borrowed until the next call; NULL: the client is gone, the deadline has passed,
 * or memory is exhausted. */
const uint8_t *mt_socket_read (MtSocket *s, size_t n);
/* Waits for the next byte, and returns it without reading it; -1: the client is gone. Bytes that
 * were borrowed are not valid afterwards. */
int mt_socket_next (MtSocket *s);
/* Sends all bytes of s->out. */
bool mt_socket_flush (MtSocket *s);

#endif
