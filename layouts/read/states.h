/* Checks the aggregate states that levels store (layouts/cell_state.h): computes them again from
 * the records of a document. */
#ifndef MT_READ_STATES_H
#define MT_READ_STATES_H

#include "layouts/cell_state.h"

typedef struct MtStateCheck MtStateCheck;

/* Returns an object that checks documents of a store, in arena a. NULL: there is nothing to check,
 * because no level above the records stores states. */
MtStateCheck *mt_state_check_new (MtArena *a, const MtStoreDesc *s);
/* Resets the states of level n, for a new cell (array or map element). */
void mt_state_check_open (MtStateCheck *c, const MtNode *n);
/* Adds a record to the states of all current cells (array or map elements). row: a value for each
 * column of the table. leaf: the level of the store's records. */
bool mt_state_check_add (MtStateCheck *c, const MtNode *leaf, const MtVal *row, MtError *err);
/* Returns whether nesting level n stores states that can be computed from the records. */
bool mt_state_check_decides (const MtStateCheck *c, const MtNode *n);
/* Sets *expected to the computed value of state number i, for the current cell (array or map
 * element) of level n; null: no record contributes to it. The value is valid until the next cell of
 * this level. */
bool mt_state_check_value (MtStateCheck *c, const MtNode *n, size_t i, MtVal *expected,
                           MtError *err);

/* Returns whether two aggregate states of a type are equal, except for rounding. If a state's
 * content depends on the order of records, only the states' counts of records are compared. */
bool mt_states_agree (MtTypeId type, MtVal a, MtVal b);

#endif
