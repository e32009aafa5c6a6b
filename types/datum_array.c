/* Reads and prints arrays as PostgreSQL's array_in and array_out do. */
#include "types/binary.h"
#include "types/datum_int.h"

#include <stdlib.h>
#include <string.h>

/* ---- text to value ---- */

typedef struct In {
   MtArena *a;
   MtType element;
   const char *p, *end;
   MtStr text;
   const MtTextStyle *style;
   size_t dims[MT_MAX_ARRAY_DIMS]; /* the lengths of the dimensions; 0: not known yet */
   int ndim;                       /* the number of dimensions; 0: no element was read yet */
   MtError *err;
} In;

static bool is_space (char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_space (In *in)
{
   while (in->p < in->end && is_space (*in->p))
      in->p++;
}

static bool malformed (In *in)
{
   return mt_error (in->err, MT_E_TEXT_REPRESENTATION, "malformed array literal: \"%.*s\"",
                    (int) in->text.n, in->text.p);
}

static bool malformed_at_end (In *in)
{
   malformed (in);
   return mt_error_detail (in->err, "Unexpected end of input.");
}

static bool unexpected (In *in, char c)
{
   malformed (in);
   return mt_error_detail (in->err, "Unexpected \"%c\" character.", c);
}

static bool unexpected_element (In *in)
{
   malformed (in);
   return mt_error_detail (in->err, "Unexpected array element.");
}

static bool ragged (In *in)
{
   malformed (in);
   return mt_error_detail (
      in->err, "Multidimensional arrays must have sub-arrays with matching dimensions.");
}

/* Reports a character that can't follow an element or a closing brace. Returns false. */
static bool misplaced (In *in)
{
   char c = *in->p;
   return c == '{' || c == '}' || c == ',' || c == '\\' ? unexpected (in, c)
                                                        : unexpected_element (in);
}

/* Appends the text of a quoted element to b: from after its opening quote up to its closing one. */
static bool quoted_text (In *in, MtBuf *b)
{
   while (in->p < in->end && *in->p != '"') {
      if (*in->p == '\\' && ++in->p == in->end)
         break;
      mt_buf_addc (b, *in->p++);
   }
   return in->p++ < in->end ? true : malformed_at_end (in);
}

/* Appends the text of an element without quotes to b: up to a comma or brace, without trailing
 * blanks. *plain: it has no escapes, so it may be NULL. */
static bool bare_text (In *in, MtBuf *b, bool *plain)
{
   size_t keep = 0;
   *plain = true;
   for (; in->p < in->end && *in->p != ',' && *in->p != '}'; in->p++) {
      if (*in->p == '"')
         return unexpected_element (in);
      if (*in->p == '{')
         return unexpected (in, '{');
      bool escaped = *in->p == '\\';
      if (escaped && ++in->p == in->end)
         return malformed_at_end (in);
      *plain &= !escaped;
      mt_buf_addc (b, *in->p);
      if (escaped || !is_space (*in->p))
         keep = b->n;
   }
   b->n = keep;
   return in->p < in->end ? true : malformed_at_end (in);
}

static bool read_element (In *in, MtVal *out)
{
   MtBuf b = {0};
   bool quoted = *in->p == '"', plain = false, ok;
   if (quoted)
      in->p++;
   ok = quoted ? quoted_text (in, &b) : bare_text (in, &b, &plain);
   MtStr s = {b.p ? b.p : "", b.n};
   if (ok && plain && mt_str_ieq (s, mt_str ("null")))
      *out = mt_v_null ();
   else
      ok = ok && mt_value_parse (in->a, in->element, s, in->style, out, in->err);
   mt_buf_free (&b);
   return ok;
}

typedef struct List {
   MtVal *v;
   size_t n, cap;
} List;

static void push (In *in, List *l, MtVal v)
{
   MT_GROW_IN (in->a, l->v, l->n, l->cap, 8);
   l->v[l->n++] = v;
}

static bool read_level (In *in, int depth, MtVal *out);

/* Reads one item within braces: an element, or a nested array in braces. levels: the items before
 * were nested arrays. */
static bool read_item (In *in, int depth, bool first, bool levels, MtVal *out)
{
   skip_space (in);
   if (in->p == in->end)
      return malformed_at_end (in);
   if (*in->p == '{' && (first || levels))
      return read_level (in, depth + 1, out);
   if (levels || *in->p == '{' || *in->p == '}' || *in->p == ',')
      return misplaced (in);
   if (in->ndim && in->ndim != depth + 1)
      return ragged (in);
   in->ndim = depth + 1;
   return read_element (in, out);
}

static bool end_level (In *in, int depth, List *l, MtVal *out)
{
   if (in->dims[depth] && in->dims[depth] != l->n)
      return ragged (in);
   in->dims[depth] = l->n;
   return mt_v_make_array (in->a, l->v, l->n, out, in->err);
}

/* Reads {…}, an array or a nested array at this depth. in->p must be at the opening brace. */
static bool read_level (In *in, int depth, MtVal *out)
{
   List l = {0};
   bool levels = false;
   if (depth >= MT_MAX_ARRAY_DIMS)
      return mt_error (in->err, MT_E_LIMIT,
                       "number of array dimensions (%d) exceeds the maximum allowed (%d)",
                       depth + 1, MT_MAX_ARRAY_DIMS);
   in->p++;
   skip_space (in);
   if (depth == 0 && in->p < in->end && *in->p == '}') {
      in->p++;
      return mt_v_make_array (in->a, NULL, 0, out, in->err);
   }
   for (;;) {
      MtVal v;
      if (!read_item (in, depth, l.n == 0, levels, &v))
         return false;
      levels = v.type == MT_ARRAY && depth + 1 < in->ndim;
      push (in, &l, v);
      skip_space (in);
      if (in->p == in->end)
         return malformed_at_end (in);
      char c = *in->p;
      if (c != ',' && c != '}')
         return misplaced (in);
      in->p++;
      if (c == '}')
         return end_level (in, depth, &l, out);
   }
}

static bool whole (In *in, long *out)
{
   char *end;
   char digits[12] = "";
   size_t n = (size_t) (in->end - in->p) < sizeof digits - 1 ? (size_t) (in->end - in->p)
                                                             : sizeof digits - 1;
   memcpy (digits, in->p, n);
   *out = strtol (digits, &end, 10);
   in->p += end - digits;
   return end > digits;
}

/* Reports a '[' without bounds after it; probably the text is a JSON array. Returns false. */
static bool no_bounds (In *in)
{
   malformed (in);
   mt_error_detail (in->err, "\"[\" must introduce explicitly-specified array dimensions.");
   return mt_error_hint (in->err, "Write the elements in braces: '{a,b}'.");
}

/* Reads the bounds of the dimensions, which may precede the braces, such as [1:2][1:3]=. bounds[]
 * receives the lengths. */
static bool read_bounds (In *in, size_t bounds[MT_MAX_ARRAY_DIMS], int *count)
{
   for (*count = 0; in->p < in->end && *in->p == '['; ++*count) {
      long low = 1, high;
      in->p++;
      if (in->p < in->end && !strchr ("0123456789+-", *in->p))
         return no_bounds (in);
      bool ok = *count < MT_MAX_ARRAY_DIMS && whole (in, &high);
      if (ok && in->p < in->end && *in->p == ':') {
         low = high;
         in->p++;
         ok = whole (in, &high);
      }
      if (!ok || in->p == in->end || *in->p++ != ']') {
         malformed (in);
         return mt_error_detail (in->err, "Missing \"%s\" after array dimensions.", "]");
      }
      if (low != 1) {
         mt_error (in->err, MT_E_FEATURE, "arrays whose lower bound is not 1 are not supported");
         return mt_error_hint (in->err, "Leave the bounds out.");
      }
      if (high < low)
         return mt_error (in->err, MT_E_ARRAY_SUBSCRIPT,
                          "upper bound cannot be less than lower bound");
      bounds[*count] = (size_t) high;
      skip_space (in);
   }
   if (in->p < in->end && *in->p == '=') {
      in->p++;
      skip_space (in);
      return true;
   }
   malformed (in);
   return mt_error_detail (in->err, "Missing \"%s\" after array dimensions.", "=");
}

static bool same_bounds (In *in, const size_t *bounds, int count)
{
   bool same = count == in->ndim;
   for (int i = 0; i < count && same; i++)
      same = bounds[i] == in->dims[i];
   if (same)
      return true;
   malformed (in);
   return mt_error_detail (in->err, "Specified array dimensions do not match array contents.");
}

bool mt_array_parse (MtArena *a, MtType t, MtStr text, const MtTextStyle *style, MtVal *out,
                     MtError *err)
{
   In in = {
      .a = a, .element = t, .p = text.p ? text.p : "", .text = text, .style = style, .err = err};
   size_t bounds[MT_MAX_ARRAY_DIMS];
   int bound_count = 0;
   in.element.id = mt_type_element (t.id);
   in.end = in.p + text.n;
   skip_space (&in);
   if (in.p < in.end && *in.p == '[' && !read_bounds (&in, bounds, &bound_count))
      return false;
   if (in.p == in.end || *in.p != '{') {
      malformed (&in);
      return mt_error_detail (
         err, bound_count ? "Array contents must start with \"{\"."
                          : "Array value must start with \"{\" or dimension information.");
   }
   if (!read_level (&in, 0, out))
      return false;
   skip_space (&in);
   if (in.p != in.end) {
      malformed (&in);
      return mt_error_detail (err, "Junk after closing right brace.");
   }
   return !bound_count || same_bounds (&in, bounds, bound_count);
}

/* ---- value to text ---- */

static bool needs_quotes (MtStr s)
{
   if (s.n == 0 || mt_str_ieq (s, mt_str ("null")))
      return true;
   for (size_t i = 0; i < s.n; i++)
      if (is_space (s.p[i]) || (s.p[i] && strchr ("\"\\{},", s.p[i])))
         return true;
   return false;
}

static void put_element (MtStr s, MtBuf *out)
{
   if (!needs_quotes (s)) {
      mt_buf_add (out, s.p, s.n);
      return;
   }
   mt_buf_addc (out, '"');
   for (size_t i = 0; i < s.n; i++) {
      if (s.p[i] == '"' || s.p[i] == '\\')
         mt_buf_addc (out, '\\');
      mt_buf_addc (out, s.p[i]);
   }
   mt_buf_addc (out, '"');
}

typedef struct Out {
   MtType element;
   const MtTextStyle *style;
   MtBuf one; /* the text of the current element */
   MtBuf *out;
   MtError *err;
} Out;

static bool print_level (Out *o, MtVal v, int depth)
{
   MtBuf *out = o->out;
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   bool ok = true, first = true;
   mt_buf_addc (out, '{');
   while (ok && mt_doc_next (&it, &key, &e)) {
      if (!first)
         mt_buf_addc (out, ',');
      first = false;
      if (mt_is_nullish (e))
         mt_buf_adds (out, "NULL");
      else if (e.type == MT_ARRAY && depth < MT_MAX_ARRAY_DIMS &&
               !mt_type_holds_arrays (o->element.id))
         ok = print_level (o, e, depth + 1);
      else {
         mt_buf_clear (&o->one);
         ok = mt_value_print (o->element, e, o->style, &o->one, o->err);
         put_element ((MtStr) {o->one.p ? o->one.p : "", o->one.n}, out);
      }
   }
   mt_buf_addc (out, '}');
   return ok;
}

/* Prints the elements of an int2vector or oidvector, separated by blanks. */
static bool print_vector (MtType element, MtVal v, const MtTextStyle *style, MtBuf *out,
                          MtError *err)
{
   bool ok = true, more = false;
   MtArrayIter it = mt_array_iter (v, element.id);
   for (MtVal e; ok && mt_array_next (&it, &e); more = true) {
      mt_buf_adds (out, more ? " " : "");
      ok = mt_value_print (element, e, style, out, err);
   }
   return ok;
}

bool mt_array_print (MtType t, MtVal v, const MtTextStyle *style, MtBuf *out, MtError *err)
{
   Out o = {.element = t, .style = style, .out = out, .err = err};
   if (v.type != MT_ARRAY)
      return mt_value_normalize (NULL, t, v, &v, err);
   o.element.id = mt_type_element (t.id);
   if (mt_type_is_vector (t))
      return print_vector (mt_type (o.element.id), v, style, out, err);
   bool ok = print_level (&o, v, 1);
   mt_buf_free (&o.one);
   return ok;
}

/* ---- elements ---- */

int mt_array_dims (MtVal array, MtTypeId element, size_t dims[MT_MAX_ARRAY_DIMS])
{
   int n = 0;
   while (array.type == MT_ARRAY && n < MT_MAX_ARRAY_DIMS) {
      dims[n] = mt_doc_count (array);
      if (dims[n] == 0)
         break;
      n++;
      if (mt_type_holds_arrays (element))
         break;
      array = mt_doc_at (array, 0);
   }
   return n;
}

MtArrayIter mt_array_iter (MtVal array, MtTypeId element)
{
   return (MtArrayIter) {.levels = {mt_doc_iter (array)}, .flat = mt_type_holds_arrays (element)};
}

bool mt_array_next (MtArrayIter *it, MtVal *v)
{
   MtStr key;
   while (it->depth >= 0)
      if (!mt_doc_next (&it->levels[it->depth], &key, v))
         it->depth--;
      else if (v->type == MT_ARRAY && !it->flat && it->depth + 1 < MT_MAX_ARRAY_DIMS)
         it->levels[++it->depth] = mt_doc_iter (*v);
      else
         return true;
   return false;
}
