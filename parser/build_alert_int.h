/* Builds statements about alerts. */
#ifndef MT_BUILD_ALERT_INT_H
#define MT_BUILD_ALERT_INT_H

#include "parser/build_int.h"

/* The clauses FOR, EVERY and NOTIFY of an alert. If a clause is not given, its str.p is NULL. */
typedef struct MtAlertClauses {
   MtTypedText lasting, every, notify;
   MtSpan end; /* position of the last clause; len 0: no clause is given */
} MtAlertClauses;
/* Adds a clause to the list. clause: the clause's keyword; text: its string literal. 42601 if the
 * list already has this clause. */
MtAlertClauses mt_b_alert_clause (MtParser *p, MtAlertClauses list, MtToken clause, MtToken text);
MtStmt *mt_b_create_alert (MtParser *p, MtToken t, bool or_replace, MtQualified name,
                           MtSelect *query, MtAlertClauses clauses);
/* Each of these functions builds an ALTER ALERT with one action. */
MtStmt *mt_b_alter_alert (MtParser *p, MtToken t, MtQualified name, MtAlertClauses clauses);
MtStmt *mt_b_rename_alert (MtParser *p, MtToken t, MtQualified name, MtToken to);
MtStmt *mt_b_switch_alert (MtParser *p, MtToken t, MtQualified name, MtAlertSwitch to, MtToken end);

#endif
