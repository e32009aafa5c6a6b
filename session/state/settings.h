/* The settings of a session (SET, SHOW, RESET) and the modes of its transactions. */
#ifndef MT_SESSION_SETTINGS_H
#define MT_SESSION_SETTINGS_H

#include "include/mtsql.h"
#include "parser/parser.h"
#include "types/tz.h"

enum {
   MT_IGNORED_SETTINGS = 51,
   MT_COMMIT_OFF = 4 /* the index of `off` among the values of synchronous_commit */
};

/* The values of all settings. Strings are in the session's arena; NULL: empty. A transaction has
 * copies of this struct, to restore the settings at its end. */
typedef struct MtSettings {
   const char *ignored[MT_IGNORED_SETTINGS]; /* settings of PostgreSQL's planner */
   const char *timezone;
   const MtZone *zone;
   const char *layout, *cut;
   int64_t skip_malformed; /* 0 or 1 */
   bool optimize;
   bool skip_blocks;
   bool columns; /* the engine may read the stored columns instead of documents */
   bool require_full_pushdown;
   const char *pushdown_off;
   int64_t work_mem;           /* bytes */
   int64_t statement_timeout;  /* ms; 0: none */
   int64_t idle_timeout;       /* of transactions of --listen, in ms; 0: none */
   int64_t synchronous_commit; /* index of the value in its list; see MT_COMMIT_OFF */
   int64_t wal_writer_delay;   /* ms */
   int64_t catalog_max_age;    /* ms; 0: statements always check the catalog's version */
   int64_t intent_timeout;     /* ms */
   int64_t lock_timeout;       /* ms; 0: fail at once */
   MtTxnModes default_modes;   /* of new transactions */
   const char *application_name, *search_path;
   const char *extension_path; /* folders of extensions (base/control.h) */
   int64_t min_messages;       /* index of the value in client_min_messages' list */
   int extra_float_digits;
   int64_t sample_size;    /* documents */
   int64_t sweep_interval; /* ms; 0: never */
} MtSettings;

struct MtStatement;

/* Sets all settings to their initial values. */
void mt_settings_init (MtSession *s);
/* Replaces all settings by a copy of *to, and passes those that the engine needs on to it. */
void mt_settings_restore (MtSession *s, const MtSettings *to);

/* These functions run SET, RESET and SHOW. The table of statements calls them. */
bool mt_run_set (struct MtStatement *st, MtError *err);
bool mt_run_reset (struct MtStatement *st, MtError *err);
bool mt_run_show (struct MtStatement *st, MtError *err);

/* A change of a setting, as set_config requests it. */
typedef struct MtSettingChange {
   const char *name, *value; /* value NULL: the initial one */
   bool local;               /* until the transaction ends */
} MtSettingChange;
/* Changes a setting by its name. *shown, in arena a, is the new value as SHOW prints it. Sends no
 * warning if `local` is used outside of a transaction. Errors: 42704 no such setting, 22023 a wrong
 * value, 55P02 it cannot be changed. */
bool mt_change_setting (MtSession *s, MtArena *a, const MtSettingChange *c, const char **shown,
                        MtError *err);

typedef struct MtSettingInfo {
   const char *name, *value, *summary;
   const char *initial; /* NULL: the setting cannot be changed */
   const char *unit;    /* NULL: none */
   /* the current and the initial value as pg_settings shows them: whole numbers of `unit` */
   const char *number, *initial_number;
   const char *type; /* bool, integer, enum, string */
   /* the values of an enum, ended by NULL; static; NULL: the setting is no enum */
   const char *const *values;
   bool changes;
} MtSettingInfo;
/* Parses a number of bytes with an optional unit (B, kB, MB, GB) into *out. Error: 22023; name: the
 * setting's name for the message. */
bool mt_read_bytes (const char *name, const char *value, int64_t *out, MtError *err);
/* Describes the setting with this index in *out, in arena a. Returns false if there is no such
 * setting. */
bool mt_setting_at (MtSession *s, MtArena *a, size_t index, MtSettingInfo *out);

/* ---- modes of transactions (modes.c) ---- */

/* Runs SET TRANSACTION: changes the modes of the open transaction to `said`. Error: 25001 too late
 * in the transaction. Outside of a transaction it only sends a warning. */
bool mt_set_transaction (MtSession *s, MtTxnModes said, MtError *err);
/* Fails with 0A000 if the engine does not support the isolation level. */
bool mt_check_isolation (MtSession *s, MtIsolation i, MtError *err);
/* Returns the modes that are set in `said`, and for all others the modes of `otherwise`. */
MtTxnModes mt_txn_modes (MtTxnModes otherwise, MtTxnModes said);
/* Returns the name of an isolation level, such as "read committed"; static. */
const char *mt_isolation_name (MtIsolation i);

#endif
