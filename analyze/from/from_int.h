/* Functions that the files of analyze/from share. */
#ifndef MT_FROM_INT_H
#define MT_FROM_INT_H

#include "analyze/from/from.h"
#include "query/condition.h"

/* Binds one item of FROM. */
bool mt_bind_from_item (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Analyzes the right side of a join into *right. A LATERAL item or a function may refer to columns
 * of `left`, except if `denied` is true; then such references are errors. *apply: the id of the
 * scope of `left` if `right` refers to it, otherwise 0. */
bool mt_bind_right (MtBinder *b, const MtFrom *f, MtRel *left, bool denied, MtRel *right,
                    int *apply);

/* Binds a JOIN with ON, USING or NATURAL. */
bool mt_bind_join (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Analyzes the ON condition of the join *rel, whose left and right sides and kind are already set.
 * May replace the join by a sub-select with the same rows. */
bool mt_bind_on (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Analyzes e as a constant distance between two times or numbers, such as a tolerance, and casts it
 * to `type` (interval or int8). what: the name of the distance in error messages. Fails with 22023
 * if the distance is NULL or negative, or if it is an interval with months. */
bool mt_bind_distance (MtBinder *b, const MtExpr *e, const char *what, MtTypeId type, MtX **out);
/* Stores the TOLERANCE e, a constant, in the ASOF join *rel. parts: the parsed condition of the
 * join. Fails with 22023 if the tolerance is negative, or has months. */
bool mt_bind_tolerance (MtBinder *b, const MtExpr *e, const MtAsof *parts, MtRel *rel);
/* Replaces the ASOF NEAREST JOIN *rel by a sub-select. It returns each left row with the right row
 * that is nearest in time, before or after. parts: the parsed condition of the join. */
bool mt_bind_nearest (MtBinder *b, const MtFrom *f, const MtAsof *parts, MtRel *rel);
/* Applies TABLESAMPLE: replaces the table *rel by a sub-select that returns a random sample of its
 * rows. */
bool mt_bind_sample (MtBinder *b, const MtFrom *f, MtRel *rel);

/* Fills *rel so that it reads table t with all its columns. */
void mt_bind_table_rel (MtBinder *b, const MtTable *t, MtRel *rel);
/* Analyzes a call of read_csv or another function that reads a file. Sets *done if f is such a
 * call; then *rel reads the file. */
bool mt_bind_file (MtBinder *b, MtScope *s, const MtFrom *f, MtRel *rel, bool *done);

/* Binds functions in FROM. */
bool mt_bind_from_function (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Converts the join *rel to MT_REL_UNNEST if its right side calls functions with columns of the
 * left side. Fails with 42P10 if this kind of join does not allow such references. */
bool mt_join_unnest (MtBinder *b, MtSpan span, MtRel *rel);
/* Analyzes generate_series in FROM. If all arguments are constants, and the step has no
 * microseconds, sets *done, and makes *rel an MT_REL_SERIES. Otherwise sets *call to the analyzed
 * call. If f calls another function, sets neither. */
bool mt_bind_series (MtBinder *b, MtScope *s, const MtFrom *f, MtRel *rel, MtX **call, bool *done);
/* Analyzes a call of jsonb_to_record or jsonb_to_recordset with a column list in FROM. *call: the
 * analyzed call, NULL if f calls another function. *types: the types of the listed columns. Fails
 * with 42601 if the column list is missing, or is not allowed for the function. */
bool mt_bind_json_records (MtBinder *b, MtScope *s, const MtFrom *f, MtX **call,
                           const MtType **types);
/* Adds the columns that FROM lists for jsonb_to_record or jsonb_to_recordset to rel. types: their
 * types. */
void mt_json_record_columns (MtBinder *b, const MtFrom *f, const MtType *types, MtRel *rel);

#endif
