/* COPY … FROM and COPY … TO: reads the options, opens the files, and handles errors. The folder
 * copy/ has the formats. */
#include "base/compress.h"
#include "copy/copy.h"
#include "base/draft.h"
#include "base/temporary.h"

#include "planner/emit/eval.h"
#include "session/core/core.h"
#include "session/dml/dml.h"
#include "session/files/files.h"
#include "session/state/session.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Copy {
   MtStatement *st;
   const MtTable *table;
   const char *format;
   MtSpan format_span;
   MtPresetOption *options;
   size_t option_count;
   const MtOption *force_null, *force_not_null, *force_quote; /* NULL: not given */
   const MtOption *on_error, *reject_limit, *log_verbosity;
   const MtOption *nulls; /* the option NULL, if it is a list of texts; else NULL */
   MtCopyLookupOptions lookups;
   MtCopyLookup *lookup; /* the table of the option LOOKUP; NULL: not given */
   MtCopyIn *in;
   /* ignores: ON_ERROR is ignore, so faulty records are skipped; verbose: each skipped record is
    * reported */
   bool ignores, verbose;
   int64_t reject_most; /* the limit of skipped records; 0: none */
   /* rejected: the number of skipped records; rejected_types: how many of them had text that is no
    * value of a column's type */
   uint64_t rejected, rejected_types;
   const char *first_rejected;
   int *columns; /* the copied columns of the table */
   size_t column_count;
   MtError io; /* the error of reading or writing the file */
   MtDefaults defaults;
   MtVal *row;
   MtX *where;
   uint64_t rows;
   int fd;        /* the open file; -1: STDIN or STDOUT */
   MtDraft draft; /* COPY TO: the file; fd is the draft's */
   uint64_t size; /* the size of the file; 0: not known */
   bool packed;   /* the file is compressed: `size` is not the number of bytes to be read */
   MtUnpack *unpack;
   MtPack *pack;
   const char *file;
   int64_t last_report_ms;
} Copy;

/* ---- files and streams ---- */

enum { LOOK_MS = 100 }; /* milliseconds between two checks for cancellation */

/* Waits until the file can be read (what = POLLIN) or written (POLLOUT). The wait can be cancelled:
 * perhaps no process ever opens the other end of a pipe. */
static bool wait_ready (Copy *c, short what, MtError *err)
{
   struct pollfd p = {.fd = c->fd, .events = what};
   while (mt_cancel_check (&c->st->session->cancel, err))
      if (poll (&p, 1, LOOK_MS) > 0)
         return true;
   return false;
}

static bool is_interrupted (void) { return errno == EINTR || errno == EAGAIN; }

static long read_bytes (void *ctx, char *buf, size_t n)
{
   Copy *c = ctx;
   MtError *err = &c->io;
   MtSession *s = c->st->session;
   long got;
   if (c->fd < 0) {
      if (!mt_cancel_check (&s->cancel, err))
         return -1;
      got = s->options.read_stdin (s->options.ctx, buf, n);
      if (got < 0 && mt_cancel_check (&s->cancel, err))
         mt_error (err, MT_E_IO, "could not read from standard input");
      return got;
   }
   do {
      if (!wait_ready (c, POLLIN, err))
         return -1;
      got = read (c->fd, buf, n);
   } while (got < 0 && is_interrupted ());
   if (got < 0)
      mt_error (err, MT_E_IO, "could not read file \"%s\": %s", c->file, strerror (errno));
   return got;
}

static bool write_bytes (void *ctx, const char *buf, size_t n)
{
   Copy *c = ctx;
   MtError *err = &c->io;
   MtSession *s = c->st->session;
   if (c->fd < 0)
      return s->options.write_stdout (s->options.ctx, buf, n) ||
             mt_error (err, MT_E_IO, "could not write to standard output");
   while (n > 0) {
      if (!wait_ready (c, POLLOUT, err))
         return false;
      ssize_t put = write (c->fd, buf, n);
      if (put < 0 && is_interrupted ())
         continue;
      if (put < 0)
         return mt_error (err, mt_io_state (errno), "could not write to file \"%s\": %s", c->file,
                          strerror (errno));
      mt_draft_wrote (&c->draft, (size_t) put);
      buf += put;
      n -= (size_t) put;
   }
   return true;
}

static long read_unpacked (void *ctx, char *buf, size_t n)
{
   Copy *c = ctx;
   return mt_cancel_check (&c->st->session->cancel, &c->io)
             ? mt_unpack_read (c->unpack, buf, n, &c->io)
             : -1;
}

static bool write_packed (void *ctx, const char *buf, size_t n)
{
   return mt_pack_write (((Copy *) ctx)->pack, buf, n);
}

static bool is_fifo (const char *file)
{
   struct stat info;
   return stat (file, &info) == 0 && S_ISFIFO (info.st_mode);
}

/* Opens the file without waiting. Sets c->fd; it is -1, with errno, after an error. */
static void open_now (Copy *c, bool from)
{
   if (from)
      c->fd = open (c->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
   else
      c->fd = mt_draft_open (&c->draft, c->file, O_NONBLOCK) ? c->draft.fd : -1;
}

/* Opens the file. Before it writes to a fifo (named pipe), waits until a process opens the fifo for
 * reading. Returns false with an error if cancelled. */
static bool open_when_there (Copy *c, bool from, MtError *err)
{
   for (;;) {
      open_now (c, from);
      if (c->fd >= 0 || !(errno == EINTR || (errno == ENXIO && is_fifo (c->file))))
         return true;
      if (!mt_cancel_check (&c->st->session->cancel, err))
         return false;
      poll (NULL, 0, LOOK_MS);
   }
}

static void close_file (Copy *c)
{
   if (c->fd >= 0)
      close (c->fd);
   c->fd = -1;
}

static bool open_file (Copy *c, bool from, MtError *err)
{
   const MtStr file = c->st->stmt->copy.file;
   MtSession *s = c->st->session;
   c->fd = -1;
   if (!file.p) {
      bool there = from ? s->options.read_stdin != NULL : s->options.write_stdout != NULL;
      return there || mt_error (err, MT_E_FEATURE, "COPY %s is not available here",
                                from ? "FROM STDIN" : "TO STDOUT");
   }
   if (s->options.restricted)
      return mt_error_at (err, c->st->stmt->copy.file_span, MT_E_PRIVILEGE,
                          "COPY to or from a file is not allowed in restricted mode");
   c->file = mt_strndup (c->st->arena, file.p, file.n);
   if (!open_when_there (c, from, err))
      return false;
   if (c->fd < 0) {
      const char *why = strerror (errno);
      return mt_error_at (err, c->st->stmt->copy.file_span,
                          errno == ENOENT ? MT_E_UNDEFINED_FILE : MT_E_IO,
                          "could not open file \"%s\" for %s: %s", c->file,
                          from ? "reading" : "writing", why);
   }
   struct stat info;
   if (from && fstat (c->fd, &info) == 0 && S_ISDIR (info.st_mode)) {
      close_file (c);
      return mt_error_at (err, c->st->stmt->copy.file_span, MT_E_WRONG_OBJECT,
                          "\"%s\" is a directory", c->file);
   }
   c->size = from && fstat (c->fd, &info) == 0 && S_ISREG (info.st_mode) ? (uint64_t) info.st_size
                                                                         : 0;
   char first[4];
   ssize_t n = c->size ? pread (c->fd, first, sizeof first, 0) : 0;
   if (c->size && !mt_file_refuse_foreign (c->fd, c->file, c->st->stmt->copy.file_span, err)) {
      close_file (c);
      return false;
   }
   c->packed = n > 0 && mt_compression_of_bytes (first, (size_t) n) != MT_NOT_COMPRESSED;
   return true;
}

/* ---- columns and options ---- */

static const char *option_text (MtArena *a, const MtOption *o)
{
   return o->kind == MT_OPT_NONE ? NULL : mt_strndup (a, o->value.p, o->value.n);
}

/* Returns the member of c in which to store an option that COPY handles itself; NULL: the option
 * belongs to the format. */
static const MtOption **session_option (Copy *c, const char *name)
{
   const struct {
      const char *name;
      const MtOption **to;
   } rows[] = {{"force_null", &c->force_null},         {"force_not_null", &c->force_not_null},
               {"force_quote", &c->force_quote},       {"on_error", &c->on_error},
               {"reject_limit", &c->reject_limit},     {"log_verbosity", &c->log_verbosity},
               {"lookup", &c->lookups.table},          {"lookup_key", &c->lookups.key},
               {"lookup_valid", &c->lookups.valid},    {"lookup_columns", &c->lookups.columns},
               {"lookup_missing", &c->lookups.missing}};
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (mt_ieq (name, rows[i].name))
         return rows[i].to;
   return NULL;
}

/* The format for each file name extension. */
static const struct {
   const char *ending, *format;
} endings[] = {{".csv", "csv"},      {".jsonl", "jsonl"}, {".ndjson", "jsonl"},
               {".txt", "text"},     {".tsv", "text"},    {".tab", "text"},
               {".dat", "text"},     {".data", "text"},   {".copy", "text"},
               {".out", "text"},     {".arrow", "arrow"}, {".feather", "arrow"},
               {".arrows", "arrows"}};

/* Returns the extension of a file's name, with its dot. An extension of compression such as .gz is
 * skipped first. Empty: there is none. */
static MtStr ending_of (MtStr file)
{
   size_t packed;
   mt_compression_of_name (file, &packed);
   size_t end = file.n - packed, at = end;
   while (at && file.p[at - 1] != '.' && file.p[at - 1] != '/')
      at--;
   bool dot = at > 1 && file.p[at - 1] == '.' && file.p[at - 2] != '/';
   return dot ? (MtStr) {file.p + at - 1, end - at + 1} : (MtStr) {"", 0};
}

/* Returns the format for a file name extension; NULL: no format has it. */
static const char *format_of (MtStr ending)
{
   for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
      if (mt_str_is (ending, endings[i].ending))
         return endings[i].format;
   return NULL;
}

/* Sets c->format by the extension of the file's name; the default is text. Fails if COPY TO would
 * write text to a file with an unknown extension. */
static bool guess_format (Copy *c, MtError *err)
{
   MtStr file = c->st->stmt->copy.file, ending = ending_of (file);
   c->format = format_of (ending);
   if (c->format)
      return true;
   c->format = "text";
   if (c->st->stmt->copy.from || !file.p || !ending.n)
      return true;
   mt_error_at (err, c->st->stmt->copy.file_span, MT_E_FEATURE,
                "no COPY format belongs to files that end in \"%.*s\"", (int) ending.n, ending.p);
   return mt_error_hint (err, "Name the file .csv or .jsonl, or add FORMAT to the options.");
}

static const char *upper_name (Copy *c, const MtOption *o)
{
   char *name = mt_strdup (c->st->arena, o->name.text);
   for (char *p = name; *p; p++)
      *p = (char) toupper ((unsigned char) *p);
   return name;
}

/* Reads option o, whose value must be one of two words. Sets *second to whether it is the second
 * word; *second stays unchanged if the option is not given. */
static bool read_choice (Copy *c, const MtOption *o, const char *const *words, bool *second,
                         MtError *err)
{
   if (!o)
      return true;
   const char *v = o->kind != MT_OPT_LIST && o->value.p
                      ? mt_strndup (c->st->arena, o->value.p, o->value.n)
                      : "";
   *second = mt_ieq (v, words[1]);
   if (*second || mt_ieq (v, words[0]))
      return true;
   return mt_error_at (err, o->span, MT_E_PARAMETER, "COPY %s \"%s\" not recognized",
                       upper_name (c, o), v);
}

/* Reads ON_ERROR, REJECT_LIMIT and LOG_VERBOSITY, as in PostgreSQL 18, and checks LOOKUP. */
static bool from_options (Copy *c, MtError *err)
{
   static const char *const handling[] = {"stop", "ignore"}, *const verbosity[] = {"default",
                                                                                   "verbose"};
   const MtOption *const from_only[] = {c->on_error, c->reject_limit, c->log_verbosity,
                                        c->lookups.table};
   if (c->nulls && !c->st->stmt->copy.from) {
      mt_error_at (err, c->nulls->span, MT_E_PARAMETER,
                   "COPY TO writes one text for NULL, and the option NULL has a list");
      return mt_error_hint (err, "Write NULL 'text'.");
   }
   for (size_t i = 0; i < sizeof from_only / sizeof *from_only; i++)
      if (from_only[i] && !c->st->stmt->copy.from)
         return mt_error_at (err, from_only[i]->name.span, MT_E_PARAMETER,
                             "COPY %s cannot be used with COPY TO", upper_name (c, from_only[i]));
   if (!read_choice (c, c->on_error, handling, &c->ignores, err) ||
       !read_choice (c, c->log_verbosity, verbosity, &c->verbose, err))
      return false;
   const MtOption *more[] = {c->lookups.key, c->lookups.valid, c->lookups.columns,
                             c->lookups.missing};
   for (size_t i = 0; i < sizeof more / sizeof *more; i++)
      if (more[i] && !c->lookups.table)
         return mt_error_at (err, more[i]->name.span, MT_E_PARAMETER, "COPY %s requires LOOKUP",
                             upper_name (c, more[i]));
   if (!c->reject_limit)
      return true;
   const MtOption *o = c->reject_limit;
   const char *text = o->kind == MT_OPT_NUMBER || o->kind == MT_OPT_STRING
                         ? mt_strndup (c->st->arena, o->value.p, o->value.n)
                         : "";
   char *end;
   errno = 0;
   c->reject_most = strtoll (text, &end, 10);
   if (!*text || *end || errno)
      return mt_error_at (err, o->span, MT_E_SYNTAX, "reject_limit requires a numeric value");
   if (c->reject_most <= 0)
      return mt_error_at (err, o->span, MT_E_PARAMETER,
                          "REJECT_LIMIT (%lld) must be greater than zero",
                          (long long) c->reject_most);
   return c->ignores || mt_error_at (err, o->name.span, MT_E_PARAMETER,
                                     "COPY REJECT_LIMIT requires ON_ERROR to be set to IGNORE");
}

/* Reads the options. Without FORMAT, the extension of the file's name decides the format; the
 * default is text. */
static bool read_options (Copy *c, MtError *err)
{
   MtArena *a = c->st->arena;
   size_t n = 0;
   for (const MtOption *o = c->st->stmt->copy.options; o; o = o->next)
      n++;
   c->options = MT_NEW_N (a, MtPresetOption, n + 1);
   for (const MtOption *o = c->st->stmt->copy.options; o; o = o->next) {
      if (mt_ieq (o->name.text, "format")) {
         if (c->format)
            return mt_error_at (err, o->span, MT_E_SYNTAX, "conflicting or redundant options");
         c->format = option_text (a, o);
         if (!c->format)
            return mt_error_at (err, o->span, MT_E_SYNTAX, "format requires a parameter");
         c->format_span = o->span;
      } else if (mt_ieq (o->name.text, "null") && o->kind == MT_OPT_LIST) {
         if (c->nulls)
            return mt_error_at (err, o->span, MT_E_SYNTAX, "conflicting or redundant options");
         c->nulls = o;
      } else if (session_option (c, o->name.text)) {
         const MtOption **to = session_option (c, o->name.text);
         if (*to)
            return mt_error_at (err, o->span, MT_E_SYNTAX, "conflicting or redundant options");
         *to = o;
      } else if (mt_ieq (o->name.text, "freeze")) {
         mt_notice (c->st->session, "NOTICE", NULL, "option \"freeze\" has no effect");
      } else {
         c->options[c->option_count++] = (MtPresetOption) {o->name.text, option_text (a, o),
                                                           o->span};
      }
   }
   if (!c->format && !guess_format (c, err))
      return false;
   return from_options (c, err);
}

static bool copy_columns (Copy *c, MtError *err)
{
   const MtTable *t = c->table;
   c->columns = MT_NEW_N (c->st->arena, int, t->column_count + 1);
   for (const MtNameList *k = c->st->stmt->copy.columns; k; k = k->next) {
      int at = mt_table_column (t, k->name.text, mt_name_is_exact (&k->name));
      if (at < 0)
         return mt_error_at (err, k->name.span, MT_E_UNDEFINED_COLUMN,
                             "column \"%s\" of relation \"%s\" does not exist", k->name.text,
                             t->name) ||
                mt_column_near (t, k->name.text, err);
      if (mt_copy_lookup_fills (c->lookup, at))
         return mt_error_at (err, k->name.span, MT_E_DUPLICATE_COLUMN,
                             "column \"%s\" cannot be both looked up and read from the file",
                             t->columns[at].name);
      for (size_t i = 0; i < c->column_count; i++)
         if (c->columns[i] == at)
            return mt_error_at (err, k->name.span, MT_E_DUPLICATE_COLUMN,
                                "column \"%s\" specified more than once", k->name.text);
      c->columns[c->column_count++] = at;
   }
   for (size_t i = 0; i < t->column_count && !c->st->stmt->copy.columns; i++)
      if (!mt_copy_lookup_fills (c->lookup, (int) i))
         c->columns[c->column_count++] = (int) i;
   return true;
}

/* An option with a list of columns: FORCE_NULL (a, b) and similar ones. */
typedef struct ForceOption {
   Copy *copy;
   const MtOption *option; /* NULL: not given */
   const char *what;       /* the name of the option in messages */
   bool from;              /* true: an option of COPY FROM; false: an option of COPY TO */
} ForceOption;

/* Sets (*out)[i] for each column i whose name the option lists, or for all columns if it has *. If
 * the option is not given, *out stays unchanged. */
static bool force_columns (const ForceOption *f, const char *const *names, size_t count,
                           const bool **out, MtError *err)
{
   Copy *c = f->copy;
   const MtOption *o = f->option;
   const char *what = f->what;
   bool from = f->from;
   bool *force = MT_NEW_N (c->st->arena, bool, count + 1);
   if (!o)
      return true;
   if (!mt_ieq (c->format, "csv"))
      return mt_error (err, MT_E_FEATURE, "COPY %s available only in CSV mode", what);
   if (from != c->st->stmt->copy.from)
      return mt_error_at (err, o->name.span, MT_E_FEATURE, "COPY %s only available using COPY %s",
                          what, from ? "FROM" : "TO");
   bool all = !from && o->kind == MT_OPT_WORD && mt_str_is (o->value, "*");
   if (o->kind != MT_OPT_LIST && !all)
      return mt_error_at (err, o->span, MT_E_PARAMETER,
                          "argument to option \"%s\" must be a list of column names", o->name.text);
   memset (force, all, count);
   for (const MtNameList *k = o->list; k && !all; k = k->next) {
      size_t i = 0;
      while (i < count && !(names[i] && mt_ieq (names[i], k->name.text)))
         i++;
      if (i == count)
         return mt_error_at (err, k->name.span, MT_E_INVALID_COLUMN_REF,
                             "%s column \"%s\" not referenced by COPY", o->name.text, k->name.text);
      force[i] = true;
   }
   *out = force;
   return true;
}

/* Reads FORCE_NULL, FORCE_NOT_NULL and FORCE_QUOTE into out[0], out[1] and out[2]. */
static bool force_options (Copy *c, const char *const *names, size_t count, const bool **out[3],
                           MtError *err)
{
   const ForceOption options[] = {{c, c->force_null, "force null", true},
                                  {c, c->force_not_null, "force not null", true},
                                  {c, c->force_quote, "force quote", false}};
   for (size_t i = 0; i < sizeof options / sizeof *options; i++)
      if (!force_columns (&options[i], names, count, out[i], err))
         return false;
   return true;
}

/* If an error is about the format, sets its position to that of the option FORMAT. Returns
 * false. */
static bool at_format (Copy *c, MtError *err)
{
   if (err->span.start < 0 && c->format_span.len > 0 && err->topic == MT_TOPIC_COPY_FORMAT)
      err->span = c->format_span;
   return false;
}

/* ---- FROM ---- */

static void report_progress (Copy *c, const MtCopyIn *in)
{
   MtSession *s = c->st->session;
   int64_t now = mt_now_ms ();
   if (now - c->last_report_ms < 100)
      return;
   c->last_report_ms = now;
   s->progress.report (s->progress.ctx, "COPY", mt_copy_in_bytes (in), c->packed ? 0 : c->size,
                       c->rows);
}

static bool is_selected (Copy *c, MtArena *a, bool *yes, MtError *err)
{
   MtVal v;
   *yes = true;
   if (!c->where)
      return true;
   if (!mt_eval_row (a, c->where, c->row, &c->st->env, &v, err))
      return false;
   *yes = v.type == MT_BOOL && v.i;
   return true;
}

/* If reading the file failed or was cancelled, replaces the format's error by this cause. Returns
 * false. */
static bool reading_failed (Copy *c, MtError *err)
{
   if (mt_error_is_set (&c->io))
      *err = c->io;
   return false;
}

/* Counts and reports a faulty record that is skipped, if ON_ERROR is ignore. Returns false, and
 * leaves err unchanged, if ON_ERROR is stop; false with another error if more than REJECT_LIMIT
 * records were skipped. */
static bool skip_record (Copy *c, const MtCopyIn *in, MtError *err)
{
   MtSession *s = c->st->session;
   MtCopyBad bad;
   if (!c->ignores)
      return false;
   mt_copy_in_bad (in, &bad);
   char pos[24] = "";
   if (bad.pos)
      snprintf (pos, sizeof pos, ":%llu", (unsigned long long) bad.pos);
   c->rejected++;
   c->rejected_types += bad.column != NULL;
   if (!c->first_rejected)
      c->first_rejected = mt_printf (c->st->arena, "The first is at line %llu%s: %s.",
                                     (unsigned long long) bad.line, pos, err->message);
   if (c->verbose && bad.column)
      mt_notice (
         s, "NOTICE", NULL,
         "skipping row due to data type incompatibility at line %llu%s for column \"%s\": \"%s\"",
         (unsigned long long) bad.line, pos, bad.column, bad.text);
   else if (c->verbose)
      mt_notice (s, "NOTICE", NULL, "skipping record at line %llu%s: %s",
                 (unsigned long long) bad.line, pos, err->message);
   if (!c->reject_most || c->rejected <= (uint64_t) c->reject_most) {
      mt_error_clear (err);
      return true;
   }
   bool types = c->rejected_types == c->rejected;
   mt_error_clear (err);
   mt_error (err, MT_E_TEXT_REPRESENTATION, "skipped more than REJECT_LIMIT (%lld) %s",
             (long long) c->reject_most,
             types ? "rows due to data type incompatibility" : "records");
   mt_copy_in_context (in, err);
   return false;
}

static void report_skipped (Copy *c)
{
   if (!c->rejected)
      return;
   const char *what = c->rejected_types == c->rejected ? "row" : "record",
              *why = c->rejected_types == c->rejected ? " due to data type incompatibility" : "";
   mt_notice (c->st->session, "NOTICE", c->first_rejected, "%llu %s%s skipped%s",
              (unsigned long long) c->rejected, what, c->rejected == 1 ? " was" : "s were", why);
}

/* Returns whether an error concerns only the current row, and is raised before any part of the row
 * is written, so that the row can be skipped. */
static bool is_condition (const MtError *err)
{
   return mt_error_is (err, MT_E_NOT_NULL) || mt_error_is (err, MT_E_FOREIGN_KEY) ||
          mt_error_in (err, MT_CLASS_DATA);
}

/* Writes one record as a row. After an error, *at_fault is whether only this record is faulty, so
 * that it can be skipped. */
static bool copy_row (Copy *c, MtArena *a, const MtVal *values, MtWriteStep *w, bool *at_fault,
                      MtError *err)
{
   bool yes;
   *at_fault = false;
   for (size_t i = 0; i < c->table->column_count; i++)
      c->row[i] = values[i].type == MT_MISSING ? c->defaults.values[i] : values[i];
   if (!mt_row_defaults (&c->defaults, a, c->row, err))
      return false;
   if (c->lookup && !mt_copy_lookup_row (c->lookup, c->row, err)) {
      *at_fault = true;
      return false;
   }
   if (!is_selected (c, a, &yes, err))
      return false;
   if (yes && !mt_write_add (w, c->row, err)) {
      *at_fault = mt_copy_in_whole_records (c->in) && is_condition (err) &&
                  !mt_writer_torn (w->writer) && !mt_engine_failed_late (c->st->session->engine);
      return false;
   }
   c->rows += yes;
   return true;
}

static bool copy_rows (Copy *c, MtCopyIn *in, MtWriteStep *w, MtError *err)
{
   MtArena *a = mt_arena_new ("row", c->st->arena);
   const MtVal *values;
   MtCopyBad bad;
   bool at_fault;
   for (uint64_t read = 1;; read++) {
      if (!mt_copy_in_next (in, &values, err)) {
         if (!mt_copy_in_bad (in, &bad) || !skip_record (c, in, err))
            return reading_failed (c, err);
         continue;
      }
      if (!values)
         return true;
      if (!copy_row (c, a, values, w, &at_fault, err) && !(at_fault && skip_record (c, in, err))) {
         if (c->reject_most == 0 || c->rejected <= (uint64_t) c->reject_most)
            (mt_engine_failed_late (c->st->session->engine) ? mt_copy_in_context_late
                                                            : mt_copy_in_context) (in, err);
         return false;
      }
      if ((read & 1023) == 0) {
         report_progress (c, in);
         mt_arena_reset (a);
      }
   }
}

static bool feed_copy (void *ctx, MtWriteStep *w, MtError *err)
{
   Copy *c = ctx;
   const char *remark, *hint;
   bool ok = copy_rows (c, c->in, w, err);
   for (size_t i = 0; ok && (remark = mt_copy_in_remark (c->in, i, &hint)) != NULL; i++)
      mt_notice (c->st->session, "NOTICE", hint, "%s", remark);
   return ok;
}

/* Copies the texts of the option NULL ('', 'NA'), which stand for NULL, to args->nulls. */
static void add_nulls (const Copy *c, MtCopyInArgs *args)
{
   size_t n = 0;
   for (const MtNameList *k = c->nulls ? c->nulls->list : NULL; k; k = k->next)
      n++;
   const char **list = MT_NEW_N (c->st->arena, const char *, n + 1);
   n = 0;
   for (const MtNameList *k = c->nulls ? c->nulls->list : NULL; k; k = k->next)
      list[n++] = k->name.text;
   args->nulls = list;
   args->null_count = n;
}

/* Tells the client of STDIN or STDOUT that the data begin now. Does nothing for a file. */
static bool begin_client (Copy *c, bool from, size_t columns, MtError *err)
{
   const MtOpenOptions *o = &c->st->session->options;
   return c->file || !o->copy_begin || o->copy_begin (o->ctx, from, columns, c->format) ||
          mt_error (err, MT_E_CONNECTION, "connection to client lost");
}

/* Opens the reader c->in of the data. For large files a thread reads ahead, but not for STDIN and
 * pipes, whose data may never come. */
static bool open_reader (Copy *c, MtError *err)
{
   enum { AHEAD_BYTES = 1 << 16 };
   const char **names = MT_NEW_N (c->st->arena, const char *, c->table->column_count + 1);
   for (size_t i = 0; i < c->column_count; i++)
      names[c->columns[i]] = c->table->columns[c->columns[i]].name;
   MtCopyInArgs args = {.table = c->table,
                        .columns = c->columns,
                        .column_count = c->column_count,
                        .options = c->options,
                        .option_count = c->option_count,
                        .style = &c->st->env.style,
                        .read = read_unpacked,
                        .ctx = c};
   const bool *none;
   size_t n = c->table->column_count;
   if (c->nulls && !mt_ieq (c->format, "csv") && !mt_ieq (c->format, "text"))
      return mt_error_at (err, c->nulls->span, MT_E_FEATURE,
                          "COPY NULL with a list is available only in CSV and text mode");
   add_nulls (c, &args);
   if (!force_options (c, names, n,
                       (const bool **[]) {&args.force_null, &args.force_not_null, &none}, err))
      return false;
   if (!begin_client (c, true, c->column_count, err))
      return false;
   c->unpack = mt_unpack_open (read_bytes, c, c->file ? c->file : "standard input",
                               MT_E_COPY_FORMAT);
   if (!mt_copy_in_open (c->format, &args, &c->in, err))
      return reading_failed (c, err) || at_format (c, err);
   if (c->size >= AHEAD_BYTES)
      mt_copy_in_ahead (c->in);
   return true;
}

static bool copy_from (Copy *c, MtError *err)
{
   const MtStmt *s = c->st->stmt;
   MtArena *a = c->st->arena;
   if (!mt_need_table (c->st, &s->copy.table, &c->table, err) ||
       (c->lookups.table && !mt_copy_lookup_open (c->st, c->table, &c->lookups, &c->lookup, err)))
      return false;
   c->st->env.changed = c->table;
   if (!copy_columns (c, err) || !mt_table_defaults (c->st, c->table, &c->defaults, err))
      return false;
   if (s->copy.where &&
       !mt_bind_condition (a, &c->st->env, c->table, s->copy.where, &c->where, err))
      return false;
   c->row = MT_NEW_N (a, MtVal, c->table->column_count + 1);
   if (!open_file (c, true, err))
      return false;
   bool ok = open_reader (c, err) && mt_write_step (c->st, c->table, feed_copy, c, err);
   mt_copy_in_close (c->in);
   mt_unpack_close (c->unpack);
   close_file (c);
   if (ok)
      report_skipped (c);
   /* An error that has neither a position nor a context is shown at the file's name. */
   if (!ok && c->file && err->span.start < 0 && !err->context[0] &&
       !mt_error_is (err, MT_E_CANCELED) && !mt_error_in (err, MT_CLASS_CONNECTION))
      err->span = s->copy.file_span;
   return ok;
}

/* ---- TO ---- */

/* Returns the query whose rows COPY TO writes: the query of COPY (…) TO, or SELECT columns FROM t
 * for COPY t TO. NULL with an error. */
static const MtSelect *copy_select (Copy *c, MtError *err)
{
   const MtStmt *s = c->st->stmt;
   MtArena *a = c->st->arena;
   if (s->copy.query)
      return s->copy.query;
   if (!mt_need_table (c->st, &s->copy.table, &c->table, err) || !copy_columns (c, err))
      return NULL;
   MtSelect *select = MT_NEW (a, MtSelect);
   MtTarget **end = &select->plain.targets;
   select->kind = MT_SELECT_PLAIN;
   select->span = s->span;
   for (size_t i = 0; i < c->column_count; i++) {
      MtTarget *t = MT_NEW (a, MtTarget);
      t->expr = MT_NEW (a, MtExpr);
      t->expr->kind = MT_EXPR_COLUMN;
      t->expr->span = s->copy.table.span;
      t->expr->column.parts = MT_NEW (a, MtNameList);
      t->expr->column.parts->name = (MtName) {c->table->columns[c->columns[i]].name, true,
                                              s->copy.table.span};
      *end = t;
      end = &t->next;
   }
   select->plain.from = MT_NEW (a, MtFrom);
   select->plain.from->kind = MT_FROM_TABLE;
   select->plain.from->span = s->copy.table.span;
   select->plain.from->table.name = s->copy.table;
   select->plain.from->table.schema = s->copy.schema;
   return select;
}

static bool write_rows (Copy *c, MtResult *r, MtError *err)
{
   MtArena *a = c->st->arena;
   size_t n = r->column_count;
   const char **names = MT_NEW_N (a, const char *, n + 1);
   MtType *types = MT_NEW_N (a, MtType, n + 1);
   for (size_t i = 0; i < n; i++) {
      names[i] = r->columns[i].name;
      types[i] = r->columns[i].type;
   }
   MtCopyOutArgs args = {.names = names,
                         .types = types,
                         .column_count = n,
                         .options = c->options,
                         .option_count = c->option_count,
                         .style = &c->st->env.style,
                         .write = write_packed,
                         .ctx = c};
   const bool *none;
   r->unprinted = true; /* the format prints the values itself */
   if (!force_options (c, names, n, (const bool **[]) {&none, &none, &args.force_quote}, err))
      return false;
   MtCopyOut *out;
   if (!begin_client (c, false, n, err))
      return false;
   c->pack = mt_pack_open (mt_compression_of_name (c->st->stmt->copy.file, NULL), write_bytes, c);
   bool more = true, ok = mt_copy_out_open (c->format, &args, &out, err);
   if (!ok)
      return at_format (c, err);
   while (ok && (ok = mt_result_next (r, &more, err)) && more)
      ok = mt_copy_out_row (out, r->values, err);
   ok = ok && mt_copy_out_finish (out, err);
   mt_copy_out_close (out);
   ok = ok && mt_pack_finish (c->pack);
   return ok || reading_failed (c, err);
}

static bool run_query (Copy *c, MtResult *r, MtError *err)
{
   const MtSelect *select = copy_select (c, err);
   MtPlan *plan;
   return select && mt_plan_select (c->st, select, &plan, err) && open_file (c, false, err) &&
          mt_result_run (r, plan, false, err);
}

/* Runs an INSERT, UPDATE or DELETE inside COPY (…) TO; RETURNING gives the rows to write. */
static bool run_change (Copy *c, MtResult *r, MtError *err)
{
   MtStatement inner = *c->st;
   inner.stmt = c->st->stmt->copy.change;
   inner.result = r;
   const MtStmt *main = inner.stmt->kind == MT_STMT_WITH ? inner.stmt->with.main : inner.stmt;
   if (!mt_gives_rows (main))
      return mt_error_at (err, inner.stmt->span, MT_E_FEATURE,
                          "COPY query must have a RETURNING clause");
   return open_file (c, false, err) && inner.session->upper->run (&inner, err);
}

static bool copy_to (Copy *c, MtError *err)
{
   MtResult *r = mt_result_new (c->st->session, mt_arena_new ("copy", NULL));
   r->style = c->st->env.style;
   bool ok = (c->st->stmt->copy.change ? run_change (c, r, err) : run_query (c, r, err)) &&
             write_rows (c, r, err);
   c->rows = r->rows;
   mt_result_free (r);
   mt_pack_close (c->pack);
   if (c->fd >= 0 && ok && !mt_draft_finish (&c->draft))
      ok = mt_error (err, mt_io_state (errno), "could not write to file \"%s\": %s", c->file,
                     strerror (errno));
   mt_draft_drop (&c->draft);
   return ok;
}

bool mt_run_copy (MtStatement *st, MtError *err)
{
   Copy c = {.st = st, .fd = -1, .draft = {.fd = -1}};
   if (!read_options (&c, err) || !(st->stmt->copy.from ? copy_from (&c, err) : copy_to (&c, err)))
      return false;
   mt_result_set_tag (st->result, mt_printf (st->arena, "COPY %llu", (unsigned long long) c.rows));
   return true;
}
