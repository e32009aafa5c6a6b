/* The driver's way to the network: sockets that a cancel ends, and answers that are checked. */
#ifndef MT_MONGO_NET_H
#define MT_MONGO_NET_H

#include "base/cancel.h"

#include <mongoc/mongoc.h>

enum { MT_SILENCE_MS = 30000 };        /* of a server during a clean-up that nobody waits for */
enum { MT_CONNECT_TIMEOUT_MS = 5000 }; /* unless the URI says connectTimeoutMS */

/* The sockets of one connection share a link. */
typedef struct MtLink {
   const MtCancel *cancel; /* borrowed, or NULL */
   bool masked;            /* during a clean-up: only `insisted` ends the wait */
   int64_t limit_ms;       /* on CLOCK_MONOTONIC: the link is given up then; 0: no limit */
   /* Once set, the link is given up after MT_SILENCE_MS without an answer. NULL: never set. */
   const atomic_bool *alone;
   bool asked;         /* the server was asked to stop this statement */
   int64_t give_up_ms; /* once `asked`: the link is given up at this time */
   bool given_up;      /* every operation over the link fails from now on */
   /* 1 + the number of the statement (MtCancel.statement) whose cancel gave up the link. 0: none
    * did. */
   uint64_t canceled;
   bool connected;          /* one stream at least was made */
   mongoc_host_list_t host; /* the server that was written to last */
   char why[512];           /* why the last attempt to connect, or a socket, failed; "": none did */
   void (*on_cancel) (void *ctx); /* asks the server to stop; NULL: there is no way to ask */
   void *ctx;
} MtLink;

/* Whether a wait for the link's server may go on. Asks the server to stop when the statement is
 * cancelled, and gives up the link when the server does not answer in time. */
bool mt_link_goes_on (MtLink *l);

/* Connects to one server: a mongoc_stream_initiator_t, whose ctx is the MtLink. Owned by the
 * caller. */
mongoc_stream_t *mt_link_stream (const mongoc_uri_t *uri, const mongoc_host_list_t *host, void *ctx,
                                 bson_error_t *error);

/* Returns a stream that passes on only well-formed answers. It owns `below`. */
mongoc_stream_t *mt_link_frame (MtLink *l, mongoc_stream_t *below);

/* Whether an answer's field "cursor" names its collection, if there are further batches. The driver
 * aborts the process otherwise. */
bool mt_mongo_cursor_has_namespace (const bson_iter_t *cursor);

/* Makes a client whose connections use the link. NULL: the wait was ended, or link->why has the
 * reason. Owned by the caller. */
mongoc_client_t *mt_mongo_client (const mongoc_uri_t *uri, MtLink *l);

#endif
