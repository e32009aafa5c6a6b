/* COPY: finds formats, reads options and bytes, and converts text to values. */
#include "copy/copy_int.h"
#include "base/extension.h"
#include "base/temporary.h"
#include "base/memory.h"
#include "layouts/presets/preset.h"
#include "layouts/unit.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READ_BYTES = 1 << 18, OUT_BYTES = 1 << 16 };

static const MtCopyFormat formats[] = {
   {.name = "text",
    .summary = "fields between tabs, with backslash escapes, as PostgreSQL reads and writes them",
    .options = mt_text_options,
    .open_in = mt_text_open_in,
    .next = mt_text_next,
    .open_out = mt_text_open_out,
    .row = mt_text_row,
    .example = "COPY t FROM 'rows.txt' WITH (FORMAT text, DELIMITER '|')",
    .delimiter = '\t',
    .null = "\\N"},
   {.name = "csv",
    .summary = "comma-separated values, as PostgreSQL reads and writes them",
    .options = mt_csv_options,
    .open_in = mt_csv_open_in,
    .next = mt_csv_next,
    .open_out = mt_csv_open_out,
    .row = mt_csv_row,
    .example = "COPY t FROM 'rows.csv' WITH (FORMAT csv, HEADER)",
    .delimiter = ',',
    .quote = '"',
    .null = ""},
   {.name = "jsonl",
    .summary = "one JSON object per line, with fields named like the columns",
    .options = mt_jsonl_options,
    .open_in = mt_jsonl_open_in,
    .next = mt_jsonl_next,
    .open_out = mt_jsonl_open_out,
    .row = mt_jsonl_row,
    .example = "COPY t FROM 'rows.jsonl' WITH (FORMAT jsonl, EPOCH 's')",
    .delimiter = ',',
    .quote = '"',
    .null = "",
    .whole_records = true},
   {.name = "arrow",
    .summary = "Apache Arrow's file format, with types and in columns (COPY TO only)",
    .options = mt_arrow_options,
    .open_out = mt_arrow_open_file,
    .row = mt_arrow_row,
    .example = "COPY t TO 'rows.arrow'",
    .delimiter = ',',
    .quote = '"',
    .null = ""},
   {.name = "arrows",
    .summary = "Apache Arrow's stream format (COPY TO only)",
    .options = mt_arrow_options,
    .open_out = mt_arrow_open_stream,
    .row = mt_arrow_row,
    .example = "COPY t TO STDOUT (FORMAT arrows)",
    .delimiter = ',',
    .quote = '"',
    .null = ""},
   {.name = "binary",
    .summary = "PostgreSQL's binary format, which its drivers use",
    .options = mt_binary_options,
    .open_in = mt_binary_open_in,
    .next = mt_binary_next,
    .open_out = mt_binary_open_out,
    .row = mt_binary_row,
    .example = "COPY t TO 'rows.bin' (FORMAT binary)",
    .delimiter = ',',
    .quote = '"',
    .null = "",
    .decodes = true},
   {0},
};

const MtCopyFormat *mt_copy_formats (void) { return formats; }

/* ---- formats of extensions ---- */

/* Protects the list of formats that extensions have added. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const MtCopyFormat **added;
static size_t added_count, added_cap;

void mt_copy_add_formats (const MtCopyFormat *rows)
{
   bool known = false;
   pthread_mutex_lock (&lock);
   for (size_t i = 0; i < added_count; i++)
      known |= added[i] == rows;
   if (!known) {
      MT_GROW ("formats", added, added_count, added_cap, 8);
      added[added_count++] = rows;
   }
   pthread_mutex_unlock (&lock);
}

static const MtCopyFormat *format_of (const MtCopyFormat *rows, const char *name)
{
   while (rows->name && !mt_ieq (rows->name, name))
      rows++;
   return rows->name ? rows : NULL;
}

static const MtCopyFormat *added_format (const char *name)
{
   const MtCopyFormat *found = NULL;
   pthread_mutex_lock (&lock);
   for (size_t i = 0; i < added_count && !found; i++)
      found = format_of (added[i], name);
   pthread_mutex_unlock (&lock);
   return found;
}

bool mt_copy_check_formats (const char *extension, const MtCopyFormat *rows, MtError *err)
{
   for (const MtCopyFormat *r = rows; r->name; r++) {
      const MtCopyFormat *other = format_of (formats, r->name);
      other = other ? other : added_format (r->name);
      if (other && other != r)
         return mt_error (err, MT_E_DUPLICATE_OBJECT,
                          "COPY format \"%s\" of extension \"%s\" already exists", r->name,
                          extension);
   }
   return true;
}

/* Loads the bundled extension that has the same name as the format. *out is NULL if there is no
 * such extension. */
static bool bundled_format (const char *name, const MtCopyFormat **out, MtError *err)
{
   const MtModule *m;
   char lower[64];
   size_t n = 0;
   *out = NULL;
   for (; name[n] && n + 1 < sizeof lower; n++)
      lower[n] = (char) tolower ((unsigned char) name[n]);
   lower[n] = 0;
   if (strspn (lower, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen (name))
      return true;
   if (!mt_extension_bundled (lower, &m, err))
      return mt_error_topic (err, MT_TOPIC_COPY_FORMAT);
   if (m && m->copy_formats) {
      mt_copy_add_formats (m->copy_formats);
      *out = format_of (m->copy_formats, name);
   }
   return true;
}

/* Returns the name of the format that is most similar to `name`, among built-in formats, those of
 * loaded extensions and of bundled ones. NULL: no name is similar enough. */
static const char *near_format (const char *name)
{
   char extension[MT_EXT_NAME_SIZE];
   const MtCopyFormat *f = NULL;
   MtError ignored;
   const char *near = mt_nearest_of_rows (name, &formats->name, sizeof *formats);
   pthread_mutex_lock (&lock);
   for (size_t i = 0; i < added_count && !near; i++)
      near = mt_nearest (name, &added[i]->name, 1);
   pthread_mutex_unlock (&lock);
   if (!near && mt_extension_near (name, extension) && bundled_format (extension, &f, &ignored) &&
       f)
      near = f->name;
   return near;
}

static const MtCopyFormat *find_format (const char *name, MtError *err)
{
   const MtCopyFormat *f = format_of (formats, name);
   if (!f)
      f = added_format (name);
   if (f || !bundled_format (name, &f, err) || f)
      return f;
   const char *near = near_format (name);
   mt_error (err, MT_E_PARAMETER, "COPY format \"%s\" not recognized", name);
   mt_error_topic (err, MT_TOPIC_COPY_FORMAT);
   if (near)
      mt_error_hint (err, "Perhaps you meant \"%s\".", near);
   return NULL;
}

/* ---- options ---- */

static bool bool_value (const MtPresetOption *o, bool *out)
{
   const char *v = o->value ? o->value : "true";
   *out = mt_ieq (v, "true") || mt_ieq (v, "on") || !strcmp (v, "1") || !*v;
   return *out || mt_ieq (v, "false") || mt_ieq (v, "off") || !strcmp (v, "0");
}

static bool one_char (const MtPresetOption *o, const char *what, char *out, MtError *err)
{
   if (!o->value)
      return mt_error_at (err, o->span, MT_E_SYNTAX, "%s requires a parameter", what);
   if (strlen (o->value) != 1)
      return mt_error_at (err, o->span, MT_E_FEATURE, "COPY %s must be a single one-byte character",
                          what);
   *out = o->value[0];
   if (*out == '\n' || *out == '\r')
      return mt_error_at (err, o->span, MT_E_PARAMETER,
                          "COPY %s cannot be newline or carriage return", what);
   return true;
}

const char *const mt_epoch_words[] = {"s", "ms", "us", "ns", NULL};
const int64_t mt_epoch_units[] = {1, 1000, 1000000, 1000000000};
const char *const mt_order_words[] = {"mdy", "dmy", "ymd", NULL};

const char *mt_epoch_word (int64_t unit)
{
   size_t i = 0;
   while (mt_epoch_units[i] != unit)
      i++;
   return mt_epoch_words[i];
}

static bool epoch_option (const MtPresetOption *o, MtCopyOptions *out, MtError *err)
{
   const char *v = o->value ? o->value : "";
   for (size_t i = 0; mt_epoch_words[i]; i++)
      if (strcmp (v, mt_epoch_words[i]) == 0) {
         out->epoch = mt_epoch_units[i];
         return true;
      }
   mt_error_at (err, o->span, MT_E_PARAMETER, "invalid value for COPY option \"epoch\": \"%s\"", v);
   return mt_error_hint (err, "It must be s, ms, us or ns.");
}

static bool header_option (const MtPresetOption *o, MtCopyOptions *out, MtError *err)
{
   out->header_match = o->value && mt_ieq (o->value, "match");
   out->header = out->header_match;
   return out->header_match || bool_value (o, &out->header) ||
          mt_error_at (err, o->span, MT_E_SYNTAX, "header requires a Boolean value or \"match\"");
}

static bool delimiter_option (const MtPresetOption *o, MtCopyOptions *out, MtError *err)
{
   return one_char (o, "delimiter", &out->delimiter, err);
}
static bool quote_option (const MtPresetOption *o, MtCopyOptions *out, MtError *err)
{
   return one_char (o, "quote", &out->quote, err);
}
static bool escape_option (const MtPresetOption *o, MtCopyOptions *out, MtError *err)
{
   return one_char (o, "escape", &out->escape, err);
}

bool mt_copy_text_option (const MtPresetOption *o, const char *what, const char **out, MtError *err)
{
   *out = o->value;
   return o->value || mt_error_at (err, o->span, MT_E_SYNTAX, "%s requires a parameter", what);
}

static bool null_option (const MtPresetOption *o, MtCopyOptions *out, MtError *err)
{
   if (!mt_copy_text_option (o, "null", &out->null, err))
      return false;
   return !strpbrk (out->null, "\r\n") ||
          mt_error_at (err, o->span, MT_E_PARAMETER,
                       "COPY null representation cannot use newline or carriage return");
}

static bool datestyle_option (const MtPresetOption *o, MtCopyOptions *out, MtError *err)
{
   const char *v = o->value ? o->value : "";
   for (size_t i = 0; mt_order_words[i]; i++)
      if (mt_ieq (v, mt_order_words[i])) {
         out->order = (MtDateOrder) i;
         return true;
      }
   mt_error_at (err, o->span, MT_E_PARAMETER, "invalid value for COPY option \"datestyle\": \"%s\"",
                v);
   return mt_error_hint (err, "It must be mdy, dmy or ymd.");
}

static bool decimal_option (const MtPresetOption *o, MtCopyOptions *out, MtError *err)
{
   out->decimal = o->value ? *o->value : 0;
   if ((out->decimal == '.' || out->decimal == ',') && !o->value[1])
      return true;
   mt_error_at (err, o->span, MT_E_PARAMETER, "decimal_separator must be \".\" or \",\"");
   return false;
}

static bool skip_option (const MtPresetOption *o, MtCopyOptions *out, MtError *err)
{
   char *end;
   errno = 0;
   out->skip = o->value && *o->value ? strtoll (o->value, &end, 10) : -1;
   return (out->skip >= 0 && !*end && !errno) ||
          mt_error_at (err, o->span, MT_E_PARAMETER, "skip requires a number of lines");
}

static bool encoding_option (const MtPresetOption *o, MtCopyOptions *out, MtError *err)
{
   return mt_encoding_named (o, &out->encoding, err);
}

const MtPresetOption *mt_copy_option (const MtCopyIn *in, const char *name)
{
   for (size_t i = 0; i < in->x.option_count; i++)
      if (mt_ieq (in->x.options[i].name, name))
         return &in->x.options[i];
   return NULL;
}

/* Reads an option that several formats have into *out. Each format reads its special options
 * itself. */
static bool one_option (const MtPresetOption *o, MtCopyOptions *out, MtError *err)
{
   static const struct {
      const char *name;
      bool (*read) (const MtPresetOption *o, MtCopyOptions *out, MtError *err);
   } rows[] = {{"delimiter", delimiter_option},
               {"quote", quote_option},
               {"escape", escape_option},
               {"null", null_option},
               {"header", header_option},
               {"epoch", epoch_option},
               {"datestyle", datestyle_option},
               {"skip", skip_option},
               {"decimal_separator", decimal_option},
               {"encoding", encoding_option}};
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (mt_ieq (o->name, rows[i].name))
         return rows[i].read (o, out, err);
   return true;
}

static bool known_option (const MtCopyFormat *f, const MtPresetOption *o, MtError *err)
{
   for (const MtCopyOptionRow *r = f->options; r->name; r++)
      if (mt_ieq (r->name, o->name))
         return true;
   for (const MtCopyOptionRow *r = mt_csv_options; r->name && !f->quote; r++)
      if (mt_ieq (r->name, o->name))
         return mt_error (err, MT_E_FEATURE, "COPY %s available only in CSV mode", r->name);
   const char *near = mt_nearest_of_rows (o->name, &f->options->name, sizeof *f->options);
   mt_error_at (err, o->span, MT_E_SYNTAX, "option \"%s\" not recognized", o->name);
   return near ? mt_error_hint (err, "Perhaps you meant \"%s\".", near) : false;
}

static bool read_options (const MtCopyFormat *f, const MtPresetOption *options, size_t count,
                          MtCopyOptions *out, MtError *err)
{
   *out = (MtCopyOptions) {.delimiter = f->delimiter, .quote = f->quote, .null = f->null};
   for (size_t i = 0; i < count; i++) {
      for (size_t j = 0; j < i; j++)
         if (mt_ieq (options[i].name, options[j].name))
            return mt_error_at (err, options[i].span, MT_E_SYNTAX,
                                "conflicting or redundant options");
      if (!known_option (f, &options[i], err) || !one_option (&options[i], out, err))
         return false;
   }
   if (!out->escape)
      out->escape = out->quote;
   out->null_len = strlen (out->null);
   if (!out->quote && strchr ("\\.abcdefghijklmnopqrstuvwxyz0123456789", out->delimiter))
      return mt_error (err, MT_E_PARAMETER, "COPY delimiter cannot be \"%c\"", out->delimiter);
   if (out->delimiter == out->quote)
      return mt_error (err, MT_E_PARAMETER, "COPY delimiter and quote must be different");
   if (strchr (out->null, out->delimiter))
      return mt_error (err, MT_E_FEATURE,
                       "COPY delimiter must not appear in the NULL specification");
   if (out->quote && strchr (out->null, out->quote))
      return mt_error (err, MT_E_FEATURE,
                       "CSV quote character must not appear in the NULL specification");
   return true;
}

/* ---- reading ---- */

/* Copies the parts of table t that readers use to arena a, because the catalog may free the table
 * during COPY. */
static const MtTable *own_table (MtArena *a, const MtTable *t)
{
   MtTable *own = MT_NEW (a, MtTable);
   *own = (MtTable) {.name = mt_strdup (a, t->name),
                     .columns = MT_NEW_N (a, MtColumn, t->column_count),
                     .column_count = t->column_count};
   for (size_t i = 0; i < t->column_count; i++)
      own->columns[i] = (MtColumn) {.name = mt_strdup (a, t->columns[i].name),
                                    .type = t->columns[i].type};
   return own;
}

static bool only_to (const MtCopyFormat *f, MtError *err)
{
   mt_error (err, MT_E_FEATURE, "COPY format \"%s\" only available using COPY TO", f->name);
   return mt_error_topic (err, MT_TOPIC_COPY_FORMAT);
}

/* Sets in->o.nulls, the texts that are read as NULL: those in the arguments (x.nulls), or that of
 * the option NULL. */
static void own_nulls (MtCopyIn *in)
{
   size_t n = in->x.null_count ? in->x.null_count : 1;
   MtStr *nulls = MT_NEW_N (in->a, MtStr, n);
   for (size_t i = 0; i < n; i++)
      nulls[i] = mt_str (mt_strdup (in->a, in->x.null_count ? in->x.nulls[i] : in->o.null));
   in->o.nulls = nulls;
   in->o.null_count = n;
   in->o.null = nulls[0].p;
}

bool mt_copy_in_open (const char *format, const MtCopyInArgs *args, MtCopyIn **out, MtError *err)
{
   MtCopyOptions o;
   const MtCopyFormat *f = find_format (format, err);
   if (!f || !(f->open_in || only_to (f, err)) ||
       !read_options (f, args->options, args->option_count, &o, err))
      return false;
   MtArena *a = mt_arena_new ("copy", NULL);
   MtCopyIn *in = MT_NEW (a, MtCopyIn);
   *in = (MtCopyIn) {.x = *args, .format = f, .o = o, .a = a};
   in->x.table = own_table (a, args->table);
   own_nulls (in);
   in->style = *args->style;
   in->style.order = o.order;
   in->x.style = &in->style;
   in->x.source = args->source ? mt_strdup (a, args->source) : NULL;
   in->values = mt_arena_new ("copy values", a);
   in->column_count = args->columns ? args->column_count : args->table->column_count;
   in->columns = MT_NEW_N (a, int, in->column_count);
   for (size_t i = 0; i < in->column_count; i++)
      in->columns[i] = args->columns ? args->columns[i] : (int) i;
   in->row = MT_NEW_N (a, MtVal, args->table->column_count);
   in->cap = READ_BYTES;
   in->buf = mt_malloc ("COPY", in->cap + 1);
   bool ok = f->decodes || mt_recode_open (a, o.encoding, false, &in->recode, err);
   if (!ok || !f->open_in (in, err)) {
      mt_copy_in_close (in);
      return false;
   }
   *out = in;
   return true;
}

void mt_copy_in_ahead (MtCopyIn *in) { in->ahead = mt_copy_ahead_open (in); }

void mt_copy_in_close (MtCopyIn *in)
{
   if (!in)
      return;
   mt_copy_ahead_close (in->ahead);
   free (in->buf);
   mt_buf_free (&in->scratch);
   mt_arena_free (in->a);
}

bool mt_copy_bytes (MtCopyIn *in, char *to, size_t n, long *got, MtError *err)
{
   errno = 0; /* `read` may fail without setting errno */
   *got = in->x.read (in->x.ctx, to, n);
   if (*got < 0)
      return mt_error (err, MT_E_IO, "could not read from COPY file: %s",
                       errno ? strerror (errno) : "unexpected end");
   in->bytes += (uint64_t) *got;
   return true;
}

bool mt_copy_fill (MtCopyIn *in, const char **p, MtError *err)
{
   size_t at = (size_t) (*p - in->buf) - in->start;
   memmove (in->buf, in->buf + in->start, in->n - in->start);
   in->n -= in->start;
   in->start = 0;
   if (in->cap - in->n < (in->recode ? 8 : 1)) {
      if (in->cap >= MT_COPY_MAX_RECORD) {
         mt_error (err, MT_E_LIMIT, "record is longer than %u bytes", MT_COPY_MAX_RECORD);
         if (in->format->open_in == mt_csv_open_in)
            mt_error_hint (err, "A quote may be missing.");
         return mt_copy_context (in, -1, (MtStr) {in->buf, 100}, err);
      }
      char *more = mt_try_realloc ("COPY", in->buf, 2 * in->cap + 1);
      if (!more)
         return mt_memory_check (err);
      in->buf = more;
      in->cap *= 2;
   }
   long got;
   if (!(in->recode ? mt_recode_read : mt_copy_bytes) (in, in->buf + in->n, in->cap - in->n, &got,
                                                       err))
      return false;
   in->n += (size_t) got;
   in->eof = got == 0;
   *p = in->buf + at;
   return true;
}

bool mt_copy_skip_mark (MtCopyIn *in, MtError *err)
{
   const char *p = in->buf;
   in->started = true;
   while (in->n < 3 && !in->eof)
      if (!mt_copy_fill (in, &p, err))
         return false;
   if (in->n >= 3 && !memcmp (in->buf, "\xEF\xBB\xBF", 3))
      in->start = 3;
   return true;
}

bool mt_copy_in_read (MtCopyIn *in, const MtVal **row, MtError *err)
{
   bool end = false;
   if (in->values_used)
      mt_arena_reset (in->values);
   in->values_used = in->can_go_on = in->mistyped = false;
   if (!in->format->next (in, &end, err))
      return false;
   *row = end ? NULL : in->row;
   return true;
}

bool mt_copy_in_next (MtCopyIn *in, const MtVal **row, MtError *err)
{
   if (in->ahead && mt_copy_ahead_is_vain (in->ahead)) {
      mt_copy_ahead_close (in->ahead);
      in->ahead = NULL;
   }
   return in->ahead ? mt_copy_ahead_next (in->ahead, row, err) : mt_copy_in_read (in, row, err);
}

/* Returns the line, position and text of the row that was read last, for error messages. */
static MtCopyPlace place_of (const MtCopyIn *in)
{
   const MtCopyPlace *row = in->ahead ? mt_copy_ahead_place (in->ahead) : NULL;
   return row ? *row : (MtCopyPlace) {in->record, in->line, in->pos};
}

uint64_t mt_copy_in_bytes (const MtCopyIn *in)
{
   return in->ahead ? mt_copy_ahead_bytes (in->ahead) : in->bytes;
}
uint64_t mt_copy_in_line (const MtCopyIn *in) { return place_of (in).line; }
bool mt_copy_in_whole_records (const MtCopyIn *in) { return in->format->whole_records; }

const char *mt_copy_in_remark (const MtCopyIn *in, size_t i, const char **hint)
{
   return in->format->remark ? in->format->remark (in, i, hint) : NULL;
}

bool mt_copy_in_bad (const MtCopyIn *in, MtCopyBad *out)
{
   MtCopyPlace at = place_of (in);
   *out = (MtCopyBad) {.line = at.line, .pos = at.pos};
   if (in->ahead && mt_copy_ahead_place (in->ahead)) /* the reader may be ahead of this row */
      return false;
   if (in->mistyped) {
      out->column = in->x.table->columns[in->bad_column].name;
      out->text = in->bad_text;
   }
   return in->can_go_on;
}

/* Returns how many bytes of the text an error message shows: at most 100, and only whole
 * characters, as in PostgreSQL. */
static size_t shown_bytes (MtStr text)
{
   size_t n = text.n > 100 ? 100 : text.n;
   while (n < text.n && n && ((unsigned char) text.p[n] & 0xC0) == 0x80)
      n--;
   return n && !mt_utf8_valid (text.p, n) ? 0 : n;
}

/* Return the beginning of an error's context: the name of the source, or "COPY " and the name of
 * the table. */
static const char *verb_of (const MtCopyIn *in) { return in->x.source ? "" : "COPY "; }
static const char *name_of (const MtCopyIn *in)
{
   return in->x.source ? in->x.source : in->x.table->name;
}

static bool say_place (const MtCopyIn *in, const MtCopyPlace *place, int column, MtStr text,
                       MtError *err)
{
   size_t n = shown_bytes (text);
   char at[64] = "";
   const char *end = text.n > n && n ? "...\"" : "\"";
   if (place->pos)
      snprintf (at, sizeof at, ":%llu", (unsigned long long) place->pos);
   return mt_error_context (err, "%s%s, line %llu%s%s%s%s%.*s%s", verb_of (in), name_of (in),
                            (unsigned long long) place->line, at, column < 0 ? "" : ", column ",
                            column < 0 ? "" : in->x.table->columns[column].name,
                            text.p ? ": \"" : "", (int) n, text.p ? text.p : "", text.p ? end : "");
}

bool mt_copy_context (const MtCopyIn *in, int column, MtStr text, MtError *err)
{
   return say_place (in, &(MtCopyPlace) {.line = in->line, .pos = in->pos}, column, text, err);
}

void mt_copy_in_context_late (const MtCopyIn *in, MtError *err)
{
   mt_error_context (err, "%s%s, at or before line %llu", verb_of (in), name_of (in),
                     (unsigned long long) mt_copy_in_line (in));
}

void mt_copy_in_context (const MtCopyIn *in, MtError *err)
{
   MtCopyPlace at = place_of (in);
   say_place (in, &at, -1, at.record, err);
}

bool mt_copy_check_size (MtCopyIn *in, MtError *err)
{
   size_t bytes = 0;
   for (size_t i = 0; i < in->x.table->column_count; i++)
      bytes += in->row[i].type == MT_STRING ? in->row[i].len : 0;
   if (bytes <= MT_MAX_DOC_BYTES)
      return true;
   mt_error (err, MT_E_LIMIT, "a record of %zu bytes can't be stored", bytes);
   mt_error_detail (err, "A document has at most %u.", MT_MAX_DOC_BYTES);
   return mt_copy_context (in, -1, (MtStr) {NULL, 0}, err);
}

/* Returns the length in bytes of a UTF-8 character from its first byte, c. */
static size_t character_bytes (unsigned char c)
{
   if (c < 0xC0 || c >= 0xF8)
      return 1;
   if (c < 0xE0)
      return 2;
   return c < 0xF0 ? 3 : 4;
}

/* Raises the error that a text is not UTF-8. As in PostgreSQL, the message has the invalid
 * bytes. */
static void bad_bytes (MtStr text, MtError *err)
{
   size_t i = 0;
   char hex[32];
   while (i < text.n && mt_utf8_valid (text.p, i + 1))
      i++;
   /* The bytes before may include the start of an incomplete character, which isn't valid. */
   while (i && !mt_utf8_valid (text.p, i))
      i--;
   size_t len = character_bytes ((unsigned char) text.p[i]);
   for (size_t k = 0; k < len && i + k < text.n; k++)
      snprintf (hex + 5 * k, sizeof hex - 5 * k, " 0x%02x", (unsigned char) text.p[i + k]);
   mt_error (err, MT_E_ENCODING, "invalid byte sequence for encoding \"UTF8\":%s", hex);
}

bool mt_copy_check_utf8 (MtCopyIn *in, int column, MtStr text, MtError *err)
{
   if (memchr (text.p, 0, text.n))
      mt_error (err, MT_E_ENCODING, "invalid byte sequence for encoding \"UTF8\": 0x00");
   else if (!mt_utf8_valid (text.p, text.n))
      bad_bytes (text, err);
   else
      return true;
   /* If the record itself is valid UTF-8, an escape sequence made the invalid bytes. */
   bool shown = in->record.p && mt_utf8_valid (in->record.p, in->record.n);
   return mt_copy_context (in, shown ? -1 : column, shown ? in->record : (MtStr) {NULL, 0}, err);
}

/* ---- values ---- */

static bool fast_int (MtStr s, int64_t *out)
{
   size_t i = s.n && *s.p == '-';
   if (s.n == i || s.n - i > 18)
      return false;
   int64_t v = 0;
   for (size_t k = i; k < s.n; k++) {
      unsigned d = (unsigned char) s.p[k] - '0';
      if (d > 9)
         return false;
      v = v * 10 + d;
   }
   *out = i ? -v : v;
   return true;
}

/* Reads a decimal number of up to 15 digits as a double, faster than strtod. The digits and the
 * power of ten are exact doubles, so one division gives the same rounding as strtod (Clinger 1990).
 * Returns false if the text has another form. */
static bool fast_double (MtStr s, double *out)
{
   static const double tens[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
   size_t i = s.n && *s.p == '-', digits = 0, after = 0;
   bool point = false;
   int64_t v = 0;
   for (size_t k = i; k < s.n; k++) {
      unsigned d = (unsigned char) s.p[k] - '0';
      if (d <= 9) {
         v = v * 10 + d;
         digits++;
         after += point;
      } else if (s.p[k] == '.' && !point)
         point = true;
      else
         return false;
      if (digits > 15)
         return false;
   }
   if (!digits)
      return false;
   *out = (double) v / tens[after];
   if (i)
      *out = -*out;
   return true;
}

static int two (const char *p)
{
   unsigned a = (unsigned char) p[0] - '0', b = (unsigned char) p[1] - '0';
   return a > 9 || b > 9 ? -1 : (int) (a * 10 + b);
}

/* Reads optional seconds, ":SS" with up to three decimals, from s at *at, and moves *at to the
 * character after them. Returns false if they are invalid. */
static bool fast_seconds (MtStr s, size_t *at, int *sec, int64_t *ms)
{
   const char *p = s.p;
   size_t i = *at;
   *sec = 0;
   *ms = 0;
   if (i >= s.n || p[i] != ':')
      return true;
   if (s.n < i + 3 || (*sec = two (p + i + 1)) < 0 || *sec > 59)
      return false;
   i += 3;
   if (i < s.n && p[i] == '.') {
      int64_t scale = 100;
      for (i++; i < s.n && (unsigned) (p[i] - '0') <= 9; i++, scale /= 10) {
         if (!scale)
            return false;
         *ms += (p[i] - '0') * scale;
      }
   }
   *at = i;
   return true;
}

/* Converts the 10 characters at p, a date such as 2015-04-12, to days since 1970. Caches the last
 * date, because many rows have the same one. Returns false if p has another form. */
static bool fast_date (MtCopyIn *in, const char *p, int64_t *days)
{
   if (p[4] == '-' && memcmp (p, in->date, sizeof in->date) == 0) {
      *days = in->date_days;
      return true;
   }
   int c = two (p), y = two (p + 2), mo = two (p + 5), d = two (p + 8);
   if (p[4] != '-' || p[7] != '-' || c < 1 || y < 0 || mo < 1 || mo > 12 || d < 1 ||
       d > mt_days_in_month (c * 100 + y, mo))
      return false;
   memcpy (in->date, p, sizeof in->date);
   *days = in->date_days = mt_days_from_civil (c * 100 + y, mo, d);
   return true;
}

/* Reads a time such as 2015-04-12 03:12 faster than mt_value_parse: with T or a space, optional
 * seconds with up to three decimals, and Z or +00. Returns false if the text has another form;
 * mt_value_parse must then read it. */
static bool fast_time (MtCopyIn *in, MtStr s, bool zoned, bool utc, int64_t *out)
{
   const char *p = s.p;
   int64_t days, ms;
   if (s.n < 16 || (p[10] != ' ' && p[10] != 'T') || p[13] != ':' || !fast_date (in, p, &days))
      return false;
   int h = two (p + 11), mi = two (p + 14), sec;
   size_t i = 16;
   if (h < 0 || h > 23 || mi < 0 || mi > 59 || !fast_seconds (s, &i, &sec, &ms))
      return false;
   bool z = s.n == i + 1 && p[i] == 'Z', plus = s.n == i + 3 && !memcmp (p + i, "+00", 3);
   if (i < s.n ? !(z || plus) || !zoned : zoned && !utc)
      return false;
   *out = (days * 86400 + h * 3600 + mi * 60 + sec) * 1000 + ms;
   return true;
}

static bool epoch_time (const MtCopyIn *in, MtStr s, int64_t *ms)
{
   int64_t i;
   char buf[64], *end;
   if (fast_int (s, &i)) {
      if (in->o.epoch > 1000) {
         *ms = mt_floor_div (i, in->o.epoch / 1000);
         return true;
      }
      return !__builtin_mul_overflow (i, in->o.epoch == 1 ? 1000 : 1, ms);
   }
   if (!s.n || s.n >= sizeof buf || strspn (s.p, "+-0123456789.eE") < s.n)
      return false;
   memcpy (buf, s.p, s.n);
   buf[s.n] = 0;
   double us = rint (strtod (buf, &end) * 1e6 / (double) in->o.epoch);
   if (*end || !(fabs (us) < 9e18))
      return false;
   *ms = mt_floor_div ((int64_t) us, 1000);
   return true;
}

static bool parse_value (MtCopyIn *in, MtType t, MtStr text, MtVal *out, MtError *err)
{
   in->values_used = true;
   return mt_value_parse (in->values, t, text, in->x.style, out, err);
}

/* Returns the word of the option EPOCH for the unit of a number that may be a time since 1970, such
 * as seconds. NULL: the text is no such number. */
static const char *epoch_unit (MtStr text)
{
   double v = 0;
   for (size_t i = 0; i < text.n && text.p[i] != '.'; i++) {
      if ((unsigned) (text.p[i] - '0') > 9u)
         return NULL;
      v = v * 10 + (text.p[i] - '0');
   }
   int64_t unit = mt_epoch_guess (v, v);
   return unit ? mt_epoch_word (unit) : NULL;
}

static bool means_null (MtStr text)
{
   static const char *const words[] = {"",    "null", "na",  "n/a", "#n/a", "none",
                                       "nil", "-",    "\\N", "?",   "."};
   for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (mt_str_ieq (text, mt_str (words[i])))
         return true;
   return false;
}

/* Adds a hint to the error if an option of COPY would make the text valid. */
static void hint_option (const MtCopyIn *in, MtType t, MtStr text, MtError *err)
{
   bool is_time = mt_type_is_datetime (t.id);
   const char *unit = is_time && !in->o.epoch ? epoch_unit (text) : NULL;
   if (unit)
      mt_error_hint (err, "If it is a time in %s since 1970, add EPOCH '%s' to the options.", unit,
                     unit);
   else if (is_time && *err->hint && text.n > 2 && strspn (text.p, "0123456789") <= 2)
      mt_error_hint (err, "If the day comes first, add DATESTYLE 'dmy' to the options.");
   else if (!in->x.source && in->format->quote && in->format->open_in == mt_csv_open_in &&
            means_null (text))
      mt_error_hint (err,
                     text.n ? "If it means NULL, add NULL ('%s', '%.*s') to the options."
                            : "If it means NULL, add FORCE_NULL (column) to the options.",
                     in->o.null, (int) text.n, text.p);
}

static bool mistyped (MtCopyIn *in, int column, MtStr text, MtError *err)
{
   hint_option (in, in->x.table->columns[column].type, text, err);
   size_t n = shown_bytes (text);
   in->mistyped = true;
   in->bad_column = column;
   snprintf (in->bad_text, sizeof in->bad_text, "%.*s%s", (int) n, text.p, n < text.n ? "..." : "");
   return mt_copy_context (in, column, text, err);
}

/* Converts a number with a decimal comma to a value of type t. */
static bool comma_value (MtCopyIn *in, MtType t, MtStr text, MtVal *out, MtError *err)
{
   char *copy = mt_strndup (in->values, text.p, text.n), *comma = memchr (copy, ',', text.n);
   bool point = memchr (copy, '.', text.n) != NULL;
   if (comma && !point)
      *comma = '.';
   return parse_value (in, t, point ? text : (MtStr) {copy, text.n}, out, err);
}

bool mt_copy_value (MtCopyIn *in, int column, MtStr text, MtVal *out, MtError *err)
{
   MtType t = in->x.table->columns[column].type;
   int64_t i;
   double d;
   bool utc = !in->x.style->zone;
   if (t.id == MT_T_TEXT || (t.id == MT_T_VARCHAR && t.mod1 < 0)) {
      *out = mt_v_str (text.p, text.n);
      return true;
   }
   if (t.id == MT_T_INT8 && fast_int (text, &i)) {
      *out = mt_v_int64 (i);
      return true;
   }
   if (t.id == MT_T_INT4 && fast_int (text, &i) && i == (int32_t) i) {
      *out = mt_v_int32 ((int32_t) i);
      return true;
   }
   if (t.id == MT_T_FLOAT8 && in->o.decimal != ',' && fast_double (text, &d)) {
      *out = mt_v_double (d);
      return true;
   }
   if (t.id == MT_T_TIMESTAMPTZ || t.id == MT_T_TIMESTAMP) {
      if (in->o.epoch ? epoch_time (in, text, &i)
                      : fast_time (in, text, t.id == MT_T_TIMESTAMPTZ, utc, &i)) {
         *out = mt_v_date (i);
         return true;
      }
   }
   if (in->o.decimal == ',' && mt_type_is_number (t.id))
      return comma_value (in, t, text, out, err) || mistyped (in, column, text, err);
   return parse_value (in, t, text, out, err) || mistyped (in, column, text, err);
}

/* ---- writing ---- */

void mt_copy_put_header (MtCopyOut *out, MtPutField put)
{
   for (size_t i = 0; out->o.header && i < out->x.column_count; i++) {
      if (i)
         mt_buf_addc (&out->text, out->o.delimiter);
      put (out, out->x.names[i], strlen (out->x.names[i]), false);
   }
   if (out->o.header)
      mt_buf_addc (&out->text, '\n');
}

bool mt_copy_put_row (MtCopyOut *out, const MtVal *row, MtPutField put, MtError *err)
{
   for (size_t i = 0; i < out->x.column_count; i++) {
      if (i)
         mt_buf_addc (&out->text, out->o.delimiter);
      if (mt_is_nullish (row[i])) {
         mt_buf_adds (&out->text, out->o.null);
         continue;
      }
      mt_buf_clear (&out->value);
      if (!mt_value_print (out->x.types[i], row[i], out->x.style, &out->value, err))
         return false;
      put (out, out->value.p ? out->value.p : "", out->value.n,
           out->x.force_quote && out->x.force_quote[i]);
   }
   mt_buf_addc (&out->text, '\n');
   return true;
}

bool mt_copy_out_open (const char *format, const MtCopyOutArgs *args, MtCopyOut **out, MtError *err)
{
   MtCopyOptions o;
   const MtCopyFormat *f = find_format (format, err);
   if (!f)
      return false;
   if (!f->open_out) {
      mt_error (err, MT_E_FEATURE, "COPY format \"%s\" only available using COPY FROM", f->name);
      return mt_error_topic (err, MT_TOPIC_COPY_FORMAT);
   }
   if (!read_options (f, args->options, args->option_count, &o, err))
      return false;
   if (o.header_match)
      return mt_error (err, MT_E_FEATURE, "cannot use \"match\" with HEADER in COPY TO");
   static const char *const from_only[] = {"epoch", "datestyle", "skip", "decimal_separator"};
   for (size_t i = 0; i < sizeof from_only / sizeof *from_only; i++)
      for (size_t k = 0; k < args->option_count; k++)
         if (mt_ieq (args->options[k].name, from_only[i]))
            return mt_error (err, MT_E_FEATURE, "COPY option \"%s\" only available using COPY FROM",
                             from_only[i]);
   MtArena *a = mt_arena_new ("copy", NULL);
   MtCopyOut *w = MT_NEW (a, MtCopyOut);
   *w = (MtCopyOut) {.x = *args, .format = f, .o = o, .a = a};
   w->o.null = mt_strdup (a, o.null);
   if (!mt_recode_open (a, o.encoding, true, &w->recode, err) || !f->open_out (w, err)) {
      mt_copy_out_close (w);
      return false;
   }
   *out = w;
   return true;
}

static bool flush (MtCopyOut *out, MtError *err)
{
   MtStr text = {out->text.p, out->text.n};
   if (out->recode && !mt_recode_text (out->recode, text, &text, err))
      return false;
   errno = 0; /* `write` may fail without setting errno */
   bool ok = !text.n || out->x.write (out->x.ctx, text.p, text.n);
   int why = errno;
   mt_buf_clear (&out->text);
   return ok ? true
             : mt_error (err, mt_io_state (why), "could not write to COPY file: %s",
                         why ? strerror (why) : "unexpected end");
}

bool mt_copy_out_row (MtCopyOut *out, const MtVal *row, MtError *err)
{
   return out->format->row (out, row, err) && (out->text.n < OUT_BYTES || flush (out, err));
}

bool mt_copy_out_finish (MtCopyOut *out, MtError *err)
{
   return (!out->finish || out->finish (out, err)) && flush (out, err);
}

void mt_copy_out_close (MtCopyOut *out)
{
   if (!out)
      return;
   mt_buf_free (&out->text);
   mt_buf_free (&out->value);
   mt_arena_free (out->a);
}
