/* Private to shell/format: the functions of the output formats, and helpers for several of them. */
#ifndef MT_SHELL_FORMAT_INT_H
#define MT_SHELL_FORMAT_INT_H

#include "shell/format/format.h"
#include "shell/format/width.h"

/* Writes the buffered output if the buffer is large, or in any case if `all`. */
void mt_fmt_flush (MtFmt *f, bool all);
void mt_fmt_pad (MtFmt *f, int n);
void mt_fmt_repeat (MtFmt *f, const char *s, int n);
static inline MtStr mt_fmt_cell (const MtFmt *f, MtStr cell) { return cell.p ? cell : f->o->null; }
/* Returns the lines to print below a table, ended by NULL: the given ones, or, if the options want
 * it, "(n rows)", which is made in `scratch`. */
const char *const *mt_fmt_footers (const MtFmt *f, const char *const *given, char scratch[64],
                                   const char *list[2]);

/* Copies a row to the rows that f holds back; they are printed later in one chunk. */
void mt_fmt_hold (MtFmt *f, const MtStr *cells);

/* The functions of the aligned and expanded formats (aligned.c, vertical.c). */
void mt_aligned_row (MtFmt *f, const MtStr *cells);
void mt_aligned_finish (MtFmt *f, const char *const *footers);
void mt_vertical_chunk (MtFmt *f, bool last, const char *const *footers);

/* The characters of a horizontal line in a table: the line itself, its left and right end, and its
 * crossings with vertical lines (mid). */
typedef struct MtRule {
   const char *h, *left, *mid, *right;
} MtRule;
typedef enum MtRulePos { MT_RULE_TOP, MT_RULE_MIDDLE, MT_RULE_BOTTOM, MT_RULE_DATA } MtRulePos;
typedef struct MtDrawing {
   MtRule rule[4];
   const char *mid_newline, *mid_wrap, *mid_blank;
   const char *header_newline_left, *header_newline_right;
   const char *newline_left, *newline_right, *wrap_left, *wrap_right;
   /* the mark for a wrapped line is also printed after a cell if there are no borders */
   bool wrap_right_border;
   bool old_ascii;
} MtDrawing;
MtDrawing mt_fmt_drawing (const MtFmtOptions *o);

/* The functions of all other formats (text.c, json.c, markup.c). */
void mt_unaligned_begin (MtFmt *f);
void mt_unaligned_row (MtFmt *f, const MtStr *cells);
void mt_unaligned_finish (MtFmt *f, const char *const *footers);
void mt_csv_begin (MtFmt *f);
void mt_fmt_csv_row (MtFmt *f, const MtStr *cells);
void mt_tsv_begin (MtFmt *f);
void mt_tsv_row (MtFmt *f, const MtStr *cells);
void mt_json_begin (MtFmt *f);
void mt_json_row (MtFmt *f, const MtStr *cells);
void mt_json_finish (MtFmt *f, const char *const *footers);
void mt_fmt_jsonl_row (MtFmt *f, const MtStr *cells);
void mt_markdown_begin (MtFmt *f);
void mt_markdown_row (MtFmt *f, const MtStr *cells);
void mt_markdown_finish (MtFmt *f, const char *const *footers);
void mt_html_begin (MtFmt *f);
void mt_html_row (MtFmt *f, const MtStr *cells);
void mt_html_finish (MtFmt *f, const char *const *footers);
void mt_latex_begin (MtFmt *f);
void mt_latex_row (MtFmt *f, const MtStr *cells);
void mt_latex_finish (MtFmt *f, const char *const *footers);
void mt_asciidoc_begin (MtFmt *f);
void mt_asciidoc_row (MtFmt *f, const MtStr *cells);
void mt_asciidoc_finish (MtFmt *f, const char *const *footers);

#endif
