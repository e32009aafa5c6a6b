/* The history: statements, oldest first, and the file that keeps them.
 *
 * The file is text, and SQL that can be run or searched. A line "-- 2026-11-26 18:03:12+00" (the
 * time in UTC) begins each statement. The statement follows as it was typed. If a line of a
 * statement has the form of such a line itself, a space is put before it. A file of libedit
 * ("_HiStOrY_V2_") is read, too, and rewritten in this form when it is saved. */
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
/* Adds an entry. The oldest entries are dropped beyond the limit. */
void mt_history_put (MtHistory *h, const char *text, time_t at);
/* Reads the entries of a file in either form. */
void mt_history_read (MtHistory *h, FILE *f);
/* Writes the entries from `from` on. Returns false after an error. */
bool mt_history_print (const MtHistory *h, size_t from, FILE *f);
/* Adds the entries that are not saved yet to the file, which only its owner can read. Other
 * sessions can write to it at the same time. A file with far more entries than the limit is
 * shortened. Returns false with errno. */
bool mt_history_append (MtHistory *h, const char *path);

#endif
