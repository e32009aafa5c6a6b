/* Functions that the files of the printer share. Each one appends SQL text to `out`. */
#ifndef MT_PRINT_INT_H
#define MT_PRINT_INT_H

#include "parser/parser.h"

void mt_print_name (MtName n, MtBuf *out);
void mt_print_names (const MtNameList *l, MtBuf *out);   /* prints a, b */
void mt_print_exprs (const MtExprList *l, MtBuf *out);   /* prints a, b */
void mt_print_orders (const MtOrderItem *o, MtBuf *out); /* prints a DESC, b */
void mt_print_type (const MtTypeName *t, MtBuf *out);
void mt_print_window (const MtWindow *w, MtBuf *out);       /* prints a window: its name, or (…) */
void mt_print_paren_select (const MtSelect *s, MtBuf *out); /* prints (SELECT …) */

#endif
