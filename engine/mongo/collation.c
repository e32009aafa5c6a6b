/* Collections with their own collation, by which the server compares texts. SQL compares texts as
 * bytes, so reads of such a collection override the collation. mtsql does not write to such a
 * collection, because an update of _id "a" would find "A". */
#include "engine/mongo/mongo_int.h"

#include <string.h>

/* Returns whether a collection has its own collation. `collection` is an element of the reply to
 * listCollections. */
static bool has_its_own (MtVal collection)
{
   MtVal rules = mt_doc_field (mt_doc_field (collection, "options"), "collation");
   return rules.type == MT_DOC && !mt_v_is_text (mt_doc_field (rules, "locale"), "simple");
}

bool mt_mongo_look_up (MtMongo *m, const char *name, bool *has, MtError *err)
{
   bson_t opts;
   bson_error_t error;
   const bson_t *doc;
   MtBuf collated = {0};
   *has = false;
   mt_mongo_plain_opts (m, &opts);
   /* One command finds the named collection and all collections with a collation. */
   mt_doc_printf (&opts, "filter: {$or: [{name: %s}, {options.collation: {$exists: true}}]}", name);
   mongoc_cursor_t *c = mongoc_database_find_collections_with_opts (m->conn->db, &opts);
   while (mongoc_cursor_next (c, &doc)) {
      MtVal v = mt_v_doc (doc), found = mt_doc_field (v, "name");
      *has |= mt_v_is_text (found, name);
      if (found.type == MT_STRING && has_its_own (v))
         mt_buf_add (&collated, found.p, found.len + 1);
   }
   bool ok = !mongoc_cursor_error (c, &error) || mt_mongo_error (m, &error, false, err);
   mongoc_cursor_destroy (c);
   bson_destroy (&opts);
   mt_buf_free (&m->collated);
   m->collated = collated;
   m->knows_collations = ok;
   return ok;
}

/* Returns whether mtsql itself created the collection, judged by its name. Such a collection has no
 * collation. */
static bool is_own (const char *collection) { return strncmp (collection, "_mtsql_", 7) == 0; }

static bool is_listed (const MtMongo *m, const char *collection)
{
   for (size_t at = 0; at < m->collated.n; at += strlen (m->collated.p + at) + 1)
      if (strcmp (m->collated.p + at, collection) == 0)
         return true;
   return false;
}

/* ---- whether the server compares texts of a collection by bytes ---- */

static void append_simple (bson_t *opts) { mt_doc_printf (opts, "collation: {locale: 'simple'}"); }

/* Tests by a query whether the server compares the collection's texts as bytes, with these options
 * of aggregate, and sets *bytes. (As bytes, "B" sorts before "a"; in any collation, after it.)
 * Returns false with *err set if the connection was lost or the statement was cancelled. */
static bool try_bytes (MtMongo *m, const char *collection, const bson_t *options, bool *bytes,
                       MtError *err)
{
   bson_t p = BSON_INITIALIZER;
   mt_doc_printf (&p, "0: {$limit: 1}, 1: {$facet: {none: [{$limit: 1}]}}, "
                      "2: {$project: {s: ['a', 'B']}}, 3: {$unwind: '$s'}, 4: {$sort: {s: 1}}");
   MtAggregateArgs args = {.collection = collection, .pipeline = &p, .options = options};
   const bson_t *doc = NULL;
   MtCursor *c;
   MtError why;
   mt_error_clear (&why);
   *bytes = false;
   if (mt_engine_aggregate (&m->base, &args, &c, &why)) {
      *bytes = mt_cursor_next (c, &doc, &why) && doc &&
               mt_v_is_text (mt_doc_field (mt_v_doc (doc), "s"), "B");
      mt_cursor_free (c);
   }
   bson_destroy (&p);
   if (!mt_error_in (&why, MT_CLASS_CONNECTION) && !mt_error_is (&why, MT_E_CANCELED))
      return true;
   *err = why;
   return false;
}

/* Tests what the server does with a collection's own collation, and sets m->collating. Some servers
 * ignore collations, some refuse to override them, and some treat "simple" as a language. */
static bool find_out (MtMongo *m, const char *collection, MtError *err)
{
   bson_t options = BSON_INITIALIZER;
   bool said = false, ignored = false, beside = m->beside;
   append_simple (&options);
   m->beside = true;                    /* a refused command would end the transaction */
   m->collating = MT_COLLATING_IGNORED; /* set first, so that try_bytes adds no option */
   bool ok = try_bytes (m, collection, &options, &said, err) &&
             (said || try_bytes (m, collection, NULL, &ignored, err));
   m->collating = ignored ? MT_COLLATING_IGNORED : MT_COLLATING_BOUND;
   if (said)
      m->collating = MT_COLLATING_OVERRIDDEN;
   if (!ok)
      m->collating = MT_COLLATING_UNKNOWN;
   m->beside = beside;
   bson_destroy (&options);
   return ok;
}

/* Sets *is to whether the server compares the collection's texts by a collation unless a command
 * overrides that. */
static bool is_collated (MtMongo *m, const char *collection, bool *is, MtError *err)
{
   bool has;
   *is = false;
   if (is_own (collection))
      return true;
   if (!m->knows_collations &&
       !(mt_mongo_ready (m, err) && mt_mongo_look_up (m, collection, &has, err)))
      return false;
   if (!is_listed (m, collection))
      return true;
   if (m->collating == MT_COLLATING_UNKNOWN &&
       !(mt_mongo_ready (m, err) && find_out (m, collection, err)))
      return false;
   *is = m->collating != MT_COLLATING_IGNORED;
   return true;
}

bool mt_mongo_is_collated (const MtEngine *e, const char *collection)
{
   const MtMongo *m = (const MtMongo *) e;
   return is_listed (m, collection) && m->collating == MT_COLLATING_OVERRIDDEN;
}

bool mt_mongo_append_collation (MtMongo *m, const char *collection, bson_t *opts, MtError *err)
{
   bool is;
   if (!is_collated (m, collection, &is, err))
      return false;
   if (is && m->collating == MT_COLLATING_BOUND) {
      mt_error (err, MT_E_FEATURE,
                "collection \"%s\" has a collation of its own, by which this server compares texts",
                collection);
      mt_error_detail (
         err, "In SQL texts are compared byte by byte. The server doesn't do so where {collation: "
              "{locale: \"simple\"}} says it should.");
      return mt_error_hint (
         err, "Copy its documents into a collection without one: mongodump, then mongorestore "
              "--noOptionsRestore.");
   }
   if (is)
      append_simple (opts);
   return true;
}

/* ---- changes ---- */

static bool refuse (const char *collection, const char *what, MtError *err)
{
   mt_error (err, MT_E_FEATURE,
             "%s collection \"%s\", which has a collation of its own, is not supported", what,
             collection);
   mt_error_detail (err, "By that its server takes different texts for the same _id.");
   return mt_error_hint (err,
                         "Copy it into another table with CREATE TABLE … AS, and change that.");
}

bool mt_mongo_may_change (MtMongo *m, const char *collection, MtError *err)
{
   bool is;
   return is_collated (m, collection, &is, err) &&
          (!is || refuse (collection, "changing documents of", err));
}

bool mt_mongo_may_insert (MtMongo *m, const char *collection, MtVal id, MtError *err)
{
   bool is, plain = id.type != MT_STRING && id.type != MT_DOC && id.type != MT_ARRAY;
   return plain || (is_collated (m, collection, &is, err) &&
                    (!is || refuse (collection, "inserting texts as _ids into", err)));
}
