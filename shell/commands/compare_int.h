/* The page of \compare. */
#ifndef MT_COMPARE_PAGE_INT_H
#define MT_COMPARE_PAGE_INT_H

#include "mtsql.h"

/* Adds the results of \compare as an HTML page that needs no other file and no network. */
void mt_compare_page (const MtComparisons *k, const char *sql, MtBuf *out);

#endif
