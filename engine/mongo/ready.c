/* Prepares the connection before each use: waits for background work, and connects again if
 * needed. */
#include "engine/mongo/mongo_int.h"

bool mt_mongo_ready (MtMongo *m, MtError *err)
{
   return mt_mongo_settle (m, err) && mt_mongo_connected (m, err) && mt_mongo_meet_undo (m, err);
}

bool mt_mongo_can_gather (MtMongo *m, MtError *err)
{
   return mt_mongo_is_sending (m) || mt_mongo_ready (m, err);
}
