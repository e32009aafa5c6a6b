/* The limits of the program, each with the SQLSTATE of the error when it is exceeded. */
#ifndef MT_LIMITS_H
#define MT_LIMITS_H

#define MT_MAX_STATEMENT_BYTES (16u << 20) /* 54000: size of a statement's text */
#define MT_MAX_EXPR_DEPTH 1000             /* 54001: nesting of parentheses, calls, sub-selects */
#define MT_MAX_EXPANDED_QUERIES \
   10000 /* 54001: queries that one statement has after its views and WITH queries are expanded */
#define MT_MAX_EXPANDED_NODES \
   250000 /* 54001: nodes of an expression, or of all bodies of SQL functions that replace calls */
#define MT_MAX_BSON_DEPTH 100         /* 54000: nesting of a document (MongoDB's own limit) */
#define MT_MAX_DOC_BYTES (16u << 20)  /* 54000: size of a document (MongoDB's own limit) */
#define MT_MAX_VALUE_BYTES 0x3fffffff /* 54000: size of a value (PostgreSQL's limit) */
#define MT_MAX_COLUMNS 1600         /* 54011: columns of a table or a result (PostgreSQL's limit) */
#define MT_MAX_IDENTIFIER_BYTES 255 /* 42622: length of a name */
#define MT_MAX_PIPELINE_STAGES 1000 /* 54000: stages of a pipeline (MongoDB's own limit) */
#define MT_MAX_ARRAY_DIMS 6         /* 54000: dimensions of an array (PostgreSQL's limit) */
#define MT_MAX_PATH_BYTES \
   1000 /* 42P17: bytes of a field's path in a descriptor; inferred columns have no longer paths */
#define MT_MAX_LEVELS 16 /* 42P17: nested levels of a layout's descriptor */
#define MT_MAX_SET_ROWS \
   1000000 /* 54000: rows of generate_series among the results, or for each row of FROM */
#define MT_MAX_GAPFILL_ROWS 1000000 /* 54000: buckets of time_bucket_gapfill in one group */

#endif
