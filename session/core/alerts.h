/* Alerts: queries whose rows are things to report. An alert is an object of the catalog. What its
 * last check found is a document beside it, which a check writes without changing the catalog's
 * version. */
#ifndef MT_SESSION_ALERTS_H
#define MT_SESSION_ALERTS_H

#include "session/state/session.h"

/* ---- definitions ---- */

typedef struct MtAlert {
   const char *name;
   const char *sql; /* the query */
   /* the columns that identify a row of the query */
   const char **keys;
   size_t key_count;
   int64_t lasting_ms; /* FOR: how long a row must be there before it fires; 0: not at all */
   int64_t every_ms;   /* EVERY; 0: at each check */
   const char *notify; /* NOTIFY: the command line; NULL: none */
   bool enabled;
} MtAlert;

/* Finds an alert by name, in arena a; *out NULL: there is none. XX001 if it is damaged. */
bool mt_alert_find (MtSession *s, MtArena *a, const char *name, const MtAlert **out, MtError *err);
/* Returns all alerts, sorted by name, in arena a. XX001 if one is damaged. */
bool mt_alert_list (MtSession *s, MtArena *a, MtAlert **out, size_t *count, MtError *err);
/* Saves an alert as an object of the catalog. */
bool mt_alert_save (MtStatement *st, const MtAlert *alert, MtError *err);
/* Splits a command line into words, in arena a; the list ends with NULL. Words are separated by
 * blanks. '…' and "…" keep blanks; a backslash keeps the next character, except within '…'. No
 * other character is special. 22023: a quote or a backslash without an end. */
bool mt_alert_words (MtArena *a, const char *line, const char ***out, MtError *err);

/* ---- what the last check found ---- */

typedef struct MtAlertRow {
   MtAlertCell *cells;
   size_t count;
   bool missing; /* stands for missing data, and has no cells */
   bool firing;  /* a notice was given; otherwise the row is pending */
   int64_t since_ms;
} MtAlertRow;

typedef struct MtAlertState {
   int64_t checked_ms; /* 0: never */
   MtAlertRow *rows;
   size_t count;
} MtAlertState;

/* Reads the state of an alert from the target, in arena a. */
bool mt_alert_state_read (MtSession *s, MtArena *a, const char *name, MtAlertState *out,
                          MtError *err);
/* Saves, removes or renames it, as a step of its own or within the open step. */
bool mt_alert_state_save (MtSession *s, MtArena *a, const char *name, const MtAlertState *state,
                          MtError *err);
bool mt_alert_state_drop (MtSession *s, MtArena *a, const char *name, MtError *err);

/* A state in one word: "ok", "pending", "firing" or "missing"; NULL: never checked. *since_ms: the
 * time of the oldest row in this state; unchanged for "ok". */
const char *mt_alert_state_word (const MtAlertState *state, int64_t *since_ms);

#endif
