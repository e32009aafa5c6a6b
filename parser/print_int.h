/* Parts of the printer that its files share. */
#ifndef MT_PRINT_INT_H
#define MT_PRINT_INT_H

#include "parser/parser.h"

void mt_print_name (MtName n, MtBuf *out);
void mt_print_string (MtStr s, MtBuf *out);
void mt_print_names (const MtNameList *l, MtBuf *out);   /* a, b */
void mt_print_dotted (const MtNameList *l, MtBuf *out);  /* a.b */
void mt_print_exprs (const MtExprList *l, MtBuf *out);   /* a, b */
void mt_print_orders (const MtOrderItem *o, MtBuf *out); /* a DESC, b */
void mt_print_type (const MtTypeName *t, MtBuf *out);
void mt_print_window (const MtWindow *w, MtBuf *out); /* name, or (…) */
void mt_print_targets (const MtTarget *t, MtBuf *out);
void mt_print_with (const MtSelect *s, MtBuf *out);         /* its WITH, if there is one */
void mt_print_froms (const MtFrom *f, MtBuf *out);          /* a, b JOIN c */
void mt_print_bexpr (const MtExpr *e, MtBuf *out);          /* where only b_expr may stand */
void mt_print_paren_select (const MtSelect *s, MtBuf *out); /* (SELECT …) */

#endif
