/* Names of MongoDB's stages, operators and variables that local pipelines do not support. */
#include "engine/local/expr/expr.h"

#define STATE 115, "it reads the state of a server", "Run the pipeline on a server."
#define SEARCH 31082, "it needs a search index of a server", "Run the pipeline on a server."
#define TEXT 27, "it needs a text index of a server", "Use $regex."
#define SCRIPT 31264, "mtsql runs no JavaScript", "Use operators of expressions."
#define PLACES 115, "mtsql has no operators for places", "Run the pipeline on a server."
#define HASHED 115, "it is the hash of a server's index", "Run the pipeline on a server."

static const struct {
   const char *name;
   int32_t code; /* the error code of a MongoDB server that lacks the feature */
   const char *reason, *hint;
} refused[] = {
   {"$function", SCRIPT},
   {"$where", SCRIPT},
   {"$accumulator", SCRIPT},
   {"$collStats", STATE},
   {"$indexStats", STATE},
   {"$planCacheStats", STATE},
   {"$currentOp", STATE},
   {"$listSessions", STATE},
   {"$listLocalSessions", STATE},
   {"$listSampledQueries", STATE},
   {"$listSearchIndexes", STATE},
   {"$listClusterCatalog", STATE},
   {"$querySettings", STATE},
   {"$queryStats", STATE},
   {"$shardedDataDistribution", STATE},
   {"$changeStream", STATE},
   {"$changeStreamSplitLargeEvent", STATE},
   {"$$CLUSTER_TIME", STATE},
   {"$$USER_ROLES", STATE},
   {"$search", SEARCH},
   {"$searchMeta", SEARCH},
   {"$vectorSearch", SEARCH},
   {"$rankFusion", SEARCH},
   {"$scoreFusion", SEARCH},
   {"$score", SEARCH},
   {"$$SEARCH_META", SEARCH},
   {"$text", TEXT},
   {"$meta", TEXT},
   {"$geoNear", PLACES},
   {"$geoIntersects", PLACES},
   {"$geoWithin", PLACES},
   {"$near", PLACES},
   {"$nearSphere", PLACES},
   {"$toHashedIndexKey", HASHED},
};

bool mt_refused (MtCompile *c, const char *name)
{
   for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
      if (strcmp (refused[i].name, name) == 0) {
         mt_error_coded (c->err, MT_E_FEATURE, refused[i].code, "%s is not supported: %s", name,
                         refused[i].reason);
         mt_error_hint (c->err, "%s", refused[i].hint);
         return true;
      }
   return false;
}
