/* Collections that exist already: do their documents fit a layout, and what are its statistics? */
#ifndef MT_ATTACH_H
#define MT_ATTACH_H

#include "engine/engine.h"
#include "layouts/table.h"

/* Decodes up to `sample` documents of each of the layout's collections; 42P17 naming the document's _id and the path when the first ones don't fit. An empty
 * collection fits. */
bool mt_layout_check_sample (MtEngine *e, const MtTable *t, const MtLayout *l, size_t sample, MtArena *a, MtError *err);

/* Statistics by a scan (sample 0) or from about `sample` documents, scaled up; *out: one a store, in arena a. */
bool mt_layout_analyze (MtEngine *e, const MtTable *t, const MtLayout *l, size_t sample, MtArena *a, MtStoreStats **out, MtError *err);

#endif
