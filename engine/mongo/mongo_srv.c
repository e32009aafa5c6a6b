/* Clients of the driver's. The driver looks up the servers behind a mongodb+srv name while it
 * makes a client, and waits for the resolver whatever happens. So a thread makes such a client. It
 * is left behind when nobody waits for it any more, and ends by itself. */
#include "engine/mongo/mongo_int.h"
#include "base/memory.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLICE_MS = 50 };

typedef struct Making {
   mongoc_uri_t *uri;
   MtShortage shortage;  /* the session may be gone before the thread */
   pthread_mutex_t lock; /* of what follows */
   pthread_cond_t changed;
   mongoc_client_t *client;
   bson_error_t error;
   bool over, left; /* left: the thread is the last to have this */
} Making;

static atomic_uint left_behind;

static void destroy (Making *k)
{
   if (k->client)
      mongoc_client_destroy (k->client);
   mongoc_uri_destroy (k->uri);
   pthread_cond_destroy (&k->changed);
   pthread_mutex_destroy (&k->lock);
   free (k);
}

static void *make (void *arg)
{
   Making *k = arg;
   bson_error_t error;
   mongoc_client_t *client = mongoc_client_new_from_uri_with_error (k->uri, &error);
   pthread_mutex_lock (&k->lock);
   k->client = client;
   k->error = error;
   k->over = true;
   bool left = k->left;
   pthread_cond_signal (&k->changed);
   pthread_mutex_unlock (&k->lock);
   if (left) {
      destroy (k);
      atomic_fetch_sub (&left_behind, 1);
   }
   return NULL;
}

static bool start (Making *k)
{
   pthread_t thread;
   MT_RECORD_SHORTAGE (&k->shortage);
   bool ok = mt_thread_start (&thread, make, k);
   if (ok)
      pthread_detach (thread);
   return ok;
}

/* Whether it is made, or can't be, before the link's user or connectTimeoutMS ends the wait. */
static bool await (Making *k, MtLink *l)
{
   const char *option = MONGOC_URI_CONNECTTIMEOUTMS;
   int32_t ms = mongoc_uri_get_option_as_int32 (k->uri, option, MT_CONNECT_TIMEOUT_MS);
   int64_t until = mt_now_ms () + ms;
   pthread_mutex_lock (&k->lock);
   while (!k->over && mt_link_goes_on (l) && mt_now_ms () < until)
      mt_cond_wait_until (&k->changed, &k->lock, mt_now_ms () + SLICE_MS);
   bool over = k->over;
   k->left = !over;
   atomic_fetch_add (&left_behind, !over);
   pthread_mutex_unlock (&k->lock);
   return over;
}

static mongoc_client_t *look_up (const mongoc_uri_t *uri, MtLink *l)
{
   Making *k = mt_calloc ("connection", 1, sizeof *k);
   k->uri = mongoc_uri_copy (uri);
   pthread_mutex_init (&k->lock, NULL);
   mt_cond_init (&k->changed);
   bool started = start (k);
   if (started && !await (k, l)) {
      snprintf (l->why, sizeof l->why,
                "could not look up the servers of \"%s\" within connectTimeoutMS",
                mongoc_uri_get_srv_hostname (uri));
      return NULL;
   }
   mongoc_client_t *c = k->client;
   if (!c)
      snprintf (l->why, sizeof l->why, "%s",
                started ? k->error.message : "no thread could be started");
   k->client = NULL;
   destroy (k);
   return c;
}

mongoc_client_t *mt_mongo_client (const mongoc_uri_t *uri, MtLink *l)
{
   bson_error_t e;
   bool named = mongoc_uri_get_srv_hostname (uri) != NULL;
   mongoc_client_t *c = named ? look_up (uri, l) : mongoc_client_new_from_uri_with_error (uri, &e);
   if (!c && !named)
      snprintf (l->why, sizeof l->why, "%s", e.message);
   if (c) {
      mongoc_client_set_error_api (c, MONGOC_ERROR_API_VERSION_2);
      mongoc_client_set_stream_initiator (c, mt_link_stream, l);
   }
   return c;
}

bool mt_srv_over (void) { return atomic_load (&left_behind) == 0; }
