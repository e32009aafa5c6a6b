/* The engine on a server, through libmongoc. Private to engine/mongo, the only folder that includes it. */
#ifndef MT_MONGO_INT_H
#define MT_MONGO_INT_H

#include "engine/engine_int.h"

#include <mongoc/mongoc.h>

#define MT_E_SERVER "58000" /* system_error: what a server says that has no code of its own here */

/* Documents on their way to one collection. */
typedef struct MtMongoBatch {
   struct MtMongoBatch *next;
   char *name;
   mongoc_collection_t *coll;
   mongoc_bulk_operation_t *bulk; /* NULL: nothing is waiting */
   size_t count, bytes;
   bson_t *ids;                   /* of the documents waiting, null where the step gave them; NULL with bulk */
} MtMongoBatch;

typedef enum MtUndoKind {
   MT_UNDO_OID_RANGE,  /* delete what has an ObjectId from `from` to `to` */
   MT_UNDO_IDS,        /* delete the _ids in `doc` */
   MT_UNDO_RESTORE,    /* put `doc` back */
   MT_UNDO_CREATE      /* drop the collection */
} MtUndoKind;

/* What a rollback has to do, newest first. */
typedef struct MtUndo {
   MtUndoKind kind;
   struct MtUndo *next;
   char *name;        /* of the collection */
   bson_oid_t from, to;
   bson_t *doc;
   uint32_t count;    /* of _ids in doc */
} MtUndo;

typedef struct MtMongo {
   MtEngine base;
   mongoc_client_t *client;
   mongoc_database_t *db;
   MtMongoBatch *batches;
   MtUndo *undo;
   size_t undo_bytes;
   bool undo_incomplete; /* more was written than can be remembered */
   char **drops;         /* names of collections to drop at commit */
   size_t drop_count;
   uint8_t oid_prefix[9]; /* of the _ids given in this step: the time and five random bytes */
   uint32_t oid_next;     /* the last three */
} MtMongo;

/* ---- mongo_error.c ---- */

/* Sets *err from the driver's error and returns false. writing: a connection lost leaves the outcome open (08007). */
bool mt_mongo_error (const bson_error_t *e, bool writing, MtError *err);

/* ---- mongo.c ---- */

bool mt_mongo_find (MtMongo *m, const char *collection, MtVal id, bson_t **doc, MtError *err); /* owned by the caller; NULL: none */

/* ---- mongo_write.c ---- */

bool mt_mongo_flush (MtMongo *m, MtError *err); /* sends what is waiting */
void mt_mongo_write_fini (MtMongo *m);
bool mt_mongo_begin (MtEngine *e, MtError *err);
bool mt_mongo_commit (MtEngine *e, MtError *err);
void mt_mongo_rollback (MtEngine *e);
bool mt_mongo_create (MtEngine *e, const char *name, MtError *err);
bool mt_mongo_drop (MtEngine *e, const char *name, MtError *err);
bool mt_mongo_insert (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids, MtError *err);
bool mt_mongo_replace (MtEngine *e, const char *collection, const bson_t *doc, MtError *err);
bool mt_mongo_delete_id (MtEngine *e, const char *collection, MtVal id, bool *deleted, MtError *err);
bool mt_mongo_create_index (MtEngine *e, const char *collection, const char *const *paths, size_t count, MtError *err);

#endif
