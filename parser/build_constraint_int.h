/* Builds constraints of tables and columns. */
#ifndef MT_BUILD_CONSTRAINT_INT_H
#define MT_BUILD_CONSTRAINT_INT_H

#include "parser/build_int.h"

void mt_b_column_check (MtParser *p, MtColumnDef *c, MtToken t, MtExpr *e, MtToken end);
/* Stores the name after CONSTRAINT, for the column's next constraint. */
void mt_b_column_constraint (MtColumnDef *c, MtToken name);
void mt_b_column_references (MtParser *p, MtToken t);
/* Adds the constraint PRIMARY KEY or UNIQUE to a column. */
void mt_b_column_key (MtParser *p, MtColumnDef *c, MtKeyDefKind kind, MtSpan span,
                      bool nulls_equal);
MtKey mt_b_key (MtParser *p, MtToken t, MtNames names, MtToken end, MtKeyDefKind kind);
MtKey mt_b_key_nulls (MtKey k, bool nulls_equal);
/* Fails with 0A000 for DEFERRABLE. */
void mt_b_deferrable (MtParser *p, MtToken t);
MtKey mt_b_key_check (MtParser *p, MtToken t, MtExpr *e, MtToken end);
MtKey mt_b_key_named (MtKey k, MtToken t, MtToken name);
MtKey mt_b_key_not_valid (MtParser *p, MtKey k, MtToken t, MtToken end);
MtKey mt_b_key_foreign (MtParser *p, MtToken t);
MtTableItems mt_b_items_check (MtTableItems items, MtCheckDef *check);
MtStmt *mt_b_alter_constraint (MtParser *p, MtToken t, MtKey k);

/* Make other actions of these. */
MtStmt *mt_b_alter_if_exists (MtStmt *s);
MtStmt *mt_b_alter_rename_constraint (MtStmt *s);
/* Makes two actions of ADD COLUMN … PRIMARY KEY: ADD COLUMN, and ADD PRIMARY KEY. */
MtStmt *mt_b_alter_split_key (MtParser *p, MtStmt *s);

/* Builds SET CONSTRAINTS. when: the word DEFERRED or IMMEDIATE. */
MtStmt *mt_b_set_constraints (MtParser *p, MtToken t, MtNames names, MtToken when);
/* Returns a token for the clause from `t` to `end`, with the word as its text. */
MtToken mt_b_word (const char *word, MtToken t, MtToken end);
/* words: the clauses INCLUDE and WITH; text NULL: not given. */
MtIndexEnd mt_b_index_clauses (MtParser *p, bool nulls_equal, MtExpr *where,
                               const MtToken words[2]);

#endif
