/* Builds sequences, and columns that take their values from one. */
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
void mt_b_column_identity (MtParser *p, MtColumnDef *c, MtToken t, MtIdentity identity,
                           MtSequenceOptions options, MtToken end);
MtStmt *mt_b_restart (MtStmt *truncate, bool restart);
MtInsertRest mt_b_insert_overriding (MtInsertRest rest, MtNames columns, MtOverriding o);

#endif
