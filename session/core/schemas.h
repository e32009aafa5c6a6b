/* Schemas, and the search_path along which unqualified names are found.
 *
 * A schema is an object of the kind "schema". A relation of schema s is kept in the catalog under
 * the name "s.name"; relations of public have no prefix. The name of a schema has no dot, so a
 * name's schema is what stands before its first dot, if such a schema exists. Collections get the
 * same names. */
#ifndef MT_SESSION_SCHEMAS_H
#define MT_SESSION_SCHEMAS_H

#include "session/core/core.h"

#define MT_SCHEMA_KIND "schema"

/* Returns whether the target has schemas besides public. */
bool mt_has_schemas (MtSession *s);
/* Returns the stored name of a schema that CREATE SCHEMA made, in arena a; NULL: there is none. */
const char *mt_schema_named (MtSession *s, MtArena *a, const MtName *name);
/* Returns the schema of a relation's name in the catalog, in arena a; NULL: public. *name is set to
 * the rest of the name, borrowed. */
const char *mt_schema_of (MtSession *s, MtArena *a, const char *stored, const char **name);
/* Returns the name of a relation without its schema, borrowed. */
const char *mt_unqualified (MtSession *s, const char *stored);
/* Returns a name in the catalog as SQL writes it: [schema.]name, quoted if necessary. In arena a. */
const char *mt_qualified (MtSession *s, MtArena *a, const char *stored);
/* Returns the names of all schemas that CREATE SCHEMA made, sorted, in arena a. */
const char **mt_schema_names (MtSession *s, MtArena *a, size_t *count);

/* Returns the user of the target's URI, in arena a; "mtsql" without one. */
const char *mt_user_name (MtSession *s, MtArena *a);
/* Returns the existing schemas of search_path in their order, in arena a. `implicit` adds pg_temp
 * (if the session has temporary tables) and pg_catalog, unless the path names them. */
const char **mt_search_path (MtSession *s, MtArena *a, bool implicit, size_t *count);

/* Reads a text such as 'schema.name', each part in quotes or not. schema->text NULL: it has none. */
void mt_read_relation (MtArena *a, MtStr text, MtName *schema, MtName *name);
/* Returns whether there is only public, and it is searched. */
bool mt_path_is_plain (MtSession *s);

/* MtBindEnv.place; ctx is the session. Finds the schema of a relation that a query names without
 * one. *out: the schema, in arena a; NULL: it is public, or a schema that is always searched. 42P01
 * if public is not in the path. */
bool mt_place_relation (void *ctx, MtArena *a, const MtName *name, const char **out, MtError *err);
/* Replaces the schema and name that a statement names by the name in the catalog, in arena a. The
 * schemas public, pg_temp, pg_catalog and information_schema stay. 3F000 if the schema is missing,
 * and 42P01 as above. `missing_ok`: sets *missing in place of 3F000. */
bool mt_place_name (MtSession *s, MtArena *a, MtName *schema, MtName *name, bool *missing,
                    MtError *err);
/* The same for a relation that is created: the first schema of the path. 3F000. */
bool mt_place_new (MtSession *s, MtArena *a, MtName *schema, MtName *name, MtError *err);

#endif
