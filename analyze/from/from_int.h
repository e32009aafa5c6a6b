/* Functions that the files of analyze/from share. */
#ifndef MT_FROM_INT_H
#define MT_FROM_INT_H

#include "analyze/from/from.h"
#include "query/condition.h"

/* Binds one item of FROM. */
bool mt_bind_from_item (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Analyzes the right side of a join. A LATERAL item or function may refer to `left`; denied: such
 * references are errors. *apply: the scope id of `left` if there are references, otherwise 0. */
bool mt_bind_right (MtBinder *b, const MtFrom *f, MtRel *left, bool denied, MtRel *right,
                    int *apply);

/* Binds a JOIN with ON, USING or NATURAL. */
bool mt_bind_join (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Analyzes the ON condition of the join *rel, whose sides and kind are set. May replace *rel by an
 * equivalent item that is not a join. */
bool mt_bind_on (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Binds constant e as a distance of type interval or int8. what: its name in errors. Fails with
 * 22023 if it is NULL, negative, or has months. */
bool mt_bind_distance (MtBinder *b, const MtExpr *e, const char *what, MtTypeId type, MtX **out);
/* Sets the TOLERANCE of the ASOF join *rel. Fails with 22023 if it is negative or has months. */
bool mt_bind_tolerance (MtBinder *b, const MtExpr *e, const MtAsof *parts, MtRel *rel);
/* Converts the ASOF join *rel, whose condition has the given parts, to a sub-select with the nearest
 * row of either direction (ASOF NEAREST JOIN). */
bool mt_bind_nearest (MtBinder *b, const MtFrom *f, const MtAsof *parts, MtRel *rel);
/* Applies TABLESAMPLE: *rel, a table, becomes a sub-select that samples it. */
bool mt_bind_sample (MtBinder *b, const MtFrom *f, MtRel *rel);

/* Makes *rel the table t, with all its columns. */
void mt_bind_table_rel (MtBinder *b, const MtTable *t, MtRel *rel);
/* Analyzes read_csv and similar functions. *done: the call reads a file, and *rel is its table. */
bool mt_bind_file (MtBinder *b, MtScope *s, const MtFrom *f, MtRel *rel, bool *done);

/* Binds functions in FROM. */
bool mt_bind_from_function (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Converts the join *rel to MT_REL_UNNEST if its right side is functions of left columns. Fails
 * with 42P10 if the join's kind forbids such references. */
bool mt_join_unnest (MtBinder *b, MtSpan span, MtRel *rel);
/* Analyzes generate_series in FROM. Constant arguments: *done is true, and *rel is an
 * MT_REL_SERIES. Other arguments: *call is the call. Another function: neither is set. */
bool mt_bind_series (MtBinder *b, MtScope *s, const MtFrom *f, MtRel *rel, MtX **call, bool *done);
/* Analyzes jsonb_to_record and jsonb_to_recordset, whose columns FROM declares. Returns the call
 * and the declared types. *call NULL: another function. Fails with 42601 if a column list is
 * missing or not allowed. */
bool mt_bind_json_records (MtBinder *b, MtScope *s, const MtFrom *f, MtX **call,
                           const MtType **types);
/* Adds the columns that FROM declares for jsonb_to_record or jsonb_to_recordset to rel. */
void mt_json_record_columns (MtBinder *b, const MtFrom *f, const MtType *types, MtRel *rel);

#endif
