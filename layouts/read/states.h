/* Checking the states that levels keep (layouts/cell_state.h): computes them again from the
 * records of a document. */
#ifndef MT_READ_STATES_H
#define MT_READ_STATES_H

#include "layouts/cell_state.h"

typedef struct MtStateCheck MtStateCheck;

/* Returns a check of the documents of a store, in arena a; NULL: no level keeps states above the
 * store's records. */
MtStateCheck *mt_state_check_new (MtArena *a, const MtStoreDesc *s);
/* Begins a cell of level n. */
void mt_state_check_open (MtStateCheck *c, const MtNode *n);
/* Adds a record, with a value by column of the table, to the states of the open cells. leaf: the
 * level of the store's records. */
bool mt_state_check_add (MtStateCheck *c, const MtNode *leaf, const MtVal *row, MtError *err);
/* Returns whether level n keeps states that the records decide. */
bool mt_state_check_decides (const MtStateCheck *c, const MtNode *n);
/* Sets *expected to state i of the open cell of level n, in the check's memory until the next cell
 * of this level; null: no record counts. */
bool mt_state_check_value (MtStateCheck *c, const MtNode *n, size_t i, MtVal *expected,
                           MtError *err);

/* Returns whether two states of a type agree: numbers may differ by rounding. Of states that
 * depend on the order of the records only the number of records is compared. */
bool mt_states_agree (MtTypeId type, MtVal a, MtVal b);

#endif
