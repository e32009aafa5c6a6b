/* Columns: their names, adding values and NULLs, and ending batches. */
#include "arrow/arrow_int.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Removes all values from a column after a batch was written or taken. The column keeps its
 * memory. */
static void clear_column (MtArrowColumn *c)
{
   c->length = c->nulls = 0;
   mt_buf_clear (&c->valid);
   mt_buf_clear (&c->offsets);
   mt_buf_clear (&c->data);
   if (c->kind->shape == MT_ARROW_BYTES || c->kind->shape == MT_ARROW_LIST)
      mt_buf_fill (&c->offsets, 0, sizeof (int32_t));
   if (c->item)
      clear_column (c->item);
}

/* ---- opening ---- */

static bool is_taken (const MtArrowArgs *args, const MtArrow *t, size_t before, const char *name)
{
   for (size_t i = 0; i < args->count; i++)
      if (i < before ? strcmp (t->columns[i].name, name) == 0
                     : i > before && strcmp (args->names[i], name) == 0)
         return true;
   return false;
}

/* Returns the name of column i. If an earlier column has the same name, adds a number. */
static const char *unique_name (const MtArrowArgs *args, const MtArrow *t, size_t i)
{
   size_t equal = 0;
   for (size_t k = 0; k < i; k++)
      equal += strcmp (args->names[k], args->names[i]) == 0;
   const char *name = mt_strdup (t->arena, args->names[i]);
   while (equal && is_taken (args, t, i, name))
      name = mt_printf (t->arena, "%s_%zu", args->names[i], ++equal);
   return name;
}

static void open_column (MtArrow *t, MtArrowColumn *c, const char *name, MtType type)
{
   *c = (MtArrowColumn) {.name = name, .type = type, .table = t};
   if (type.id == MT_T_NUMERIC && type.mod2 < 0)
      c->type.mod2 = 0; /* a missing scale is 0 */
   if (mt_type_is_array (type.id)) {
      MtType item = {mt_type_element (type.id), type.mod1, type.mod2 <= MT_FLAT ? -1 : type.mod2};
      c->kind = &mt_arrow_list;
      c->item = MT_NEW (t->arena, MtArrowColumn);
      open_column (t, c->item, "item", item);
   } else
      c->kind = mt_arrow_kind (type);
   clear_column (c);
}

MtArrow *mt_arrow_open (const MtArrowArgs *args)
{
   MtArena *a = mt_arena_new ("arrow", NULL);
   MtArrow *t = MT_NEW (a, MtArrow);
   *t = (MtArrow) {.arena = a,
                   .values = mt_arena_new ("arrow values", a),
                   .style = args->style,
                   .columns = MT_NEW_N (a, MtArrowColumn, args->count + 1),
                   .count = args->count};
   for (size_t i = 0; i < args->count; i++)
      open_column (t, &t->columns[i], unique_name (args, t, i), args->types[i]);
   return t;
}

static void free_column (MtArrowColumn *c)
{
   mt_buf_free (&c->valid);
   mt_buf_free (&c->offsets);
   mt_buf_free (&c->data);
   if (c->item)
      free_column (c->item);
}

void mt_arrow_close (MtArrow *t)
{
   if (!t)
      return;
   for (size_t i = 0; i < t->count; i++)
      free_column (&t->columns[i]);
   mt_buf_free (&t->text);
   mt_buf_free (&t->head);
   free (t->blocks);
   mt_arena_free (t->arena);
}

/* ---- adding ---- */

/* Starts the bitmap c->valid, which a column has only from its first NULL on: sets the bits of all
 * earlier values. */
static void begin_valid (MtArrowColumn *c)
{
   mt_buf_fill (&c->valid, (char) 0xFF, (size_t) c->length / 8);
   if (c->length % 8)
      mt_buf_addc (&c->valid, (char) ((1 << c->length % 8) - 1));
}

void mt_arrow_add_bit (MtArrowColumn *c, MtBuf *bits, bool bit)
{
   if (c->length % 8 == 0)
      mt_buf_addc (bits, 0);
   if (bit && bits->n)
      bits->p[bits->n - 1] |= (char) (1 << c->length % 8);
}

/* Appends an unused value to the data or the offsets, since a NULL takes as much room as a
 * value. */
static void add_nothing (MtArrowColumn *c)
{
   switch (c->kind->shape) {
   case MT_ARROW_FIXED: mt_buf_fill (&c->data, 0, c->kind->width); break;
   case MT_ARROW_BITS: mt_arrow_add_bit (c, &c->data, false); break;
   case MT_ARROW_BYTES:
   case MT_ARROW_LIST: mt_arrow_add_end (c); break;
   }
   c->table->bytes += c->kind->width + 1;
}

bool mt_arrow_column_add (MtArrowColumn *c, MtVal v, MtError *err)
{
   bool null = mt_is_nullish (v);
   if (null && !c->nulls++)
      begin_valid (c);
   if (c->nulls)
      mt_arrow_add_bit (c, &c->valid, !null);
   if (null)
      add_nothing (c);
   else if (!c->kind->add (c, v, err))
      return false;
   c->length++;
   return true;
}

bool mt_arrow_add (MtArrow *t, const MtVal *row, MtError *err)
{
   for (size_t i = 0; i < t->count; i++)
      if (!mt_arrow_column_add (&t->columns[i], row[i], err))
         return false;
   t->rows++;
   return true;
}

size_t mt_arrow_rows (const MtArrow *t) { return (size_t) t->rows; }

bool mt_arrow_is_full (const MtArrow *t)
{
   return t->rows >= MT_ARROW_BATCH_ROWS || t->bytes >= MT_ARROW_BATCH_BYTES;
}

/* ---- batches ---- */

void mt_arrow_begin_batch (MtArrow *t)
{
   for (size_t i = 0; i < t->count; i++)
      clear_column (&t->columns[i]);
   mt_arena_reset (t->values);
   t->rows = 0;
   t->bytes = 0;
}

int mt_arrow_buffers (MtArrowColumn *c, MtBuf *out[3])
{
   int n = 0;
   out[n++] = &c->valid;
   if (c->kind->shape == MT_ARROW_BYTES || c->kind->shape == MT_ARROW_LIST)
      out[n++] = &c->offsets;
   if (c->kind->shape != MT_ARROW_LIST)
      out[n++] = &c->data;
   return n;
}
