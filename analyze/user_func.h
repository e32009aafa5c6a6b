/* Functions from outside: CREATE FUNCTION in SQL, as an MQL template, or in a C shared library. */
#ifndef MT_USER_FUNC_H
#define MT_USER_FUNC_H

#include "parser/ast.h"
#include "analyze/bind.h"

/* Makes a row from a CREATE FUNCTION statement and checks it: the SQL body binds, the MQL template
 * is extended JSON and uses only its arguments, the library loads and has the symbol (LANGUAGE c,
 * refused when !allow_c). In arena a. Errors carry the body's place. */
bool mt_func_from_create (MtArena *a, const MtBindEnv *env, const MtStmt *create, bool allow_c,
                          const MtFunc **out, MtError *err);

/* The same as BSON for the catalog, and back (a library is loaded again). */
bool mt_func_to_bson (const MtBindEnv *env, const MtStmt *create, bson_t *out, MtError *err);
bool mt_func_from_bson (MtArena *a, const MtBindEnv *env, const bson_t *doc, bool allow_c,
                        const MtFunc **out, MtError *err);

/* The statement that makes it again (\sf), in arena a. doc: from the catalog. */
bool mt_func_definition (MtArena *a, const bson_t *doc, const char **out, MtError *err);

/* Loads a shared library that exports mt_module (include/mtsql_ext.h); its functions' rows in arena
 * a. */
bool mt_module_load (MtArena *a, const char *file, const MtFunc *const **functions, size_t *count,
                     MtError *err);

#endif
