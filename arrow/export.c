/* Exports columns in the structures of Arrow's C data interface. */
#include "arrow/arrow_int.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- schemas ---- */

static void release_schema (struct ArrowSchema *s)
{
   for (int64_t i = 0; i < s->n_children; i++) {
      if (s->children[i]->release)
         s->children[i]->release (s->children[i]);
      free (s->children[i]);
   }
   free (s->children);
   free ((char *) s->format);
   free ((char *) s->name);
   free ((char *) s->metadata);
   s->release = NULL;
}

static struct ArrowSchema **schema_children (size_t count)
{
   struct ArrowSchema **list = mt_calloc ("arrow schema", count ? count : 1, sizeof *list);
   for (size_t i = 0; i < count; i++)
      list[i] = mt_calloc ("arrow schema", 1, sizeof **list);
   return list;
}

static void add_text (MtBuf *b, const char *s)
{
   int32_t n = (int32_t) strlen (s);
   mt_buf_add (b, &n, sizeof n);
   mt_buf_adds (b, s);
}

/* Returns Arrow metadata that name an extension type, as malloc'ed bytes owned by the caller. NULL:
 * `extension` is NULL. Numbers in it have the machine's byte order. */
static char *extension_metadata (const char *extension)
{
   MtBuf b = {0};
   int32_t pairs = 2;
   if (!extension)
      return NULL;
   mt_buf_add (&b, &pairs, sizeof pairs);
   add_text (&b, "ARROW:extension:name");
   add_text (&b, extension);
   add_text (&b, "ARROW:extension:metadata");
   add_text (&b, "");
   return b.p;
}

static void column_schema (const MtArrowColumn *c, struct ArrowSchema *out)
{
   *out = (struct ArrowSchema) {
      .format = c->kind->format ? mt_heap_strdup (c->kind->format)
                                : mt_heap_printf ("d:%d,%d", c->type.mod1, c->type.mod2),
      .name = mt_heap_strdup (c->name),
      .metadata = extension_metadata (c->kind->extension),
      .flags = ARROW_FLAG_NULLABLE,
      .n_children = c->item != NULL,
      .children = schema_children (c->item != NULL),
      .release = release_schema,
   };
   if (c->item)
      column_schema (c->item, out->children[0]);
}

void mt_arrow_schema (const MtArrow *t, struct ArrowSchema *out)
{
   *out = (struct ArrowSchema) {.format = mt_heap_strdup ("+s"),
                                .name = mt_heap_strdup (""),
                                .n_children = (int64_t) t->count,
                                .children = schema_children (t->count),
                                .release = release_schema};
   for (size_t i = 0; i < t->count; i++)
      column_schema (&t->columns[i], out->children[i]);
}

/* ---- arrays ---- */

static void release_array (struct ArrowArray *a)
{
   for (int64_t i = 0; i < a->n_children; i++) {
      if (a->children[i]->release)
         a->children[i]->release (a->children[i]);
      free (a->children[i]);
   }
   for (int64_t i = 0; i < a->n_buffers; i++)
      free ((void *) a->buffers[i]);
   free (a->children);
   free (a->buffers);
   a->release = NULL;
}

/* Fills *out with an array of `length` values that has room for `buffers` buffers and `children`
 * children, all of them empty. */
static void begin_array (struct ArrowArray *out, int64_t length, int buffers, size_t children)
{
   *out = (struct ArrowArray) {
      .length = length,
      .n_buffers = buffers,
      .n_children = (int64_t) children,
      .buffers = mt_calloc ("arrow array", (size_t) buffers, sizeof *out->buffers),
      .children = mt_calloc ("arrow array", children ? children : 1, sizeof *out->children),
      .release = release_array};
   for (size_t i = 0; i < children; i++)
      out->children[i] = mt_calloc ("arrow array", 1, sizeof **out->children);
}

/* Moves the buffers of a column to the array *out, without copying them. */
static void take_column (MtArrowColumn *c, struct ArrowArray *out)
{
   MtBuf *list[3];
   int n = mt_arrow_buffers (c, list);
   begin_array (out, c->length, n, c->item != NULL);
   out->null_count = c->nulls;
   for (int i = 0; i < n; i++) {
      if (!list[i]->p && (i > 0 || c->nulls))
         mt_buf_adds (list[i], ""); /* readers expect an address, also of no bytes */
      out->buffers[i] = i > 0 || c->nulls ? list[i]->p : NULL;
      if (out->buffers[i])
         *list[i] = (MtBuf) {0};
   }
   if (c->item)
      take_column (c->item, out->children[0]);
}

void mt_arrow_take (MtArrow *t, struct ArrowArray *out)
{
   begin_array (out, t->rows, 1, t->count);
   for (size_t i = 0; i < t->count; i++)
      take_column (&t->columns[i], out->children[i]);
   mt_arrow_begin_batch (t);
}
