/* User-defined functions: CREATE FUNCTION in SQL, as an MQL template, or in a C shared library. */
#ifndef MT_USER_FUNC_H
#define MT_USER_FUNC_H

#include "parser/ast.h"
#include "query/environment.h"

/* Makes function *out of a CREATE FUNCTION statement, in arena a. Checks the SQL body, the MQL
 * template, or the C library. Fails with 42501 for a C function if allow_c is false. Error
 * positions count from the start of the body. */
bool mt_func_from_create (MtArena *a, const MtBindEnv *env, const MtStmt *create, bool allow_c,
                          const MtFunc **out, MtError *err);

/* Writes the catalog document of a CREATE FUNCTION statement to `out`. */
bool mt_func_to_bson (const MtBindEnv *env, const MtStmt *create, bson_t *out, MtError *err);
/* Makes function *out from its catalog document, in arena a. Loads the library of a C function.
 * Fails with 42501 for a C function if allow_c is false. */
bool mt_func_from_bson (MtArena *a, const MtBindEnv *env, const bson_t *doc, bool allow_c,
                        const MtFunc **out, MtError *err);
/* Stores in *out the text of a CREATE FUNCTION statement for a catalog document, in arena a. */
bool mt_func_definition (MtArena *a, const bson_t *doc, const char **out, MtError *err);

#endif
