/* Builds statements about materialized views. */
#ifndef MT_BUILD_MATVIEW_INT_H
#define MT_BUILD_MATVIEW_INT_H

#include "parser/build_int.h"

/* Prefixes an option's name by another name and a dot, as in timescaledb.continuous. */
MtOption *mt_b_option_in (MtParser *p, MtToken space, MtOption *o);
MtStmt *mt_b_create_matview (MtStmt *s);
MtStmt *mt_b_alter_matview (MtStmt *s);
MtStmt *mt_b_refresh (MtParser *p, MtToken t, bool concurrently, MtQualified name, MtWithData data);

#endif
