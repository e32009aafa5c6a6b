/* Builds MERGE. */
#ifndef MT_BUILD_MERGE_INT_H
#define MT_BUILD_MERGE_INT_H

#include "parser/build_int.h"

typedef struct MtMergeWhens {
   MtMergeWhen *first, *last;
} MtMergeWhens;

/* The part of WHEN NOT MATCHED … THEN INSERT behind the word INSERT; values NULL: DEFAULT
 * VALUES. */
typedef struct MtMergeInsert {
   MtNameList *columns;
   MtOverriding overriding;
   MtRowList *values;
   MtSpan end;
} MtMergeInsert;

/* Each returns a clause WHEN. where NULL: it has no AND. */
MtMergeWhen *mt_b_merge_when (MtParser *p, MtToken t, MtMergeAction action, MtExpr *where,
                              MtToken end);
MtMergeWhen *mt_b_merge_update (MtParser *p, MtToken t, MtExpr *where, MtAssigns set);
MtMergeWhen *mt_b_merge_insert (MtParser *p, MtToken t, MtExpr *where, MtMergeInsert insert);
/* Makes it WHEN NOT MATCHED. */
MtMergeWhen *mt_b_merge_missing (MtMergeWhen *w);
/* Adds a clause. Fails with 42601 behind a clause of its kind without AND. */
MtMergeWhens mt_b_merge_whens (MtParser *p, MtMergeWhens list, MtMergeWhen *w);
MtStmt *mt_b_merge (MtParser *p, MtToken t, MtQualified table, MtFrom *source, MtExpr *on,
                    MtMergeWhens whens);

#endif
