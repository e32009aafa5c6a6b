/* Chooses the characters with which tables are drawn. */
#include "shell/format/format_int.h"

static const char *pick (bool is_double, const char *one, const char *two)
{
   return is_double ? two : one;
}

/* Returns the character for the crossing of two lines. h: the horizontal line is double; v: the
 * vertical line is double. */
static const char *joint (const char *const set[4], bool h, bool v)
{
   return set[(h ? 2 : 0) + (v ? 1 : 0)];
}

static MtDrawing unicode_drawing (const MtFmtOptions *o)
{
   bool b = o->double_border, c = o->double_column, h = o->double_header;
   static const char *const
      top_left[] = {"┌", "╓", "╒", "╔"},
      *const top_mid[] = {"┬", "╥", "╤", "╦"}, *const top_right[] = {"┐", "╖", "╕", "╗"},
      *const left[] = {"├", "╟", "╞", "╠"}, *const mid[] = {"┼", "╫", "╪", "╬"},
      *const right[] = {"┤", "╢", "╡", "╣"}, *const bottom_left[] = {"└", "╙", "╘", "╚"},
      *const bottom_mid[] = {"┴", "╨", "╧", "╩"}, *const bottom_right[] = {"┘", "╜", "╛", "╝"};
   const char *bv = pick (b, "│", "║"), *cv = pick (c, "│", "║"), *bh = pick (b, "─", "═"),
              *hh = pick (h, "─", "═");
   return (MtDrawing) {
      .rule = {{bh, joint (top_left, b, b), joint (top_mid, b, c), joint (top_right, b, b)},
               {hh, joint (left, h, b), joint (mid, h, c), joint (right, h, b)},
               {bh, joint (bottom_left, b, b), joint (bottom_mid, b, c),
                joint (bottom_right, b, b)},
               {"", bv, cv, bv}},
      .mid_newline = cv,
      .mid_wrap = cv,
      .mid_blank = cv,
      .header_newline_left = " ",
      .header_newline_right = "↵",
      .newline_left = " ",
      .newline_right = "↵",
      .wrap_left = "…",
      .wrap_right = "…",
      .wrap_right_border = true};
}

MtDrawing mt_fmt_drawing (const MtFmtOptions *o)
{
   static const MtDrawing ascii = {.rule = {{"-", "+", "+", "+"},
                                            {"-", "+", "+", "+"},
                                            {"-", "+", "+", "+"},
                                            {"", "|", "|", "|"}},
                                   .mid_newline = "|",
                                   .mid_wrap = "|",
                                   .mid_blank = "|",
                                   .header_newline_left = " ",
                                   .header_newline_right = "+",
                                   .newline_left = " ",
                                   .newline_right = "+",
                                   .wrap_left = ".",
                                   .wrap_right = ".",
                                   .wrap_right_border = true};
   static const MtDrawing old_ascii = {.rule = {{"-", "+", "+", "+"},
                                                {"-", "+", "+", "+"},
                                                {"-", "+", "+", "+"},
                                                {"", "|", "|", "|"}},
                                       .mid_newline = ":",
                                       .mid_wrap = ";",
                                       .mid_blank = " ",
                                       .header_newline_left = "+",
                                       .header_newline_right = " ",
                                       .newline_left = " ",
                                       .newline_right = " ",
                                       .wrap_left = " ",
                                       .wrap_right = " ",
                                       .old_ascii = true};
   switch (o->line_style) {
   case MT_LINE_ASCII: return ascii;
   case MT_LINE_OLD_ASCII: return old_ascii;
   case MT_LINE_UNICODE: break;
   }
   return unicode_drawing (o);
}
