/* COPY FORMAT arcanum: reads XML feeds of any length with an element for each record (ARCANUM.md).
 *
 * The parser, expat, is suspended at the end of each record, so only one record is in memory. There
 * are limits for its memory, the length of a tag, the length of a value, and the depth of elements.
 * Entities can't be used to make the text grow: an entity must be plain text. Entities that refer
 * to other entities, external entities and parameter entities are refused. */
#include "mtsql_ext.h"
#include "base/memory.h"

#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits, beyond which COPY fails with 54000: the memory of expat, the length of one tag, comment
 * or declaration, the length of the text of one column, and the number of nested elements. */
#define XML_MEMORY (32u << 20)
#define XML_TOKEN (1u << 20)
#define XML_VALUE (1u << 20)
#define XML_DEPTH 200u

static const MtCopyOptionRow options[] = {
   {"record", "name", "record", "the element that is a record, at any depth"},
   {"namespace", "URI", "any", "the namespace of that element"},
   {"paths", "column = path, …", "an attribute or element with the name of the column",
    "the place of a column's value in a record: 'user = subscriber/@id, ts = event/time'"},
   {"epoch", "s|ms|us|ns", "none", "times are numbers since 1970-01-01 UTC"},
   {"encoding", "name", "the encoding that the XML names", "the encoding of the file: LATIN1, …"},
   {NULL, NULL, NULL, NULL},
};

enum { READ_BYTES = 1 << 16, MAX_STEPS = 15, MAX_PATHS = 64, MAX_ENTITY = 256, SEPARATOR = '\n' };

typedef struct Path {
   int column;
   /* names of the elements on the path, from below the record to the value */
   MtStr steps[MAX_STEPS];
   size_t step_count;
   /* the attribute that has the value; p NULL: the value is the last element's text */
   MtStr attribute;
   MtBuf text; /* the value in the current record */
   /* `seen`: the current record has this path; `ever`: some record of the file had it */
   bool seen, ever;
   /* the path as written in the option PATHS; p NULL: PATHS does not name the column, so the path
    * is a default */
   MtStr said;
   uint64_t line, pos;
} Path;

/* The memory used by one parser, to limit it. Each allocation points to its Heap. */
typedef struct Heap {
   size_t used;
} Heap;
/* The header in front of each allocation of expat. It has 16 bytes, so that the allocation stays
 * aligned. */
typedef struct Piece {
   size_t size;
   Heap *heap;
} Piece;

typedef struct Arcanum {
   MtCopyIn *in;
   /* the options RECORD, NAMESPACE and PATHS; NULL: not given */
   const char *element, *name_space, *paths_text;
   MtSpan paths_span;
   XML_Parser xml;
   Heap heap;
   Path *paths;
   size_t path_count;
   MtBuf ns;      /* the namespace of the current record */
   size_t depth;  /* the number of open elements */
   size_t record; /* the depth of the record's element; 0: outside a record */
   /* `any`: the file had records; `others`: the root had other elements */
   bool any, others;
   /* if no record was found, for a hint: the name or namespace of a similar element, which the user
    * may have meant */
   const char *other;
   bool other_space;
   /* for each depth below the record: a bit set of the paths that match the open elements so far */
   uint64_t alive[MAX_STEPS + 1];
   /* for each depth below the record: a bit set of the paths whose value is the text of the open
    * element */
   uint64_t open[MAX_STEPS + 1];
   uint64_t line, pos; /* line and position at which the record begins */
   bool suspended, final;
   bool failed; /* the file is wrong; `error` says why */
   bool bad;    /* the record is wrong */
   MtError error;
   uint64_t error_line, error_pos;
} Arcanum;

/* ---- memory ---- */

/* The heap of the parser that runs in this thread. expat passes no context to its allocator, so it
 * is kept here. */
static _Thread_local Heap *running;

static void *heap_realloc (void *old, size_t n)
{
   Piece *p = old ? (Piece *) old - 1 : NULL;
   Heap *h = p ? p->heap : running;
   size_t before = p ? p->size : 0;
   if (!h || n > XML_MEMORY || h->used - before + n > XML_MEMORY)
      return NULL;
   Piece *q = mt_try_realloc ("XML", p, sizeof *q + n);
   if (!q)
      return NULL;
   h->used += n - before;
   *q = (Piece) {n, h};
   return q + 1;
}

static void *heap_malloc (size_t n) { return heap_realloc (NULL, n); }

static void heap_free (void *old)
{
   if (!old)
      return;
   Piece *p = (Piece *) old - 1;
   p->heap->used -= p->size;
   free (p);
}

/* ---- errors ---- */

static void here (const Arcanum *x, uint64_t *line, uint64_t *pos)
{
   *line = XML_GetCurrentLineNumber (x->xml);
   *pos = XML_GetCurrentColumnNumber (x->xml) + 1;
}

/* Records an error. With `file`, the file is wrong and parsing ends. Otherwise only the record is
 * wrong; its first error is kept until its end. */
__attribute__ ((format (printf, 4, 5))) static void complain (Arcanum *x, bool file,
                                                              const char *sqlstate, const char *fmt,
                                                              ...)
{
   char text[300];
   va_list ap;
   if (x->failed || (x->bad && !file))
      return;
   va_start (ap, fmt);
   vsnprintf (text, sizeof text, fmt, ap);
   va_end (ap);
   mt_error_clear (&x->error);
   mt_error (&x->error, sqlstate, "%s", text);
   here (x, &x->error_line, &x->error_pos);
   x->failed = file;
   x->bad = !file;
   if (file)
      XML_StopParser (x->xml, XML_FALSE);
}

static bool give_error (Arcanum *x, MtError *err)
{
   MtCopyIn *in = x->in;
   in->line = x->error_line;
   in->pos = x->error_pos;
   if (err)
      *err = x->error;
   return mt_copy_context (in, -1, (MtStr) {NULL, 0}, err);
}

/* ---- names ---- */

static MtStr local_name (const XML_Char *name)
{
   const char *sep = strrchr (name, SEPARATOR);
   return mt_str (sep ? sep + 1 : name);
}

static MtStr name_space (const XML_Char *name)
{
   const char *sep = strrchr (name, SEPARATOR);
   return (MtStr) {name, sep ? (size_t) (sep - name) : 0};
}

static bool same (MtStr a, MtStr b) { return a.n == b.n && memcmp (a.p, b.p, a.n) == 0; }

/* Returns whether an element or attribute can belong to the record: it has the record's namespace,
 * or none. */
static bool of_record (const Arcanum *x, const XML_Char *name)
{
   MtStr ns = name_space (name);
   return ns.n == 0 || same (ns, (MtStr) {x->ns.p, x->ns.n});
}

/* ---- what expat calls ---- */

static void add_text (Arcanum *x, Path *p, const char *s, size_t n)
{
   if (p->text.n + n > XML_VALUE)
      complain (x, false, MT_E_LIMIT, "value for column \"%s\" is longer than %u bytes",
                x->in->x.table->columns[p->column].name, XML_VALUE);
   else
      mt_buf_add (&p->text, s, n);
}

static void begin_value (Arcanum *x, Path *p)
{
   if (p->seen)
      complain (x, false, MT_E_COPY_FORMAT, "more than one value for column \"%s\" in a record",
                x->in->x.table->columns[p->column].name);
   p->seen = p->ever = true;
   here (x, &p->line, &p->pos);
}

static void take_attribute (Arcanum *x, Path *p, const XML_Char **atts)
{
   for (; *atts; atts += 2)
      if (of_record (x, atts[0]) && same (local_name (atts[0]), p->attribute)) {
         begin_value (x, p);
         add_text (x, p, atts[1], strlen (atts[1]));
      }
}

/* Called at the start of an element that is `level` levels below the record: begins the value of
 * each path that ends here. An attribute's value is taken at once; an element's text follows. */
static void take_values (Arcanum *x, size_t level, const XML_Char **atts)
{
   x->open[level] = 0;
   for (uint64_t left = x->alive[level]; left; left &= left - 1) {
      size_t i = (size_t) __builtin_ctzll (left);
      Path *p = &x->paths[i];
      if (p->step_count != level)
         continue;
      if (p->attribute.p)
         take_attribute (x, p, atts);
      else {
         x->open[level] |= UINT64_C (1) << i;
         begin_value (x, p);
      }
   }
}

static void begin_record (Arcanum *x, const XML_Char *name, const XML_Char **atts)
{
   MtStr ns = name_space (name);
   x->record = x->depth;
   x->any = true;
   mt_buf_clear (&x->ns);
   mt_buf_add (&x->ns, ns.p, ns.n);
   here (x, &x->line, &x->pos);
   x->alive[0] = x->path_count == 64 ? UINT64_MAX : (UINT64_C (1) << x->path_count) - 1;
   take_values (x, 0, atts);
}

/* Remembers an element before the first record whose name differs from RECORD only by case or
 * namespace, for a hint. */
static void see_other (Arcanum *x, MtStr own, MtStr space)
{
   x->others = x->others || x->depth > 1;
   if (x->other || !mt_str_ieq (own, mt_str (x->element)))
      return;
   x->other_space = mt_str_is (own, x->element);
   x->other = x->other_space ? mt_strndup (x->in->a, space.p, space.n)
                             : mt_strndup (x->in->a, own.p, own.n);
}

static void XMLCALL on_start (void *ctx, const XML_Char *name, const XML_Char **atts)
{
   Arcanum *x = ctx;
   MtStr own = local_name (name);
   if (++x->depth > XML_DEPTH) {
      complain (x, true, MT_E_LIMIT, "elements are nested deeper than %u", XML_DEPTH);
      return;
   }
   if (!x->record) {
      if (mt_str_is (own, x->element) &&
          (!x->name_space || mt_str_is (name_space (name), x->name_space)))
         begin_record (x, name, atts);
      else if (!x->any)
         see_other (x, own, name_space (name));
      return;
   }
   size_t level = x->depth - x->record;
   if (level > MAX_STEPS)
      return;
   x->alive[level] = 0;
   for (uint64_t left = of_record (x, name) ? x->alive[level - 1] : 0; left; left &= left - 1) {
      const Path *p = &x->paths[__builtin_ctzll (left)];
      if (p->step_count >= level && same (p->steps[level - 1], own))
         x->alive[level] |= left & -left;
   }
   take_values (x, level, atts);
}

static void XMLCALL on_end (void *ctx, const XML_Char *name)
{
   Arcanum *x = ctx;
   if (x->depth-- == x->record) {
      x->record = 0;
      x->suspended = XML_StopParser (x->xml, XML_TRUE) == XML_STATUS_OK;
   }
}

static void XMLCALL on_text (void *ctx, const XML_Char *s, int n)
{
   Arcanum *x = ctx;
   size_t level = x->depth - x->record;
   if (!x->record || level > MAX_STEPS)
      return;
   for (uint64_t left = x->open[level]; left; left &= left - 1)
      add_text (x, &x->paths[__builtin_ctzll (left)], s, (size_t) n);
}

static void XMLCALL on_entity (void *ctx, const XML_Char *name, int parameter,
                               const XML_Char *value, int n, const XML_Char *base,
                               const XML_Char *system_id, const XML_Char *public_id,
                               const XML_Char *notation)
{
   if (parameter)
      complain (ctx, true, MT_E_COPY_FORMAT, "parameter entity \"%.60s\" is not allowed", name);
   else if (!value)
      complain (ctx, true, MT_E_COPY_FORMAT, "external entity \"%.60s\" is not allowed", name);
   else if (n > MAX_ENTITY || memchr (value, '&', (size_t) n) || memchr (value, '<', (size_t) n))
      complain (ctx, true, MT_E_COPY_FORMAT,
                "entity \"%.60s\" is not plain text of at most %d bytes", name, MAX_ENTITY);
}

static void XMLCALL on_skipped_entity (void *ctx, const XML_Char *name, int parameter)
{
   if (!parameter)
      complain (ctx, true, MT_E_COPY_FORMAT, "entity \"%.60s\" is not declared in the file itself",
                name);
}

/* ---- paths ---- */

static MtStr trimmed (MtStr s)
{
   while (s.n && strchr (" \t\r\n", *s.p))
      s.p++, s.n--;
   while (s.n && strchr (" \t\r\n", s.p[s.n - 1]))
      s.n--;
   return s;
}

static bool bad_path (const Arcanum *x, MtStr path, const char *why, MtError *err)
{
   mt_error_at (err, x->paths_span, MT_E_PARAMETER,
                "invalid value for COPY option \"paths\": \"%.*s\"",
                (int) (path.n < 100 ? path.n : 100), path.p);
   return mt_error_hint (err, "%s", why);
}

static bool parse_path (const Arcanum *x, MtStr text, Path *p, MtError *err)
{
   MtStr rest = text;
   for (bool more = true; more;) {
      const char *slash = memchr (rest.p, '/', rest.n);
      MtStr step = trimmed ((MtStr) {rest.p, slash ? (size_t) (slash - rest.p) : rest.n});
      more = slash != NULL;
      rest = more ? (MtStr) {slash + 1, rest.n - (size_t) (slash + 1 - rest.p)} : rest;
      bool attribute = step.n && *step.p == '@';
      step = attribute ? (MtStr) {step.p + 1, step.n - 1} : step;
      if (!step.n || (attribute && more))
         return bad_path (
            x, text,
            "A path is names of elements with / between them, at its end perhaps @ and that of an "
            "attribute.",
            err);
      if (attribute)
         p->attribute = step;
      else if (p->step_count == MAX_STEPS)
         return bad_path (x, text, "It has too many steps.", err);
      else
         p->steps[p->step_count++] = step;
   }
   return true;
}

static Path *new_path (Arcanum *x, int column, MtError *err)
{
   if (x->path_count == MAX_PATHS) {
      mt_error (err, MT_E_LIMIT, "too many paths into a record");
      mt_error_detail (err, "There may be at most %d; a column that has none takes two.",
                       MAX_PATHS);
      return NULL;
   }
   Path *p = &x->paths[x->path_count++];
   *p = (Path) {.column = column};
   return p;
}

static int path_column (const MtCopyIn *in, MtStr name)
{
   for (int pass = 0; pass < 2; pass++)
      for (size_t i = 0; i < in->column_count; i++) {
         const char *has = in->x.table->columns[in->columns[i]].name;
         if (pass ? mt_str_ieq (name, mt_str (has)) : mt_str_is (name, has))
            return in->columns[i];
      }
   return -1;
}

/* Parses one item of the option PATHS, "column = path", and marks the column in given[]. */
static bool given_path (Arcanum *x, MtStr item, bool *given, MtError *err)
{
   const char *eq = memchr (item.p, '=', item.n);
   if (!eq)
      return bad_path (x, item, "It must be: column = path, …", err);
   MtStr name = trimmed ((MtStr) {item.p, (size_t) (eq - item.p)}),
         path = trimmed ((MtStr) {eq + 1, item.n - (size_t) (eq + 1 - item.p)});
   int column = path_column (x->in, name);
   if (column < 0)
      return mt_error_at (err, x->paths_span, MT_E_INVALID_COLUMN_REF,
                          "paths column \"%.*s\" not referenced by COPY",
                          (int) (name.n < 100 ? name.n : 100), name.p);
   if (given[column])
      return mt_error_at (err, x->paths_span, MT_E_DUPLICATE_COLUMN,
                          "column \"%s\" specified more than once",
                          x->in->x.table->columns[column].name);
   given[column] = true;
   Path *p = new_path (x, column, err);
   if (p)
      p->said = path;
   return p && parse_path (x, path, p, err);
}

/* Adds the two default paths of a column that PATHS does not name: an attribute, and an element,
 * with the column's name. */
static bool own_paths (Arcanum *x, int column, MtError *err)
{
   MtStr name = mt_str (x->in->x.table->columns[column].name);
   Path *p = new_path (x, column, err), *q = p ? new_path (x, column, err) : NULL;
   if (!q)
      return false;
   p->attribute = name;
   q->steps[q->step_count++] = name;
   return true;
}

static bool make_paths (Arcanum *x, MtError *err)
{
   MtCopyIn *in = x->in;
   bool *given = MT_NEW_N (in->a, bool, in->x.table->column_count + 1);
   MtStr rest = mt_str (x->paths_text ? x->paths_text : "");
   x->paths = MT_NEW_N (in->a, Path, MAX_PATHS);
   while (rest.n) {
      const char *comma = memchr (rest.p, ',', rest.n);
      MtStr item = {rest.p, comma ? (size_t) (comma - rest.p) : rest.n};
      rest = comma ? (MtStr) {comma + 1, rest.n - item.n - 1} : (MtStr) {NULL, 0};
      if (!given_path (x, item, given, err))
         return false;
   }
   for (size_t i = 0; i < in->column_count; i++)
      if (!given[in->columns[i]] && !own_paths (x, in->columns[i], err))
         return false;
   return true;
}

/* ---- encodings ---- */

/* Callback of expat: fills *info with the character map of an encoding, because expat knows only
 * four itself. */
static int XMLCALL on_encoding (void *ctx, const XML_Char *name, XML_Encoding *info)
{
   *info = (XML_Encoding) {.data = NULL};
   return mt_encoding_map (name, info->map) ? XML_STATUS_OK : XML_STATUS_ERROR;
}

/* ---- records ---- */

static void release (void *thing)
{
   Arcanum *x = thing;
   if (x->xml)
      XML_ParserFree (x->xml);
   for (size_t i = 0; i < x->path_count; i++)
      mt_buf_free (&x->paths[i].text);
   mt_buf_free (&x->ns);
}

static bool read_option (const MtCopyIn *in, const char *name, const char **out, MtError *err)
{
   const MtPresetOption *o = mt_copy_option (in, name);
   *out = NULL;
   if (o && !mt_copy_text_option (o, name, out, err))
      return false;
   *out = *out ? mt_strdup (in->a, *out) : NULL;
   return true;
}

static bool read_options (Arcanum *x, MtError *err)
{
   const MtPresetOption *record = mt_copy_option (x->in, "record"),
                        *paths = mt_copy_option (x->in, "paths");
   if (!read_option (x->in, "record", &x->element, err) ||
       !read_option (x->in, "namespace", &x->name_space, err) ||
       !read_option (x->in, "paths", &x->paths_text, err))
      return false;
   if (x->element && !*x->element)
      return mt_error_at (err, record->span, MT_E_PARAMETER,
                          "invalid value for COPY option \"record\": \"\"");
   if (!x->element)
      x->element = "record";
   x->paths_span = paths ? paths->span : MT_NO_SPAN;
   return true;
}

static bool open_in (MtCopyIn *in, MtError *err)
{
   static const XML_Memory_Handling_Suite memory = {heap_malloc, heap_realloc, heap_free};
   static const XML_Char separator[] = {SEPARATOR, 0};
   Arcanum *x = in->state = MT_NEW (in->a, Arcanum);
   x->in = in;
   mt_arena_defer (in->a, release, x);
   if (!read_options (x, err) || !make_paths (x, err))
      return false;
   running = &x->heap;
   const char *encoding = in->o.encoding;
   x->xml = XML_ParserCreate_MM (
      encoding && (!strcmp (encoding, "UTF8") || !strcmp (encoding, "SQL_ASCII")) ? "UTF-8"
                                                                                  : encoding,
      &memory, separator);
   running = NULL;
   if (!x->xml)
      return mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   XML_SetUserData (x->xml, x);
   XML_SetElementHandler (x->xml, on_start, on_end);
   XML_SetCharacterDataHandler (x->xml, on_text);
   XML_SetEntityDeclHandler (x->xml, on_entity);
   XML_SetSkippedEntityHandler (x->xml, on_skipped_entity);
   XML_SetUnknownEncodingHandler (x->xml, on_encoding, NULL);
   return true;
}

static bool not_well_formed (Arcanum *x, MtError *err)
{
   enum XML_Error code = XML_GetErrorCode (x->xml);
   if (!x->failed && code == XML_ERROR_NO_MEMORY) {
      complain (x, true, MT_E_LIMIT, "the XML needs more than %u bytes of memory", XML_MEMORY);
      mt_error_hint (
         &x->error,
         "A file with as many different names, or of such a depth, isn't a feed of records.");
   } else if (!x->failed && x->final &&
              (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN ||
               code == XML_ERROR_UNCLOSED_CDATA_SECTION))
      complain (x, true, MT_E_COPY_FORMAT, "invalid XML document: %s",
                x->in->bytes ? "the file ends before its root element does" : "the file is empty");
   else if (!x->failed) {
      complain (x, true, MT_E_COPY_FORMAT, "invalid XML document: %s", XML_ErrorString (code));
      if (code == XML_ERROR_UNKNOWN_ENCODING)
         mt_error_hint (
            &x->error,
            "UTF-8, UTF-16, and encodings of a byte a character (ISO-8859-x, windows-125x, "
            "KOI8-R, …) are read.");
   }
   return give_error (x, err);
}

/* Reads the next bytes of the file and passes them to expat. *status is expat's result. */
static bool feed (Arcanum *x, enum XML_Status *status, MtError *err)
{
   MtCopyIn *in = x->in;
   XML_Index at = XML_GetCurrentByteIndex (x->xml);
   if (at >= 0 && in->bytes - (uint64_t) at > XML_TOKEN) {
      complain (x, true, MT_E_LIMIT, "a tag, comment or declaration is longer than %u bytes",
                XML_TOKEN);
      return give_error (x, err);
   }
   running = &x->heap;
   void *to = XML_GetBuffer (x->xml, READ_BYTES);
   long got = 0;
   if (to && !mt_copy_bytes (in, to, READ_BYTES, &got, err)) {
      running = NULL;
      return false;
   }
   x->final = got == 0;
   *status = to ? XML_ParseBuffer (x->xml, (int) got, got == 0) : XML_STATUS_ERROR;
   running = NULL;
   return true;
}

/* Parses until the end of the next record or of the file. *end is true at the end of the file. */
static bool parse_on (Arcanum *x, bool *end, MtError *err)
{
   enum XML_Status status = XML_STATUS_OK;
   if (x->suspended) {
      x->suspended = false;
      running = &x->heap;
      status = XML_ResumeParser (x->xml);
      running = NULL;
   }
   while (status == XML_STATUS_OK && !x->final)
      if (!feed (x, &status, err))
         return false;
   if (status == XML_STATUS_ERROR)
      return not_well_formed (x, err);
   *end = status == XML_STATUS_OK;
   return true;
}

static bool take_row (Arcanum *x, MtError *err)
{
   MtCopyIn *in = x->in;
   for (size_t i = 0; i < in->x.table->column_count; i++)
      in->row[i] = mt_v_missing ();
   for (size_t i = 0; i < x->path_count; i++) {
      Path *p = &x->paths[i];
      if (!p->seen)
         continue;
      in->line = p->line;
      in->pos = p->pos;
      if (in->row[p->column].type != MT_MISSING) {
         mt_error (err, MT_E_COPY_FORMAT, "more than one value for column \"%s\" in a record",
                   in->x.table->columns[p->column].name);
         return mt_copy_context (in, -1, (MtStr) {NULL, 0}, err);
      }
      MtStr text = trimmed ((MtStr) {p->text.p ? p->text.p : "", p->text.n});
      if (!text.n)
         in->row[p->column] = mt_v_null ();
      else if (!mt_copy_value (in, p->column, text, &in->row[p->column], err))
         return false;
   }
   in->line = x->line;
   in->pos = x->pos;
   return true;
}

static bool next (MtCopyIn *in, bool *end, MtError *err)
{
   Arcanum *x = in->state;
   if (x->failed)
      return give_error (x, err);
   for (size_t i = 0; i < x->path_count; i++) {
      x->paths[i].seen = false;
      mt_buf_clear (&x->paths[i].text);
   }
   x->bad = false;
   if (!parse_on (x, end, err) || *end)
      return *end;
   in->can_go_on = true;
   return x->bad ? give_error (x, err) : take_row (x, err) && mt_copy_check_size (in, err);
}

static const char *no_record_hint (const Arcanum *x)
{
   if (!x->other)
      return "RECORD says which element is a record.";
   if (!x->other_space)
      return mt_printf (x->in->a, "Perhaps you meant RECORD '%.100s'.", x->other);
   if (!*x->other)
      return "Its elements of that name are of no namespace.";
   return mt_printf (x->in->a,
                     "Its elements of that name are of another namespace: NAMESPACE '%.100s'.",
                     x->other);
}

/* Returns warning number i (NULL: no more) after COPY, with a hint: a feed without records, or a
 * path that no record had. */
static const char *remark (const MtCopyIn *in, size_t i, const char **hint)
{
   const Arcanum *x = in->state;
   *hint = NULL;
   if (!x->any) {
      *hint = no_record_hint (x);
      return i == 0 && x->others
                ? mt_printf (in->a, "no element of the file is a record: \"%.100s\"", x->element)
                : NULL;
   }
   for (size_t k = 0; k < x->path_count; k++) {
      const Path *p = &x->paths[k];
      if (p->said.p && !p->ever && i-- == 0) {
         *hint = "A path goes from the record down, by names as they are written: "
                 "element/element/@attribute.";
         return mt_printf (in->a, "no record has \"%.*s\", the path of column \"%s\"",
                           (int) (p->said.n < 100 ? p->said.n : 100), p->said.p,
                           in->x.table->columns[p->column].name);
      }
   }
   return NULL;
}

static const MtCopyFormat formats[] = {
   {.name = "arcanum",
    .summary = "XML with an element for each record; paths name the values to keep; FROM only",
    .options = options,
    .open_in = open_in,
    .next = next,
    .example = "COPY t FROM 'feed.xml' WITH (FORMAT arcanum, "
               "PATHS 'i = subscriber/@id, ts = event/time')",
    .delimiter = ',',
    .quote = '"',
    .null = "",
    .whole_records = true,
    .remark = remark,
    .decodes = true},
   {0},
};

MT_MODULE (.name = "arcanum", .version = "1.0", .doc = "COPY FORMAT arcanum: XML feeds",
           .copy_formats = formats);
