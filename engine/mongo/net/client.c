/* Creates clients of the driver. For a mongodb+srv name the driver looks up the servers' names at
 * once, which can't be interrupted. So such a client is created in a background job. */
#include "engine/mongo/net/job.h"
#include "engine/mongo/net/net.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Making {
   MtJob job;
   mongoc_uri_t *uri;
   mongoc_client_t *client; /* the new client; NULL: `error` has the reason */
   bson_error_t error;
} Making;

static void run_making (MtJob *j)
{
   Making *k = (Making *) j;
   k->client = mongoc_client_new_from_uri_with_error (k->uri, &k->error);
}

static void free_making (MtJob *j)
{
   Making *k = (Making *) j;
   if (k->client)
      mongoc_client_destroy (k->client);
   mongoc_uri_destroy (k->uri);
   free (k);
}

static const MtJobKind making_kind = {.run = run_making, .free = free_making, .uses_driver = true};

typedef struct Wait {
   MtLink *link;
   int64_t until_ms;
} Wait;

static bool waits (void *ctx)
{
   const Wait *w = ctx;
   return mt_link_goes_on (w->link) && mt_now_ms () < w->until_ms;
}

/* Creates a client in a background job, and waits for it until a cancel or connectTimeoutMS.
 * Returns NULL if the wait ended or the job failed. */
static mongoc_client_t *look_up (const mongoc_uri_t *uri, MtLink *l)
{
   int32_t ms = mongoc_uri_get_option_as_int32 (uri, MONGOC_URI_CONNECTTIMEOUTMS,
                                                MT_CONNECT_TIMEOUT_MS);
   Wait wait = {l, mt_now_ms () + ms};
   Making *k = mt_calloc ("connection", 1, sizeof *k);
   mongoc_client_t *c = NULL;
   mt_job_init (&k->job, &making_kind);
   k->uri = mongoc_uri_copy (uri);
   if (!mt_job_start (&k->job))
      snprintf (l->why, sizeof l->why, "no thread could be started");
   else if (!mt_job_wait (&k->job, waits, &wait))
      snprintf (l->why, sizeof l->why,
                "could not look up the servers of \"%s\" within connectTimeoutMS",
                mongoc_uri_get_srv_hostname (uri));
   else if (!k->client)
      snprintf (l->why, sizeof l->why, "%s", k->error.message);
   else {
      c = k->client;
      k->client = NULL;
   }
   mt_job_unref (&k->job);
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
