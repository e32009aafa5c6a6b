/* Rows as values: a table's alias, t.*, or ROW (…). As an argument of a jsonb function, a row
 * becomes a jsonb object. Elsewhere it becomes a record. */
#ifndef MT_NAMES_RECORD_H
#define MT_NAMES_RECORD_H

#include "analyze/names/names.h"
#include "analyze/state/record_shape.h"

typedef struct MtRow {
   MtX **x;
   int n;
} MtRow;

/* Returns whether e means the whole row of a table in FROM or in an enclosing query: e is a table's
 * name, and no column has this name. */
bool mt_names_a_table (MtBinder *b, const MtScope *s, const MtExpr *e);
/* Analyzes all columns of table `alias` into *out. out->x is NULL if there is no such table. Stores
 * the columns' names in *names, unless names is NULL. */
bool mt_bind_table_row (MtBinder *b, const MtScope *s, const MtName *alias, MtSpan span, MtRow *out,
                        const char ***names);
/* Makes *out the whole row of table `alias`, a record. *out is NULL if there is no such table. */
bool mt_bind_whole_row (MtBinder *b, const MtScope *s, const MtName *alias, MtSpan span, MtX **out);
/* Makes a record of the analyzed fields `row`. names NULL: the fields are named f1, f2 … Untyped
 * literals become text. */
bool mt_make_record (MtBinder *b, const char **names, MtRow *row, MtSpan span, MtX **out);

/* Returns whether x is a call that makes a record of given fields. Such a record is never NULL. */
bool mt_is_record_call (const MtX *x);
/* Finds the names and types of the fields of record x. Fails with 42809 if x is not a record, and
 * with 0A000 if its fields are not known. */
bool mt_record_shape (MtBinder *b, const MtX *x, MtSpan span, const MtRecordShape **out);
/* Makes the expression for field number i of record x. mt_record_shape must have succeeded for
 * x. */
MtX *mt_record_part (MtBinder *b, MtX *x, int i, MtSpan span);
/* Makes the expression (x).name. Fails with 42703 if the record has no such field. */
bool mt_record_field (MtBinder *b, MtX *x, const MtName *name, MtSpan span, MtX **out);

/* Returns whether the called function, like to_jsonb, accepts a whole row as argument. */
bool mt_takes_json_rows (const MtBinder *b, const MtExpr *call);
/* Analyzes an argument of a function that accepts whole rows. A row becomes a jsonb object. */
bool mt_bind_json_arg (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

#endif
