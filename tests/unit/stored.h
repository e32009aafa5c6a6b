/* What documents of a store hold. For tests with one file each: everything is static. */
#ifndef TEST_STORED_H
#define TEST_STORED_H

#include "engine/local/store/store.h"
#include "tests/unit/calls.h"

static int64_t field_of (const uint8_t *doc, size_t len, const char *name)
{
   bson_t b;
   bson_iter_t it;
   assert_true (bson_init_static (&b, doc, len));
   assert_true (bson_iter_init_find (&it, &b, name));
   return bson_iter_as_int64 (&it);
}

/* A field of the document with this _id; `otherwise`: there is none. */
static int64_t find_field (MtStore *s, const char *coll, int64_t id, const char *name,
                           int64_t otherwise)
{
   MtArena *a = mt_arena_new ("find", NULL);
   MtVal doc;
   OK (mt_store_find (s, coll, mt_v_int64 (id), a, &doc, &err));
   int64_t v = doc.type == MT_DOC ? field_of (doc.p, doc.len, name) : otherwise;
   mt_arena_free (a);
   return v;
}

#endif
