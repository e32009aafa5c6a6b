/* Builds statements about alerts. */
#ifndef MT_BUILD_ALERT_INT_H
#define MT_BUILD_ALERT_INT_H

#include "parser/build_int.h"

/* The clauses FOR, EVERY and NOTIFY. A text with p NULL: not given. */
typedef struct MtAlertClauses {
   MtTypedText lasting, every, notify;
   MtSpan end; /* of the last clause; len 0: there is none */
} MtAlertClauses;
/* Adds one clause to a list. clause: the word, text: its literal. Fails with 42601 for a clause
 * that is there already. */
MtAlertClauses mt_b_alert_clause (MtParser *p, MtAlertClauses list, MtToken clause, MtToken text);
MtStmt *mt_b_create_alert (MtParser *p, MtToken t, bool or_replace, MtQualified name,
                           MtSelect *query, MtAlertClauses clauses);
/* Each returns ALTER ALERT with one action. */
MtStmt *mt_b_alter_alert (MtParser *p, MtToken t, MtQualified name, MtAlertClauses clauses);
MtStmt *mt_b_rename_alert (MtParser *p, MtToken t, MtQualified name, MtToken to);
MtStmt *mt_b_switch_alert (MtParser *p, MtToken t, MtQualified name, MtAlertSwitch to, MtToken end);

#endif
