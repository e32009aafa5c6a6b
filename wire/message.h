/* Writes and reads messages of PostgreSQL's protocol.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html */
#ifndef MT_WIRE_MESSAGE_H
#define MT_WIRE_MESSAGE_H

#include "wire/socket.h"
#include "base/network.h"

/* Starts to append a message of this type to b. Returns its offset, for mt_message_end. */
size_t mt_message_begin (MtBuf *b, char type);
/* Ends the message that begins at offset `at`: sets its length. */
void mt_message_end (MtBuf *b, size_t at);
/* Append a message that contains one text, or that is empty. */
void mt_message_text (MtBuf *b, char type, const char *text);
void mt_message_empty (MtBuf *b, char type);

/* Reads a message: its type and its content, which is borrowed until the next read from the socket.
 * Returns false if the connection is lost, or, with m->bad set, if the content would be longer than
 * `most` bytes. */
bool mt_message_read (MtSocket *s, size_t most, char *type, MtNetBytes *m);

#endif
