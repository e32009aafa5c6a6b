/* Shared by the files of \compare. */
#ifndef MT_COMPARE_PAGE_INT_H
#define MT_COMPARE_PAGE_INT_H

#include "mtsql.h"

/* Appends the results of \compare as an HTML page that needs neither other files nor the
 * network. */
void mt_compare_page (const MtComparisons *k, const char *sql, MtBuf *out);

#endif
