/* Builds the statements of types. */
#ifndef MT_BUILD_TYPE_INT_H
#define MT_BUILD_TYPE_INT_H

#include "parser/build_int.h"

typedef struct MtLabels {
   MtLabel *first, *last;
} MtLabels;

MtLabels mt_b_labels (MtParser *p, MtLabels list, MtToken label);
MtStmt *mt_b_create_enum (MtParser *p, MtToken t, MtQualified name, MtLabels labels, MtToken end);
/* Builds ALTER TYPE … ADD VALUE, to which mt_b_label_at adds BEFORE or AFTER. */
MtStmt *mt_b_add_label (MtParser *p, MtToken t, MtQualified name, MtToken label);
MtStmt *mt_b_label_at (MtParser *p, MtStmt *s, bool before, MtToken other);
MtStmt *mt_b_rename_label (MtParser *p, MtToken t, MtQualified name, MtToken from, MtToken to);
MtStmt *mt_b_rename_type (MtParser *p, MtToken t, MtQualified name, MtToken to);

/* Builds the definition of a domain as a column definition. */
MtColumnDef *mt_b_domain_def (MtParser *p, MtTypeName *type);
MtStmt *mt_b_domain (MtParser *p, MtStmtKind kind, MtToken t, MtQualified name, MtColumnDef *def);
MtStmt *mt_b_alter_domain (MtParser *p, MtToken t, MtQualified name, MtDomainChange change,
                           MtToken end);

#endif
