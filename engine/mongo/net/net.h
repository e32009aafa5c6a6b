/* The network streams below libmongoc: a cancel interrupts their waits, and replies are checked. */
#ifndef MT_MONGO_NET_H
#define MT_MONGO_NET_H

#include "base/cancel.h"
#include "engine/mongo/net/driver.h"

/* For how long a clean-up in the background waits for a server that sends nothing. */
enum { MT_SILENCE_MS = 30000 };
enum { MT_CONNECT_TIMEOUT_MS = 5000 }; /* the default of the URI's connectTimeoutMS */

/* Sockets whose link was given up while a complete request had no reply yet. The server may still
 * execute the request. So the sockets stay open: when a reply arrives, the request is over. */
typedef struct MtUnanswered {
   int fd[4]; /* owned */
   int count;
} MtUnanswered;

/* A link: the state that all sockets of one connection share. When a link is given up, all its
 * operations fail. */
typedef struct MtLink {
   const MtCancel *cancel; /* borrowed, or NULL */
   bool masked; /* a clean-up runs, so only a second cancel (MtCancel.insisted) ends the wait */
   int64_t limit_ms; /* time (CLOCK_MONOTONIC) at which the link is given up; 0: no limit */
   /* If *alone is true, nobody waits for this connection, so the link is given up after
    * MT_SILENCE_MS without a reply. NULL: somebody always waits. */
   const atomic_bool *alone;
   bool asked;         /* the server was asked to stop this statement */
   int64_t give_up_ms; /* if `asked`: the time at which the link is given up */
   bool given_up;      /* every operation over the link fails from now on */
   /* 1 + the number (MtCancel.statement) of the statement whose cancellation gave up the link. 0:
    * none. */
   uint64_t canceled;
   bool connected;          /* at least one socket was connected */
   mongoc_host_list_t host; /* the server to which the link last wrote */
   char why[512]; /* reason of the last failure of a connect or a socket; "": none failed */
   void (*on_cancel) (void *ctx); /* asks the server to stop; NULL: there is no way to ask */
   /* Callback: returns whether the link is sending writes that a rollback may have to undo. Then
    * its sockets are kept in `unanswered` when the link is given up. NULL: never. */
   bool (*writes) (void *ctx);
   void *ctx; /* of on_cancel and `writes` */
   MtUnanswered unanswered;
} MtLink;

/* Called during each wait for the server: returns whether the wait may go on. If the statement is
 * cancelled, first asks the server to stop the statement, and gives up the link if the server does
 * not reply in time. */
bool mt_link_goes_on (MtLink *l);

/* Adds a socket to the list, which then owns it. Closes it if the list is full. */
void mt_unanswered_add (MtUnanswered *u, int fd);
/* Moves all sockets from one list to another. */
void mt_unanswered_move (MtUnanswered *from, MtUnanswered *to);
/* Closes the sockets on which a reply has arrived or that the server has closed. Returns whether
 * the list is empty now. */
bool mt_unanswered_over (MtUnanswered *u);
/* Closes all sockets, and empties the list. */
void mt_unanswered_close (MtUnanswered *u);

/* Connects to one server, and returns a stream, which the caller owns. It is the driver's callback
 * mongoc_stream_initiator_t; ctx is the MtLink. */
mongoc_stream_t *mt_link_stream (const mongoc_uri_t *uri, const mongoc_host_list_t *host, void *ctx,
                                 bson_error_t *error);

/* Returns a stream that reads from `below`, and passes only well-formed messages to the driver. It
 * owns `below`. */
mongoc_stream_t *mt_link_frame (MtLink *l, mongoc_stream_t *below);

/* Returns whether the field "cursor" of a reply is safe for the driver: if there are more batches,
 * it must name its collection. Otherwise the driver aborts the process. */
bool mt_mongo_cursor_has_namespace (const bson_iter_t *cursor);

/* Creates a client whose connections use the link. The caller owns it. NULL: a cancel ended the
 * wait, or MtLink.why has the reason. */
mongoc_client_t *mt_mongo_client (const mongoc_uri_t *uri, MtLink *l);

#endif
