/* Functions that run the statements for schemas, types and domains. */
#ifndef MT_SESSION_DDL_TYPE_H
#define MT_SESSION_DDL_TYPE_H

#include "session/core/core.h"

/* ---- schema.c ---- */

bool mt_run_create_schema (MtStatement *st, MtError *err);
bool mt_run_alter_schema (MtStatement *st, MtError *err);
bool mt_run_drop_schema (MtStatement *st, MtError *err);

/* ---- type.c ---- */

bool mt_run_create_type (MtStatement *st, MtError *err);
bool mt_run_alter_type (MtStatement *st, MtError *err);
bool mt_run_drop_type (MtStatement *st, MtError *err);
/* Checks before a type is created or changed. The first fails with 3F000 if the schema can't have
 * types, the second with 42710 if a type already has the name, the third with 25006 if the opened
 * server or store is read-only. */
bool mt_type_schema (const MtName *schema, MtError *err);
bool mt_type_name_is_free (MtStatement *st, const MtName *name, MtError *err);
bool mt_may_write_types (MtStatement *st, MtError *err);
/* Fails with 2BP01 if stored SQL text (of a view, function, default …) contains the type's name.
 * verb: "drop" or "rename", for the message. */
bool mt_type_not_in_text (MtStatement *st, const char *type, const char *verb, MtError *err);

/* ---- domain.c ---- */

bool mt_run_create_domain (MtStatement *st, MtError *err);
bool mt_run_alter_domain (MtStatement *st, MtError *err);
bool mt_run_drop_domain (MtStatement *st, MtError *err);

#endif
