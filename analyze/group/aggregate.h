/* Aggregate calls and window calls. */
#ifndef MT_AGGREGATE_CALL_H
#define MT_AGGREGATE_CALL_H

#include "analyze/state/binder.h"

/* Binds a call of an aggregate; sigs are the candidates. With OVER it is a window call. 42803: it
 * may not stand here. */
bool mt_bind_aggregate (MtBinder *b, MtScope *s, const MtExpr *e, const MtSig **sigs, int sig_count,
                        MtX **out);

/* Whether the call is rank (v) WITHIN GROUP (ORDER BY x) or the like. */
bool mt_is_hypothetical (const MtExpr *e);
/* Binds such a call as an expression over counts. */
bool mt_bind_hypothetical (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

/* Binds a call with OVER, or of a function that needs it. 42P20: it may not stand here. */
bool mt_bind_window_call (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Binds all entries of the WINDOW clause, also unused ones. */
bool mt_bind_named_windows (MtBinder *b, MtScope *s);

#endif
