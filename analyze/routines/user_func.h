/* User-defined functions: CREATE FUNCTION in SQL, as an MQL template, or in a C shared library. */
#ifndef MT_USER_FUNC_H
#define MT_USER_FUNC_H

#include "parser/ast.h"
#include "query/environment.h"

/* Makes a function from a CREATE FUNCTION statement, in arena a, and checks it. The SQL body must
 * bind. The MQL template must be extended JSON and use only its arguments. The library must load and
 * have the symbol; 42501 without allow_c. Errors have their place in the body. */
bool mt_func_from_create (MtArena *a, const MtBindEnv *env, const MtStmt *create, bool allow_c,
                          const MtFunc **out, MtError *err);

/* Writes the function's document for the catalog to `out`. */
bool mt_func_to_bson (const MtBindEnv *env, const MtStmt *create, bson_t *out, MtError *err);
/* Makes the function of a catalog document, in arena a. Loads its library again. */
bool mt_func_from_bson (MtArena *a, const MtBindEnv *env, const bson_t *doc, bool allow_c,
                        const MtFunc **out, MtError *err);
/* Returns the CREATE FUNCTION statement of a catalog document, in arena a. */
bool mt_func_definition (MtArena *a, const bson_t *doc, const char **out, MtError *err);

#endif
