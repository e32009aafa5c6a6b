/* The table of settings, with one row for each. To add a setting, add a member of MtSettings and a
 * row. */
#include "layouts/pack/prealloc.h"
#include "session/state/search_path.h"
#include "session/state/session.h"

#include "types/datetime.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct MtSetting {
   const char *name;    /* as SHOW prints it */
   const char *initial; /* NULL: the setting is fixed, or belongs to the transaction */
   const char *summary;
   /* changes the setting to `value`; NULL: the setting cannot be changed */
   bool (*set) (MtSession *s, const struct MtSetting *row, const char *value, MtError *err);
   const char *(*show) (MtSession *s, const struct MtSetting *row, MtArena *a);
   size_t at; /* the offset in MtSettings, for functions that several rows share */
   /* The allowed values, ended by NULL; NULL: any text. For set_fixed: the only value, and other
    * spellings of it. */
   const char *const *values;
} MtSetting;

/* The value of a row of the table in the session's settings, as an lvalue of C type `type`. */
#define PLACE(type) ((type *) (void *) ((char *) &s->settings + row->at))

static bool bad_value (const char *name, const char *value, const char *hint, MtError *err)
{
   mt_error (err, MT_E_PARAMETER, "invalid value for parameter \"%s\": \"%s\"", name, value);
   return hint ? mt_error_hint (err, "%s", hint) : false;
}

/* ---- setting and showing booleans, words, texts and quantities ---- */

static bool read_bool (const char *name, const char *value, bool *out, MtError *err)
{
   static const char *const on[] = {"on", "true", "yes", "1"}, *const off[] = {"off", "false", "no",
                                                                               "0"};
   for (size_t i = 0; i < 4; i++) {
      if (mt_ieq (value, on[i]) || mt_ieq (value, off[i])) {
         *out = mt_ieq (value, on[i]);
         return true;
      }
   }
   return mt_error (err, MT_E_PARAMETER, "parameter \"%s\" requires a Boolean value", name);
}

static bool set_bool (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   return read_bool (row->name, value, PLACE (bool), err);
}

static const char *show_bool (MtSession *s, const MtSetting *row, MtArena *a)
{
   return *PLACE (bool) ? "on" : "off";
}

static bool need_word (const MtSetting *row, const char *value, int64_t *at, MtError *err)
{
   MtBuf all = {0};
   for (*at = 0; row->values[*at]; ++*at) {
      if (mt_ieq (row->values[*at], value))
         return true;
   }
   for (int i = 0; row->values[i]; i++)
      mt_buf_printf (&all, "%s%s", i ? ", " : "", row->values[i]);
   bad_value (row->name, value, NULL, err);
   mt_error_hint (err, "Available values: %s.", all.p);
   mt_buf_free (&all);
   return false;
}

static bool set_word (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   int64_t at;
   if (!need_word (row, value, &at, err))
      return false;
   *PLACE (int64_t) = at;
   return true;
}

static const char *show_word (MtSession *s, const MtSetting *row, MtArena *a)
{
   return row->values[*PLACE (int64_t)];
}

static bool set_text (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   *PLACE (const char *) = *value ? mt_strdup (s->arena, value) : NULL;
   return true;
}

static const char *show_text (MtSession *s, const MtSetting *row, MtArena *a)
{
   const char *text = *PLACE (const char *);
   return text ? text : "";
}

/* Returns whether two texts have the same letters and digits, whatever else they contain.
 * PostgreSQL compares encodings so: "utf-8" is UTF8. Used to accept the only value of a fixed
 * setting, which scripts often set. */
static bool same_letters (const char *a, const char *b)
{
   bool any = false;
   for (;; a++, b++) {
      while (*a && !isalnum ((unsigned char) *a))
         a++;
      while (*b && !isalnum ((unsigned char) *b))
         b++;
      if (tolower ((unsigned char) *a) != tolower ((unsigned char) *b))
         return false;
      if (!*a)
         return any;
      any = true;
   }
}

static bool set_fixed (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   for (int i = 0; row->values[i]; i++)
      if (mt_ieq (row->values[i], value) || same_letters (row->values[i], value))
         return true;
   mt_error (err, MT_E_FEATURE, "parameter \"%s\" cannot be set to \"%s\"", row->name, value);
   return mt_error_hint (err, "It is always %s.", row->values[0]);
}

static const char *show_fixed (MtSession *s, const MtSetting *row, MtArena *a)
{
   return row->values[0];
}

/* A unit of memory or time. The names are PostgreSQL's. */
typedef struct UnitRow {
   const char *name;
   double factor;
} UnitRow;

static const UnitRow memory_units[] = {
   {"B", 1}, {"kB", 1024}, {"MB", 1048576}, {"GB", 1073741824}, {NULL, 0}};
static const UnitRow time_units[] = {{"us", 0.001},  {"ms", 1},       {"s", 1000}, {"min", 60000},
                                     {"h", 3600000}, {"d", 86400000}, {NULL, 0}};

static const char *units_hint (const UnitRow *units)
{
   return units == time_units
             ? "Valid units for this parameter are \"us\", \"ms\", \"s\", \"min\", \"h\", and "
               "\"d\"."
             : "Valid units for this parameter are \"B\", \"kB\", \"MB\", and \"GB\".";
}

/* Parses a number with a unit. *out is the number in the unit whose factor is 1. plain: the factor
 * for a number without a unit. */
static bool read_quantity (const char *name, const char *value, const UnitRow *units, double plain,
                           int64_t *out, MtError *err)
{
   char *end;
   double x = strtod (value, &end), factor = 0;
   while (*end == ' ')
      end++;
   if (!*end)
      factor = plain;
   for (const UnitRow *u = units; u->name && *end; u++)
      if (strcmp (u->name, end) == 0)
         factor = u->factor;
   if (end == value || factor == 0 || !(x >= 0) || x * factor > 9e15)
      return bad_value (name, value, units_hint (units), err);
   *out = (int64_t) (x * factor);
   return true;
}

bool mt_read_bytes (const char *name, const char *value, int64_t *out, MtError *err)
{
   return read_quantity (name, value, memory_units, 1, out, err);
}

static const char *quantity_text (MtArena *a, int64_t x, const UnitRow *units)
{
   const UnitRow *best = NULL;
   for (const UnitRow *u = units; u->name; u++)
      if (u->factor >= 1 && x % (int64_t) u->factor == 0)
         best = u;
   return x == 0 ? "0"
                 : mt_printf (a, "%lld%s", (long long) (x / (int64_t) best->factor), best->name);
}

static bool set_time (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   return read_quantity (row->name, value, time_units, 1, PLACE (int64_t), err);
}

static const char *show_time (MtSession *s, const MtSetting *row, MtArena *a)
{
   return quantity_text (a, *PLACE (int64_t), time_units);
}

static bool set_lock_timeout (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   if (!set_time (s, row, value, err))
      return false;
   mt_engine_set_lock_timeout (s->engine, s->settings.lock_timeout);
   return true;
}

static const char *const commit_words[] = {"local", "remote_write", "remote_apply",
                                           "on",    "off",          NULL};
static void use_commit_delay (MtSession *s)
{
   mt_engine_set_commit_delay (s->engine, mt_commit_delay (s));
}

/* Sets synchronous_commit. There are no replicas, so all values except `off` only wait for the
 * disk. A change from `off` to another value writes earlier commits to the disk. */
static bool set_commit (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   static const char *const same[][2] = {{"true", "on"},   {"yes", "on"}, {"1", "on"},
                                         {"false", "off"}, {"no", "off"}, {"0", "off"}};
   for (size_t i = 0; i < sizeof same / sizeof *same; i++)
      value = mt_ieq (value, same[i][0]) ? same[i][1] : value;
   if (!set_word (s, row, value, err))
      return false;
   use_commit_delay (s);
   return s->settings.synchronous_commit == MT_COMMIT_OFF || mt_engine_sync (s->engine, err);
}

static bool set_writer_delay (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   int64_t ms;
   if (!read_quantity (row->name, value, time_units, 1, &ms, err))
      return false;
   if (ms < 1 || ms > 10000)
      return mt_error (err, MT_E_PARAMETER,
                       "%lld ms is outside the valid range for parameter \"%s\" (1 ms .. 10000 ms)",
                       (long long) ms, row->name);
   s->settings.wal_writer_delay = ms;
   use_commit_delay (s);
   return true;
}

/* Returns the name of a time zone for SHOW, without the mark by which mt_tz_name tells names from
 * abbreviations. */
static const char *zone_shown (const MtZone *z)
{
   const char *name = mt_tz_name (z);
   if (*name == ':')
      return name + 1;
   return strncmp (name, "<>", 2) == 0 ? name + 2 : name;
}

static bool set_timezone (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   const MtZone *z;
   MtError inner;
   MtInterval iv;
   if (strncmp (value, MT_ZONE_INTERVAL, strlen (MT_ZONE_INTERVAL)) ==
       0) { /* SET TIME ZONE INTERVAL '…' */
      const char *text = value + strlen (MT_ZONE_INTERVAL);
      if (!mt_interval_in (text, strlen (text), &iv, err))
         return false;
      if (iv.months || iv.days || iv.us >= 168 * INT64_C (3600000000) ||
          iv.us <= -168 * INT64_C (3600000000))
         return bad_value ("TimeZone", text, NULL, err);
      if (!mt_tz_find_offset ((int32_t) (iv.us / 1000000), &z, err))
         return false;
   } else if (!mt_tz_find_setting (value, &z, &inner)) {
      return bad_value ("TimeZone", value, NULL, err);
   }
   s->settings.zone = z;
   s->settings.timezone = mt_strdup (s->arena, zone_shown (z));
   return true;
}

const MtZone *mt_session_zone (const MtSession *s) { return s->settings.zone; }

static const char *show_timezone (MtSession *s, const MtSetting *row, MtArena *a)
{
   return s->settings.timezone;
}

static bool set_work_mem (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   int64_t bytes;
   if (!read_quantity ("work_mem", value, memory_units, 1024, &bytes, err))
      return false;
   if (bytes < 65536)
      return bad_value ("work_mem", value, "It must be at least 64kB.", err);
   s->settings.work_mem = bytes;
   mt_engine_set_work_mem (s->engine, (size_t) bytes);
   return true;
}

static void use_reading (MtSession *s)
{
   mt_engine_set_reading (s->engine, (MtReading) {.all_blocks = !s->settings.skip_blocks,
                                                  .documents = !s->settings.columns});
}

static bool set_reading (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   if (!set_bool (s, row, value, err))
      return false;
   use_reading (s);
   return true;
}

static const char *show_work_mem (MtSession *s, const MtSetting *row, MtArena *a)
{
   return quantity_text (a, s->settings.work_mem, memory_units);
}

static bool set_float_digits (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   char *end;
   long n = strtol (value, &end, 10);
   if (*end || end == value)
      return bad_value ("extra_float_digits", value, NULL, err);
   if (n < -15 || n > 3)
      return mt_error (
         err, MT_E_PARAMETER,
         "%ld is outside the valid range for parameter \"extra_float_digits\" (-15 .. 3)", n);
   s->settings.extra_float_digits = (int) n;
   return true;
}

static const char *show_float_digits (MtSession *s, const MtSetting *row, MtArena *a)
{
   return mt_printf (a, "%d", s->settings.extra_float_digits);
}

static bool set_sample_size (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   char *end;
   long long n = strtoll (value, &end, 10);
   if (end == value || *end || n < 1 || n > 10000000)
      return bad_value ("sample_size", value,
                        "It must be a number of documents, from 1 to 10000000.", err);
   s->settings.sample_size = n;
   return true;
}

static const char *show_sample_size (MtSession *s, const MtSetting *row, MtArena *a)
{
   return mt_printf (a, "%lld", (long long) s->settings.sample_size);
}

static bool set_search_path (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   return mt_check_search_path (value, err) && set_text (s, row, value, err);
}

/* Sets pushdown_off, a list of stages and operators such as "$group, $lookup", after checking its
 * form. */
static bool set_pushdown_off (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   for (const char *p = value; *p; p += *p == ',') {
      p += strspn (p, " ");
      size_t n = strcspn (p, " ,"), end = strcspn (p, ",");
      bool name = n > 1 && *p == '$', all = n == 1 && *p == '*';
      if ((!name && !all && *value) || strspn (p + n, " ") + n != end) {
         mt_error (err, MT_E_PARAMETER, "invalid value for parameter \"%s\": \"%s\"", row->name,
                   value);
         return mt_error_hint (
            err, "List stages and operators, as in '$sort, $setWindowFields', or '*'.");
      }
      p += end;
   }
   return set_text (s, row, value, err);
}

/* ---- transactions ---- */

static const char *const isolation_words[] = {
   "unsaid", "read uncommitted", "read committed", "repeatable read", "serializable", NULL};

static bool read_modes (const MtSetting *row, const char *value, MtTxnModes *out, MtError *err)
{
   static const MtSetting words = {.name = "transaction_isolation", .values = isolation_words + 1};
   bool yes;
   int64_t at;
   *out = (MtTxnModes) {0};
   if (strstr (row->name, "isolation")) {
      if (!need_word (&words, value, &at, err)) {
         err->message[0] = 0;
         return bad_value (
            row->name, value,
            "Available values: serializable, repeatable read, read committed, read uncommitted.",
            err);
      }
      out->isolation = (MtIsolation) (at + 1);
      return true;
   }
   MtSession scratch = {0}, *s = &scratch;
   const MtSetting flag = {.name = row->name, .at = offsetof (MtSettings, optimize)};
   if (!set_bool (s, &flag, value, err))
      return false;
   yes = s->settings.optimize;
   if (strstr (row->name, "read_only"))
      out->access = yes ? MT_ACCESS_READ : MT_ACCESS_WRITE;
   else
      out->deferrable = yes ? MT_DEFER_YES : MT_DEFER_NO;
   return true;
}

static bool set_default_mode (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   MtTxnModes said;
   if (!read_modes (row, value, &said, err))
      return false;
   s->settings.default_modes = mt_txn_modes (s->settings.default_modes, said);
   return true;
}

static bool set_this_mode (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   MtTxnModes said;
   return read_modes (row, value, &said, err) && mt_set_transaction (s, said, err);
}

static const char *show_mode (MtSession *s, const MtSetting *row, MtArena *a)
{
   bool this = strncmp (row->name, "transaction", 11) == 0 && s->txn.state != MT_TRANSACTION_NONE;
   const MtTxnModes *m = this ? &s->txn.modes : &s->settings.default_modes;
   if (strstr (row->name, "isolation"))
      return mt_isolation_name (m->isolation);
   bool on = strstr (row->name, "read_only") ? m->access == MT_ACCESS_READ
                                             : m->deferrable == MT_DEFER_YES;
   return on ? "on" : "off";
}

static bool set_nobody (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   return mt_error (err, MT_E_PRIVILEGE, "permission denied to set session authorization \"%s\"",
                    value);
}

static const char *show_nobody (MtSession *s, const MtSetting *row, MtArena *a) { return "mtsql"; }

/* ---- PostgreSQL's planner ---- */

/* Settings of PostgreSQL's planner with their defaults. They are stored and shown, and have no
 * effect. */
#define IGNORED(X) \
   X (enable_async_append, "on"), X (enable_bitmapscan, "on"), X (enable_gathermerge, "on"), \
      X (enable_hashagg, "on"), X (enable_hashjoin, "on"), X (enable_incremental_sort, "on"), \
      X (enable_indexonlyscan, "on"), X (enable_indexscan, "on"), X (enable_material, "on"), \
      X (enable_memoize, "on"), X (enable_mergejoin, "on"), X (enable_nestloop, "on"), \
      X (enable_parallel_append, "on"), X (enable_parallel_hash, "on"), \
      X (enable_partition_pruning, "on"), X (enable_partitionwise_aggregate, "off"), \
      X (enable_partitionwise_join, "off"), X (enable_seqscan, "on"), X (enable_sort, "on"), \
      X (enable_tidscan, "on"), X (geqo, "on"), X (jit, "on"), \
      X (parallel_leader_participation, "on"), X (constraint_exclusion, "partition"), \
      X (cpu_index_tuple_cost, "0.005"), X (cpu_operator_cost, "0.0025"), \
      X (cpu_tuple_cost, "0.01"), X (cursor_tuple_fraction, "0.1"), \
      X (default_statistics_target, "100"), X (effective_cache_size, "4GB"), \
      X (effective_io_concurrency, "1"), X (force_parallel_mode, "off"), \
      X (from_collapse_limit, "8"), X (geqo_threshold, "12"), X (hash_mem_multiplier, "2"), \
      X (jit_above_cost, "100000"), X (jit_inline_above_cost, "500000"), \
      X (jit_optimize_above_cost, "500000"), X (join_collapse_limit, "8"), \
      X (maintenance_work_mem, "64MB"), X (max_parallel_maintenance_workers, "2"), \
      X (max_parallel_workers, "8"), X (max_parallel_workers_per_gather, "2"), \
      X (min_parallel_index_scan_size, "512kB"), X (min_parallel_table_scan_size, "8MB"), \
      X (parallel_setup_cost, "1000"), X (parallel_tuple_cost, "0.1"), \
      X (plan_cache_mode, "auto"), X (random_page_cost, "4"), X (seq_page_cost, "1"), \
      X (temp_buffers, "8MB")

#define X(name, value) IGNORED_##name
enum { IGNORED (X), IGNORED_COUNT };
#undef X
_Static_assert ((int) IGNORED_COUNT == (int) MT_IGNORED_SETTINGS, "a place for each");

static bool set_ignored (MtSession *s, const MtSetting *row, const char *value, MtError *err)
{
   bool flag, switches = strcmp (row->initial, "on") == 0 || strcmp (row->initial, "off") == 0;
   if (switches && strcmp (row->name, "force_parallel_mode") != 0) {
      if (!read_bool (row->name, value, &flag, err))
         return false;
      value = flag ? "on" : "off";
   }
   return set_text (s, row, value, err);
}

/* ---- the rows ---- */

#define AT(member) .at = offsetof (MtSettings, member)
#define OWN .at = 0 /* the row's functions access their own member */
#define ROW(row, first, text, setter, shower, ...) \
   {.name = row, .initial = first, .summary = text, .set = setter, .show = shower, __VA_ARGS__}
#define WORDS(...) \
   .values = (const char *const[]) { __VA_ARGS__, NULL }
#define FIXED(row, text, ...) ROW (row, NULL, text, set_fixed, show_fixed, WORDS (__VA_ARGS__))

static const MtSetting settings[] = {
   ROW ("application_name", "", "Sets the name of the session. It has no effect.", set_text,
        show_text, AT (application_name)),
   FIXED ("bytea_output", "Shows how bytea is printed.", "hex"),
   FIXED ("check_function_bodies", "Has no effect: functions are always checked. Dumps set it.",
          "on", "off", "true", "false"),
   FIXED ("client_encoding", "Shows the encoding of statements and results.", "UTF8", "unicode",
          "default"),
   ROW ("client_min_messages", "notice", "Sets the least severity of messages that are shown.",
        set_word, show_word, AT (min_messages),
        WORDS ("debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning",
               "error")),
   ROW ("cut", "", "Sets the cut at which layouts are read. Empty: the cheapest.", set_text,
        show_text, AT (cut)),
   FIXED ("DateStyle", "Shows how dates are printed and read.", "ISO, MDY", "ISO", "MDY",
          "default"),
   ROW ("default_transaction_deferrable", "off", "Has no effect.", set_default_mode, show_mode,
        OWN),
   ROW ("default_transaction_isolation", "read committed",
        "Sets the isolation level of new transactions.", set_default_mode, show_mode, OWN),
   ROW ("default_transaction_read_only", "off", "Sets whether new transactions are read-only.",
        set_default_mode, show_mode, OWN),
   FIXED ("default_table_access_method", "Shows the access method of tables in pg_class.", "heap"),
   FIXED ("default_tablespace", "Has no effect: there are no tablespaces. Dumps set it.", "",
          "pg_default"),
   ROW ("enable_columns", "on",
        "Reads the columns of the embedded store where they suffice. off: reads the documents.",
        set_reading, show_bool, AT (columns)),
   ROW ("enable_cuts", "on", "Allows plans to read inner levels. off: plans read records only.",
        set_bool, show_bool, AT (optimize)),
   ROW ("enable_skipping", "on",
        "Skips blocks of the embedded store by the ranges of their values. off: reads all blocks.",
        set_reading, show_bool, AT (skip_blocks)),
   ROW ("extension_path", "$system",
        "Sets the folders of extensions, with colons between them; $system is the installed one.",
        set_text, show_text, AT (extension_path)),
   ROW ("extra_float_digits", "1",
        "Sets the digits of doubles. Above 0: the shortest exact text; else 15 plus this value.",
        set_float_digits, show_float_digits, OWN),
   ROW ("idle_in_transaction_session_timeout", "0",
        "Sets how long a client of --listen may keep a transaction open and idle. 0: no limit.",
        set_time, show_time, AT (idle_timeout)),
   ROW ("integer_datetimes", NULL, "Shows that timestamps are stored as integers.", NULL,
        show_fixed, WORDS ("on")),
   FIXED ("IntervalStyle", "Shows how intervals are printed.", "postgres"),
   ROW (
      "catalog_max_age", "0",
      "Sets the maximum age of the cached catalog, and of the last test of documents, for read-only "
      "statements. 0: always check.",
      set_time, show_time, AT (catalog_max_age)),
   ROW ("intent_timeout", "10s",
        "Sets the time without a sign of life after which a writer on a server counts as dead.",
        set_time, show_time, AT (intent_timeout)),
   ROW ("layout", "", "Sets the layout that queries read. Empty: the cheapest.", set_text,
        show_text, AT (layout)),
   ROW ("lc_collate", NULL, "Shows the order of texts.", NULL, show_fixed, WORDS ("C")),
   ROW ("lc_ctype", NULL, "Shows the classes of characters.", NULL, show_fixed, WORDS ("C")),
   ROW ("lock_timeout", "0", "Sets how long a statement waits for another writer. 0: not at all.",
        set_lock_timeout, show_time, AT (lock_timeout)),
   ROW ("max_index_keys", NULL, "Shows the maximum number of columns of an index.", NULL,
        show_fixed, WORDS ("32")),
   ROW ("max_identifier_length", NULL, "Shows the most bytes that a name can have.", NULL,
        show_fixed, WORDS ("63")),
   ROW ("on_malformed", "error",
        "Sets what happens to malformed documents: an error, or a warning that skips them.",
        set_word, show_word, AT (skip_malformed), WORDS ("error", "skip")),
   ROW (
      "pushdown_off", "",
      "Sets the stages and operators that servers must not run, such as '$group, $lookup'; *: all.",
      set_pushdown_off, show_text, AT (pushdown_off)),
   ROW ("require_full_pushdown", "off",
        "Refuses queries that the server cannot compute completely.", set_bool, show_bool,
        AT (require_full_pushdown)),
   FIXED ("row_security", "Has no effect: there is no row security. Dumps set it.", "on", "off"),
   ROW ("sample_size", "1000",
        "Sets how many documents are sampled to find the columns of an undeclared collection.",
        set_sample_size, show_sample_size, OWN),
   ROW ("search_path", "\"$user\", public",
        "Sets the schemas in which relations are found without a schema.", set_search_path,
        show_text, AT (search_path)),
   ROW ("server_encoding", NULL, "Shows the encoding of stored texts.", NULL, show_fixed,
        WORDS ("UTF8")),
   ROW ("server_version", NULL, "Shows the version of PostgreSQL's SQL, and the version of mtsql.",
        NULL, show_fixed, WORDS (MT_SERVER_VERSION)),
   ROW ("server_version_num", NULL, "Shows the version of PostgreSQL's SQL as a number.", NULL,
        show_fixed, WORDS (MT_SERVER_VERSION_NUM)),
   FIXED ("standard_conforming_strings", "Shows that backslashes in '...' are ordinary characters.",
          "on", "true", "1", "yes"),
   FIXED ("synchronize_seqscans", "Has no effect: only dumps set it.", "on", "off"),
   ROW ("statement_timeout", "0", "Sets the maximum time of a statement. 0: no limit.", set_time,
        show_time, AT (statement_timeout)),
   ROW ("sweep_interval", "1min",
        "Sets how often a session that writes to a store removes expired rows. 0: never.", set_time,
        show_time, AT (sweep_interval)),
   ROW ("synchronous_commit", "on",
        "Sets whether commits wait for the disk. off: a crash of the machine can lose those of the "
        "last wal_writer_delay.",
        set_commit, show_word, AT (synchronous_commit), .values = commit_words),
   ROW ("TimeZone", "UTC", "Sets the time zone in which times are printed, read and truncated.",
        set_timezone, show_timezone, OWN),
   ROW ("transaction_deferrable", NULL, "Has no effect.", set_this_mode, show_mode, OWN),
   ROW ("transaction_isolation", NULL, "Sets the isolation level of the current transaction.",
        set_this_mode, show_mode, OWN),
   ROW ("transaction_read_only", NULL, "Sets whether the current transaction is read-only.",
        set_this_mode, show_mode, OWN),
   ROW ("wal_writer_delay", "200ms",
        "Sets the maximum delay until commits are on the disk if synchronous_commit is off.",
        set_writer_delay, show_time, AT (wal_writer_delay)),
   ROW ("work_mem", "256MB", "Sets the memory of a sort or grouping before it uses the disk.",
        set_work_mem, show_work_mem, OWN),
   ROW ("session_authorization", NULL, "Shows the user of the session.", set_nobody, show_nobody,
        OWN),
#define X(row, value) \
   ROW (#row, value, "Has no effect: only PostgreSQL's planner uses it.", set_ignored, show_text, \
        AT (ignored[IGNORED_##row]))
   IGNORED (X),
#undef X
   FIXED ("xmloption", "Has no effect: there is no type xml. Dumps set it.", "content", "document"),
};

#define SETTING_COUNT (sizeof settings / sizeof *settings)

void mt_settings_init (MtSession *s)
{
   MtError ignored;
   for (size_t i = 0; i < SETTING_COUNT; i++)
      if (settings[i].initial)
         settings[i].set (s, &settings[i], settings[i].initial, &ignored);
}

void mt_settings_restore (MtSession *s, const MtSettings *to)
{
   s->settings = *to;
   mt_engine_set_work_mem (s->engine, (size_t) s->settings.work_mem);
   use_reading (s);
   mt_engine_set_lock_timeout (s->engine, s->settings.lock_timeout);
   use_commit_delay (s);
}

static const MtSetting *setting_by_name (const char *name)
{
   for (size_t i = 0; i < SETTING_COUNT; i++)
      if ((settings[i].name[0] | 0x20) == (name[0] | 0x20) && mt_ieq (settings[i].name, name))
         return &settings[i];
   return NULL;
}

static bool find_setting (const MtName *name, const MtSetting **out, MtError *err)
{
   const char *names[SETTING_COUNT];
   *out = setting_by_name (name->text);
   if (*out)
      return true;
   for (size_t i = 0; i < SETTING_COUNT; i++)
      names[i] = settings[i].name;
   mt_error_at (err, name->span, MT_E_UNDEFINED_OBJECT,
                "unrecognized configuration parameter \"%s\"", name->text);
   const char *near = mt_nearest (name->text, names, SETTING_COUNT);
   return near ? mt_error_hint (err, "Perhaps you meant \"%s\".", near)
               : mt_error_hint (err, "SHOW ALL lists the parameters.");
}

/* ---- SET, RESET, SHOW ---- */

/* Changes a setting. In a transaction, the value is also stored in txn.kept, the settings that stay
 * after COMMIT, unless `local` (SET LOCAL). value NULL: the initial value. */
static bool change_setting (MtSession *s, const MtSetting *row, const char *value, bool local,
                            MtError *err)
{
   if (!row->set)
      return mt_error (err, MT_E_CANT_CHANGE, "parameter \"%s\" cannot be changed", row->name);
   value = value ? value : row->initial;
   if (!value) /* fixed, or of the transaction */
      return true;
   if (local && s->txn.state == MT_TRANSACTION_NONE) {
      mt_notice (s, "WARNING", NULL, "SET LOCAL can only be used in transaction blocks");
      return true;
   }
   if (!row->set (s, row, value, err))
      return false;
   if (local || s->txn.state == MT_TRANSACTION_NONE || !row->initial)
      return true;
   MtSettings now = s->settings;
   s->settings = s->txn.kept;
   bool ok = row->set (s, row, value, err);
   s->txn.kept = s->settings;
   mt_settings_restore (s, &now);
   return ok;
}

/* Returns the values of a SET statement's list as one text, with commas, as search_path and
 * DateStyle have it. names: the values are quoted as identifiers. */
static const char *set_values (MtArena *a, const MtOption *v, bool names)
{
   const char *text = "";
   for (; v; v = v->next) {
      const char *value = mt_strndup (a, v->value.p, v->value.n);
      if (names)
         value = mt_quoted (a, value);
      if (v->kind == MT_OPT_BOOL)
         value = mt_str_is (v->value, "true") ? "on" : "off";
      text = mt_printf (a, "%s%s%s", text, value, v->next ? ", " : "");
   }
   return text;
}

bool mt_run_set (MtStatement *st, MtError *err)
{
   const MtSetting *row;
   const MtStmt *stmt = st->stmt;
   if (!find_setting (&stmt->set.name, &row, err))
      return false;
   mt_result_set_tag (st->result, "SET");
   if (!row->set) {
      mt_error_at (err, stmt->set.name.span, MT_E_CANT_CHANGE, "parameter \"%s\" cannot be changed",
                   row->name);
      return false;
   }
   const MtOption *v = stmt->set.values;
   bool list = row->set == set_search_path || mt_ieq (row->name, "DateStyle");
   if (v && v->next && !list)
      return mt_error_at (err, v->span, MT_E_PARAMETER, "SET %s takes only one argument",
                          row->name);
   if (!change_setting (
          st->session, row,
          stmt->set.is_default ? NULL : set_values (st->arena, v, row->set == set_search_path),
          stmt->set.local, err))
      return false;
   if (row->set == set_ignored)
      mt_notice (st->session, "NOTICE", NULL, "parameter \"%s\" has no effect", row->name);
   return true;
}

bool mt_change_setting (MtSession *s, MtArena *a, const MtSettingChange *c, const char **shown,
                        MtError *err)
{
   const MtSetting *row;
   if (!find_setting (&(MtName) {.text = c->name, .span = MT_NO_SPAN}, &row, err))
      return false;
   MtSettings before = s->settings;
   bool over = c->local && s->txn.state == MT_TRANSACTION_NONE; /* ends with this statement */
   if (!change_setting (s, row, c->value, c->local && !over, err))
      return false;
   *shown = mt_strdup (a, row->show (s, row, a));
   if (row->set == set_ignored)
      mt_notice (s, "NOTICE", NULL, "parameter \"%s\" has no effect", row->name);
   if (over)
      mt_settings_restore (s, &before);
   return true;
}

bool mt_run_reset (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const MtSetting *row;
   mt_result_set_tag (st->result, "RESET");
   if (st->stmt->set.name.text)
      return find_setting (&st->stmt->set.name, &row, err) &&
             change_setting (s, row, NULL, false, err);
   for (size_t i = 0; i < SETTING_COUNT; i++)
      if (settings[i].initial && !change_setting (s, &settings[i], NULL, false, err))
         return false;
   return true;
}

bool mt_run_show (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "SHOW");
   if (st->stmt->set.name.text) {
      const MtSetting *row;
      if (!find_setting (&st->stmt->set.name, &row, err))
         return false;
      const char *value = row->show (st->session, row, st->arena);
      mt_result_text_columns (st->result, 1, &row->name);
      mt_result_add_row (st->result, &value);
      return true;
   }
   static const char *const names[] = {"name", "setting", "description"};
   mt_result_text_columns (st->result, 3, names);
   for (size_t i = 0; i < SETTING_COUNT; i++)
      mt_result_add_row (st->result,
                         (const char *[]) {settings[i].name,
                                           settings[i].show (st->session, &settings[i], st->arena),
                                           settings[i].summary});
   return true;
}

/* Returns a quantity as pg_settings shows it: a whole number of `unit`, without the unit. */
static const char *in_unit (MtArena *a, const char *value, const UnitRow *units, const char *unit)
{
   const UnitRow *u = units;
   int64_t x;
   MtError ignored;
   while (strcmp (u->name, unit) != 0)
      u++;
   return read_quantity ("", value, units, u->factor, &x, &ignored)
             ? mt_printf (a, "%lld", (long long) (x / (int64_t) u->factor))
             : value;
}

/* Returns the units that the values of a setting can have; NULL: none. */
static const UnitRow *units_of (const MtSetting *row)
{
   if (row->show == show_time)
      return time_units;
   return row->show == show_work_mem ? memory_units : NULL;
}

/* Returns the type of a setting's values, as pg_settings names it. */
static const char *value_type (const MtSetting *row)
{
   if (units_of (row) || row->show == show_float_digits || row->show == show_sample_size)
      return "integer";
   bool mode = row->show == show_mode, isolation = mode && strstr (row->name, "isolation");
   if (row->show == show_bool || (mode && !isolation))
      return "bool";
   return row->show == show_word || isolation ? "enum" : "string";
}

/* Returns the words that a setting can have as value, ended by NULL; NULL: its values are not
 * words. */
static const char *const *words_of (const MtSetting *row)
{
   if (row->show == show_mode)
      return strstr (row->name, "isolation") ? isolation_words + 1 : NULL;
   return row->show == show_word ? row->values : NULL;
}

const char *mt_setting (MtSession *s, MtArena *a, const char *name)
{
   const MtSetting *row = setting_by_name (name);
   return row ? row->show (s, row, a) : NULL;
}

int64_t mt_idle_timeout_ms (const MtSession *s) { return s->settings.idle_timeout; }

bool mt_setting_at (MtSession *s, MtArena *a, size_t index, MtSettingInfo *out)
{
   if (index >= SETTING_COUNT)
      return false;
   const MtSetting *row = &settings[index];
   const UnitRow *units = units_of (row);
   *out = (MtSettingInfo) {.name = row->name,
                           .value = row->show (s, row, a),
                           .summary = row->summary,
                           .initial = row->initial,
                           .changes = row->initial != NULL};
   if (units)
      out->unit = units == time_units ? "ms" : "kB";
   out->number = units ? in_unit (a, out->value, units, out->unit) : out->value;
   out->initial_number = units && row->initial ? in_unit (a, row->initial, units, out->unit)
                                               : row->initial;
   out->type = value_type (row);
   out->values = words_of (row);
   return true;
}
