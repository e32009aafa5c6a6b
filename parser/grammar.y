/* The grammar of SQL as in PostgreSQL 15, with the time-series statements. The rules and precedences are those of
 * PostgreSQL's grammar, so that ambiguous text is parsed the same way. Each action calls one builder (build_int.h).
 *
 * Each word of keywords.def with a token of its own becomes a rule. The build appends these rules to this file. A rule
 * belongs to a class of keywords: the category, and whether the word may be a label without AS, as in pg_get_keywords().
 * Lemon's %fallback is not used, because lemon tries it before default reductions, which breaks labels without AS.
 * The build also appends grammar_statements.inc, which has the statements other than SELECT. */
%name MtGrammar
%token_prefix MT_TK_
%token_type {MtToken}
%default_type {MtToken}
%extra_argument {MtParser *p}
%stack_size 0
%include {
#include "parser/build_alert_int.h"
#include "parser/build_constraint_int.h"
#include "parser/build_matview_int.h"
#include "parser/build_merge_int.h"
#include "parser/build_sequence_int.h"
#include "parser/build_type_int.h"
#include "parser/build_extension_int.h"
#include "parser/build_select_int.h"
#include "parser/grammar_int.h"
#include <stdlib.h>
#define YYNOERRORRECOVERY 1
#ifndef NDEBUG
#define NDEBUG /* disables lemon's tracing */
#endif
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wsign-compare"
}
%code {
size_t mt_grammar_depth (const void *grammar)
{
   const yyParser *g = grammar;
   return (size_t) (g->yytos - g->yystack);
}
#include "parser/grammar_states.inc"
}
%syntax_error { mt_b_syntax_error (p, TOKEN); }
%stack_overflow { mt_b_too_deep (p); }

%nonassoc SET.
%nonassoc TO.
%left UNION EXCEPT.
%left INTERSECT.
%left OR.
%left AND.
%right NOT.
%nonassoc IS ISNULL NOTNULL.
%nonassoc LT GT EQ LE GE NE.
%nonassoc BETWEEN IN LIKE ILIKE SIMILAR NOT_LA.
%nonassoc ESCAPE.
%nonassoc UNBOUNDED.
%nonassoc ID PARTITION RANGE ROWS GROUPS PRECEDING FOLLOWING CUBE ROLLUP.
%left OP OPERATOR.
%left PLUS MINUS.
%left STAR SLASH PERCENT.
%left CARET.
%left AT.
%left COLLATE.
%right UMINUS.
%left LB RB.
%left LP RP.
%left TYPECAST.
%left DOT.
%left JOIN CROSS LEFT FULL RIGHT INNER NATURAL ASOF_LA WINDOW_LA.

%start_symbol input
%token SEMI UNKNOWN_CHAR.
input ::= stmt(S). { mt_b_input_stmt (p, S); }
input ::= MODE_EXPR expr(E). { mt_b_input_expr (p, E); }

/* ---- statements ---- */
%type stmt {MtStmt *}                       %type plain_stmt {MtStmt *}
%type explainable {MtStmt *}
stmt(A) ::= plain_stmt(A).
stmt(A) ::= explainable(S). { A = mt_b_lone_call (S); }
stmt(A) ::= EXPLAIN(T) explainable(S). { A = mt_b_explain (p, T, MT_EMPTY (MtOptions), S); }
stmt(A) ::= EXPLAIN(T) VERBOSE(V) explainable(S). { A = mt_b_explain (p, T, mt_b_options (mt_b_option (p, V)), S); }
stmt(A) ::= EXPLAIN(T) analyze(N) opt_verbose(V) explainable(S). { A = mt_b_explain (p, T, mt_b_explain_flags (p, N, V), S); }
stmt(A) ::= EXPLAIN(T) LP explain_options(O) RP explainable(S). { A = mt_b_explain (p, T, O, S); }
stmt(A) ::= ADVISE(T) select(S). { A = mt_b_advise (p, T, MT_EMPTY (MtOptions), S, MT_NO_TOKEN); }
stmt(A) ::= ADVISE(T) SCONST(V). { A = mt_b_advise (p, T, MT_EMPTY (MtOptions), NULL, V); }
stmt(A) ::= ADVISE(T) LP explain_options(O) RP select(S). { A = mt_b_advise (p, T, O, S, MT_NO_TOKEN); }
stmt(A) ::= ADVISE(T) LP explain_options(O) RP SCONST(V). { A = mt_b_advise (p, T, O, NULL, V); }
analyze(A) ::= ANALYZE(A).
analyze(A) ::= ANALYSE(A).
opt_verbose(A) ::= . { A = MT_NO_TOKEN; }
opt_verbose(A) ::= VERBOSE(A).
%type explain_options {MtOptions}           %type explain_option {MtOption *}
explain_options(A) ::= explain_option(O). { A = mt_b_options (O); }
explain_options(A) ::= explain_options(A) COMMA explain_option(O). { MT_PUSH (A, O); }
explain_option(A) ::= explain_name(N). { A = mt_b_option (p, N); }
explain_option(A) ::= explain_name(N) option_atom(V). { A = mt_b_option_value (p, N, V); }
explain_name(A) ::= word(A).
explain_name(A) ::= analyze(A).

%type preparable {MtStmt *}
explainable(A) ::= preparable(A).
preparable(A) ::= select(S). { A = mt_b_select_stmt (p, S); }

/* ---- SELECT ---- */
%type select {MtSelect *}                   %type select_bare {MtSelect *}
%type select_clause {MtSelect *}            %type simple_select {MtSelect *}
%type paren_select {MtSubselect}
select(A) ::= select_bare(A). [UMINUS]
select(A) ::= paren_select(B). [UMINUS] { A = B.select; }
paren_select(A) ::= LP(L) select_bare(S) RP(R). { A = mt_b_paren_select (p, L, S, R); }
paren_select(A) ::= LP(L) paren_select(S) RP(R). { A = mt_b_paren_select (p, L, S.select, R); }

select(A) ::= summary(A).
paren_select(A) ::= LP(L) summary(S) RP(R). { A = mt_b_paren_select (p, L, S, R); }
%type summary {MtSelect *}                  %type summarized {MtSelect *}
summary(A) ::= SUMMARIZE(T) summarized(S). { A = mt_b_summary (p, MT_SUMMARY_SUMMARIZE, T, S, S->span); }
summary(A) ::= DESCRIBE(T) summarized(S). { A = mt_b_summary (p, MT_SUMMARY_DESCRIBE, T, S, S->span); }
summary(A) ::= SHOW_LA(T) TABLES(E). { A = mt_b_summary (p, MT_SUMMARY_TABLES, T, NULL, E.span); }
summary(A) ::= SHOW(T) ALL TABLES(E). { A = mt_b_summary (p, MT_SUMMARY_ALL_TABLES, T, NULL, E.span); }
summarized(A) ::= select(A).
summarized(A) ::= qualified_name(N). { A = mt_b_select_from (p, mt_b_from_table (p, N, false)); }
summarized(A) ::= func_windowless(E). { A = mt_b_select_from (p, mt_b_from_function (p, E, MT_NO_TOKEN)); }
summarized(A) ::= SCONST(T). { A = mt_b_select_from (p, mt_b_from_file (p, T)); }

select_bare(A) ::= simple_select(A).
select_bare(A) ::= select_clause(S) sort_by(O). { A = mt_b_select_tail (p, S, NULL, &O, NULL, NULL); }
select_bare(A) ::= select_clause(S) opt_sort_by(O) locking(F) opt_limit(L). { A = mt_b_select_tail (p, S, NULL, &O, &L, &F); }
select_bare(A) ::= select_clause(S) opt_sort_by(O) limit(L) opt_locking(F). { A = mt_b_select_tail (p, S, NULL, &O, &L, &F); }
select_bare(A) ::= with(W) select_clause(S). { A = mt_b_select_tail (p, S, &W, NULL, NULL, NULL); }
select_bare(A) ::= with(W) select_clause(S) sort_by(O). { A = mt_b_select_tail (p, S, &W, &O, NULL, NULL); }
select_bare(A) ::= with(W) select_clause(S) opt_sort_by(O) locking(F) opt_limit(L). { A = mt_b_select_tail (p, S, &W, &O, &L, &F); }
select_bare(A) ::= with(W) select_clause(S) opt_sort_by(O) limit(L) opt_locking(F). { A = mt_b_select_tail (p, S, &W, &O, &L, &F); }
select_clause(A) ::= simple_select(A).
select_clause(A) ::= paren_select(B). { A = mt_b_operand_select (p, B); }

simple_select(A) ::= select_head(S) where(W) group_by(G) having(H) windows(N) qualify(Q).
   { A = mt_b_qualify (p, mt_b_select (p, S, W, G, H, N), Q); }
simple_select(A) ::= select_head(S) where(W) sample(B) having(H) windows(N) qualify(Q).
   { A = mt_b_qualify (p, mt_b_sampled (p, S, W, B, H, N), Q); }
simple_select(A) ::= select_head(S) where(W) latest(L) group_by(G) having(H) windows(N) qualify(Q).
   { A = mt_b_qualify (p, mt_b_latest_of (p, mt_b_select (p, S, W, G, H, N), L), Q); }
simple_select(A) ::= values(A).
simple_select(A) ::= TABLE(T) relation(R). { A = mt_b_select_table (p, T, R); }
simple_select(A) ::= select_clause(L) UNION set_quantifier(Q) select_clause(R). { A = mt_b_setop (p, MT_UNION, L, Q, R); }
simple_select(A) ::= select_clause(L) INTERSECT set_quantifier(Q) select_clause(R). { A = mt_b_setop (p, MT_INTERSECT, L, Q, R); }
simple_select(A) ::= select_clause(L) EXCEPT set_quantifier(Q) select_clause(R). { A = mt_b_setop (p, MT_EXCEPT, L, Q, R); }
%type select_head {MtSelectHead}
select_head(A) ::= SELECT(T) opt_all opt_targets(L) into(I) from(F). { A = mt_b_select_head (T, MT_PLAIN, L, I, F); }
select_head(A) ::= SELECT(T) distinct(D) target_list(L) into(I) from(F). { A = mt_b_select_head (T, D, L, I, F); }
select_head(A) ::= from_first(F) into(I). { A = mt_b_select_all (p, F, I); }
select_head(A) ::= from_first(F) SELECT(T) opt_all opt_targets(L) into(I). { A = mt_b_select_behind (F, T, MT_PLAIN, L, I); }
select_head(A) ::= from_first(F) SELECT(T) distinct(D) target_list(L) into(I). { A = mt_b_select_behind (F, T, D, L, I); }
%type from_first {MtFromFirst}
from_first(A) ::= FROM(T) from_list(F) opt_comma. { A = (MtFromFirst){T, F}; }
set_quantifier(A) ::= . { A = MT_NO_TOKEN; }
set_quantifier(A) ::= ALL(A).
set_quantifier(A) ::= DISTINCT. { A = MT_NO_TOKEN; }
opt_all ::= .
opt_all ::= ALL.
into(A) ::= . { A = NULL; }
into(A) ::= INTO(T) qualified_name(N). { A = mt_b_into (p, T, N); }
into(A) ::= INTO(T) TABLE qualified_name(N). { A = mt_b_into (p, T, N); }
into(A) ::= INTO(T) temporary qualified_name(N). { A = mt_b_into (p, T, N); A->temporary = true; }
into(A) ::= INTO(T) temporary TABLE qualified_name(N). { A = mt_b_into (p, T, N); A->temporary = true; }
temporary ::= TEMPORARY.
temporary ::= TEMP.
temporary ::= LOCAL TEMPORARY.
temporary ::= LOCAL TEMP.
%type distinct {MtDistinct}
distinct(A) ::= DISTINCT. { A = MT_DISTINCT_ALL; }
distinct(A) ::= DISTINCT ON LP exprs(E) RP. { A = mt_b_distinct_on (E); }
%type values {MtSelect *}
%type value_rows {MtSelect *}
values(A) ::= value_rows(A) opt_comma.
value_rows(A) ::= VALUES(T) row_values(R). { A = mt_b_values (p, T, R); }
value_rows(A) ::= value_rows(A) COMMA row_values(R). { mt_b_values_more (p, A, R); }
%type row_values {MtRowList *}
row_values(A) ::= LP(L) exprs(E) opt_comma RP(R). { A = mt_b_row_values (p, L, E, R); }
opt_comma ::= .
opt_comma ::= COMMA.

%type with {MtWith}                         %type ctes {MtWith}
%type cte {MtCte *}
with(A) ::= WITH(T) ctes(C). { A = mt_b_with (T, C, false); }
with(A) ::= WITH_LA(T) ctes(C). { A = mt_b_with (T, C, false); }
with(A) ::= WITH(T) RECURSIVE ctes(C). { A = mt_b_with (T, C, true); }
ctes(A) ::= cte(C). { A = mt_b_ctes (C); }
ctes(A) ::= ctes(A) COMMA cte(C). { MT_PUSH (A, C); }
cte(A) ::= colid(N) opt_names(L) AS materialized(M) LP preparable(S) RP. { A = mt_b_cte (p, N, L, M, S); }
%type materialized {int}
materialized(A) ::= . { A = 0; }
materialized(A) ::= MATERIALIZED. { A = 1; }
materialized(A) ::= NOT MATERIALIZED. { A = 2; }

%type targets {MtTargets}                   %type opt_targets {MtTargets}
%type target {MtTarget *}                   %type target_list {MtTargets}
opt_targets(A) ::= . { A = MT_EMPTY (MtTargets); }
opt_targets(A) ::= target_list(A).
target_list(A) ::= targets(A) opt_comma.
targets(A) ::= target(T). { A = mt_b_targets (T); }
targets(A) ::= targets(A) COMMA target(T). { MT_PUSH (A, T); }
target(A) ::= expr(E) AS label(N). { A = mt_b_target (p, E, N); }
target(A) ::= expr(E) bare_label(N). { A = mt_b_target (p, E, N); }
target(A) ::= expr(E). { A = mt_b_target (p, E, MT_NO_TOKEN); }
target(A) ::= expr(E) star_changes(C). { A = mt_b_target (p, mt_b_star_changed (p, E, C), MT_NO_TOKEN); }
target(A) ::= STAR(T). { A = mt_b_target (p, mt_b_star (p, T), MT_NO_TOKEN); }
target(A) ::= STAR(T) star_changes(C). { A = mt_b_target (p, mt_b_star_changed (p, mt_b_star (p, T), C), MT_NO_TOKEN); }

/* DuckDB's EXCLUDE, REPLACE and RENAME behind * and t.*. */
%type star_changes {MtStarChanges}          %type star_items {MtStarChanges}
%type excluded {MtStarChanges}              %type exclude_item {MtStarItem *}
%type replaced {MtStarChanges}              %type replace_item {MtStarItem *}
%type renamed {MtStarChanges}               %type rename_item {MtStarItem *}
star_changes(A) ::= star_items(A).
star_changes(A) ::= star_changes(B) star_items(C). { A = mt_b_star_both (p, B, C); }
star_items(A) ::= EXCLUDE(T) LP excluded(L) opt_comma RP(R). { A = mt_b_star_ends (L, T, R); }
star_items(A) ::= EXCLUDE(T) exclude_item(I). { A = mt_b_star_single (T, I); }
star_items(A) ::= REPLACE(T) LP replaced(L) opt_comma RP(R). { A = mt_b_star_ends (L, T, R); }
star_items(A) ::= REPLACE(T) replace_item(I). { A = mt_b_star_single (T, I); }
star_items(A) ::= RENAME(T) LP renamed(L) opt_comma RP(R). { A = mt_b_star_ends (L, T, R); }
star_items(A) ::= RENAME(T) rename_item(I). { A = mt_b_star_single (T, I); }
excluded(A) ::= exclude_item(I). { A = mt_b_star_items (I); }
excluded(A) ::= excluded(A) COMMA exclude_item(I). { MT_PUSH (A, I); }
replaced(A) ::= replace_item(I). { A = mt_b_star_items (I); }
replaced(A) ::= replaced(A) COMMA replace_item(I). { MT_PUSH (A, I); }
renamed(A) ::= rename_item(I). { A = mt_b_star_items (I); }
renamed(A) ::= renamed(A) COMMA rename_item(I). { MT_PUSH (A, I); }
exclude_item(A) ::= star_column(C). { A = mt_b_star_item (p, MT_STAR_EXCLUDE, C); }
replace_item(A) ::= expr(E) AS label(N). { A = mt_b_star_replaced (p, E, N); }
rename_item(A) ::= star_column(C) AS label(N). { A = mt_b_star_renamed (p, C, N); }
%type star_column {MtQualified}
star_column(A) ::= colid(N). { A = mt_b_qualified (p, MT_NO_TOKEN, N); }
star_column(A) ::= colid(S) DOT label(N). { A = mt_b_qualified (p, S, N); }

%type where {MtExpr *}
where(A) ::= . { A = NULL; }
where(A) ::= WHERE expr(B). { A = B; }
%type having {MtExpr *}
having(A) ::= . { A = NULL; }
having(A) ::= HAVING expr(B). { A = B; }

%type qualify {MtExpr *}
qualify(A) ::= . { A = NULL; }
qualify(A) ::= QUALIFY expr(B). { A = B; }

%type group_by {MtGroups}                   %type groups {MtGroups}
%type group {MtGroupItem *}
group_by(A) ::= . { A = MT_EMPTY (MtGroups); }
group_by(A) ::= GROUP BY ALL(T). { A = mt_b_groups (mt_b_group (p, MT_GROUP_ALL, T, MT_EMPTY (MtGroups), T)); }
group_by(A) ::= GROUP BY opt_all groups(B) opt_comma. { A = B; }
group_by(A) ::= GROUP BY DISTINCT groups(B) opt_comma. { A = mt_b_group_distinct (B); }
groups(A) ::= group(G). { A = mt_b_groups (G); }
groups(A) ::= groups(A) COMMA group(G). { MT_PUSH (A, G); }
group(A) ::= expr(E). { A = mt_b_group_expr (p, E); }
group(A) ::= LP(L) RP(R). { A = mt_b_group (p, MT_GROUP_EMPTY, L, MT_EMPTY (MtGroups), R); }
group(A) ::= ROLLUP(T) LP exprs(E) RP(R). { A = mt_b_group (p, MT_GROUP_ROLLUP, T, mt_b_group_exprs (p, E), R); }
group(A) ::= CUBE(T) LP exprs(E) RP(R). { A = mt_b_group (p, MT_GROUP_CUBE, T, mt_b_group_exprs (p, E), R); }
group(A) ::= GROUPING(T) SETS LP groups(G) RP(R). { A = mt_b_group (p, MT_GROUP_SETS, T, G, R); }

/* QuestDB's SAMPLE BY and LATEST ON. */
%type sample {MtSampleBy *}                   %type sample_width {MtExpr *}
%type sample_range {MtSampleRange}          %type sample_fills {MtSampleFills}
%type sample_fill_list {MtSampleFills}      %type sample_fill {MtSampleFill *}
%type sample_align {MtSampleAlign}          %type fill_value {MtExpr *}
%type latest {MtLatest *}
sample(A) ::= SAMPLE_LA(T) BY sample_width(W) sample_range(R) sample_fills(F) sample_align(L). { A = mt_b_sample (p, T, W, R, F, L); }
sample_width(A) ::= WIDTH(T). { A = mt_b_width (p, T); }
sample_width(A) ::= ICONST(T). { A = mt_b_width (p, T); }
sample_width(A) ::= SCONST(T). { A = mt_b_width_text (p, T); }
sample_width(A) ::= INTERVAL(I) SCONST(T). { A = mt_b_typed_interval (p, I, MT_NO_TOKEN, T, MT_EMPTY (MtFields)); }
sample_range(A) ::= . { A = MT_EMPTY (MtSampleRange); }
sample_range(A) ::= FROM expr(E). { A = (MtSampleRange) {E, NULL}; }
sample_range(A) ::= TO expr(E). { A = (MtSampleRange) {NULL, E}; }
sample_range(A) ::= FROM expr(E) TO expr(F). { A = (MtSampleRange) {E, F}; }
sample_fills(A) ::= . { A = MT_EMPTY (MtSampleFills); }
sample_fills(A) ::= FILL LP sample_fill_list(L) opt_comma RP(R). { A = mt_b_fills_end (L, R); }
sample_fill_list(A) ::= sample_fill(F). { A = mt_b_fills (F); }
sample_fill_list(A) ::= sample_fill_list(A) COMMA sample_fill(F). { MT_PUSH (A, F); }
sample_fill(A) ::= NONE(T). { A = mt_b_fill (p, MT_FILL_NONE, T.span, NULL); }
sample_fill(A) ::= PREV(T). { A = mt_b_fill (p, MT_FILL_PREV, T.span, NULL); }
sample_fill(A) ::= LINEAR(T). { A = mt_b_fill (p, MT_FILL_LINEAR, T.span, NULL); }
sample_fill(A) ::= fill_value(E). { A = mt_b_fill (p, MT_FILL_VALUE, E->outer, E); }
fill_value(A) ::= constant(A).
fill_value(A) ::= PARAM(T). { A = mt_b_param (p, T); }
fill_value(A) ::= PLUS(T) number(N). { A = mt_b_prefix (p, T, mt_b_number (p, N)); }
fill_value(A) ::= MINUS(T) number(N). { A = mt_b_prefix (p, T, mt_b_number (p, N)); }
fill_value(A) ::= LP(L) expr(E) RP(R). { A = mt_b_paren (L, E, R); }
sample_align(A) ::= . { A = MT_EMPTY (MtSampleAlign); }
sample_align(A) ::= ALIGN TO CALENDAR(T). { A = mt_b_align (p, T, MT_NO_TOKEN, MT_NO_TOKEN); }
sample_align(A) ::= ALIGN TO CALENDAR(T) TIME ZONE sample_zone(Z). { A = mt_b_align (p, T, Z, MT_NO_TOKEN); }
sample_align(A) ::= ALIGN TO CALENDAR(T) WITH_LA OFFSET SCONST(O). { A = mt_b_align (p, T, MT_NO_TOKEN, O); }
sample_align(A) ::= ALIGN TO CALENDAR(T) TIME ZONE sample_zone(Z) WITH_LA OFFSET SCONST(O). { A = mt_b_align (p, T, Z, O); }
sample_zone(A) ::= SCONST(A).
sample_align(A) ::= ALIGN TO FIRST OBSERVATION(T). { A = mt_b_align_first (T); }
latest(A) ::= LATEST_LA(T) ON expr(E) PARTITION BY exprs(L). { A = mt_b_latest (p, T, E, L); }

%type windows {MtWindows}                   %type window_list {MtWindows}
%type window {MtWindow *}
windows(A) ::= . { A = MT_EMPTY (MtWindows); }
windows(A) ::= WINDOW window_list(B). { A = B; }
window_list(A) ::= window(W). { A = mt_b_windows (W); }
window_list(A) ::= window_list(A) COMMA window(W). { MT_PUSH (A, W); }
window(A) ::= colid(N) AS window_spec(W). { A = mt_b_window_named (p, N, W); }

%type order_by {MtOrders}                   %type opt_order_by {MtOrders}
%type orders {MtOrders}                     %type order {MtOrderItem *}
%type sort_by {MtOrders}                    %type opt_sort_by {MtOrders}
opt_sort_by(A) ::= . { A = MT_EMPTY (MtOrders); }
opt_sort_by(A) ::= sort_by(A).
sort_by(A) ::= ORDER BY orders(B) opt_comma. { A = B; }
sort_by(A) ::= ORDER BY ALL(T) direction(D) nulls(N). { A = mt_b_orders (mt_b_order_all (p, T, D, N)); }
opt_order_by(A) ::= . { A = MT_EMPTY (MtOrders); }
opt_order_by(A) ::= order_by(A).
order_by(A) ::= ORDER BY orders(B). { A = B; }
orders(A) ::= order(O). { A = mt_b_orders (O); }
orders(A) ::= orders(A) COMMA order(O). { MT_PUSH (A, O); }
order(A) ::= expr(E) USING all_op(O) nulls(N). { A = mt_b_order (p, E, O, false, N); }
order(A) ::= expr(E) direction(D) nulls(N). { A = mt_b_order (p, E, MT_NO_TOKEN, D, N); }
%type direction {bool}
direction(A) ::= . { A = false; }
direction(A) ::= ASC. { A = false; }
direction(A) ::= DESC. { A = true; }
%type nulls {int}
nulls(A) ::= . { A = 0; }
nulls(A) ::= NULLS_LA FIRST. { A = 1; }
nulls(A) ::= NULLS_LA LAST. { A = 2; }

%type limit {MtLimit}                       %type opt_limit {MtLimit}
%type limit_part {MtLimit}                  %type offset_part {MtLimit}
%type fetch_value {MtExpr *}
opt_limit(A) ::= . { A = MT_EMPTY (MtLimit); }
opt_limit(A) ::= limit(A).
limit(A) ::= limit_part(L) offset_part(O). { A = mt_b_limit_both (L, O); }
limit(A) ::= offset_part(O) limit_part(L). { A = mt_b_limit_both (L, O); }
limit(A) ::= limit_part(A).
limit(A) ::= offset_part(A).
limit_part(A) ::= LIMIT(T) expr(E). { A = mt_b_limit (T, E, E->outer, false); }
limit_part(A) ::= LIMIT(T) ALL(L). { A = mt_b_limit (T, NULL, L.span, false); }
limit_part(A) ::= LIMIT(T) expr(E) COMMA expr. { A = mt_b_limit_comma (p, T, E); }
limit_part(A) ::= FETCH(T) first_or_next fetch_value(E) row_or_rows only_or_ties(O). { A = mt_b_fetch (p, T, E, O); }
limit_part(A) ::= FETCH(T) first_or_next row_or_rows only_or_ties(O). { A = mt_b_fetch (p, T, NULL, O); }
only_or_ties(A) ::= ONLY(A).
only_or_ties(A) ::= WITH TIES(B). { A = B; }
offset_part(A) ::= OFFSET(T) expr(E). { A = mt_b_offset (T, E, E->outer); }
offset_part(A) ::= OFFSET(T) fetch_value(E) row_or_rows(R). { A = mt_b_offset (T, E, R.span); }
fetch_value(A) ::= primary(A).
fetch_value(A) ::= PLUS(T) number(N). { A = mt_b_prefix (p, T, mt_b_number (p, N)); }
fetch_value(A) ::= MINUS(T) number(N). { A = mt_b_prefix (p, T, mt_b_number (p, N)); }
number(A) ::= ICONST(A).
number(A) ::= FCONST(A).
first_or_next ::= FIRST.
first_or_next ::= NEXT.
row_or_rows(A) ::= ROW(A).
row_or_rows(A) ::= ROWS(A).

%type locking {MtLocking}                   %type opt_locking {MtLocking}
opt_locking(A) ::= . { A = MT_EMPTY (MtLocking); }
opt_locking(A) ::= locking(A).
locking(A) ::= locking_item(A).
locking(A) ::= locking(B) locking_item(C). { A = B; MtNameList **end = &A.of; while (*end) end = &(*end)->next; *end = C.of; }
%type locking_item {MtLocking}
locking_item(A) ::= FOR(T) lock_strength(S) lock_of(N) lock_wait(W). { A = mt_b_locking (p, T, S, W); A.of = N.first; }
%type lock_strength {const char *}
lock_strength(A) ::= UPDATE. { A = "update"; }
lock_strength(A) ::= NO KEY UPDATE. { A = "no key update"; }
lock_strength(A) ::= SHARE. { A = "share"; }
lock_strength(A) ::= KEY SHARE. { A = "key share"; }
%type lock_of {MtNames}
lock_of(A) ::= . { A = MT_EMPTY (MtNames); }
lock_of(A) ::= OF names(B). { A = B; }
%type lock_wait {MtLockWait}
lock_wait(A) ::= . { A = MT_LOCK_WAITS; }
lock_wait(A) ::= NOWAIT. { A = MT_LOCK_NOWAIT; }
lock_wait(A) ::= SKIP LOCKED. { A = MT_LOCK_SKIPS; }

/* ---- FROM ---- */
%type from {MtFroms}                        %type from_list {MtFroms}
%type table_ref {MtFrom *}                  %type joined {MtFrom *}
%type relation {MtFrom *}                   %type func_table {MtFrom *}
from(A) ::= . { A = MT_EMPTY (MtFroms); }
from(A) ::= FROM from_list(B) opt_comma. { A = B; }
from_list(A) ::= table_ref(F). { A = mt_b_froms (F); }
from_list(A) ::= from_list(A) COMMA table_ref(F). { MT_PUSH (A, F); }
table_ref(A) ::= relation(R) opt_alias(L). { A = mt_b_from_alias (p, R, L); }
table_ref(A) ::= relation(R) opt_alias(L) TABLESAMPLE func_name(M) LP exprs(E) RP(T) repeatable(S). { A = mt_b_from_sample (p, mt_b_from_alias (p, R, L), M, E, T, S); }
table_ref(A) ::= func_table(F) func_alias(L). { A = mt_b_from_alias (p, F, L); }
table_ref(A) ::= LATERAL(T) func_table(F) func_alias(L). { A = mt_b_from_lateral (T, mt_b_from_alias (p, F, L)); }
table_ref(A) ::= paren_select(S) opt_alias(L). { A = mt_b_from_alias (p, mt_b_from_select (p, S), L); }
table_ref(A) ::= LATERAL(T) paren_select(S) opt_alias(L). { A = mt_b_from_lateral (T, mt_b_from_alias (p, mt_b_from_select (p, S), L)); }
table_ref(A) ::= joined(A).
table_ref(A) ::= LP(L) joined(J) RP(R) alias(N). { A = mt_b_from_alias (p, mt_b_from_paren (L, J, R), N); }
joined(A) ::= LP(L) joined(J) RP(R). { A = mt_b_from_paren (L, J, R); }
joined(A) ::= table_ref(L) CROSS JOIN table_ref(R). { A = mt_b_join (p, MT_JOIN_CROSS, false, L, R, MT_NO_QUAL); }
joined(A) ::= table_ref(L) JOIN table_ref(R) join_qual(Q). { A = mt_b_join (p, MT_JOIN_INNER, false, L, R, Q); }
joined(A) ::= table_ref(L) join_type(T) JOIN table_ref(R) join_qual(Q). { A = mt_b_join (p, T, false, L, R, Q); }
joined(A) ::= table_ref(L) NATURAL JOIN table_ref(R). { A = mt_b_join (p, MT_JOIN_INNER, true, L, R, MT_NO_QUAL); }
joined(A) ::= table_ref(L) NATURAL join_type(T) JOIN table_ref(R). { A = mt_b_join (p, T, true, L, R, MT_NO_QUAL); }
joined(A) ::= table_ref(L) ASOF_LA nearest(N) opt_inner JOIN table_ref(R) join_qual(Q) tolerance(T). { A = mt_b_join_asof (p, N, false, L, R, Q, T); }
joined(A) ::= table_ref(L) ASOF_LA nearest(N) LEFT opt_outer JOIN table_ref(R) join_qual(Q) tolerance(T). { A = mt_b_join_asof (p, N, true, L, R, Q, T); }
joined(A) ::= table_ref(L) WINDOW_LA JOIN table_ref(R) range_qual(Q) join_range(G). { A = mt_b_join_window (p, L, R, Q, G); }
%type range_qual {MtJoinQual}               %type join_range {MtJoinRange *}
%type join_bound {MtJoinBound}              %type join_width {MtExpr *}
%type prevailing {MtJoinRange}
range_qual(A) ::= . { A = MT_NO_QUAL; }
range_qual(A) ::= join_qual(A).
join_range(A) ::= RANGE_LA(T) BETWEEN join_bound(F) AND join_bound(U) prevailing(X). { A = mt_b_join_range (p, T, F, U, X); }
join_bound(A) ::= CURRENT(T) ROW(R). { A = (MtJoinBound) {.span = mt_b_join_spans (T.span, R.span)}; }
join_bound(A) ::= UNBOUNDED(T) PRECEDING. { A = (MtJoinBound) {.unbounded = true, .span = T.span}; }
join_bound(A) ::= UNBOUNDED(T) FOLLOWING. { A = (MtJoinBound) {.unbounded = true, .following = true, .span = T.span}; }
join_bound(A) ::= join_width(E) PRECEDING(T). { A = mt_b_join_bound (E, false, T); }
join_bound(A) ::= join_width(E) FOLLOWING(T). { A = mt_b_join_bound (E, true, T); }
join_width(A) ::= fill_value(A).
join_width(A) ::= WIDTH(T). { A = mt_b_width (p, T); }
join_width(A) ::= ICONST(N) join_unit(U). { A = mt_b_width_words (p, N, U); }
join_unit(A) ::= ID(A).
join_unit(A) ::= DAY(A).
join_unit(A) ::= HOUR(A).
join_unit(A) ::= MINUTE(A).
join_unit(A) ::= SECOND(A).
join_unit(A) ::= MONTH(A).
join_unit(A) ::= YEAR(A).
prevailing(A) ::= . { A = (MtJoinRange) {.span = MT_NO_SPAN}; }
prevailing(A) ::= INCLUDE PREVAILING(T). { A = (MtJoinRange) {.span = T.span}; }
prevailing(A) ::= EXCLUDE PREVAILING(T). { A = (MtJoinRange) {.exclude = true, .span = T.span}; }
%type nearest {bool}                        %type tolerance {MtExpr *}
nearest(A) ::= . { A = false; }
nearest(A) ::= NEAREST. { A = true; }
tolerance(A) ::= . { A = NULL; }
tolerance(A) ::= TOLERANCE fill_value(B). { A = B; }
tolerance(A) ::= TOLERANCE WIDTH(B). { A = mt_b_width (p, B); }
opt_inner ::= .
opt_inner ::= INNER.
opt_outer ::= .
opt_outer ::= OUTER.
%type join_type {MtJoinKind}
join_type(A) ::= FULL opt_outer. { A = MT_JOIN_FULL; }
join_type(A) ::= LEFT opt_outer. { A = MT_JOIN_LEFT; }
join_type(A) ::= RIGHT opt_outer. { A = MT_JOIN_RIGHT; }
join_type(A) ::= INNER. { A = MT_JOIN_INNER; }
%type join_qual {MtJoinQual}
join_qual(A) ::= USING LP names(L) RP(R). { A = mt_b_join_using (p, L, R, MT_NO_TOKEN); }
join_qual(A) ::= USING LP names(L) RP(R) AS colid(N). { A = mt_b_join_using (p, L, R, N); }
join_qual(A) ::= ON expr(E). { A = mt_b_join_on (E); }
relation(A) ::= from_name(N). { A = mt_b_from_table (p, N, false); }
relation(A) ::= from_name(N) STAR. { A = mt_b_from_table (p, N, false); }
relation(A) ::= ONLY qualified_name(N). { A = mt_b_from_table (p, N, true); }
relation(A) ::= ONLY LP qualified_name(N) RP. { A = mt_b_from_table (p, N, true); }
func_table(A) ::= SCONST(T). { A = mt_b_from_file (p, T); }
func_table(A) ::= func_windowless(E) opt_ordinality(O). { A = mt_b_from_function (p, E, O); }
func_table(A) ::= ROWS(T) FROM LP rows_from(E) RP(R) opt_ordinality(O). { A = mt_b_from_rows (p, T, E, R, O); }
%type rows_from {MtExprs}
rows_from(A) ::= func_windowless(E). { A = mt_b_exprs (p, E); }
rows_from(A) ::= rows_from(A) COMMA func_windowless(E). { mt_b_push (p, &A, E); }
opt_ordinality(A) ::= . { A = MT_NO_TOKEN; }
opt_ordinality(A) ::= WITH_LA ORDINALITY(B). { A = B; }
%type repeatable {MtExpr *}
repeatable(A) ::= . { A = NULL; }
repeatable(A) ::= REPEATABLE LP expr(B) RP. { A = B; }
%type opt_alias {MtAlias}                   %type alias {MtAlias}
%type func_alias {MtAlias}
opt_alias(A) ::= . { A = MT_EMPTY (MtAlias); }
opt_alias(A) ::= alias(A).
alias(A) ::= opt_as colid(N). { A = mt_b_alias (p, N); }
alias(A) ::= opt_as colid(N) LP names(L) RP(R). { A = mt_b_alias_columns (p, N, L, R); }
opt_as ::= .
opt_as ::= AS.
func_alias(A) ::= opt_alias(A).
func_alias(A) ::= AS LP column_defs(D) RP(R). { A = mt_b_alias_defs (p, MT_NO_TOKEN, D, R); }
func_alias(A) ::= opt_as colid(N) LP column_defs(D) RP(R). { A = mt_b_alias_defs (p, N, D, R); }
%type column_defs {MtFieldDefs}
column_defs(A) ::= colid(N) typename(T). { A = mt_b_field_def (p, MT_EMPTY (MtFieldDefs), N, T); }
column_defs(A) ::= column_defs(L) COMMA colid(N) typename(T). { A = mt_b_field_def (p, L, N, T); }

/* ---- expressions ---- */
%type expr {MtExpr *}
expr(A) ::= primary(A).
expr(A) ::= expr(L) TYPECAST(O) typename(T). { A = mt_b_at (mt_b_cast_op (p, L, T), O); }
expr(A) ::= expr(L) COLLATE any_name(N). { A = mt_b_collate (p, L, N); }
expr(A) ::= expr(L) AT(O) TIME ZONE expr(R). [AT] { A = mt_b_at_time_zone (p, L, O, R); }
expr(A) ::= PLUS(O) expr(R). [UMINUS] { A = mt_b_prefix (p, O, R); }
expr(A) ::= MINUS(O) expr(R). [UMINUS] { A = mt_b_prefix (p, O, R); }
expr(A) ::= expr(L) PLUS(O) expr(R). { A = mt_b_infix (p, L, O, R); }
expr(A) ::= expr(L) MINUS(O) expr(R). { A = mt_b_infix (p, L, O, R); }
expr(A) ::= expr(L) STAR(O) expr(R). { A = mt_b_infix (p, L, O, R); }
expr(A) ::= expr(L) SLASH(O) expr(R). { A = mt_b_infix (p, L, O, R); }
expr(A) ::= expr(L) PERCENT(O) expr(R). { A = mt_b_infix (p, L, O, R); }
expr(A) ::= expr(L) CARET(O) expr(R). { A = mt_b_infix (p, L, O, R); }
expr(A) ::= expr(L) LT(O) expr(R). { A = mt_b_infix (p, L, O, R); }
expr(A) ::= expr(L) GT(O) expr(R). { A = mt_b_infix (p, L, O, R); }
expr(A) ::= expr(L) EQ(O) expr(R). { A = mt_b_infix (p, L, O, R); }
expr(A) ::= expr(L) LE(O) expr(R). { A = mt_b_infix (p, L, O, R); }
expr(A) ::= expr(L) GE(O) expr(R). { A = mt_b_infix (p, L, O, R); }
expr(A) ::= expr(L) NE(O) expr(R). { A = mt_b_infix (p, L, O, R); }
expr(A) ::= expr(L) qual_op(O) expr(R). [OP] { A = mt_b_infix (p, L, O, R); }
expr(A) ::= qual_op(O) expr(R). [OP] { A = mt_b_prefix (p, O, R); }
expr(A) ::= expr(L) AND expr(R). { A = mt_b_junction (p, MT_EXPR_AND, L, R); }
expr(A) ::= expr(L) OR expr(R). { A = mt_b_junction (p, MT_EXPR_OR, L, R); }
expr(A) ::= NOT(O) expr(R). { A = mt_b_not (p, O, R); }
expr(A) ::= NOT_LA(O) expr(R). [NOT] { A = mt_b_not (p, O, R); }
expr(A) ::= expr(L) LIKE(O) expr(R). [LIKE] { A = mt_b_at (mt_b_like (p, MT_LIKE, false, L, R, NULL), O); }
expr(A) ::= expr(L) LIKE(O) expr(R) ESCAPE expr(E). [LIKE] { A = mt_b_at (mt_b_like (p, MT_LIKE, false, L, R, E), O); }
expr(A) ::= expr(L) NOT_LA(O) LIKE expr(R). [NOT_LA] { A = mt_b_at (mt_b_like (p, MT_LIKE, true, L, R, NULL), O); }
expr(A) ::= expr(L) NOT_LA(O) LIKE expr(R) ESCAPE expr(E). [NOT_LA] { A = mt_b_at (mt_b_like (p, MT_LIKE, true, L, R, E), O); }
expr(A) ::= expr(L) ILIKE(O) expr(R). [ILIKE] { A = mt_b_at (mt_b_like (p, MT_ILIKE, false, L, R, NULL), O); }
expr(A) ::= expr(L) ILIKE(O) expr(R) ESCAPE expr(E). [ILIKE] { A = mt_b_at (mt_b_like (p, MT_ILIKE, false, L, R, E), O); }
expr(A) ::= expr(L) NOT_LA(O) ILIKE expr(R). [NOT_LA] { A = mt_b_at (mt_b_like (p, MT_ILIKE, true, L, R, NULL), O); }
expr(A) ::= expr(L) NOT_LA(O) ILIKE expr(R) ESCAPE expr(E). [NOT_LA] { A = mt_b_at (mt_b_like (p, MT_ILIKE, true, L, R, E), O); }
expr(A) ::= expr(L) SIMILAR(O) TO expr(R). [SIMILAR] { A = mt_b_at (mt_b_like (p, MT_SIMILAR, false, L, R, NULL), O); }
expr(A) ::= expr(L) SIMILAR(O) TO expr(R) ESCAPE expr(E). [SIMILAR] { A = mt_b_at (mt_b_like (p, MT_SIMILAR, false, L, R, E), O); }
expr(A) ::= expr(L) NOT_LA(O) SIMILAR TO expr(R). [NOT_LA] { A = mt_b_at (mt_b_like (p, MT_SIMILAR, true, L, R, NULL), O); }
expr(A) ::= expr(L) NOT_LA(O) SIMILAR TO expr(R) ESCAPE expr(E). [NOT_LA] { A = mt_b_at (mt_b_like (p, MT_SIMILAR, true, L, R, E), O); }
expr(A) ::= expr(L) IS NULL(T). [IS] { A = mt_b_is (p, MT_IS_NULL, false, L, T); }
expr(A) ::= expr(L) ISNULL(T). [IS] { A = mt_b_is (p, MT_IS_NULL, false, L, T); }
expr(A) ::= expr(L) IS NOT NULL(T). [IS] { A = mt_b_is (p, MT_IS_NULL, true, L, T); }
expr(A) ::= expr(L) NOTNULL(T). [IS] { A = mt_b_is (p, MT_IS_NULL, true, L, T); }
expr(A) ::= expr(L) IS TRUE(T). [IS] { A = mt_b_is (p, MT_IS_TRUE, false, L, T); }
expr(A) ::= expr(L) IS NOT TRUE(T). [IS] { A = mt_b_is (p, MT_IS_TRUE, true, L, T); }
expr(A) ::= expr(L) IS FALSE(T). [IS] { A = mt_b_is (p, MT_IS_FALSE, false, L, T); }
expr(A) ::= expr(L) IS NOT FALSE(T). [IS] { A = mt_b_is (p, MT_IS_FALSE, true, L, T); }
expr(A) ::= expr(L) IS UNKNOWN(T). [IS] { A = mt_b_is (p, MT_IS_UNKNOWN, false, L, T); }
expr(A) ::= expr(L) IS NOT UNKNOWN(T). [IS] { A = mt_b_is (p, MT_IS_UNKNOWN, true, L, T); }
expr(A) ::= expr(L) IS NORMALIZED(T). [IS] { A = mt_b_is_normalized (p, L, MT_NO_TOKEN, T); }
expr(A) ::= expr(L) IS ID(F) NORMALIZED(T). [IS] { A = mt_b_is_normalized (p, L, F, T); }
expr(A) ::= expr(L) IS NOT(N) NORMALIZED(T). [IS] { A = mt_b_not (p, N, mt_b_is_normalized (p, L, MT_NO_TOKEN, T)); }
expr(A) ::= expr(L) IS NOT(N) ID(F) NORMALIZED(T). [IS] { A = mt_b_not (p, N, mt_b_is_normalized (p, L, F, T)); }
expr(A) ::= expr(L) IS(O) DISTINCT FROM expr(R). [IS] { A = mt_b_at (mt_b_distinct_from (p, false, L, R), O); }
expr(A) ::= expr(L) IS(O) NOT DISTINCT FROM expr(R). [IS] { A = mt_b_at (mt_b_distinct_from (p, true, L, R), O); }
expr(A) ::= overlaps_row(L) OVERLAPS(O) overlaps_row(R). { A = mt_b_overlaps (p, L, O, R); }
expr(A) ::= expr(V) BETWEEN(O) asymmetric(S) bexpr(L) AND expr(H). [BETWEEN] { A = mt_b_at (mt_b_between (p, false, S, V, L, H), O); }
expr(A) ::= expr(V) NOT_LA(O) BETWEEN asymmetric(S) bexpr(L) AND expr(H). [NOT_LA] { A = mt_b_at (mt_b_between (p, true, S, V, L, H), O); }
expr(A) ::= expr(V) IN(O) in_list(I). [IN] { A = mt_b_at (mt_b_in (p, false, V, I), O); }
expr(A) ::= expr(V) NOT_LA(O) IN in_list(I). [NOT_LA] { A = mt_b_at (mt_b_in (p, true, V, I), O); }
expr(A) ::= expr(L) quantified_op(O) quantifier(Q) paren_select(S). [OP] { A = mt_b_quantified_select (p, L, O, Q, S); }
expr(A) ::= expr(L) quantified_op(O) quantifier(Q) LP expr(E) RP(R). [OP] { A = mt_b_quantified_array (p, L, O, Q, E, R); }
expr(A) ::= UNIQUE(T) paren_select. { A = mt_b_refuse_expr (p, T, "UNIQUE predicate"); }
expr(A) ::= DEFAULT(T). { A = mt_b_default (p, T); }
%type asymmetric {bool}
asymmetric(A) ::= . { A = false; }
asymmetric(A) ::= ASYMMETRIC. { A = false; }
asymmetric(A) ::= SYMMETRIC. { A = true; }
%type in_list {MtInList}
in_list(A) ::= paren_select(S). { A = mt_b_in_select (S); }
in_list(A) ::= LP exprs(E) opt_comma RP(R). { A = mt_b_in_exprs (E, R); }
quantifier(A) ::= ANY(A).
quantifier(A) ::= SOME(A).
quantifier(A) ::= ALL(A).
quantified_op(A) ::= any_op(A).
quantified_op(A) ::= OPERATOR LP qualified_op(B) RP. { A = B; }
quantified_op(A) ::= LIKE(A).
quantified_op(A) ::= NOT_LA LIKE(B). { A = mt_b_not_like (B, "not like"); }
quantified_op(A) ::= ILIKE(A).
quantified_op(A) ::= NOT_LA ILIKE(B). { A = mt_b_not_like (B, "not ilike"); }
qual_op(A) ::= OP(A).
qual_op(A) ::= OPERATOR LP qualified_op(B) RP. { A = B; }
all_op(A) ::= any_op(A).
all_op(A) ::= OPERATOR LP qualified_op(B) RP. { A = B; }
qualified_op(A) ::= any_op(A).
qualified_op(A) ::= colid DOT qualified_op(B). { A = B; }
any_op(A) ::= OP(A).
any_op(A) ::= PLUS(A).   any_op(A) ::= MINUS(A).  any_op(A) ::= STAR(A).
any_op(A) ::= SLASH(A).  any_op(A) ::= PERCENT(A). any_op(A) ::= CARET(A).
any_op(A) ::= LT(A).     any_op(A) ::= GT(A).     any_op(A) ::= EQ(A).
any_op(A) ::= LE(A).     any_op(A) ::= GE(A).     any_op(A) ::= NE(A).

/* b_expr: a restricted expression, for places where AND, IN or a column option ends the expression. */
%type bexpr {MtExpr *}
bexpr(A) ::= primary(A).
bexpr(A) ::= bexpr(L) TYPECAST(O) typename(T). { A = mt_b_at (mt_b_cast_op (p, L, T), O); }
bexpr(A) ::= PLUS(O) bexpr(R). [UMINUS] { A = mt_b_prefix (p, O, R); }
bexpr(A) ::= MINUS(O) bexpr(R). [UMINUS] { A = mt_b_prefix (p, O, R); }
bexpr(A) ::= bexpr(L) PLUS(O) bexpr(R). { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= bexpr(L) MINUS(O) bexpr(R). { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= bexpr(L) STAR(O) bexpr(R). { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= bexpr(L) SLASH(O) bexpr(R). { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= bexpr(L) PERCENT(O) bexpr(R). { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= bexpr(L) CARET(O) bexpr(R). { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= bexpr(L) LT(O) bexpr(R). { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= bexpr(L) GT(O) bexpr(R). { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= bexpr(L) EQ(O) bexpr(R). { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= bexpr(L) LE(O) bexpr(R). { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= bexpr(L) GE(O) bexpr(R). { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= bexpr(L) NE(O) bexpr(R). { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= bexpr(L) qual_op(O) bexpr(R). [OP] { A = mt_b_infix (p, L, O, R); }
bexpr(A) ::= qual_op(O) bexpr(R). [OP] { A = mt_b_prefix (p, O, R); }
bexpr(A) ::= bexpr(L) IS DISTINCT FROM bexpr(R). [IS] { A = mt_b_distinct_from (p, false, L, R); }
bexpr(A) ::= bexpr(L) IS NOT DISTINCT FROM bexpr(R). [IS] { A = mt_b_distinct_from (p, true, L, R); }

%type primary {MtExpr *}
primary(A) ::= colid(N). { A = mt_b_column (p, N, MT_EMPTY (MtSteps)); }
primary(A) ::= colid(N) steps(I). { A = mt_b_column (p, N, I); }
primary(A) ::= constant(A).
primary(A) ::= PARAM(T) opt_steps(I). { A = mt_b_steps (p, mt_b_param (p, T), I); }
primary(A) ::= LP(L) expr(E) RP(R) opt_steps(I). { A = mt_b_steps (p, mt_b_paren (L, E, R), I); }
primary(A) ::= case(A).
primary(A) ::= function(A).
primary(A) ::= paren_select(S). [UMINUS] { A = mt_b_subquery (p, S); }
primary(A) ::= paren_select(S) steps(I). { A = mt_b_steps (p, mt_b_subquery (p, S), I); }
primary(A) ::= EXISTS(T) paren_select(S). { A = mt_b_exists (p, T, S); }
primary(A) ::= ARRAY(T) paren_select(S). { A = mt_b_array_select (p, T, S); }
primary(A) ::= ARRAY(T) array(B). { A = mt_b_array_at (T, B); }
primary(A) ::= ROW(T) LP opt_exprs(E) RP(R). { A = mt_b_row (p, T, E, R); }
primary(A) ::= LP(L) exprs(E) COMMA expr(X) RP(R). { A = mt_b_row_more (p, L, E, X, R); }
primary(A) ::= GROUPING(T) LP exprs(E) RP(R). { A = mt_b_builtin (p, T, "grouping", E, R); }

%type overlaps_row {MtExpr *}
overlaps_row(A) ::= ROW(T) LP opt_exprs(E) RP(R). { A = mt_b_row (p, T, E, R); }
overlaps_row(A) ::= LP(L) exprs(E) COMMA expr(X) RP(R). { A = mt_b_row_more (p, L, E, X, R); }

%type array {MtExpr *}                      %type array_items {MtExprs}
array(A) ::= LB(L) exprs(E) RB(R). { A = mt_b_array (p, L, E, R); }
array(A) ::= LB(L) array_items(E) RB(R). { A = mt_b_array (p, L, E, R); }
array(A) ::= LB(L) RB(R). { A = mt_b_array (p, L, MT_EMPTY (MtExprs), R); }
array_items(A) ::= array(E). { A = mt_b_exprs (p, E); }
array_items(A) ::= array_items(A) COMMA array(E). { mt_b_push (p, &A, E); }

%type exprs {MtExprs}                       %type opt_exprs {MtExprs}
opt_exprs(A) ::= . { A = MT_EMPTY (MtExprs); }
opt_exprs(A) ::= exprs(A).
exprs(A) ::= expr(E). { A = mt_b_exprs (p, E); }
exprs(A) ::= exprs(A) COMMA expr(E). { mt_b_push (p, &A, E); }

/* The steps after an expression: .name .* [i] [i:j] */
%type steps {MtSteps}                       %type opt_steps {MtSteps}
%type step {MtStep *}                       %type opt_bound {MtExpr *}
opt_steps(A) ::= . { A = MT_EMPTY (MtSteps); }
opt_steps(A) ::= steps(A).
steps(A) ::= step(S). { A = mt_b_first_step (S); }
steps(A) ::= steps(A) step(S). { MT_PUSH (A, S); }
step(A) ::= DOT label(N). { A = mt_b_step_name (p, N); }
step(A) ::= DOT STAR(T). { A = mt_b_step_star (p, T); }
step(A) ::= LB expr(E) RB(R). { A = mt_b_step_index (p, E, R); }
step(A) ::= LB opt_bound(L) COLON opt_bound(H) RB(R). { A = mt_b_step_slice (p, L, H, R); }
opt_bound(A) ::= . { A = NULL; }
opt_bound(A) ::= expr(A).

%type constant {MtExpr *}
constant(A) ::= ICONST(T). { A = mt_b_number (p, T); }
constant(A) ::= FCONST(T). { A = mt_b_number (p, T); }
constant(A) ::= SCONST(T). { A = mt_b_string (p, MT_EXPR_STRING, T); }
constant(A) ::= BCONST(T). { A = mt_b_string (p, MT_EXPR_BITSTRING, T); }
constant(A) ::= TRUE(T). { A = mt_b_bool (p, T, true); }
constant(A) ::= FALSE(T). { A = mt_b_bool (p, T, false); }
constant(A) ::= NULL(T). { A = mt_b_null (p, T); }
constant(A) ::= func_name(N) SCONST(T). { A = mt_b_typed (p, mt_b_type_named (p, N), T); }
constant(A) ::= func_name(N) LP args(E) opt_order_by(O) RP(R) SCONST(T). { A = mt_b_typed (p, mt_b_type_args (p, N, E, O, R), T); }
constant(A) ::= const_type(Y) SCONST(T). { A = mt_b_typed (p, Y, T); }
constant(A) ::= INTERVAL(I) SCONST(T) interval_fields(F). { A = mt_b_typed_interval (p, I, MT_NO_TOKEN, T, F); }
constant(A) ::= INTERVAL(I) LP ICONST(N) RP SCONST(T). { A = mt_b_typed_interval (p, I, N, T, MT_EMPTY (MtFields)); }

%type case {MtExpr *}                       %type whens {MtWhens}
%type opt_expr {MtExpr *}                   %type opt_else {MtExpr *}
case(A) ::= CASE(T) opt_expr(E) whens(W) opt_else(L) END(R). { A = mt_b_case (p, T, E, W, L, R); }
opt_expr(A) ::= . { A = NULL; }
opt_expr(A) ::= expr(A).
opt_else(A) ::= . { A = NULL; }
opt_else(A) ::= ELSE expr(B). { A = B; }
whens(A) ::= WHEN expr(W) THEN expr(T). { A = mt_b_whens (p, W, T); }
whens(A) ::= whens(A) WHEN expr(W) THEN expr(T). { mt_b_when (p, &A, W, T); }

%type function {MtExpr *}                   %type func_windowless {MtExpr *}
%type call {MtExpr *}
function(A) ::= call(C) within_group(W) filter(F) null_treatment(N) over(O). { A = mt_b_call_clauses (p, C, W, F, N, O); }
function(A) ::= special(A).
func_windowless(A) ::= call(A).
func_windowless(A) ::= special(A).
call(A) ::= func_name(N) LP RP(R). { A = mt_b_call (p, N, MT_EMPTY (MtArgs), R); }
call(A) ::= func_name(N) LP args(E) opt_order_by(O) RP(R). { A = mt_b_call_full (p, N, E, MT_ARGS_ALL, O, R); }
call(A) ::= func_name(N) LP VARIADIC arg(V) opt_order_by(O) RP(R). { A = mt_b_call_full (p, N, mt_b_args (p, V), MT_ARGS_VARIADIC, O, R); }
call(A) ::= func_name(N) LP args(E) COMMA VARIADIC arg(V) opt_order_by(O) RP(R). { A = mt_b_call_full (p, N, mt_b_args_more (p, E, V), MT_ARGS_VARIADIC, O, R); }
call(A) ::= func_name(N) LP ALL args(E) opt_order_by(O) RP(R). { A = mt_b_call_full (p, N, E, MT_ARGS_ALL, O, R); }
call(A) ::= func_name(N) LP DISTINCT args(E) opt_order_by(O) RP(R). { A = mt_b_call_full (p, N, E, MT_ARGS_DISTINCT, O, R); }
call(A) ::= func_name(N) LP STAR RP(R). { A = mt_b_call_full (p, N, MT_EMPTY (MtArgs), MT_ARGS_STAR, MT_EMPTY (MtOrders), R); }
%type args {MtArgs}                         %type arg {MtArg}
args(A) ::= arg(B). { A = mt_b_args (p, B); }
args(A) ::= args(B) COMMA arg(C). { A = mt_b_args_more (p, B, C); }
arg(A) ::= expr(E). { A = mt_b_arg (E, MT_NO_TOKEN); }
arg(A) ::= type_func_name(N) COLON_EQUALS expr(E). { A = mt_b_arg (E, N); }
arg(A) ::= type_func_name(N) EQUALS_GREATER expr(E). { A = mt_b_arg (E, N); }
%type null_treatment {int}
null_treatment(A) ::= . { A = 0; }
null_treatment(A) ::= IGNORE_LA NULLS. { A = 1; }
null_treatment(A) ::= RESPECT_LA NULLS. { A = 2; }
%type within_group {MtOrders}
within_group(A) ::= . { A = MT_EMPTY (MtOrders); }
within_group(A) ::= WITHIN GROUP LP order_by(O) RP(R). { A = mt_b_orders_end (O, R); }
%type filter {MtFilter}
filter(A) ::= . { A = MT_EMPTY (MtFilter); }
filter(A) ::= FILTER LP WHERE expr(E) RP(R). { A = mt_b_filter (E, R); }
%type over {MtWindow *}                     %type window_spec {MtWindow *}
over(A) ::= . { A = NULL; }
over(A) ::= OVER window_spec(B). { A = B; }
over(A) ::= OVER colid(N). { A = mt_b_window_ref (p, N); }
window_spec(A) ::= LP(L) opt_window_name(N) partition_by(B) opt_order_by(O) frame(F) RP(R). { A = mt_b_window (p, L, N, B, O, F, R); }
opt_window_name(A) ::= . [OP] { A = MT_NO_TOKEN; }
opt_window_name(A) ::= colid(A).
%type partition_by {MtExprs}
partition_by(A) ::= . { A = MT_EMPTY (MtExprs); }
partition_by(A) ::= PARTITION BY exprs(B). { A = B; }
%type frame {MtFrame}                       %type frame_extent {MtFrame}
%type frame_mode {MtFrameMode}              %type bound {MtFrameBound}
%type exclude {const char *}
frame(A) ::= . { A = MT_EMPTY (MtFrame); }
frame(A) ::= frame_mode(M) frame_extent(E) exclude(X). { A = mt_b_frame (M, E, X); }
frame_mode(A) ::= RANGE. { A = MT_FRAME_RANGE; }
frame_mode(A) ::= ROWS. { A = MT_FRAME_ROWS; }
frame_mode(A) ::= GROUPS. { A = MT_FRAME_GROUPS; }
frame_extent(A) ::= bound(S). { A = mt_b_frame_from (p, S); }
frame_extent(A) ::= BETWEEN bound(S) AND bound(E). { A = mt_b_frame_between (p, S, E); }
bound(A) ::= UNBOUNDED(T) PRECEDING. { A = mt_b_bound (MT_BOUND_UNBOUNDED_PRECEDING, T.span, NULL); }
bound(A) ::= UNBOUNDED(T) FOLLOWING. { A = mt_b_bound (MT_BOUND_UNBOUNDED_FOLLOWING, T.span, NULL); }
bound(A) ::= CURRENT(T) ROW. { A = mt_b_bound (MT_BOUND_CURRENT_ROW, T.span, NULL); }
bound(A) ::= expr(E) PRECEDING. { A = mt_b_bound (MT_BOUND_PRECEDING, E->outer, E); }
bound(A) ::= expr(E) FOLLOWING. { A = mt_b_bound (MT_BOUND_FOLLOWING, E->outer, E); }
exclude(A) ::= . { A = NULL; }
exclude(A) ::= EXCLUDE CURRENT ROW. { A = "current row"; }
exclude(A) ::= EXCLUDE GROUP. { A = "group"; }
exclude(A) ::= EXCLUDE TIES. { A = "ties"; }
exclude(A) ::= EXCLUDE NO OTHERS. { A = "no others"; }

/* Function calls with a special syntax. */
%type special {MtExpr *}
special(A) ::= CURRENT_DATE(T). { A = mt_b_niladic (p, T); }
special(A) ::= CURRENT_ROLE(T). { A = mt_b_niladic (p, T); }
special(A) ::= CURRENT_USER(T). { A = mt_b_niladic (p, T); }
special(A) ::= SESSION_USER(T). { A = mt_b_niladic (p, T); }
special(A) ::= USER(T). { A = mt_b_niladic (p, T); }
special(A) ::= CURRENT_CATALOG(T). { A = mt_b_niladic (p, T); }
special(A) ::= CURRENT_SCHEMA(T). { A = mt_b_niladic (p, T); }
special(A) ::= clock(T). { A = mt_b_niladic (p, T); }
special(A) ::= clock(T) LP ICONST(N) RP(R). { A = mt_b_clock (p, T, N, R); }
clock(A) ::= CURRENT_TIME(A).
clock(A) ::= CURRENT_TIMESTAMP(A).
clock(A) ::= LOCALTIME(A).
clock(A) ::= LOCALTIMESTAMP(A).
special(A) ::= CAST(T) LP expr(E) AS typename(Y) RP(R). { A = mt_b_cast (p, T, E, Y, R); }
special(A) ::= EXTRACT(T) LP extract_field(F) FROM expr(E) RP(R). { A = mt_b_extract (p, T, F, E, R); }
extract_field(A) ::= ID(A).
extract_field(A) ::= YEAR(A).
extract_field(A) ::= MONTH(A).
extract_field(A) ::= DAY(A).
extract_field(A) ::= HOUR(A).
extract_field(A) ::= MINUTE(A).
extract_field(A) ::= SECOND(A).
extract_field(A) ::= SCONST(A).
special(A) ::= NORMALIZE(T) LP expr(E) COMMA ID(F) RP(R). { A = mt_b_normalize (p, T, E, F, R); }
special(A) ::= NORMALIZE(T) LP expr(E) RP(R). { A = mt_b_builtin (p, T, "normalize", mt_b_exprs (p, E), R); }
special(A) ::= OVERLAY(T) LP expr(E) PLACING expr(X) FROM expr(S) FOR expr(N) RP(R). { A = mt_b_builtin (p, T, "overlay", mt_b_exprs4 (p, E, X, S, N), R); }
special(A) ::= OVERLAY(T) LP expr(E) PLACING expr(X) FROM expr(S) RP(R). { A = mt_b_builtin (p, T, "overlay", mt_b_exprs4 (p, E, X, S, NULL), R); }
special(A) ::= OVERLAY(T) LP opt_args(E) RP(R). { A = mt_b_builtin_args (p, T, "overlay", E, R); }
special(A) ::= POSITION(T) LP bexpr(S) IN bexpr(E) RP(R). { A = mt_b_builtin (p, T, "position", mt_b_exprs4 (p, E, S, NULL, NULL), R); }
special(A) ::= SUBSTRING(T) LP expr(E) FROM expr(S) FOR expr(N) RP(R). { A = mt_b_builtin (p, T, "substring", mt_b_exprs4 (p, E, S, N, NULL), R); }
special(A) ::= SUBSTRING(T) LP expr(E) FOR expr(N) FROM expr(S) RP(R). { A = mt_b_builtin (p, T, "substring", mt_b_exprs4 (p, E, S, N, NULL), R); }
special(A) ::= SUBSTRING(T) LP expr(E) FROM expr(S) RP(R). { A = mt_b_builtin (p, T, "substring", mt_b_exprs4 (p, E, S, NULL, NULL), R); }
special(A) ::= SUBSTRING(T) LP expr(E) FOR expr(N) RP(R). { A = mt_b_builtin (p, T, "substring", mt_b_substring_for (p, E, N), R); }
special(A) ::= SUBSTRING(T) LP expr(E) SIMILAR expr(S) ESCAPE expr(N) RP(R). { A = mt_b_builtin (p, T, "substring", mt_b_exprs4 (p, E, S, N, NULL), R); }
special(A) ::= SUBSTRING(T) LP opt_args(E) RP(R). { A = mt_b_builtin_args (p, T, "substring", E, R); }
%type opt_args {MtArgs}
opt_args(A) ::= . { A = MT_EMPTY (MtArgs); }
opt_args(A) ::= args(A).
special(A) ::= TRIM(T) LP BOTH trim_list(E) RP(R). { A = mt_b_builtin (p, T, "btrim", E, R); }
special(A) ::= TRIM(T) LP LEADING trim_list(E) RP(R). { A = mt_b_builtin (p, T, "ltrim", E, R); }
special(A) ::= TRIM(T) LP TRAILING trim_list(E) RP(R). { A = mt_b_builtin (p, T, "rtrim", E, R); }
special(A) ::= TRIM(T) LP trim_list(E) RP(R). { A = mt_b_builtin (p, T, "btrim", E, R); }
%type trim_list {MtExprs}
trim_list(A) ::= expr(C) FROM exprs(E). { A = E; mt_b_push (p, &A, C); }
trim_list(A) ::= FROM exprs(B). { A = B; }
trim_list(A) ::= exprs(A).
special(A) ::= NULLIF(T) LP expr(L) COMMA expr(E) RP(R). { A = mt_b_builtin (p, T, "nullif", mt_b_exprs4 (p, L, E, NULL, NULL), R); }
special(A) ::= COALESCE(T) LP exprs(E) RP(R). { A = mt_b_builtin (p, T, "coalesce", E, R); }
special(A) ::= GREATEST(T) LP exprs(E) RP(R). { A = mt_b_builtin (p, T, "greatest", E, R); }
special(A) ::= LEAST(T) LP exprs(E) RP(R). { A = mt_b_builtin (p, T, "least", E, R); }

/* ---- types ---- */
%type typename {MtTypeName *}               %type simple_type {MtTypeName *}
%type const_type {MtTypeName *}             %type array_bounds {MtBounds}
typename(A) ::= simple_type(T) array_bounds(D). { A = mt_b_type_array (T, D); }
typename(A) ::= simple_type(T) ARRAY LB ICONST RB(R). { A = mt_b_type_array (T, mt_b_bounds (MT_NO_BOUNDS, R)); }
typename(A) ::= simple_type(T) ARRAY(R). { A = mt_b_type_array (T, mt_b_bounds (MT_NO_BOUNDS, R)); }
typename(A) ::= SETOF(T) simple_type(B) array_bounds. { A = mt_b_type_setof (p, T, B); }
array_bounds(A) ::= . { A = MT_NO_BOUNDS; }
array_bounds(A) ::= array_bounds(B) LB RB(R). { A = mt_b_bounds (B, R); }
array_bounds(A) ::= array_bounds(B) LB ICONST RB(R). { A = mt_b_bounds (B, R); }
simple_type(A) ::= type_func_name(N) opt_modifiers(M). { A = mt_b_type_modified (p, mt_b_type_named (p, mt_b_names (p, N)), M); }
simple_type(A) ::= type_func_name(N) attrs(L) opt_modifiers(M). { A = mt_b_type_modified (p, mt_b_type_named (p, mt_b_names_before (p, N, L)), M); }
simple_type(A) ::= const_type(T). { A = mt_b_type_default_length (T); }
simple_type(A) ::= INTERVAL(T) interval_fields(F). { A = mt_b_type_interval (p, T, MT_NO_TOKEN, F); }
simple_type(A) ::= INTERVAL(T) LP ICONST(N) RP(R). { A = mt_b_type_interval (p, T, N, mt_b_fields_end (R)); }
%type attrs {MtNames}
attrs(A) ::= DOT label(N). { A = mt_b_names (p, N); }
attrs(A) ::= attrs(A) DOT label(N). { mt_b_push_name (p, &A, N); }
%type opt_modifiers {MtModifiers}
opt_modifiers(A) ::= . { A = MT_NO_MODIFIERS; }
opt_modifiers(A) ::= LP exprs(E) RP(R). { A = mt_b_modifiers (p, E, R); }
const_type(A) ::= INT(T). { A = mt_b_type (p, T, "int4", T); }
const_type(A) ::= INTEGER(T). { A = mt_b_type (p, T, "int4", T); }
const_type(A) ::= SMALLINT(T). { A = mt_b_type (p, T, "int2", T); }
const_type(A) ::= BIGINT(T). { A = mt_b_type (p, T, "int8", T); }
const_type(A) ::= REAL(T). { A = mt_b_type (p, T, "float4", T); }
const_type(A) ::= FLOAT(T). { A = mt_b_type (p, T, "float8", T); }
const_type(A) ::= FLOAT(T) LP ICONST(N) RP(R). { A = mt_b_type_float (p, T, N, R); }
const_type(A) ::= DOUBLE(T) PRECISION(R). { A = mt_b_type (p, T, "float8", R); }
const_type(A) ::= DECIMAL(T) opt_modifiers(M). { A = mt_b_type_modified (p, mt_b_type (p, T, "numeric", T), M); }
const_type(A) ::= DEC(T) opt_modifiers(M). { A = mt_b_type_modified (p, mt_b_type (p, T, "numeric", T), M); }
const_type(A) ::= NUMERIC(T) opt_modifiers(M). { A = mt_b_type_modified (p, mt_b_type (p, T, "numeric", T), M); }
const_type(A) ::= BOOLEAN(T). { A = mt_b_type (p, T, "bool", T); }
const_type(A) ::= BIT(T) opt_modifiers(M). { A = mt_b_type_modified (p, mt_b_type (p, T, "bit", T), M); }
const_type(A) ::= BIT(T) VARYING(V) opt_modifiers(M). { A = mt_b_type_modified (p, mt_b_type (p, T, "varbit", V), M); }
const_type(A) ::= character(T) opt_varying(V) opt_length(M). { A = mt_b_type_modified (p, mt_b_type_char (p, T, V), M); }
const_type(A) ::= VARCHAR(T) opt_length(M). { A = mt_b_type_modified (p, mt_b_type (p, T, "varchar", T), M); }
const_type(A) ::= TIMESTAMP(T) opt_length(M) opt_zone(Z). { A = mt_b_type_time (p, T, "timestamp", M, Z); }
const_type(A) ::= TIME(T) opt_length(M) opt_zone(Z). { A = mt_b_type_time (p, T, "time", M, Z); }
character(A) ::= CHARACTER(A).
character(A) ::= CHAR(A).
character(A) ::= NCHAR(A).
character(A) ::= NATIONAL(A) CHARACTER.
character(A) ::= NATIONAL(A) CHAR.
opt_varying(A) ::= . { A = MT_NO_TOKEN; }
opt_varying(A) ::= VARYING(A).
%type opt_length {MtModifiers}
opt_length(A) ::= . { A = MT_NO_MODIFIERS; }
opt_length(A) ::= LP ICONST(N) RP(R). { A = mt_b_length (p, N, R); }
%type opt_zone {MtZoneClause}
opt_zone(A) ::= . { A = MT_EMPTY (MtZoneClause); }
opt_zone(A) ::= WITH_LA TIME ZONE(T). { A = mt_b_zone (true, T); }
opt_zone(A) ::= WITHOUT TIME ZONE(T). { A = mt_b_zone (false, T); }
%type interval_fields {MtFields}            %type interval_second {MtFields}
/* [SET]: TO behind a field belongs to the field, not to SAMPLE BY. */
interval_fields(A) ::= . { A = MT_EMPTY (MtFields); }
interval_fields(A) ::= YEAR(T). [SET] { A = mt_b_fields ("year", T); }
interval_fields(A) ::= MONTH(T). { A = mt_b_fields ("month", T); }
interval_fields(A) ::= DAY(T). [SET] { A = mt_b_fields ("day", T); }
interval_fields(A) ::= HOUR(T). [SET] { A = mt_b_fields ("hour", T); }
interval_fields(A) ::= MINUTE(T). [SET] { A = mt_b_fields ("minute", T); }
interval_fields(A) ::= interval_second(S). { A = S; }
interval_fields(A) ::= YEAR TO MONTH(T). { A = mt_b_fields ("year to month", T); }
interval_fields(A) ::= DAY TO HOUR(T). { A = mt_b_fields ("day to hour", T); }
interval_fields(A) ::= DAY TO MINUTE(T). { A = mt_b_fields ("day to minute", T); }
interval_fields(A) ::= DAY TO interval_second(S). { A = mt_b_fields_to (S, "day to second"); }
interval_fields(A) ::= HOUR TO MINUTE(T). { A = mt_b_fields ("hour to minute", T); }
interval_fields(A) ::= HOUR TO interval_second(S). { A = mt_b_fields_to (S, "hour to second"); }
interval_fields(A) ::= MINUTE TO interval_second(S). { A = mt_b_fields_to (S, "minute to second"); }
interval_second(A) ::= SECOND(T). { A = mt_b_fields ("second", T); }
interval_second(A) ::= SECOND LP ICONST(N) RP(R). { A = mt_b_fields_second (p, N, R); }

/* ---- names ---- */
%type names {MtNames}                       %type opt_names {MtNames}
%type any_name {MtNames}                    %type func_name {MtNames}
%type qualified_name {MtQualified}         %type into {MtInto *}
names(A) ::= colid(N). { A = mt_b_names (p, N); }
names(A) ::= names(A) COMMA colid(N). { mt_b_push_name (p, &A, N); }
opt_names(A) ::= . { A = MT_EMPTY (MtNames); }
opt_names(A) ::= LP names(B) opt_comma RP. { A = B; }
any_name(A) ::= colid(N). { A = mt_b_names (p, N); }
any_name(A) ::= colid(N) attrs(L). { A = mt_b_names_before (p, N, L); }
func_name(A) ::= type_func_name(N). { A = mt_b_names (p, N); }
func_name(A) ::= colid(N) steps(I). { A = mt_b_func_name (p, N, I); }
%type from_name {MtQualified}
from_name(A) ::= colid(N). { A = mt_b_qualified (p, MT_NO_TOKEN, N); }
from_name(A) ::= colid(N) steps(I). { A = mt_b_stepped_name (p, N, I); }
qualified_name(A) ::= colid(N). { A = mt_b_qualified (p, MT_NO_TOKEN, N); }
qualified_name(A) ::= colid(S) DOT label(N). { A = mt_b_qualified (p, S, N); }
qualified_name(A) ::= colid(D) DOT label(S) DOT label(N). { A = mt_b_cross_database (p, D, S, N); }

/* ---- keywords as names ---- */
colid(A) ::= ID(A).                type_func_name(A) ::= ID(A).              word(A) ::= ID(A).
colid(A) ::= free_bare(A).         type_func_name(A) ::= free_bare(A).       word(A) ::= free_bare(A).
colid(A) ::= free_as(A).           type_func_name(A) ::= free_as(A).         word(A) ::= free_as(A).
colid(A) ::= column_bare(A).       type_func_name(A) ::= type_bare(A).       word(A) ::= column_bare(A).
colid(A) ::= column_as(A).         type_func_name(A) ::= type_as(A).         word(A) ::= column_as(A).
label(A) ::= word(A).              bare_label(A) ::= ID(A).                  word(A) ::= type_bare(A).
label(A) ::= reserved_bare(A).     bare_label(A) ::= free_bare(A).           word(A) ::= type_as(A).
label(A) ::= reserved_as(A).       bare_label(A) ::= column_bare(A).
                                   bare_label(A) ::= type_bare(A).
                                   bare_label(A) ::= reserved_bare(A).

/* The rules of the keyword classes follow here, made from keywords.def by keyword_rules.awk. A word in CATEGORY_bare may be
 * a label without AS; a word in CATEGORY_as only with AS. */
