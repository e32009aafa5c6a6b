/* Alerts: queries whose rows are things to report. An alert is an object of the catalog. Its state,
 * which is what the last check found, is a separate document, so that a check does not change the
 * catalog's version. */
#ifndef MT_SESSION_ALERTS_H
#define MT_SESSION_ALERTS_H

#include "session/state/session.h"

/* ---- definitions ---- */

typedef struct MtAlert {
   const char *name;
   const char *sql; /* the query */
   /* the columns that identify a row between checks */
   const char **keys;
   size_t key_count;
   int64_t lasting_ms; /* FOR, in ms: how long a row must exist before it fires; 0: not given */
   int64_t every_ms;   /* EVERY, in ms; 0: the alert is checked each time */
   const char *notify; /* NOTIFY: the command line; NULL: none */
   bool enabled;
} MtAlert;

/* Finds an alert by name, in arena a. *out is NULL if there is none. XX001 if it is damaged. */
bool mt_alert_find (MtSession *s, MtArena *a, const char *name, const MtAlert **out, MtError *err);
/* Returns all alerts, sorted by name, in arena a. XX001 if one is damaged. */
bool mt_alert_list (MtSession *s, MtArena *a, MtAlert **out, size_t *count, MtError *err);
/* Saves an alert as an object of the catalog. */
bool mt_alert_save (MtStatement *st, const MtAlert *alert, MtError *err);
/* Splits a command line into words, in arena a; the array ends with NULL. Words are separated by
 * blanks. Between '…' and "…" blanks are part of the word, and so is the character after a
 * backslash, except within '…'. No other character is special. 22023 if a quote or a backslash is
 * not closed. */
bool mt_alert_words (MtArena *a, const char *line, const char ***out, MtError *err);

/* ---- alert states ---- */

typedef struct MtAlertRow {
   MtAlertCell *cells;
   size_t count;
   bool missing; /* the row reports missing data, and has no cells */
   bool firing;  /* the row has been reported; otherwise it is pending */
   int64_t since_ms;
} MtAlertRow;

typedef struct MtAlertState {
   int64_t checked_ms; /* 0: never */
   MtAlertRow *rows;
   size_t count;
} MtAlertState;

/* Reads the saved state of an alert from the catalog's collection. The rows of *out are in arena a.
 * If the alert was never checked, *out is empty. */
bool mt_alert_state_read (MtSession *s, MtArena *a, const char *name, MtAlertState *out,
                          MtError *err);
/* Save, remove or rename an alert's state, in the open write step, or in a step of their own. */
bool mt_alert_state_save (MtSession *s, MtArena *a, const char *name, const MtAlertState *state,
                          MtError *err);
bool mt_alert_state_drop (MtSession *s, MtArena *a, const char *name, MtError *err);

/* Returns an alert's state as a word: "ok", "pending", "firing" or "missing"; NULL: it was never
 * checked. *since_ms is set to the time of the oldest row in this state; unchanged for "ok". */
const char *mt_alert_state_word (const MtAlertState *state, int64_t *since_ms);

#endif
