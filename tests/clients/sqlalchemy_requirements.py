"""The features that SQLAlchemy's dialect test-suite may expect of the database. SQLAlchemy's own
default has the fewest.
"""
import os

from sqlalchemy.testing import exclusions
from sqlalchemy.testing.requirements import SuiteRequirements

# features of PostgreSQL 15 beyond the default
PRESENT = """
    aggregate_order_by array_type autocommit boolean_col_expressions check_constraint_reflection column_collation_reflection comment_reflection comment_reflection_full_unicode
    computed_columns computed_columns_reflect_persisted computed_columns_stored constraint_comment_reflection create_or_replace_view create_table_as create_temp_table_as
    cross_schema_fk_reflection ctes ctes_on_dml ctes_with_update_delete ctes_with_values datetime_historic datetime_interval datetime_timezone datetime_timezone_historic date_historic
    default_schema_name_switch deferrable_fks delete_from except_ expression_server_defaults fetch_expression fetch_first fetch_no_order_by fetch_offset_with_options fetch_ties
    fk_constraint_option_reflection_ondelete_noaction fk_constraint_option_reflection_ondelete_restrict fk_constraint_option_reflection_onupdate_restrict
    float_or_double_precision_behaves_generically foreign_key_constraint_name_reflection foreign_key_constraint_option_reflection_ondelete foreign_key_constraint_option_reflection_onupdate
    has_temp_table identity_columns identity_columns_standard implicit_default_schema index_ddl_if_exists index_reflects_included_columns indexes_with_expressions infinity_floats
    inline_check_constraint_reflection intersect isolation_level json_type legacy_unconditional_json_extract materialized_views mod_operator_as_percent_sign nullsordering percent_schema_names
    precision_numerics_enotation_small precision_numerics_many_significant_digits precision_numerics_retains_significant_digits reflect_indexes_with_expressions reflect_table_options
    reflect_tables_no_columns reflects_pk_names regexp_match regexp_replace savepoints schema_create_delete server_defaults skip_autocommit_rollback supports_bitwise_and supports_bitwise_not
    supports_bitwise_or supports_bitwise_shift supports_bitwise_xor supports_distinct_on table_ddl_if_exists table_value_constructor temp_table_comment_reflection temp_table_names temporary_views
    time_timezone timestamp_microseconds tuple_in unicode_ddl unique_constraints_reflect_as_index update_from uuid_data_type views window_functions window_range window_range_non_numeric
    window_range_numeric
""".split()

# those that mtsql refuses: foreign keys, comments on constraints, indexes on expressions, INCLUDE,
# generated columns, collations of columns, temporary views, timetz
REFUSED = """
    column_collation_reflection computed_columns computed_columns_reflect_persisted computed_columns_stored constraint_comment_reflection cross_schema_fk_reflection deferrable_fks
    fk_constraint_option_reflection_ondelete_noaction fk_constraint_option_reflection_ondelete_restrict fk_constraint_option_reflection_onupdate_restrict foreign_key_constraint_name_reflection
    foreign_key_constraint_option_reflection_ondelete foreign_key_constraint_option_reflection_onupdate foreign_key_constraint_reflection foreign_keys index_reflects_included_columns
    indexes_with_expressions reflect_indexes_with_expressions self_referential_foreign_keys temporary_views time_timezone
""".split()


class Requirements(SuiteRequirements):
    def get_order_by_collation(self, config):
        return "POSIX"


def declare(names, rule):
    for name in names:
        assert hasattr(SuiteRequirements, name), name
        setattr(Requirements, name, property(lambda self: rule()))


declare(PRESENT, exclusions.open)
if not os.environ.get("SUITE_ON_POSTGRES"):
    declare(REFUSED, exclusions.closed)
