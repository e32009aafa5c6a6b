/* Batches: documents that wait to be sent, one batch for each collection. A batch has objects of
 * the driver that belong to the connection, so it is freed with the connection. */
#include "engine/mongo/conn/conn.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A batch with this many documents or bytes is sent. 1,000 documents as in mongoimport and
 * mongorestore; with 10,000, SecantusDB is slower by a quarter. */
#define BATCH_DOCUMENTS 1000u
#define BATCH_BYTES (8u << 20)

MtMongoBatch *mt_mongo_batch (MtMongo *m, const char *name, bool increments)
{
   MtMongoBatch *b = m->batches;
   while (b && (b->increments != increments || strcmp (b->name, name) != 0))
      b = b->next;
   if (b)
      return b;
   b = mt_calloc ("connection", 1, sizeof *b);
   b->name = bson_strdup (name);
   b->increments = increments;
   b->coll = mongoc_database_get_collection (m->conn->db, name);
   b->next = m->batches;
   m->batches = b;
   return b;
}

bool mt_mongo_batch_full (const MtMongoBatch *b)
{
   return b->count >= BATCH_DOCUMENTS || b->bytes >= BATCH_BYTES;
}

void mt_batch_clear (MtMongoBatch *b)
{
   if (b->ids)
      bson_destroy (b->ids);
   mt_buf_free (&b->docs);
   b->ids = NULL;
   b->count = b->bytes = 0;
}

void mt_mongo_forget_sent (MtMongo *m)
{
   while (m->sent) {
      MtMongoBatch *b = m->sent;
      m->sent = b->next;
      bson_destroy (b->ids);
      mt_buf_free (&b->docs);
      mongoc_collection_destroy (b->coll);
      bson_free (b->name);
      bson_free (b);
   }
}

void mt_mongo_discard (MtMongo *m)
{
   for (MtMongoBatch *b = m->batches; b; b = b->next)
      if (b->ids)
         mt_batch_clear (b);
   mt_mongo_forget_sent (m);
}

void mt_mongo_forget_handles (MtMongo *m)
{
   mt_mongo_discard (m);
   while (m->batches) {
      MtMongoBatch *b = m->batches;
      m->batches = b->next;
      mongoc_collection_destroy (b->coll);
      bson_free (b->name);
      free (b);
   }
}
