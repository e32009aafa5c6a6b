/* An engine that keeps documents in memory and can do little more: for tests of what is above the
 * engine. */
#ifndef MT_FAKE_ENGINE_H
#define MT_FAKE_ENGINE_H

#include "engine/implement.h"

/* Owned by the caller: mt_engine_close. */
MtEngine *mt_fake_engine (void);
size_t mt_fake_count (MtEngine *e, const char *collection);
/* The i-th document, borrowed; NULL: there is none. */
const bson_t *mt_fake_doc (MtEngine *e, const char *collection, size_t i);
/* Discards what is inserted, but counts it: for measuring. */
void mt_fake_discard (MtEngine *e, bool discard);
uint64_t mt_fake_bytes (MtEngine *e);

#endif
