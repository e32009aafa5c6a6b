/* Private to wire: the connection of a client, with its socket, session, prepared statements and
 * portals. */
#ifndef MT_WIRE_CONNECTION_INT_H
#define MT_WIRE_CONNECTION_INT_H

#include "wire/message.h"
#include "wire/wire.h"
#include "base/memory.h"

#include <pthread.h>

enum {
   MT_KEY_MOST_BYTES = 32,
   MT_FOLLOWED = 13,          /* the number of settings whose changes are sent to the client */
   MT_FLUSH_BYTES = 64 << 10, /* buffered rows are sent at this size */
   MT_LOGIN_TIME_MS = 60000,
   MT_FAILED_LOGIN_MS = 1000,     /* the delay after a wrong password */
   MT_LOGIN_MESSAGE_BYTES = 10000 /* the largest message before a client has logged in */
};

typedef struct MtWireServer MtWireServer;
typedef struct MtWireStatement MtWireStatement; /* defined in extended.c */
typedef struct MtPortalOut MtPortalOut;         /* defined in extended.c */

typedef struct MtConnection {
   MtWireServer *server;
   struct MtConnection *next; /* guarded by the server's mutex */
   char peer[128];            /* for the log: the client's address */
   uint32_t number;           /* PostgreSQL's process ID, used in cancel requests */
   uint8_t key[MT_KEY_MOST_BYTES];
   size_t key_bytes;
   MtSocket socket;
   MtShortage shortage;
   MtArena *values;    /* values of the row that is being sent */
   MtSession *session; /* changed only under the server's mutex */
   bool busy;          /* a statement runs and can be cancelled; under the server's mutex */
   bool closing;       /* the socket is being closed; under the server's mutex */
   bool admitted;      /* it counts as one of max_connections; under the server's mutex */
   bool displaced;     /* others took its place before it had logged in; under the server's mutex */
   int64_t began_ms;   /* of mt_now_ms: when it was accepted */
   bool logged_in;
   char *user, *database,
      *settings; /* from the start-up message; settings: name NUL value NUL … NUL */
   bool read_only;
   char *followed[MT_FOLLOWED]; /* settings as the client has them; NULL: not sent */
   bool ended;                  /* the client said goodbye, or the server stops */

   /* for the extended query protocol */
   MtWireStatement *statements;
   MtPortalOut *portals;
   MtPortalOut *open; /* the portal whose rows are being read; NULL: none */
   bool skips;        /* skip messages until Sync, because an error occurred */
   bool pipeline;     /* a transaction was begun that Sync will end */

   /* for COPY */
   enum { MT_NO_COPY, MT_COPY_IN, MT_COPY_OUT } copy;
   enum { MT_COPY_OTHER, MT_COPY_LINES, MT_COPY_CSV, MT_COPY_BINARY } copy_form;
   bool copy_headed; /* the header of COPY's binary format was sent */
   MtBuf copy_bytes; /* in: data not read yet, from copy_at; out: the beginning of a row */
   size_t copy_at;
   MtError copy_error; /* set if the client ended the COPY with an error */
} MtConnection;

/* ---- server.c ---- */

const MtListen *mt_wire_options (const MtWireServer *s);
SSL_CTX *mt_wire_tls (const MtWireServer *s);
/* Returns the hash of the server's certificate, for SCRAM-SHA-256-PLUS, and its size in *n. NULL:
 * the server has no TLS. */
const uint8_t *mt_wire_certificate (const MtWireServer *s, size_t *n);
/* Marks the connection as busy or idle. Returns false if the server is stopping. */
bool mt_wire_busy (MtConnection *c, bool busy);
void mt_wire_set_session (MtConnection *c, MtSession *s);
/* Cancels the running statement of the connection with this number, if `key` is its cancel key. */
void mt_wire_cancel (MtWireServer *s, uint32_t number, const uint8_t *key, size_t key_bytes);

/* Counts the connection as one of max_connections, once its password was right. Returns false if
 * there are too many. */
bool mt_wire_admit (MtConnection *c);
/* Returns whether others took the connection's place before it had logged in. */
bool mt_wire_displaced (MtConnection *c);
/* Marks that the socket is about to be closed. Call it before it is closed. */
void mt_wire_closing (MtConnection *c);
/* Removes the connection from the server's list, and frees it. */
void mt_wire_ended (MtConnection *c);

/* ---- login.c ---- */

/* Reads the start-up message, authenticates the client, opens its session and greets it. Returns
 * false if the connection must end. */
bool mt_wire_login (MtConnection *c);

/* ---- serve.c ---- */

/* Serves a connection until it ends, and frees it. The main function of the connection's thread. */
void *mt_wire_serve (void *connection);

/* ---- extended.c ---- */

/* Handles a message of the extended query protocol. */
void mt_wire_extended (MtConnection *c, char type, MtNetBytes *m);
/* Handles Sync: ends the transaction of the messages since the last Sync, and closes the portals
 * that end with it. */
void mt_wire_sync (MtConnection *c);
/* Writes the remaining rows of the open portal to a temporary file, so that the session can run
 * another statement. */
bool mt_wire_park (MtConnection *c, MtError *err);
/* If `sql` is DEALLOCATE of a statement that was prepared with a Parse message, runs it. (SQL and
 * the protocol use the same names for statements.) Returns false if it is another statement. */
bool mt_wire_deallocate (MtConnection *c, const char *sql);
/* The first closes all portals except `but`; the second closes all portals and prepared
 * statements. */
void mt_wire_close_portals (MtConnection *c, MtPortalOut *but);
void mt_wire_close_all (MtConnection *c);

/* ---- rows.c ---- */

/* The formats (text or binary) that a client wants for the columns. count 0: text for all; 1:
 * list[0] is for all. */
typedef struct MtFormats {
   const uint16_t *list;
   size_t count;
} MtFormats;
enum { MT_FORMAT_TEXT = 0, MT_FORMAT_BINARY = 1 };

/* Appends a RowDescription message for the columns of a result. */
void mt_wire_describe_rows (MtConnection *c, const MtResult *r, MtFormats formats);
/* Appends the current row of a result to `out` as a DataRow message. */
bool mt_wire_row (MtConnection *c, MtResult *r, MtFormats formats, MtBuf *out, MtError *err);
/* Sends the next rows of a result, at most `most` (0: all). *more is false if there are no further
 * rows. */
bool mt_wire_rows (MtConnection *c, MtResult *r, MtFormats formats, uint64_t most, bool *more,
                   MtError *err);
/* Ends a statement after its rows were sent: appends CommandComplete. If the statement is a CHECK
 * that found faults, also sends a warning. */
void mt_wire_complete (MtConnection *c, const MtResult *r);

/* ---- copy.c ---- */

/* Callbacks of the session (MtOpenOptions) for COPY from and to the client; ctx is the
 * MtConnection. */
bool mt_wire_copy_begin (void *ctx, bool in, size_t columns, const char *format);
long mt_wire_copy_read (void *ctx, char *buf, size_t n);
bool mt_wire_copy_write (void *ctx, const char *buf, size_t n);
/* Ends the COPY of a statement that succeeded (ok) or failed. Returns false with an error if the
 * client ended the COPY with an error. */
bool mt_wire_copy_end (MtConnection *c, bool ok, MtError *err);

/* ---- report.c ---- */

/* Appends an ErrorResponse message. sql: the statement to which err->span refers; NULL: none. */
void mt_wire_error (MtConnection *c, const char *severity, const MtError *err, const char *sql);
/* Sends a notice of the session as a NoticeResponse message; ctx is the MtConnection. */
void mt_wire_notice (void *ctx, const char *severity, const char *message, const char *hint);
/* Appends the changed values of settings that clients are informed of, and ReadyForQuery. Then
 * sends all messages. */
bool mt_wire_ready (MtConnection *c);
/* Writes a line about a connection to the log; c NULL: about the server. */
void mt_wire_log (const MtConnection *c, const char *severity, const char *fmt, ...)
   __attribute__ ((format (printf, 3, 4)));

#endif
