/* Schemas, and search_path, the list of schemas in which unqualified names are searched.
 *
 * A schema is a catalog object of the kind "schema". A relation in schema s has the name "s.name"
 * in the catalog; relations of public have no prefix. A schema's name has no dot, so the schema of
 * a relation is the part of its name before the first dot, if there is such a schema. Collections
 * have the same names. */
#ifndef MT_SESSION_SCHEMAS_H
#define MT_SESSION_SCHEMAS_H

#include "session/core/core.h"

#define MT_SCHEMA_KIND "schema"

/* Returns whether CREATE SCHEMA has made schemas besides public. */
bool mt_has_schemas (MtSession *s);
/* Returns the exact name of a schema that CREATE SCHEMA made, in arena a; NULL: there is none. */
const char *mt_schema_named (MtSession *s, MtArena *a, const MtName *name);
/* Splits `stored`, a relation's name in the catalog. Returns its schema, in arena a; NULL: it is
 * public. *name is set to the name without the schema, borrowed. */
const char *mt_schema_of (MtSession *s, MtArena *a, const char *stored, const char **name);
/* Returns a relation's name in the catalog without its schema, borrowed. */
const char *mt_unqualified (MtSession *s, const char *stored);
/* Returns a relation's name in the catalog in SQL syntax: [schema.]name, quoted where necessary. In
 * arena a. */
const char *mt_qualified (MtSession *s, MtArena *a, const char *stored);
/* Sets the names of table t and its schema in an existing error, and of the column or constraint
 * that the error is about (NULL: none). Always returns false. */
bool mt_error_of_table (MtSession *s, const MtTable *t, const char *column, const char *constraint,
                        MtError *err);
/* Returns the names of all schemas that CREATE SCHEMA made, sorted, in arena a. */
const char **mt_schema_names (MtSession *s, MtArena *a, size_t *count);

/* Returns the user in the URI (mongodb://…) that the session has opened, in arena a; "mtsql" if
 * there is none. */
const char *mt_user_name (MtSession *s, MtArena *a);
/* Returns the existing schemas of search_path, in its order, in arena a. implicit: includes pg_temp
 * (if the session has temporary tables) and pg_catalog, even if search_path does not name them. */
const char **mt_search_path (MtSession *s, MtArena *a, bool implicit, size_t *count);

/* Splits a text such as 'schema.name', in which each part may be quoted. schema->text is NULL if
 * there is no schema. */
void mt_read_relation (MtArena *a, MtStr text, MtName *schema, MtName *name);
/* Returns whether public is the only schema of the user, and search_path includes it. */
bool mt_path_is_plain (MtSession *s);

/* Finds the schema of a relation that a query names without a schema. It is the callback
 * MtBindEnv.place; ctx is the session. *out is the schema, in arena a; NULL: it is public, or a
 * schema that is always searched. 42P01 if public is not in search_path. */
bool mt_place_relation (void *ctx, MtArena *a, const MtName *name, const char **out, MtError *err);
/* Replaces *name by the relation's name in the catalog, in arena a, and clears *schema. The schemas
 * public, pg_temp, pg_catalog and information_schema are kept. 3F000 if the schema does not exist
 * (if `missing` is not NULL, *missing is set instead). 42P01 if the name is unqualified, and public
 * is not in search_path. */
bool mt_place_name (MtSession *s, MtArena *a, MtName *schema, MtName *name, bool *missing,
                    MtError *err);
/* Like mt_place_name, for a relation that is created: an unqualified name gets the first schema of
 * search_path. 3F000 if there is none. */
bool mt_place_new (MtSession *s, MtArena *a, MtName *schema, MtName *name, MtError *err);

#endif
