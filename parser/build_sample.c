/* The builders of SAMPLE BY and LATEST ON, QuestDB's clauses. */
#include "parser/build_select_int.h"

#include <string.h>

/* The units of a width such as 5m, as in QuestDB: m is a minute, M a month. */
static const struct {
   const char *letters, *name;
} units[] = {
   {"T", "millisecond"}, {"s", "second"}, {"m", "minute"}, {"h", "hour"},
   {"d", "day"},         {"w", "week"},   {"M", "month"},  {"y", "year"},
};

/* Builds an interval literal from `text`. It gets the position `span`. */
static MtExpr *interval_of (MtParser *p, MtSpan span, const char *text)
{
   MtToken t = {.span = span, .text = text, .n = (uint32_t) strlen (text)};
   return mt_b_typed_interval (p, (MtToken) {.span = span}, MT_NO_TOKEN, t, MT_EMPTY (MtFields));
}

MtExpr *mt_b_width (MtParser *p, MtToken t)
{
   int digits = (int) strspn (t.text, "0123456789");
   const char *letters = t.text + digits, *name = NULL;
   for (size_t i = 0; i < sizeof units / sizeof *units && !name; i++)
      if (strcmp (letters, units[i].letters) == 0)
         name = units[i].name;
   if (!name) {
      MtSpan span = {t.span.start + digits, t.span.len - digits};
      if (*letters)
         mt_b_fail (p, span, MT_E_SYNTAX, "unknown unit of time \"%s\"", letters);
      else
         mt_b_fail (p, t.span, MT_E_SYNTAX, "the width lacks a unit of time");
      mt_error_hint (p->err, "The units are T (milliseconds), s, m (minutes), h, d, w, M (months) "
                             "and y. An interval can also be a string: '1 hour'.");
      name = units[0].name;
   }
   return interval_of (p, t.span,
                       mt_printf (p->a, "%.*s %s%s", digits, t.text, name,
                                  strcmp (t.text + 1, letters) == 0 && *t.text == '1' ? "" : "s"));
}

MtExpr *mt_b_width_words (MtParser *p, MtToken number, MtToken unit)
{
   return interval_of (p, mt_b_join_spans (number.span, unit.span),
                       mt_printf (p->a, "%s %s", number.text, unit.text));
}

MtExpr *mt_b_width_text (MtParser *p, MtToken t) { return interval_of (p, t.span, t.text); }

MtSampleBy *mt_b_sample (MtParser *p, MtToken t, MtExpr *width, MtSampleRange range,
                         MtSampleFills fills, MtSampleAlign align)
{
   MtSampleBy *s = MT_NEW (p->a, MtSampleBy);
   MtSpan end = width->outer;
   *s = (MtSampleBy) {.width = width,
                      .from = range.from,
                      .to = range.to,
                      .fills = fills.first,
                      .first_observation = align.first_observation,
                      .zone = align.zone,
                      .offset = align.offset};
   if (range.from)
      end = range.from->outer;
   if (range.to)
      end = range.to->outer;
   if (fills.first)
      end = fills.end;
   if (align.end.len)
      end = align.end;
   s->span = mt_b_join_spans (t.span, end);
   for (const MtSampleFill *f = fills.first; f; f = f->next)
      if (f->kind == MT_FILL_NONE && fills.first->next)
         mt_b_fail (p, f->span, MT_E_SYNTAX, "NONE cannot be combined with other values of FILL");
   return s;
}

MtSampleFill *mt_b_fill (MtParser *p, MtSampleFillKind kind, MtSpan span, MtExpr *value)
{
   MtSampleFill *f = MT_NEW (p->a, MtSampleFill);
   *f = (MtSampleFill) {.kind = kind, .value = value, .span = span};
   return f;
}

MtSampleFills mt_b_fills (MtSampleFill *f) { return (MtSampleFills) {f, f, f->span}; }

MtSampleFills mt_b_fills_end (MtSampleFills f, MtToken end)
{
   f.end = end.span;
   return f;
}

MtSampleAlign mt_b_align (MtParser *p, MtToken t, MtToken zone, MtToken offset)
{
   MtSampleAlign a = {.end = t.span};
   if (zone.text) {
      a.zone = mt_b_string (p, MT_EXPR_STRING, zone);
      a.end = zone.span;
   }
   if (offset.text) {
      a.offset = mt_b_string (p, MT_EXPR_STRING, offset);
      a.end = offset.span;
   }
   return a;
}

MtSampleAlign mt_b_align_first (MtToken t)
{
   return (MtSampleAlign) {.first_observation = true, .end = t.span};
}

MtLatest *mt_b_latest (MtParser *p, MtToken t, MtExpr *time, MtExprs keys)
{
   MtLatest *l = MT_NEW (p->a, MtLatest);
   *l = (MtLatest) {time, keys.first, mt_b_join_spans (t.span, keys.last->expr->outer)};
   return l;
}
