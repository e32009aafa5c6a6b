/* One client: its socket, its session, its prepared statements and portals. */
#ifndef MT_WIRE_CONNECTION_INT_H
#define MT_WIRE_CONNECTION_INT_H

#include "wire/message.h"
#include "wire/wire.h"
#include "base/memory.h"

#include <pthread.h>

enum {
   MT_KEY_MOST_BYTES = 32,
   MT_FOLLOWED = 13,          /* settings */
   MT_FLUSH_BYTES = 64 << 10, /* rows are sent when so many bytes have come together */
   MT_LOGIN_TIME_MS = 60000,
   MT_FAILED_LOGIN_MS = 1000,     /* how long a wrong password takes to be refused */
   MT_LOGIN_MESSAGE_BYTES = 10000 /* the largest message before a client has logged in */
};

typedef struct MtWireServer MtWireServer;
typedef struct MtWireStatement MtWireStatement; /* extended.c */
typedef struct MtPortalOut MtPortalOut;         /* extended.c */

typedef struct MtConnection {
   MtWireServer *server;
   struct MtConnection *next; /* guarded by the server's mutex */
   char peer[128];            /* the client's address, for the log */
   uint32_t number;           /* its "process id" */
   uint8_t key[MT_KEY_MOST_BYTES];
   size_t key_bytes;
   MtSocket socket;
   MtShortage shortage;
   MtArena *values;    /* of the row that is being sent */
   MtSession *session; /* guarded while it changes */
   bool busy;          /* a statement runs, and can be cancelled; guarded */
   bool closing;       /* the socket is being closed; guarded */
   bool logged_in;
   char *user, *database,
      *settings; /* of the start-up message; settings: name NUL value NUL … NUL */
   bool read_only;
   char *followed[MT_FOLLOWED]; /* values of settings that the client knows; NULL: none */
   bool ended;                  /* the client said goodbye, or the server stops */

   /* the extended protocol */
   MtWireStatement *statements;
   MtPortalOut *portals;
   MtPortalOut *open; /* the portal whose rows are being read; NULL: none */
   bool skips;        /* after an error, messages are skipped until Sync */
   bool pipeline;     /* a transaction that Sync ends */

   /* COPY */
   enum { MT_NO_COPY, MT_COPY_IN, MT_COPY_OUT } copy;
   enum { MT_COPY_OTHER, MT_COPY_LINES, MT_COPY_CSV, MT_COPY_BINARY } copy_form;
   bool copy_headed; /* the header of the binary format was sent */
   MtBuf copy_bytes; /* in: data not read yet, from copy_at; out: the beginning of a row */
   size_t copy_at;
   MtError copy_error; /* the client ended the copy */
} MtConnection;

/* ---- server.c ---- */

const MtListen *mt_wire_options (const MtWireServer *s);
SSL_CTX *mt_wire_tls (const MtWireServer *s);
/* Returns the hash of the server's certificate, for SCRAM-SHA-256-PLUS; n 0: there is no TLS. */
const uint8_t *mt_wire_certificate (const MtWireServer *s, size_t *n);
/* Marks the connection as busy. Returns false if the server stops. */
bool mt_wire_busy (MtConnection *c, bool busy);
void mt_wire_set_session (MtConnection *c, MtSession *s);
/* Cancels the running statement of the connection with this number and key. */
void mt_wire_cancel (MtWireServer *s, uint32_t number, const uint8_t *key, size_t key_bytes);

/* Call it before the socket is closed. */
void mt_wire_closing (MtConnection *c);
/* Frees the connection, and takes it from the server's list. */
void mt_wire_ended (MtConnection *c);

/* ---- login.c ---- */

/* Reads the start-up message, checks who the client is, opens its session and greets it. Returns
 * false if the connection ends. */
bool mt_wire_login (MtConnection *c);

/* ---- serve.c ---- */

/* Serves a connection to its end, and frees it. */
void *mt_wire_serve (void *connection);

/* ---- extended.c ---- */

/* Handles a message of the extended protocol. */
void mt_wire_extended (MtConnection *c, char type, MtNetBytes *m);
/* Ends the pipeline's transaction, and closes the portals that end with it. */
void mt_wire_sync (MtConnection *c);
/* Puts aside the rows of the open portal, so that the session can run another statement. */
bool mt_wire_park (MtConnection *c, MtError *err);
/* Runs DEALLOCATE of a statement that the protocol has prepared: SQL and the protocol have the same
 * names for statements. Returns false if the text is another one. */
bool mt_wire_deallocate (MtConnection *c, const char *sql);
/* Closes all portals, and all statements too. */
void mt_wire_close_portals (MtConnection *c, MtPortalOut *but);
void mt_wire_close_all (MtConnection *c);

/* ---- rows.c ---- */

/* The formats that a client wants for the columns. count 0: text; 1: one for all. */
typedef struct MtFormats {
   const uint16_t *list;
   size_t count;
} MtFormats;
enum { MT_FORMAT_TEXT = 0, MT_FORMAT_BINARY = 1 };

/* Adds RowDescription. */
void mt_wire_describe_rows (MtConnection *c, const MtResult *r, MtFormats formats);
/* Adds the current row of a result as DataRow. */
bool mt_wire_row (MtConnection *c, MtResult *r, MtFormats formats, MtBuf *out, MtError *err);
/* Sends rows until `most` (0: all) were sent. *more is false at the end. */
bool mt_wire_rows (MtConnection *c, MtResult *r, MtFormats formats, uint64_t most, bool *more,
                   MtError *err);
/* Ends a statement whose rows were read: CommandComplete. The faults that CHECK found become a
 * warning. */
void mt_wire_complete (MtConnection *c, const MtResult *r);

/* ---- copy.c ---- */

/* The functions of MtOpenOptions; ctx is the MtConnection. */
bool mt_wire_copy_begin (void *ctx, bool in, size_t columns, const char *format);
long mt_wire_copy_read (void *ctx, char *buf, size_t n);
bool mt_wire_copy_write (void *ctx, const char *buf, size_t n);
/* Ends the copy of a statement that succeeded or failed. Returns false if the client ended it. */
bool mt_wire_copy_end (MtConnection *c, bool ok, MtError *err);

/* ---- report.c ---- */

/* Adds ErrorResponse. sql: the text that err->span counts; NULL: none. */
void mt_wire_error (MtConnection *c, const char *severity, const MtError *err, const char *sql);
/* Adds NoticeResponse; ctx is the MtConnection. */
void mt_wire_notice (void *ctx, const char *severity, const char *message, const char *hint);
/* Adds the new values of settings that clients follow, and ReadyForQuery. Sends everything. */
bool mt_wire_ready (MtConnection *c);
/* Writes a line to the log. c NULL: of the server. */
void mt_wire_log (const MtConnection *c, const char *severity, const char *fmt, ...)
   __attribute__ ((format (printf, 3, 4)));

#endif
