/* The stage $unwind. It reads the elements from the bytes of the array, without copying them. For
 * {$objectToArray: "$m"}, it reads the fields of the document m itself. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

#define VERIFY_WHOLE_BYTES 1024

typedef struct UnwindNode {
   MtExecNode n;
   uint32_t from; /* position in the row (slot) of the unwound array */
   bool stored;
   bool preserve;
   bool object;     /* the slot has a document, whose fields are unwound as {k, v} */
   MtExecVar *elem; /* the variable of the element, or of the value for `object` */
   MtExecVar *key;  /* the variable of the key; only for `object` */
   uint32_t index;  /* slot of the element's index; MT_NO_SLOT: not needed */
} UnwindNode;

/* The memory that later nodes use for the elements of an array. For a long array, this is a
 * separate arena, which is reset from time to time. The outer arena can't be reset, because it may
 * contain the row that is unwound. */
typedef struct Relief {
   MtArena *outer, *own; /* own: the array's arena; NULL: not needed yet */
} Relief;

static void relieve (MtWork *w, Relief *r)
{
   if (r->own)
      mt_arena_reset (r->own);
   else {
      r->outer = w->arena;
      r->own = w->arena = w->ev.arena = mt_arena_new ("unwound", NULL);
   }
   w->epoch++;
}

static void end_relief (MtWork *w, Relief *r)
{
   if (!r->own)
      return;
   w->arena = w->ev.arena = r->outer;
   w->epoch++;
   mt_arena_free (r->own);
}

static inline MtFlow pass_on (const MtExecNode *n, MtWork *w, Relief *r)
{
   MtFlow flow = mt_next (n, w);
   if ((w->tick & 3) == 0 && mt_rows_weigh (w->arena, 1))
      relieve (w, r);
   return flow;
}

static MtFlow corrupt (MtWork *w)
{
   mt_error (&w->err, MT_E_CORRUPT, "malformed array");
   return MT_FAIL;
}

static bool put (const UnwindNode *u, MtWork *w, MtVal v, MtVal index)
{
   w->slots[u->elem->slot] = v;
   if (u->index != MT_NO_SLOT)
      w->slots[u->index] = index;
   return mt_bind (w, u->elem, &w->count[u->n.id]);
}

static inline const uint8_t *skip_key (const uint8_t *p, const uint8_t *end)
{
   while (p < end && *p)
      p++;
   return p;
}

/* Returns the end of the key at p, the key of array element i. It nearly always is i in decimal
 * digits, so this is tried first. */
static inline const uint8_t *skip_index (const uint8_t *p, const uint8_t *end, int64_t i)
{
   if (i < 10 && end - p > 1 && p[0] && !p[1])
      return p + 1;
   if (i < 100 && end - p > 2 && p[0] && p[1] && !p[2])
      return p + 2;
   return skip_key (p, end);
}

/* Verifies the bytes of the array element at p that contain its key and the beginning of its
 * value. */
static bool need_head (MtReader *r, const uint8_t *p, const uint8_t *end, size_t ahead)
{
   size_t room = (size_t) (end - p);
   return mt_need (r, p, room < ahead ? room : ahead);
}

static bool need_value (const UnwindNode *u, MtReader *r, MtVal v)
{
   return !u->elem->whole || !mt_v_has_bytes (v.type) || !v.len || mt_need (r, v.p, v.len);
}

/* Reads the integer of the only needed field of a document, if the document has the same keys as
 * the last one (g). Stores its type and value. Returns the number of bytes read, or 0 if the
 * document must be parsed. */
static inline size_t only_integer (const MtGuess *g, const uint8_t *doc, uint32_t len,
                                   uint8_t *type, int64_t *out)
{
   const uint8_t *p = doc + 4, *end = doc + len - 1;
   for (const MtGuess *guesses_end = g + MT_GUESSES; g < guesses_end && p < end; g++) {
      *type = *p++;
      if (*type != g->type || !mt_guessed (g, p, end) || g->len + g->size > end - p)
         return 0;
      p += g->len;
      if (g->field == 0) {
         *out = *type == MT_INT64 ? (int64_t) mt_get64 (p) : (int32_t) mt_get32 (p);
         return *type == MT_INT64 || *type == MT_INT32 ? (size_t) (p - doc) + g->size : 0;
      }
      if (!g->size)
         return 0;
      p += g->size;
   }
   return 0;
}

/* Adds up the integers of the first elements of array v, and stores the sum in the slot u->n.only,
 * so that they become one row. Called if the next blocking node only adds up integers. Returns the
 * position of the first element that is not included, and its index in *i. */
static const uint8_t *add_up (const UnwindNode *u, MtWork *w, MtVal v, int64_t *i)
{
   const uint8_t *p = v.p + 4, *end = v.p + v.len - 1;
   const MtGuess *g = w->guess + (size_t) u->elem->extract->id * MT_GUESSES;
   MtCount *count = &w->count[u->n.id];
   MtVal sum = mt_v_int32 (0);
   for (; p < end && *p == MT_DOC && *i < UINT32_MAX; ++*i) {
      const uint8_t *key = p + 1, *doc = skip_index (key, end, *i) + 1;
      uint32_t len = end - doc < 5 ? 0 : mt_get32 (doc);
      uint8_t type;
      int64_t n, total;
      size_t stepped = len < 5 || len > end - doc ? 0 : only_integer (g, doc, len, &type, &n);
      if (!stepped || __builtin_add_overflow (sum.i, n, &total))
         break;
      sum.i = total;
      if (type == MT_INT64)
         sum.type = MT_INT64;
      count->bytes += (size_t) (doc - p) + stepped;
      p = doc + len;
   }
   w->slots[u->n.only] = sum;
   return p;
}

/* Returns how many bytes of an element's value this stage reads itself, for the statistics. If
 * later nodes extract fields of a document, the extraction counts the bytes. */
static inline size_t bytes_read (const UnwindNode *u, uint8_t type, size_t size)
{
   if (type != MT_DOC && type != MT_ARRAY)
      return size;
   return u->elem->extract ? 0 : 4;
}

/* Unwinds an array whose bytes are all verified. Most elements are in such arrays, since inner
 * levels of documents are verified together. */
static MtFlow unwind_whole (const UnwindNode *u, MtWork *w, MtVal v, MtReader *r, Relief *relief)
{
   const uint8_t *p = v.p + 4, *end = v.p + v.len - 1;
   MtVal *elem = &w->slots[u->elem->slot];
   const MtExtract *x = u->elem->extract && u->elem->extract->count <= 64 ? u->elem->extract : NULL;
   MtCount *count = &w->count[u->n.id];
   int64_t i = 0;
   if (u->n.adds) {
      p = add_up (u, w, v, &i);
      w->rows = (uint32_t) i;
      MtFlow flow = mt_tick (w) ? MT_GO : MT_FAIL;
      if (flow == MT_GO && i)
         flow = mt_next (&u->n, w);
      w->rows = 1;
      if (flow != MT_GO)
         return flow;
   }
   for (; p < end; i++) {
      uint8_t type = *p++;
      const uint8_t *key = p;
      p = skip_index (p, end, i);
      if (p >= end)
         return corrupt (w);
      size_t key_len = (size_t) (p - key);
      int64_t size = mt_x_load_fast (type, ++p, end, elem);
      if (size < 0)
         return corrupt (w);
      count->bytes += key_len + 2 + bytes_read (u, type, (size_t) size);
      if (u->key)
         w->slots[u->key->slot] = mt_v_str ((const char *) key, key_len);
      if (!mt_tick (w))
         return MT_FAIL;
      if (u->index != MT_NO_SLOT)
         w->slots[u->index] = mt_v_int64 (i);
      if (!(x && type == MT_DOC ? mt_extract_whole (w, x, p, elem->len, r, count)
                                : mt_bind (w, u->elem, count)))
         return MT_FAIL;
      MtFlow flow = pass_on (&u->n, w, relief);
      if (flow != MT_GO)
         return flow;
      p += size;
   }
   return MT_GO;
}

static MtFlow unwind_bytes (const UnwindNode *u, MtWork *w, MtVal v, Relief *relief)
{
   MtReader *r = mt_reader_of (w, u->stored);
   const uint8_t *p = v.p + 4, *end = v.p + v.len - 1;
   if (!u->stored || v.len <= VERIFY_WHOLE_BYTES)
      return mt_need (r, v.p, v.len) ? unwind_whole (u, w, v, r, relief) : MT_FAIL;
   for (int64_t i = 0; p < end; i++) {
      if (!need_head (r, p, end, 48))
         return MT_FAIL;
      uint8_t type = *p++;
      const uint8_t *key = p;
      p = skip_key (p, end - p > 40 ? p + 40 : end);
      if (p < end && *p) { /* the key is longer than expected, which only happens in a document */
         if (!mt_need (r, p, (size_t) (end - p)))
            return MT_FAIL;
         p = skip_key (p, end);
      }
      if (p >= end || !need_head (r, p, end, 32))
         return p >= end ? corrupt (w) : MT_FAIL;
      MtVal e;
      size_t key_len = (size_t) (p - key);
      if (type == MT_REGEX && !mt_need (r, p, (size_t) (end - p)))
         return MT_FAIL;
      int64_t size = mt_x_load_fast (type, ++p, end, &e);
      if (size < 0)
         return corrupt (w);
      w->count[u->n.id].bytes += key_len + 2 + bytes_read (u, type, (size_t) size);
      if (u->key)
         w->slots[u->key->slot] = mt_v_str ((const char *) key, key_len);
      if (!need_value (u, r, e) || !mt_tick (w) || !put (u, w, e, mt_v_int64 (i)))
         return MT_FAIL;
      MtFlow flow = pass_on (&u->n, w, relief);
      if (flow != MT_GO)
         return flow;
      p += size;
   }
   return MT_GO;
}

static bool is_empty (MtVal v) { return v.len <= 5; }

static MtFlow unwind_array (const UnwindNode *u, MtWork *w, MtVal v)
{
   Relief relief = {0};
   MtFlow flow = unwind_bytes (u, w, v, &relief);
   end_relief (w, &relief);
   return flow;
}

static MtFlow unwind_one (const UnwindNode *u, MtWork *w, MtVal v)
{
   return put (u, w, v, mt_v_null ()) ? mt_next (&u->n, w) : MT_FAIL;
}

static MtFlow unwind_push (const MtExecNode *n, MtWork *w)
{
   const UnwindNode *u = (const UnwindNode *) n;
   MtVal v = w->slots[u->from];
   w->count[n->id].in++;
   w->run += n->marks_runs;
   if (u->object) {
      if (mt_is_nullish (v))
         return MT_GO;
      if (v.type != MT_DOC) {
         mt_error_coded (&w->err, MT_E_PARAMETER, 40390,
                         "$objectToArray requires a document input, found: %s", mt_v_type_name (v));
         return MT_FAIL;
      }
      return unwind_array (u, w, v);
   }
   if (v.type == MT_ARRAY && !is_empty (v))
      return unwind_array (u, w, v);
   if (v.type == MT_ARRAY || mt_is_nullish (v))
      return u->preserve ? unwind_one (u, w, v.type == MT_ARRAY ? mt_v_missing () : v) : MT_GO;
   if (!need_value (u, mt_reader_of (w, u->stored), v))
      return MT_FAIL;
   return unwind_one (u, w, v);
}

/* ---- what scans of columns know of it ---- */

uint32_t mt_unwind_slot (const MtExecNode *n)
{
   return n->push == unwind_push ? ((const UnwindNode *) n)->from : MT_NO_SLOT;
}

bool mt_unwind_of (const MtExecNode *n, uint32_t *from, const MtExecVar **element)
{
   const UnwindNode *u = (const UnwindNode *) n;
   if (n->push != unwind_push || u->preserve || u->object || u->index != MT_NO_SLOT)
      return false;
   *from = u->from;
   *element = u->elem;
   return true;
}

/* ---- compiling ---- */

static void unwind_seal (MtExecNode *n, MtCompile *c)
{
   (void) c;
   const UnwindNode *u = (const UnwindNode *) n;
   const MtExtract *x = u->elem->extract;
   const MtExtractField *f = x && x->count == 1 ? x->fields : NULL;
   if (f && f->match == MT_NO_SLOT && f->raw == MT_NO_SLOT && !f->sub && !u->object &&
       u->index == MT_NO_SLOT)
      n->only = f->value;
}

typedef struct Spec {
   const char *path, *index;
   bool preserve;
} Spec;

static bool parse (MtCompile *c, MtVal v, Spec *out)
{
   MtVal path = v, index = mt_v_missing (), keep = mt_v_missing ();
   if (v.type == MT_DOC) {
      path = mt_doc_field (v, "path");
      index = mt_doc_field (v, "includeArrayIndex");
      keep = mt_doc_field (v, "preserveNullAndEmptyArrays");
      size_t known = (path.type != MT_MISSING) + (index.type != MT_MISSING) +
                     (keep.type != MT_MISSING);
      if (mt_doc_count (v) != known)
         return mt_bad (c, 28811, "unrecognized option to $unwind stage");
   }
   if (path.type != MT_STRING || path.len < 2 || path.p[0] != '$')
      return mt_bad (c,
                     MT_CODE_IF ({v.type != MT_DOC && v.type != MT_STRING, 15981},
                                 {path.type == MT_MISSING, 28812}, {path.type == MT_STRING, 28818},
                                 {true, 28808}),
                     "path option to $unwind stage should be a string prefixed with a '$'");
   if (keep.type != MT_MISSING && keep.type != MT_BOOL)
      return mt_bad (
         c, 28809, "expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage");
   if (index.type != MT_MISSING && (index.type != MT_STRING || !index.len || index.p[0] == '$'))
      return mt_bad (
         c, index.type == MT_STRING && index.len ? 28822 : 28810,
         "expected a non-empty string that is no path for the includeArrayIndex option to $unwind "
         "stage");
   out->path = mt_strndup (c->arena, (const char *) path.p + 1, path.len - 1);
   out->index = index.type == MT_STRING ? mt_strndup (c->arena, (const char *) index.p, index.len)
                                        : NULL;
   out->preserve = keep.type == MT_BOOL && keep.i;
   return true;
}

/* If the shape is {$objectToArray: path}, and this array is used only here, returns the shape of
 * the document at the path. Otherwise NULL. */
static MtShape *object_below (MtCompile *c, MtShape *s)
{
   if (s->kind != MT_SH_EXPR || s->expr->bound || s->expr->kind != MT_EX_OP ||
       strcmp (s->expr->row->name, "$objectToArray") != 0)
      return NULL;
   const MtExecExpr *arg = s->expr->args[0];
   if (arg->kind != MT_EX_FIELD || arg->shape ||
       (strcmp (arg->var, "CURRENT") != 0 && strcmp (arg->var, "ROOT") != 0))
      return NULL;
   MtShape *below = mt_shape_path (c, s->root, &arg->path);
   return below->kind == MT_SH_PATH ? below : NULL;
}

static bool source_slot (MtCompile *c, MtShape *s, uint32_t *slot, bool *stored)
{
   int pos = (int) c->node_count;
   *stored = s->kind == MT_SH_PATH && s->var->stored && s->var->pos >= c->last_sink;
   if (s->kind == MT_SH_PATH && s->path.count)
      *slot = mt_shape_raw_slot (c, s->var, &s->path, pos);
   else if (s->kind == MT_SH_PATH) {
      *slot = s->var->slot;
      mt_slot_use (c, *slot, pos);
   } else
      *slot = mt_shape_slot (c, s, pos);
   return *slot != MT_NO_SLOT;
}

bool mt_stage_unwind (MtCompile *c, MtVal v)
{
   Spec spec = {0};
   MtPath path, index_path;
   if (!parse (c, v, &spec) || !mt_path_parse (c, spec.path, &path) ||
       (spec.index && !mt_path_parse (c, spec.index, &index_path)))
      return false;
   MtShape *s = mt_shape_path (c, c->root, &path),
           *below = spec.preserve ? NULL : object_below (c, s);
   uint32_t slot;
   bool stored;
   if (c->failed || !source_slot (c, below ? below : s, &slot, &stored))
      return false;
   UnwindNode *u = (UnwindNode *) mt_node_new (c, sizeof *u, NULL, unwind_push);
   u->n.unwinds = true;
   u->n.seal = unwind_seal;
   u->from = slot;
   u->stored = stored;
   u->preserve = spec.preserve;
   u->object = below != NULL;
   u->elem = mt_var_new (c, u->n.pos, stored);
   u->index = MT_NO_SLOT;
   MtShape *value = mt_shape_var (c, u->elem);
   if (below) {
      u->key = mt_var_new (c, u->n.pos, false);
      MtShape *pair = mt_shape_doc (c, NULL, false);
      mt_shape_put (c, pair, "k", mt_shape_var (c, u->key), false);
      mt_shape_put (c, pair, "v", value, false);
      value = pair;
   }
   c->root = mt_shape_with (c, c->root, &path, 0, value, spec.preserve);
   if (spec.index) {
      MtExecVar *index = mt_var_new (c, u->n.pos, false);
      u->index = index->slot;
      c->root = mt_shape_with (c, c->root, &index_path, 0, mt_shape_var (c, index), false);
   }
   return !c->failed;
}
