/* Builds schemas, names with a database, sequences, and columns with a sequence. */
#ifndef MT_BUILD_SEQUENCE_INT_H
#define MT_BUILD_SEQUENCE_INT_H

#include "parser/build_int.h"

MtStmt *mt_b_sequence (MtParser *p, MtStmtKind kind, MtToken t, MtQualified name,
                       MtSequenceOptions options);
MtStmt *mt_b_sequence_rename (MtParser *p, MtToken t, MtQualified name, MtToken to);
MtSequenceOptions mt_b_sequence_options (MtSequenceOptions list, MtSequenceOption *more);
MtSequenceOption *mt_b_sequence_option (MtParser *p, MtSequenceWord word, MtToken t, MtToken end);
MtSequenceOption *mt_b_sequence_off (MtParser *p, MtSequenceWord word, MtToken t, MtToken end);
MtSequenceOption *mt_b_sequence_named (MtParser *p, MtSequenceWord word, MtToken t, MtNames name);
MtSequenceOption *mt_b_sequence_number (MtParser *p, MtToken sign, MtToken number, bool minus);
MtSequenceOption *mt_b_sequence_word (MtSequenceOption *o, MtSequenceWord word, MtToken t);
/* Returns a name that is qualified by a database. The session checks later that this is the current
 * database. */
MtQualified mt_b_cross_database (MtParser *p, MtToken db, MtToken schema, MtToken name);
/* Returns the name of a table in FROM, which is [[database.]schema.]table. first: its first word;
 * steps: the following words. */
MtQualified mt_b_stepped_name (MtParser *p, MtToken first, MtSteps steps);
/* Builds CREATE SCHEMA. owner: the name after AUTHORIZATION; owner.text NULL: not given. */
MtStmt *mt_b_create_schema (MtParser *p, MtToken t, MtToken name, MtToken owner);
MtStmt *mt_b_schema_if (MtStmt *create);
MtStmt *mt_b_rename_schema (MtParser *p, MtToken t, MtToken name, MtToken to);
void mt_b_column_identity (MtParser *p, MtColumnDef *c, MtToken t, MtIdentity identity,
                           MtSequenceOptions options, MtToken end);
/* Builds ALTER COLUMN of an identity column. identity: that of ADD GENERATED; MT_IDENTITY_NONE:
 * the column is one, and its options change. */
MtStmt *mt_b_alter_identity (MtParser *p, MtToken t, MtToken name, MtIdentity identity,
                             MtSequenceOptions options, MtToken end);
/* Fails for an option that cannot follow SET in ALTER COLUMN. Returns o. */
MtSequenceOption *mt_b_identity_option (MtParser *p, MtSequenceOption *o);
MtStmt *mt_b_restart (MtStmt *truncate, bool restart);
MtInsertRest mt_b_insert_overriding (MtInsertRest rest, MtNames columns, MtOverriding o);

#endif
