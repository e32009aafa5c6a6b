/* The history: statements, the oldest first, and the file in which they are stored.
 *
 * The file is text, and also SQL that can be run. Each statement begins with a line such as "--
 * 2026-11-26 18:03:12+00" (the time in UTC), followed by the statement as it was typed. If a line
 * of a statement looks like such a time stamp itself, a blank is put before it. A file of libedit
 * ("_HiStOrY_V2_") can be read, too; it is converted to this format when it is saved. */
#ifndef MT_EDIT_HISTORY_H
#define MT_EDIT_HISTORY_H

#include "base/str.h"

#include <stdio.h>
#include <time.h>

typedef struct MtHistoryEntry {
   char *text;
   time_t at; /* 0: not known */
} MtHistoryEntry;

typedef struct MtHistory {
   MtHistoryEntry *v;
   size_t n, cap;
   size_t limit; /* the most entries that are kept */
   size_t saved; /* the first `saved` entries are in the file */
   bool old;     /* the file has libedit's form */
} MtHistory;

void mt_history_free (MtHistory *h);
/* Adds an entry. If there are more than the limit, removes the oldest ones. */
void mt_history_put (MtHistory *h, const char *text, time_t at);
/* Reads the entries of a file in either format. */
void mt_history_read (MtHistory *h, FILE *f);
/* Writes the entries from index `from` on. Returns false after an error. */
bool mt_history_print (const MtHistory *h, size_t from, FILE *f);
/* Appends the entries that were not saved yet to the file, which only its owner can read. Other
 * sessions can append to it at the same time. If the file has far more entries than the limit, it
 * is shortened. Returns false with errno after an error. */
bool mt_history_append (MtHistory *h, const char *path);

#endif
