/* to_char of numbers, and to_number, by PostgreSQL's template patterns (section 9.8 of its manual).
 * The locale is C: D is ".", G is ",", L is a blank. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/numeric.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the template ---- */

typedef enum Key {
   K_TEXT,
   K_COMMA,
   K_POINT,
   K_0,
   K_9,
   K_B,
   K_D,
   K_EEEE,
   K_FM,
   K_G,
   K_L,
   K_MI,
   K_PL,
   K_PR,
   K_RN_UPPER,
   K_RN_LOWER,
   K_SG,
   K_SP,
   K_S,
   K_TH_UPPER,
   K_TH_LOWER,
   K_V
} Key;

static const struct {
   const char *name;
   Key upper, lower;
} keys[] = {
   /* longer names first, because the first one that matches is taken */
   {"EEEE", K_EEEE, K_EEEE}, {"FM", K_FM, K_FM},      {"MI", K_MI, K_MI},
   {"PL", K_PL, K_PL},       {"PR", K_PR, K_PR},      {"RN", K_RN_UPPER, K_RN_LOWER},
   {"SG", K_SG, K_SG},       {"SP", K_SP, K_SP},      {"TH", K_TH_UPPER, K_TH_LOWER},
   {",", K_COMMA, K_COMMA},  {".", K_POINT, K_POINT}, {"0", K_0, K_0},
   {"9", K_9, K_9},          {"B", K_B, K_B},         {"D", K_D, K_D},
   {"G", K_G, K_G},          {"L", K_L, K_L},         {"S", K_S, K_S},
   {"V", K_V, K_V},
};

typedef struct Node {
   Key key;
   MtStr text; /* K_TEXT: one character */
} Node;

typedef struct Template {
   Node *nodes;
   size_t count;
   int pre, post, multi; /* number of digits before and after the point, and after V */
   /* zeros are written from the first 0 of the template to its last */
   int zero_start, zero_end;
   int sign_after; /* S: the number of digits before it */
   bool zero, decimal, fill, sign, sign_last, minus, plus, bracket, roman, v, exponent, blank;
} Template;

static bool wrong (MtEval *ev, const char *why)
{
   return mt_error (ev->err, MT_E_SYNTAX, "%s", why);
}

static bool digit (MtEval *ev, Template *t, Key k)
{
   if (t->bracket)
      return wrong (ev,
                    k == K_9 ? "\"9\" must be ahead of \"PR\"" : "\"0\" must be ahead of \"PR\"");
   if (k == K_9 && t->v) {
      t->multi++;
      return true;
   }
   if (k == K_0 && !t->zero && !t->decimal) {
      t->zero = true;
      t->zero_start = t->pre;
   }
   *(t->decimal ? &t->post : &t->pre) += 1;
   if (k == K_0)
      t->zero_end = t->pre + t->post;
   return true;
}

static bool sign_key (MtEval *ev, Template *t, Key k)
{
   switch ((int) k) {
   case K_S:
      if (t->sign)
         return wrong (ev, "cannot use \"S\" twice");
      if (t->plus || t->minus || t->bracket)
         return wrong (ev, "cannot use \"S\" and \"PL\"/\"MI\"/\"SG\"/\"PR\" together");
      t->sign = true;
      t->sign_last = t->decimal;
      t->sign_after = t->pre;
      return true;
   case K_PR:
      if (t->sign || t->plus || t->minus)
         return wrong (ev, "cannot use \"PR\" and \"S\"/\"PL\"/\"MI\"/\"SG\" together");
      t->bracket = true;
      return true;
   default:
      if (t->sign && k == K_MI)
         return wrong (ev, "cannot use \"S\" and \"MI\" together");
      if (t->sign)
         return wrong (ev, k == K_PL ? "cannot use \"S\" and \"PL\" together"
                                     : "cannot use \"S\" and \"SG\" together");
      t->minus |= k != K_PL;
      t->plus |= k != K_MI;
      return true;
   }
}

static bool exponent (MtEval *ev, Template *t)
{
   if (t->blank || t->fill || t->sign || t->bracket || t->minus || t->plus || t->roman || t->v) {
      wrong (ev, "\"EEEE\" is incompatible with other formats");
      return mt_error_detail (
         ev->err, "\"EEEE\" may only be used together with digit and decimal point patterns.");
   }
   t->exponent = true;
   return true;
}

static bool take_key (MtEval *ev, Template *t, Key k)
{
   if (t->exponent)
      return wrong (ev, k == K_EEEE ? "cannot use \"EEEE\" twice"
                                    : "\"EEEE\" must be the last pattern used");
   switch (k) {
   case K_0:
   case K_9: return digit (ev, t, k);
   case K_S:
   case K_PR:
   case K_MI:
   case K_PL:
   case K_SG: return sign_key (ev, t, k);
   case K_EEEE: return exponent (ev, t);
   case K_D:
   case K_POINT:
      if (t->decimal)
         return wrong (ev, "multiple decimal points");
      if (t->v)
         return wrong (ev, "cannot use \"V\" and decimal point together");
      t->decimal = true;
      return true;
   case K_V:
      if (t->decimal)
         return wrong (ev, "cannot use \"V\" and decimal point together");
      t->v = true;
      return true;
   case K_B: t->blank |= t->pre == 0 && t->post == 0 && !t->zero; return true;
   case K_FM: t->fill = true; return true;
   case K_RN_UPPER:
   case K_RN_LOWER: t->roman = true; return true;
   case K_TEXT:
   case K_COMMA:
   case K_G:
   case K_L:
   case K_SP:
   case K_TH_UPPER:
   case K_TH_LOWER: return true;
   }
   return true;
}

static bool find_key (const char *p, size_t left, Key *k, size_t *n)
{
   for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
      char lower[5] = {0};
      *n = strlen (keys[i].name);
      for (size_t j = 0; j < *n; j++)
         lower[j] = (char) tolower ((unsigned char) keys[i].name[j]);
      if (left < *n)
         continue;
      bool is_upper = memcmp (p, keys[i].name, *n) == 0;
      if (is_upper || memcmp (p, lower, *n) == 0) {
         *k = is_upper ? keys[i].upper : keys[i].lower;
         return true;
      }
   }
   return false;
}

static size_t char_len (const char *p, size_t left)
{
   size_t n = 1;
   while (n < left && ((unsigned char) p[n] & 0xC0) == 0x80)
      n++;
   return n;
}

#define CACHED 48 /* maximum length of a template in the cache */

/* The last parsed template. It is almost always a constant, so it can be used for the next row. */
typedef struct Cache {
   char text[CACHED];
   size_t n;
   bool set;
   Template t;
   Node nodes[CACHED];
} Cache;

static bool parse_template (MtEval *ev, MtVal format, Template *t);

static bool read_template (MtEval *ev, MtVal format, Template *t)
{
   static _Thread_local Cache last;
   if (last.set && last.n == format.len && memcmp (last.text, format.p, last.n) == 0) {
      *t = last.t;
      return true;
   }
   if (format.len > CACHED)
      return parse_template (ev, format, t);
   last.set = false;
   memcpy (last.text, format.p, format.len);
   last.n = format.len;
   if (!parse_template (ev, mt_v_str (last.text, last.n), t))
      return false;
   if (t->count)
      memcpy (last.nodes, t->nodes, t->count * sizeof *t->nodes);
   t->nodes = last.nodes;
   last.t = *t;
   last.set = true;
   return true;
}

static bool parse_template (MtEval *ev, MtVal format, Template *t)
{
   const char *p = (const char *) format.p, *end = p + format.len;
   bool quoted = false;
   *t = (Template) {.nodes = MT_NEW_N (ev->arena, Node, format.len + 1u)};
   while (p < end) {
      Key k = K_TEXT;
      size_t n = 1;
      if (!quoted && find_key (p, (size_t) (end - p), &k, &n)) {
         if (!take_key (ev, t, k))
            return false;
      } else if (*p == '"') {
         quoted = !quoted;
         p++;
         continue;
      } else {
         if (*p == '\\' && p + 1 < end && (quoted || p[1] == '"'))
            p++;
         n = char_len (p, (size_t) (end - p));
      }
      t->nodes[t->count++] = (Node) {k, {p, n}};
      p += n;
   }
   return true;
}

/* ---- output ---- */

typedef struct Writer {
   Template *t;
   MtBuf *b;
   const char *number, *at; /* digits and a point; at: the next one */
   /* with FM: the last digit that must be written, or the decimal point. NULL: all digits */
   const char *last;
   char sign;
   int blanks; /* places before the number that stay blank */
   int place, places;
   bool signed_already, begun;
   /* where the output is cut, as in PostgreSQL, because a place of the template has no digit.
    * SIZE_MAX: nowhere */
   size_t cut;
   bool no_number; /* the value is NaN or infinity, so it has no ordinal suffix */
} Writer;

static bool hides_zero (const Writer *w)
{
   return !w->t->zero && w->number == w->at && *w->number == '0' && w->t->post != 0;
}

static void write_sign (Writer *w)
{
   bool due = w->place >= w->blanks || (w->t->zero && w->t->zero_start == w->place);
   if (w->signed_already || !due || (hides_zero (w) && !(w->last && *w->last == '.')))
      return;
   if (w->t->sign) {
      if (w->t->sign_last)
         return;
      mt_buf_addc (w->b, w->sign);
   } else if (w->t->bracket)
      mt_buf_addc (w->b, w->sign == '+' ? ' ' : '<');
   else if (w->sign == '-' || !w->t->fill)
      mt_buf_addc (w->b, w->sign == '+' ? ' ' : '-');
   w->signed_already = true;
}

static void write_digit (Writer *w, Key k)
{
   if (*w->at == '.') {
      if (!w->last || *w->last != '.' || w->t->fill)
         mt_buf_addc (w->b, '.');
   } else if (w->last && w->at > w->last && k != K_0)
      ;
   else if (hides_zero (w)) {
      if (!w->t->fill)
         mt_buf_addc (w->b, ' ');
      else if (w->last && *w->last == '.')
         mt_buf_addc (w->b, '0');
   } else {
      if (!*w->at && w->cut == SIZE_MAX)
         w->cut = w->b->n;
      mt_buf_addc (w->b, *w->at);
      w->begun = true;
   }
   if (*w->at)
      w->at++;
}

static void write_place (Writer *w, Key k)
{
   const Template *t = w->t;
   if (t->roman)
      return;
   w->begun = false;
   write_sign (w);
   if (w->place >= w->blanks)
      write_digit (w, k);
   else if (t->zero && t->zero_start <= w->place) {
      mt_buf_addc (w->b, '0');
      w->begun = true;
   } else if (!t->fill)
      mt_buf_addc (w->b, ' ');
   int end = w->places + (w->blanks ? 1 : 0) + (t->decimal ? 1 : 0);
   if (w->last && w->last == w->at)
      end = w->place;
   if (w->place + 1 == end) {
      if (w->signed_already && t->bracket)
         mt_buf_addc (w->b, w->sign == '+' ? ' ' : '>');
      else if (t->sign && t->sign_last)
         mt_buf_addc (w->b, w->sign);
   }
   w->place++;
}

static void write_ordinal (Writer *w, bool upper)
{
   static const char *const suffix[] = {"th", "st", "nd", "rd"};
   size_t n = strlen (w->number);
   if (w->t->roman || *w->number == '#' || w->sign == '-' || w->t->decimal)
      return;
   if (!n || !isdigit ((unsigned char) w->number[n - 1])) {
      w->no_number = true;
      return;
   }
   int last = w->number[n - 1] - '0';
   const char *s = suffix[(n < 2 || w->number[n - 2] != '1') && last >= 1 && last <= 3 ? last : 0];
   for (int i = 0; i < 2; i++)
      mt_buf_addc (w->b, (char) (upper ? toupper ((unsigned char) s[i]) : s[i]));
}

static void write_roman (Writer *w, bool lower)
{
   for (size_t n = strlen (w->number); n < 15 && !w->t->fill; n++)
      mt_buf_addc (w->b, ' ');
   for (const char *p = w->number; *p; p++)
      mt_buf_addc (w->b, (char) (lower ? tolower ((unsigned char) *p) : *p));
}

static void write_node (Writer *w, const Node *n)
{
   switch (n->key) {
   case K_TEXT: mt_buf_add (w->b, n->text.p, n->text.n); break;
   case K_0:
   case K_9:
   case K_D:
   case K_POINT: write_place (w, n->key); break;
   case K_COMMA:
   case K_G:
      if (w->begun || !w->t->fill)
         mt_buf_addc (w->b, w->begun ? ',' : ' ');
      break;
   case K_L: mt_buf_addc (w->b, ' '); break;
   case K_MI:
      if (w->sign == '-' || !w->t->fill)
         mt_buf_addc (w->b, w->sign == '-' ? '-' : ' ');
      break;
   case K_PL:
      if (w->sign == '+' || !w->t->fill)
         mt_buf_addc (w->b, w->sign == '+' ? '+' : ' ');
      break;
   case K_SG:
      if (!w->sign && w->cut == SIZE_MAX) /* a Roman number */
         w->cut = w->b->n;
      mt_buf_addc (w->b, w->sign);
      break;
   case K_RN_UPPER:
   case K_RN_LOWER: write_roman (w, n->key == K_RN_LOWER); break;
   case K_TH_UPPER:
   case K_TH_LOWER: write_ordinal (w, n->key == K_TH_UPPER); break;
   case K_B:
   case K_EEEE:
   case K_FM:
   case K_PR:
   case K_S:
   case K_SP:
   case K_V: break;
   }
}

/* Decides whether a sign is still to be written, how many places the number has, and which digit is
 * the last one needed (FM). */
static void prepare (Writer *w)
{
   Template *t = w->t;
   if (t->plus || t->minus)
      w->signed_already = t->minus;
   else {
      t->bracket = t->bracket && !(w->sign != '-' && t->fill);
      w->signed_already = w->sign == '+' && t->fill && !t->sign;
      if (t->sign && !t->sign_last && t->pre == t->sign_after)
         t->sign_last = true;
   }
   w->places = t->post + t->pre - 1;
   const char *point = strchr (w->number, '.');
   if (t->fill && t->decimal && point) {
      w->last = point;
      for (const char *p = point + 1; *p; p++)
         if (*p != '0')
            w->last = p;
      if (t->zero_end > w->blanks) {
         size_t most = strlen (w->number) - 1, at = (size_t) (t->zero_end - w->blanks);
         const char *zero = w->number + (at < most ? at : most);
         w->last = w->last < zero ? zero : w->last;
      }
   }
   if (!w->signed_already && w->blanks == 0)
      w->places++;
}

static bool write_number (MtEval *ev, Template *t, const char *number, char sign, int blanks,
                          MtBuf *b)
{
   Writer w = {.t = t,
               .b = b,
               .number = number,
               .at = number,
               .sign = sign,
               .blanks = blanks,
               .cut = SIZE_MAX};
   if (t->exponent) {
      mt_buf_adds (b, number);
      return true;
   }
   if (t->roman) {
      bool fill = t->fill;
      *t = (Template) {.nodes = t->nodes, .count = t->count, .fill = fill, .roman = true};
      w.blanks = w.sign = 0;
   }
   prepare (&w);
   for (size_t i = 0; i < t->count; i++)
      write_node (&w, &t->nodes[i]);
   if (w.cut < b->n)
      b->n = w.cut;
   return !w.no_number ||
          mt_error (ev->err, MT_E_TEXT_REPRESENTATION, "\"%s\" is not a number", number);
}

/* ---- to_char ---- */

static void roman (int64_t n, MtBuf *b)
{
   static const struct {
      int value;
      const char *text;
   } parts[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"},
                {90, "XC"},  {50, "L"},   {40, "XL"}, {10, "X"},   {9, "IX"},
                {5, "V"},    {4, "IV"},   {1, "I"}};
   if (n < 1 || n > 3999) {
      mt_buf_adds (b, "###############");
      return;
   }
   for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      for (; n >= parts[i].value; n -= parts[i].value)
         mt_buf_adds (b, parts[i].text);
}

/* Returns the output for a number with too many digits for the template: "#" for each digit. */
static const char *overflown (MtArena *a, const Template *t)
{
   size_t n = (size_t) (t->pre + t->post + 1);
   char *s = mt_alloc (a, n + 1);
   memset (s, '#', n);
   s[n] = 0;
   s[t->pre] = '.';
   return s;
}

/* Sets *out to a number, given as text such as "-12.50", formatted by the template. */
static bool finish (MtEval *ev, Template *t, const char *text, MtVal *out)
{
   MtBuf b = {0};
   char sign = *text == '-' ? '-' : '+';
   const char *number = text + (*text == '-'), *point = strchr (number, '.');
   int pre = (int) (point ? (size_t) (point - number) : strlen (number));
   int blanks = pre < t->pre ? t->pre - pre : 0;
   if (!t->exponent && !t->roman && pre > t->pre)
      number = overflown (ev->arena, t);
   if (t->exponent || t->roman)
      number = text;
   bool ok = write_number (ev, t, number, sign, blanks, &b);
   *out = mt_text_result (ev, &b);
   return ok;
}

static bool power_of_ten (MtEval *ev, int n, MtNum *out)
{
   char *text = mt_printf (ev->arena, "1e%d", n);
   return mt_num_in (text, strlen (text), out, ev->err);
}

/* Appends x in the form d.ddde+nn (template EEEE), with a blank in place of a missing minus sign.
 * Returns false for NaN and infinity. */
static bool scientific (MtEval *ev, MtNum x, int digits, MtBuf *b)
{
   if (mt_num_is_nan (x) || mt_num_is_inf (x))
      return false;
   MtNum scaled = x, unit;
   int exp = 0;
   if (!mt_num_is_zero (x)) {
      MtBuf text = {0};
      mt_num_out (mt_num_abs (x), &text);
      const char *point = memchr (text.p, '.', text.n), *first = text.p;
      while (*first == '0' || *first == '.')
         first++;
      exp = point && first > point ? (int) (point - first)
                                   : (int) ((point ? point : text.p + text.n) - first) - 1;
      mt_buf_free (&text);
      if (!power_of_ten (ev, -exp, &unit) || !mt_num_mul (x, unit, &scaled, ev->err))
         return false;
   }
   scaled = mt_num_round (scaled, digits);
   if (mt_num_compare (mt_num_abs (scaled), mt_num_from_int64 (10)) >= 0) {
      exp++;
      if (!mt_num_mul (scaled, mt_num_from_scaled (1, 1), &scaled, ev->err))
         return false;
      scaled = mt_num_round (scaled, digits);
   }
   mt_buf_adds (b, mt_num_sign (scaled) < 0 ? "" : " ");
   mt_num_out (scaled, b);
   mt_buf_printf (b, "e%c%02d", exp < 0 ? '-' : '+', exp < 0 ? -exp : exp);
   return true;
}

static const char *kept (MtEval *ev, MtBuf *b)
{
   const char *s = mt_strndup (ev->arena, b->p ? b->p : "", b->n);
   mt_buf_free (b);
   return s;
}

/* Returns the output for NaN and infinity with the template EEEE: "#" for each character. */
static const char *no_exponent (MtEval *ev, const Template *t)
{
   size_t n = (size_t) (t->pre + t->post + 6);
   char *s = mt_alloc (ev->arena, n + 1);
   memset (s, '#', n);
   s[0] = ' ';
   s[t->pre + 1] = '.';
   s[n] = 0;
   return s;
}

static bool numeric_to_char (MtEval *ev, Template *t, MtNum x, MtVal *out)
{
   MtBuf b = {0};
   MtNum unit;
   if (t->roman) {
      int32_t whole;
      if (!mt_num_to_int32 (x, &whole, ev->err))
         return false;
      roman (whole, &b);
      return finish (ev, t, kept (ev, &b), out);
   }
   if (t->exponent) {
      if (mt_num_is_nan (x) || mt_num_is_inf (x))
         return finish (ev, t, no_exponent (ev, t), out);
      return scientific (ev, x, t->post, &b) && finish (ev, t, kept (ev, &b), out);
   }
   if (t->v) {
      if (!power_of_ten (ev, t->multi, &unit) || !mt_num_mul (x, unit, &x, ev->err))
         return false;
      t->pre += t->multi;
   }
   mt_num_out (mt_num_round (x, t->post), &b);
   return finish (ev, t, kept (ev, &b), out);
}

static bool double_to_char (MtEval *ev, Template *t, double x, int most, MtVal *out)
{
   if (t->roman)
      return numeric_to_char (ev, t, mt_num_from_double (fabs (x) < 1e9 ? rint (x) : 0), out);
   if (t->exponent) {
      if (!isfinite (x))
         return finish (ev, t, no_exponent (ev, t), out);
      char *s = mt_printf (ev->arena, "%+.*e", t->post, x);
      if (*s == '+')
         *s = ' ';
      return finish (ev, t, s, out);
   }
   if (t->v) {
      x *= pow (10, t->multi);
      t->pre += t->multi;
   }
   const char *text = x < 0 ? "-Infinity" : "Infinity";
   if (isnan (x))
      text = "NaN";
   else if (!isinf (x))
      text = mt_printf (ev->arena, "%.0f", x);
   int pre = (int) strlen (text) - (*text == '-');
   if (pre >= most)
      t->post = 0;
   else if (pre + t->post > most)
      t->post = most - pre;
   if (isfinite (x))
      text = mt_printf (ev->arena, "%.*f", t->post, x);
   return finish (ev, t, text, out);
}

/* Formats an integer exactly; behind the decimal point there are zeros. `wide`: its type is
 * bigint. */
static bool integer_to_char (MtEval *ev, Template *t, int64_t v, bool wide, MtVal *out)
{
   MtBuf b = {0};
   if (t->roman) {
      if (v != (int32_t) v)
         return mt_error (ev->err, MT_E_NUMERIC_RANGE, "integer out of range");
      roman (v, &b);
      return finish (ev, t, kept (ev, &b), out);
   }
   if (t->exponent && wide)
      return numeric_to_char (ev, t, mt_num_from_int64 (v), out);
   if (t->exponent)
      return double_to_char (ev, t, (double) v, DBL_DIG, out);
   if (t->v) {
      int64_t unit = 1;
      bool fits = t->multi < 19;
      for (int i = 0; i < t->multi && fits; i++)
         unit *= 10;
      if (!fits || __builtin_mul_overflow (v, unit, &v) || (!wide && v != (int32_t) v))
         return mt_error (ev->err, MT_E_NUMERIC_RANGE,
                          wide ? "bigint out of range" : "integer out of range");
      t->pre += t->multi;
   }
   mt_buf_printf (&b, "%lld", (long long) v);
   for (int i = 0; i < t->post; i++)
      mt_buf_adds (&b, i ? "0" : ".0");
   return finish (ev, t, kept (ev, &b), out);
}

/* Computes to_char of a number. MT_USER (ev) is its type: 4 or 8 for an integer with that many
 * bytes, 6 or 15 for a floating-point number with that many digits, 0 for numeric. */
static bool fn_to_char_number (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Template t;
   *out = mt_v_cstr ("");
   if (a[1].len == 0)
      return true;
   if (!read_template (ev, a[1], &t))
      return false;
   switch (MT_USER (ev)) {
   case 4:
   case 8: return integer_to_char (ev, &t, a[0].i, MT_USER (ev) == 8, out);
   case 6:
   case 15: return double_to_char (ev, &t, a[0].d, MT_USER (ev), out);
   default: return numeric_to_char (ev, &t, mt_num_of (a[0]), out);
   }
}

/* ---- to_number ---- */

typedef struct Reader {
   Template *t;
   const char *p, *end;
   MtBuf digits;
   char sign; /* ' ': no sign was read */
   int pre, post;
   bool point;
} Reader;

/* Reads a sign, or "<" for PR, in front of the first digit, if there is one. */
static void read_leading_sign (Reader *r)
{
   char c = *r->p;
   if (c == '-' || (!r->t->sign && r->t->bracket && c == '<'))
      r->sign = '-';
   else if (c == '+')
      r->sign = '+';
   else
      return;
   r->p++;
}

/* Reads a sign behind the last digit, if there is one. `got`: a digit was read for the current
 * template key. */
static void read_trailing_sign (Reader *r, bool got)
{
   const Template *t = r->t;
   if (t->sign && got && r->p + 1 < r->end && !isdigit ((unsigned char) r->p[1])) {
      if (r->p[1] == '-' || r->p[1] == '+')
         r->sign = *++r->p;
   } else if (!got && !t->sign && (t->plus || t->minus) && (*r->p == '-' || *r->p == '+'))
      r->sign = *r->p;
}

static void read_place (Reader *r, Key k)
{
   bool got = false;
   if (r->p < r->end && *r->p == ' ')
      r->p++;
   if (r->p < r->end && r->sign == ' ' && (k == K_0 || k == K_9) && r->pre + r->post == 0)
      read_leading_sign (r);
   if (r->p >= r->end)
      return;
   if (isdigit ((unsigned char) *r->p)) {
      if (r->point && r->post == r->t->post)
         return;
      mt_buf_addc (&r->digits, *r->p);
      *(r->point ? &r->post : &r->pre) += 1;
      got = true;
   } else if (r->t->decimal && !r->point && *r->p == '.') {
      mt_buf_addc (&r->digits, '.');
      r->point = got = true;
   }
   if (r->sign == ' ' && r->pre + r->post > 0)
      read_trailing_sign (r, got);
}

static void skip_others (Reader *r, int n)
{
   for (; n > 0 && r->p < r->end && !strchr ("0123456789.,+-", *r->p); n--)
      r->p += char_len (r->p, (size_t) (r->end - r->p));
}

/* Reads the input of to_number for one template key. Returns true if the character at r->p was
 * consumed. */
static bool read_node (Reader *r, Key k)
{
   switch (k) {
   case K_0:
   case K_9:
   case K_D:
   case K_POINT: read_place (r, k); return true;
   case K_COMMA:
   case K_G: return *r->p == ',';
   case K_MI:
   case K_PL:
   case K_SG:
      if ((*r->p == '-' && k != K_PL) || (*r->p == '+' && k != K_MI)) {
         r->sign = *r->p;
         return true;
      }
      skip_others (r, 1);
      return false;
   case K_L: skip_others (r, 1); return false;
   case K_TH_UPPER:
   case K_TH_LOWER:
      if (r->sign != '-' && !r->t->decimal)
         skip_others (r, 2);
      return false;
   case K_TEXT: r->p += char_len (r->p, (size_t) (r->end - r->p)); return false;
   case K_B:
   case K_EEEE:
   case K_FM:
   case K_PR:
   case K_RN_UPPER:
   case K_RN_LOWER:
   case K_S:
   case K_SP:
   case K_V: return false;
   }
   return false;
}

static bool fn_to_number (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Template t;
   MtNum x, unit;
   *out = mt_v_null ();
   if (a[1].len == 0)
      return true;
   if (!read_template (ev, a[1], &t))
      return false;
   if (t.exponent || t.roman)
      return mt_error (ev->err, MT_E_FEATURE,
                       t.exponent ? "\"EEEE\" not supported for input"
                                  : "\"RN\" not supported for input");
   Reader r = {
      .t = &t, .p = (const char *) a[0].p, .end = (const char *) a[0].p + a[0].len, .sign = ' '};
   for (size_t i = 0; i < t.count && r.p < r.end; i++)
      r.p += read_node (&r, t.nodes[i].key);
   if (r.digits.n && r.digits.p[r.digits.n - 1] == '.')
      r.digits.n--;
   char *text = mt_printf (ev->arena, "%c%.*s", r.sign, (int) r.digits.n,
                           r.digits.p ? r.digits.p : "");
   mt_buf_free (&r.digits);
   int precision = t.pre + t.multi + r.post;
   if (!mt_num_in (text, strlen (text), &x, ev->err) ||
       (precision <= 1000 && !mt_num_typmod (x, precision, r.post, &x, ev->err)))
      return false;
   if (t.v &&
       (!mt_num_power (mt_num_from_int64 (10), mt_num_from_int64 (-t.multi), &unit, ev->err) ||
        !mt_num_mul (x, unit, &x, ev->err)))
      return false;
   *out = mt_num_to_val (ev->arena, x);
   return true;
}

#define TO_CHAR(T, u, ex) \
   MT_ROW ("to_char", T ", format text -> text", MT_NN, NULL, \
           MT_OPN ("to_char_number_" #u, to_char_number, u), "number formatted by a template", ex)

const MtFunc mt_fn_format_number[] = {
   TO_CHAR ("int4", 4, "SELECT to_char(485, 'RN') =>         CDLXXXV"),
   TO_CHAR ("int8", 8, "SELECT to_char(1485::bigint, '9,999') =>  1,485"),
   TO_CHAR ("float4", 6, "SELECT to_char(148.5::real, '999D9') =>  148.5"),
   TO_CHAR ("float8", 15, "SELECT to_char(-12.34::float8, '99V999') => -12340"),
   TO_CHAR ("numeric", 0, "SELECT to_char(-485.8, 'FM999.990') => -485.800"),
   MT_ROW ("to_number", "text, format text -> numeric", 0, NULL, MT_OPN ("to_number", to_number, 0),
           "number read from text by a template",
           "SELECT to_number('12,454.8-', '99G999D9S') => -12454.8"),
   {.name = NULL},
};
