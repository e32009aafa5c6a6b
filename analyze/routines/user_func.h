/* User-defined functions: CREATE FUNCTION in SQL, as an MQL template, or in a C shared library. */
#ifndef MT_USER_FUNC_H
#define MT_USER_FUNC_H

#include "parser/ast.h"
#include "query/environment.h"

/* Makes a function from a CREATE FUNCTION statement, in arena a. Checks the SQL body, MongoDB
 * template or C library. Fails with 42501 for a C function if allow_c is false. Error positions are
 * in the body. */
bool mt_func_from_create (MtArena *a, const MtBindEnv *env, const MtStmt *create, bool allow_c,
                          const MtFunc **out, MtError *err);

/* Writes the catalog document of a CREATE FUNCTION statement to `out`. */
bool mt_func_to_bson (const MtBindEnv *env, const MtStmt *create, bson_t *out, MtError *err);
/* Makes the function that a catalog document describes, in arena a. Loads the library of a C
 * function. */
bool mt_func_from_bson (MtArena *a, const MtBindEnv *env, const bson_t *doc, bool allow_c,
                        const MtFunc **out, MtError *err);
/* Returns the CREATE FUNCTION statement of a catalog document, in arena a. */
bool mt_func_definition (MtArena *a, const bson_t *doc, const char **out, MtError *err);

#endif
