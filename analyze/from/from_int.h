/* Functions that the files of analyze/from share. */
#ifndef MT_FROM_INT_H
#define MT_FROM_INT_H

#include "analyze/from/from.h"

/* Binds one item of FROM. */
bool mt_bind_from_item (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Binds the right side of a join. It may refer to the left side where it is LATERAL or a function;
 * `denied`: such references are refused. *apply is the scope of the left side if it is referred to,
 * else 0. */
bool mt_bind_right (MtBinder *b, const MtFrom *f, MtRel *left, bool denied, MtRel *right,
                    int *apply);

/* Binds a JOIN with ON, USING or NATURAL. */
bool mt_bind_join (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Binds the ON of a join whose sides and kind are set. *rel may become something else than a
 * join. */
bool mt_bind_on (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Binds the TABLESAMPLE of the table in *rel, which becomes a sub-select. */
bool mt_bind_sample (MtBinder *b, const MtFrom *f, MtRel *rel);

/* Binds functions in FROM. */
bool mt_bind_from_function (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Turns the join *rel into an MT_REL_UNNEST if its right side is functions that refer to the left
 * side. 42P10: the join's kind forbids the reference. */
bool mt_join_unnest (MtBinder *b, MtSpan span, MtRel *rel);
/* Binds generate_series. With constants: *done, and *rel is a series. Otherwise *call is the call.
 * Neither is set: the function is another one. */
bool mt_bind_series (MtBinder *b, MtScope *s, const MtFrom *f, MtRel *rel, MtX **call, bool *done);
/* Binds jsonb_to_record and jsonb_to_recordset, whose columns FROM declares: the call, and the
 * columns' types. *call is NULL for other functions. 42601: a column list is missing or out of
 * place. */
bool mt_bind_json_records (MtBinder *b, MtScope *s, const MtFrom *f, MtX **call,
                           const MtType **types);
/* Adds the declared columns to rel. */
void mt_json_record_columns (MtBinder *b, const MtFrom *f, const MtType *types, MtRel *rel);

#endif
