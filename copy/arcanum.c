/* Arcanum feeds: XML of any length, an element a record, of which a few values are kept
 * (copy/ARCANUM.md describes them).
 *
 * expat parses what was read and is suspended at the end of each record, so that nothing but the
 * record at hand is held. What it allocates is bounded as a whole (names, open elements, a token
 * that doesn't end), and so are a token, a value and the depth. Entities are declared by text
 * alone: one that names another, is external or a parameter's is refused, so none can grow. */
#include "copy/copy_int.h"
#include "base/memory.h"

#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const MtCopyOptionRow mt_arcanum_options[] = {
   {"record", "name", "record", "the element that is a record, wherever it stands"},
   {"namespace", "URI", "any", "that element's namespace"},
   {"paths", "column = path, …", "an attribute or element of the column's name",
    "where a record has a column's value: 'user = subscriber/@id, ts = event/time'"},
   {"epoch", "s|ms|us", "none", "times are numbers since 1970-01-01 UTC"},
   {"encoding", "name", "what the XML says",
    "how the file is encoded, whatever it says: LATIN1, WIN1252, …"},
   {NULL, NULL, NULL, NULL},
};

enum { READ_BYTES = 1 << 16, MAX_STEPS = 15, MAX_PATHS = 64, MAX_ENTITY = 256, SEPARATOR = '\n' };

typedef struct Path {
   int column;
   MtStr steps[MAX_STEPS]; /* elements from the record down */
   size_t step_count;
   MtStr attribute; /* p NULL: the last element's text */
   MtBuf text;      /* of the record at hand */
   bool seen, ever; /* in it, in any record */
   MtStr said;      /* what PATHS said; p NULL: nothing */
   uint64_t line, pos;
} Path;

/* What one parser has allocated; each allocation knows its own. */
typedef struct Heap {
   size_t used;
} Heap;
typedef struct Piece {
   size_t size;
   Heap *heap;
} Piece; /* before each; 16 bytes keep what follows aligned */

typedef struct Arcanum {
   MtCopyIn *in;
   XML_Parser xml;
   Heap heap;
   Path *paths;
   size_t path_count;
   MtBuf ns;         /* of the record at hand */
   size_t depth;     /* of open elements */
   size_t record;    /* the record's depth; 0: outside */
   bool any, others; /* there were records; elements within the root that are none */
   const char *
      other; /* of an element that RECORD or NAMESPACE may have meant: its name, or its namespace */
   bool other_space;
   uint64_t alive[MAX_STEPS + 1]; /* by depth below the record: paths whose steps so far are those
                                     of the open elements */
   uint64_t open[MAX_STEPS + 1];  /* and those whose text it is */
   uint64_t line, pos;            /* where the record begins */
   bool suspended, final;
   bool failed; /* the file is at fault: why is in `error` */
   bool bad;    /* the record is */
   MtError error;
   uint64_t error_line, error_pos;
} Arcanum;

/* ---- memory ---- */

/* expat's allocator has no context: the parser that a thread is running is said here while it
 * runs. */
static _Thread_local Heap *running;

static void *heap_realloc (void *old, size_t n)
{
   Piece *p = old ? (Piece *) old - 1 : NULL;
   Heap *h = p ? p->heap : running;
   size_t before = p ? p->size : 0;
   if (!h || n > MT_COPY_XML_MEMORY || h->used - before + n > MT_COPY_XML_MEMORY)
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

/* What is wrong with the file ends the parsing; the first that is wrong with a record is remembered
 * until its end. */
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

/* Within a record names of its own namespace count, and those without any. */
static bool of_record (const Arcanum *x, const XML_Char *name)
{
   MtStr ns = name_space (name);
   return ns.n == 0 || same (ns, (MtStr) {x->ns.p, x->ns.n});
}

/* ---- what expat calls ---- */

static void add_text (Arcanum *x, Path *p, const char *s, size_t n)
{
   if (p->text.n + n > MT_COPY_XML_VALUE)
      complain (x, false, MT_E_LIMIT, "value for column \"%s\" is longer than %u bytes",
                x->in->x.table->columns[p->column].name, MT_COPY_XML_VALUE);
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

/* The paths that are at their end at this element, `level` below the record. */
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

/* An element that is no record, before the first one. */
static void see_other (Arcanum *x, MtStr own, MtStr space)
{
   x->others = x->others || x->depth > 1;
   if (x->other || !mt_str_ieq (own, mt_str (x->in->o.record)))
      return;
   x->other_space = mt_str_is (own, x->in->o.record);
   x->other = x->other_space ? mt_strndup (x->in->a, space.p, space.n)
                             : mt_strndup (x->in->a, own.p, own.n);
}

static void XMLCALL on_start (void *ctx, const XML_Char *name, const XML_Char **atts)
{
   Arcanum *x = ctx;
   const MtCopyOptions *o = &x->in->o;
   MtStr own = local_name (name);
   if (++x->depth > MT_COPY_XML_DEPTH) {
      complain (x, true, MT_E_LIMIT, "elements are nested deeper than %u", MT_COPY_XML_DEPTH);
      return;
   }
   if (!x->record) {
      if (mt_str_is (own, o->record) &&
          (!o->name_space || mt_str_is (name_space (name), o->name_space)))
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
   mt_error_at (err, x->in->o.paths_span, MT_E_PARAMETER,
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
            "A path is names of elements with / between them, at its end perhaps @ and that of an attribute.",
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

/* One of "column = path, column = path". */
static bool given_path (Arcanum *x, MtStr item, bool *given, MtError *err)
{
   const char *eq = memchr (item.p, '=', item.n);
   if (!eq)
      return bad_path (x, item, "It must be: column = path, …", err);
   MtStr name = trimmed ((MtStr) {item.p, (size_t) (eq - item.p)}),
         path = trimmed ((MtStr) {eq + 1, item.n - (size_t) (eq + 1 - item.p)});
   int column = path_column (x->in, name);
   if (column < 0)
      return mt_error_at (err, x->in->o.paths_span, MT_E_INVALID_COLUMN_REF,
                          "paths column \"%.*s\" not referenced by COPY",
                          (int) (name.n < 100 ? name.n : 100), name.p);
   if (given[column])
      return mt_error_at (err, x->in->o.paths_span, MT_E_DUPLICATE_COLUMN,
                          "column \"%s\" specified more than once",
                          x->in->x.table->columns[column].name);
   given[column] = true;
   Path *p = new_path (x, column, err);
   if (p)
      p->said = path;
   return p && parse_path (x, path, p, err);
}

/* A column without a path takes the record's attribute or element of its name. */
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
   MtStr rest = mt_str (in->o.paths ? in->o.paths : "");
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

/* Expat has four of its own. */
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

bool mt_arcanum_open_in (MtCopyIn *in, MtError *err)
{
   static const XML_Memory_Handling_Suite memory = {heap_malloc, heap_realloc, heap_free};
   static const XML_Char separator[] = {SEPARATOR, 0};
   Arcanum *x = in->state = MT_NEW (in->a, Arcanum);
   x->in = in;
   mt_arena_defer (in->a, release, x);
   in->o.record = mt_strdup (in->a, in->o.record ? in->o.record : "record");
   in->o.name_space = in->o.name_space ? mt_strdup (in->a, in->o.name_space) : NULL;
   in->o.paths = in->o.paths ? mt_strdup (in->a, in->o.paths) : NULL;
   if (!make_paths (x, err))
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
      complain (x, true, MT_E_LIMIT, "the XML needs more than %u bytes of memory",
                MT_COPY_XML_MEMORY);
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
            "UTF-8, UTF-16, and encodings of a byte a character (ISO-8859-x, windows-125x, KOI8-R, …) are read.");
   }
   return give_error (x, err);
}

/* Hands more of the file to expat. */
static bool feed (Arcanum *x, enum XML_Status *status, MtError *err)
{
   MtCopyIn *in = x->in;
   XML_Index at = XML_GetCurrentByteIndex (x->xml);
   if (at >= 0 && in->bytes - (uint64_t) at > MT_COPY_XML_TOKEN) {
      complain (x, true, MT_E_LIMIT, "a tag, comment or declaration is longer than %u bytes",
                MT_COPY_XML_TOKEN);
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

/* Parses on to the end of the next record, or of the file. */
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

bool mt_arcanum_next (MtCopyIn *in, bool *end, MtError *err)
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

/* What most likely isn't meant, though it is no fault: a feed without records, a path that leads
 * nowhere in all of them. */
const char *mt_arcanum_remark (const MtCopyIn *in, size_t i, const char **hint)
{
   const Arcanum *x = in->state;
   *hint = NULL;
   if (!x->any) {
      *hint = !x->other         ? "RECORD says which element is a record."
              : !x->other_space ? mt_printf (in->a, "Perhaps you meant RECORD '%.100s'.", x->other)
              : *x->other
                 ? mt_printf (
                      in->a,
                      "Its elements of that name are of another namespace: NAMESPACE '%.100s'.",
                      x->other)
                 : "Its elements of that name are of no namespace.";
      return i == 0 && x->others
                ? mt_printf (in->a, "no element of the file is a record: \"%.100s\"", in->o.record)
                : NULL;
   }
   for (size_t k = 0; k < x->path_count; k++) {
      const Path *p = &x->paths[k];
      if (p->said.p && !p->ever && i-- == 0) {
         *hint =
            "A path goes from the record down, by names as they are written: element/element/@attribute.";
         return mt_printf (in->a, "no record has \"%.*s\", the path of column \"%s\"",
                           (int) (p->said.n < 100 ? p->said.n : 100), p->said.p,
                           in->x.table->columns[p->column].name);
      }
   }
   return NULL;
}
