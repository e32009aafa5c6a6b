/* Writing and reading messages of PostgreSQL's protocol.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html */
#ifndef MT_WIRE_MESSAGE_H
#define MT_WIRE_MESSAGE_H

#include "wire/socket.h"
#include "base/network.h"

/* Begins a message of this type. Returns its place, for mt_message_end. */
size_t mt_message_begin (MtBuf *b, char type);
/* Ends the message: sets its length. */
void mt_message_end (MtBuf *b, size_t at);
/* Adds a message with one text, or without content. */
void mt_message_text (MtBuf *b, char type, const char *text);
void mt_message_empty (MtBuf *b, char type);

/* Reads a message: its type, and its content, borrowed until the next read of the socket. Returns
 * false if the client is gone, or with m->bad if the content would be longer than `most` bytes. */
bool mt_message_read (MtSocket *s, size_t most, char *type, MtNetBytes *m);

#endif
