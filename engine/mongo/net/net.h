/* The network streams that libmongoc uses: a cancel ends their waits, and answers are checked. */
#ifndef MT_MONGO_NET_H
#define MT_MONGO_NET_H

#include "base/cancel.h"
#include "engine/mongo/net/driver.h"

/* How long a clean-up that nobody waits for waits for a silent server. */
enum { MT_SILENCE_MS = 30000 };
enum { MT_CONNECT_TIMEOUT_MS = 5000 }; /* the default of the URI's connectTimeoutMS */

/* Sockets over which a request was sent whole, and whose answer did not arrive before the link was
 * given up. The server may still carry out the request, so the sockets stay open: an answer on one
 * of them says that this request is over. */
typedef struct MtUnanswered {
   int fd[4]; /* owned */
   int count;
} MtUnanswered;

/* A link: the state that all sockets of one connection share. To give up a link makes all its
 * operations fail. */
typedef struct MtLink {
   const MtCancel *cancel; /* borrowed, or NULL */
   bool masked; /* a clean-up runs, so only a second cancel (MtCancel.insisted) ends the wait */
   int64_t limit_ms; /* time (CLOCK_MONOTONIC) at which the link is given up; 0: no limit */
   /* If *alone is true, nobody waits for this connection, so it is given up after MT_SILENCE_MS
    * without an answer. NULL: somebody waits. */
   const atomic_bool *alone;
   bool asked;         /* the server was asked to stop this statement */
   int64_t give_up_ms; /* if `asked`: the time at which the link is given up */
   bool given_up;      /* every operation over the link fails from now on */
   /* 1 + the number (MtCancel.statement) of the statement whose cancel gave up the link. 0: no
    * cancel did. */
   uint64_t canceled;
   bool connected;          /* at least one socket was connected */
   mongoc_host_list_t host; /* the server to which the link last wrote */
   char why[512]; /* reason of the last failure of a connect or a socket; "": none failed */
   void (*on_cancel) (void *ctx); /* asks the server to stop; NULL: there is no way to ask */
   /* Returns whether the link sends what may have to be undone, so that its sockets go into
    * `unanswered`. NULL: it doesn't. */
   bool (*writes) (void *ctx);
   void *ctx; /* of on_cancel and `writes` */
   MtUnanswered unanswered;
} MtLink;

/* Returns whether a wait for the link's server may go on. Asks the server to stop when the
 * statement is cancelled, and gives up the link when the server does not answer in time. */
bool mt_link_goes_on (MtLink *l);

/* Adds a socket, and takes it over; closes the socket if the list is full. */
void mt_unanswered_add (MtUnanswered *u, int fd);
/* Moves all sockets from one list to another. */
void mt_unanswered_move (MtUnanswered *from, MtUnanswered *to);
/* Closes the sockets that have an answer or are at their end. Returns whether none remains. */
bool mt_unanswered_over (MtUnanswered *u);
/* Closes all sockets, and empties the list. */
void mt_unanswered_close (MtUnanswered *u);

/* Connects to one server, and returns a stream, owned by the caller. It is the callback
 * mongoc_stream_initiator_t of the driver; ctx is the MtLink. */
mongoc_stream_t *mt_link_stream (const mongoc_uri_t *uri, const mongoc_host_list_t *host, void *ctx,
                                 bson_error_t *error);

/* Returns a stream that reads from `below`, and passes only well-formed answers to the driver. The
 * stream owns `below`. */
mongoc_stream_t *mt_link_frame (MtLink *l, mongoc_stream_t *below);

/* Returns whether the field "cursor" of an answer is safe for the driver. If there are more
 * batches, the cursor must name its collection, or else the driver aborts the process. */
bool mt_mongo_cursor_has_namespace (const bson_iter_t *cursor);

/* Makes a client whose connections use the link. NULL: a cancel ended the wait, or MtLink.why has
 * the reason. Owned by the caller. */
mongoc_client_t *mt_mongo_client (const mongoc_uri_t *uri, MtLink *l);

#endif
