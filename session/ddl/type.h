/* Statements of schemas, types and domains. */
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
/* Check the schema of a type (3F000), that no type has a name (42710), and that the target can be
 * written (25006). */
bool mt_type_schema (const MtName *schema, MtError *err);
bool mt_type_name_is_free (MtStatement *st, const MtName *name, MtError *err);
bool mt_may_write_types (MtStatement *st, MtError *err);
/* 2BP01 if stored SQL text has the type's name. verb: "drop" or "rename". */
bool mt_type_not_in_text (MtStatement *st, const char *type, const char *verb, MtError *err);

/* ---- domain.c ---- */

bool mt_run_create_domain (MtStatement *st, MtError *err);
bool mt_run_alter_domain (MtStatement *st, MtError *err);
bool mt_run_drop_domain (MtStatement *st, MtError *err);

#endif
