/* The tables of built-in functions and operators, one for each source file. */
#ifndef MT_FUNCTION_ROWS_H
#define MT_FUNCTION_ROWS_H

#include "query/function.h"

/* Tables of built-in functions. Each ends with a row without a name. Functions whose names begin
 * with "$" are internal, and SQL can't call them. */
extern const MtFunc mt_fn_arithmetic[];
extern const MtFunc mt_fn_numeric[];
extern const MtFunc mt_fn_math[];
extern const MtFunc mt_fn_compare[];
extern const MtFunc mt_fn_text[];
extern const MtFunc mt_fn_text_more[];
extern const MtFunc mt_fn_text_format[];
extern const MtFunc mt_fn_sql[];
extern const MtFunc mt_fn_bytea[];
extern const MtFunc mt_fn_unicode[];
extern const MtFunc mt_fn_ident[];
extern const MtFunc mt_fn_pictures[];
extern const MtFunc mt_fn_pattern[];
extern const MtFunc mt_fn_regex[];
extern const MtFunc mt_fn_time[];
extern const MtFunc mt_fn_time_make[];
extern const MtFunc mt_fn_time_arith[];
extern const MtFunc mt_fn_bucket[];
extern const MtFunc mt_fn_gapfill[];
extern const MtFunc mt_fn_format[];
extern const MtFunc mt_fn_format_number[];
extern const MtFunc mt_fn_format_read[];
extern const MtFunc mt_fn_json[];
extern const MtFunc mt_fn_json_make[];
extern const MtFunc mt_fn_json_text[];
extern const MtFunc mt_fn_cast[];
extern const MtFunc mt_fn_catalog[];
extern const MtFunc mt_fn_session[];
extern const MtFunc mt_fn_enum[];
extern const MtFunc mt_fn_domain[];
extern const MtFunc mt_fn_hidden[];
extern const MtFunc mt_fn_record[];
extern const MtFunc mt_fn_array_hidden[];
extern const MtFunc mt_fn_set[];
extern const MtFunc mt_fn_json_set[];
extern const MtFunc mt_fn_json_path[];
extern const MtFunc mt_fn_size[];
extern const MtFunc mt_fn_forms[];
extern const MtFunc mt_fn_array[];
extern const MtFunc mt_fn_array_compare[];
extern const MtFunc mt_fn_array_text[];
extern const MtFunc mt_fn_summary[];
extern const MtFunc mt_fn_stats[];
extern const MtFunc mt_fn_uddsketch[];
extern const MtFunc mt_fn_tdigest[];
extern const MtFunc mt_fn_hyperloglog[];
extern const MtFunc mt_fn_counter[];
extern const MtFunc mt_fn_time_weight[];
extern const MtFunc mt_fn_candlestick[];
extern const MtFunc mt_fn_series[];
extern const MtFunc mt_fn_timeline[];
extern const MtFunc mt_fn_durations[];
extern const MtFunc mt_fn_heartbeat[];
extern const MtFunc mt_fn_nmost[];
extern const MtFunc mt_fn_frequency[];
extern const MtFunc mt_fn_count_min[];
extern const MtAgg mt_agg_rows[];
extern const MtAgg mt_agg_stats[];
extern const MtAgg mt_agg_uddsketch[];
extern const MtAgg mt_agg_tdigest[];
extern const MtAgg mt_agg_hyperloglog[];
extern const MtAgg mt_agg_counter[];
extern const MtAgg mt_agg_time_weight[];
extern const MtAgg mt_agg_candlestick[];
extern const MtAgg mt_agg_timeline[];
extern const MtAgg mt_agg_durations[];
extern const MtAgg mt_agg_heartbeat[];
extern const MtAgg mt_agg_nmost[];
extern const MtAgg mt_agg_frequency[];
extern const MtAgg mt_agg_count_min[];
/* Tables of operators for the local executor that belong to no SQL function; plans use them mostly
 * behind $group. Each ends with a row without a name. */
extern const MtOpRow mt_agg_ops[];
extern const MtOpRow mt_agg_stat_ops[];
extern const MtOpRow mt_gapfill_ops[];
extern const MtOpRow mt_array_ops[];
extern const MtOpRow mt_json_ops[];
extern const MtOpRow mt_json_make_ops[];
extern const MtOpRow mt_json_text_ops[];
extern const MtOpRow mt_series_ops[];
extern const MtOpRow mt_stats_ops[];

#endif
