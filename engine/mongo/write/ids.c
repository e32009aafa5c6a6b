/* Generates ObjectIds for the documents that a step inserts. They are consecutive: nine bytes that
 * only this step uses, and a counter. So a rollback can delete a range. */
#include "engine/mongo/write/write.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { LAST_OID = 0xFFFFFF }; /* the greatest number (last three bytes) after one prefix */

static void new_prefix (MtMongo *m)
{
   uint32_t now = (uint32_t) time (NULL);
   for (int i = 0; i < 4; i++)
      m->oid_prefix[i] = (uint8_t) (now >> (24 - 8 * i));
   if (getrandom (m->oid_prefix + 4, 5, 0) != 5) {
      bson_oid_t oid;
      bson_oid_init (&oid, NULL);
      memcpy (m->oid_prefix + 4, oid.bytes + 7, 5);
   }
   m->oid_next = 0;
}

void mt_mongo_forget_prefix (MtMongo *m) { m->oid_next = LAST_OID + 1; }

void mt_mongo_next_id (MtMongo *m, bson_oid_t *oid)
{
   if (m->oid_next > LAST_OID)
      new_prefix (m);
   memcpy (oid->bytes, m->oid_prefix, sizeof m->oid_prefix);
   for (int i = 0; i < 3; i++)
      oid->bytes[9 + i] = (uint8_t) (m->oid_next >> (16 - 8 * i));
   m->oid_next++;
}

void mt_mongo_new_id (MtMongo *m, const char *collection, bson_oid_t *oid)
{
   mt_mongo_next_id (m, oid);
   mt_mongo_remember_oid (m, collection, oid);
}
