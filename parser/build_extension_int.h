/* Builds statements about extensions. */
#ifndef MT_BUILD_EXTENSION_INT_H
#define MT_BUILD_EXTENSION_INT_H

#include "parser/build_int.h"

/* The options after the name in CREATE EXTENSION. */
typedef struct MtExtensionOptions {
   MtToken version; /* MT_NO_TOKEN: not given */
   bool cascade;
   MtToken end; /* the last token */
} MtExtensionOptions;
MtStmt *mt_b_create_extension (MtParser *p, MtToken t, bool if_not_exists, MtToken name,
                               MtExtensionOptions o);
MtStmt *mt_b_alter_extension (MtParser *p, MtToken t, MtToken name, MtToken end, MtToken version);

#endif
