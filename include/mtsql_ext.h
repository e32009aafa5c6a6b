/* Extensions of mtsql: shared libraries with functions, aggregates, COPY formats, output formats
 * and backslash commands.
 *
 *    #include "mtsql_ext.h"
 *    static bool twice (MtEval *ev, const MtVal *args, int argc, MtVal *out)
 *    {
 *       *out = mt_v_double (2 * args[0].d);
 *       return true;
 *    }
 *    static const MtFunc functions[] = {
 *       {.name = "twice", .signature = "double precision -> double precision",
 *        .op = MT_EXT_OP (twice), .summary = "two times x", .example = "SELECT twice(21) => 42"},
 *       {0},
 *    };
 *    MT_MODULE (.name = "example", .version = "1.0", .doc = "An example", .functions = functions);
 *
 *    cc -shared -fPIC -o example.so example.c
 *    LOAD '/path/example.so';
 *    or CREATE FUNCTION f (x float8) RETURNS float8 LANGUAGE c AS '/path/example.so', 'twice';
 *
 * Rows are those of the built-in things: MtFunc and MtAgg (query/function.h), MtCopyFormat
 * (copy/format.h), MtFormat and MtCommand (mtsql_shell.h). A function's row has an operator in C, a
 * template (mql) or a body in SQL (sql). An aggregate's row has an MtAggState
 * (engine/local/group/state.h). examples/extension/ has a template with all of them.
 *
 * An extension exports only mt_module, which is data, so LOAD runs no code of the extension. The
 * extension stays loaded until the process ends. base/extension.h has the rules of versions.
 *
 * types/type.h names the BSON type for each SQL type, for example MT_INT64 for bigint, MT_STRING
 * without a NUL for text, MT_DATE in milliseconds for timestamptz. Arguments have this type, also
 * if a document stores another one. A function is strict unless it has MT_F_NOT_STRICT: with a NULL
 * argument it is not called, and the result is NULL. Allocate results in ev->arena (mt_alloc,
 * mt_strndup, mt_printf), or borrow them from the arguments. To report an error, call mt_error
 * (ev->err, …) and return false.
 *
 * With a control file, CREATE EXTENSION keeps the extension in a target (docs/how-to/extend.md).
 * LOAD of a library with formats or commands adds them for the whole process. FORMAT name of COPY
 * also loads the bundled extension of that name. A name that exists already is refused. */
#ifndef MTSQL_EXT_H
#define MTSQL_EXT_H

#include "base/extension.h"
#include "copy/format.h"
#include "engine/local/group/state.h"
#include "mtsql_shell.h"
#include "query/function.h"

/* The operator of a function's row (MtFunc.op), whose C function is fn_, an MtOpFn. The library
 * names the operator after the SQL function. */
#define MT_EXT_OP(fn_) (&(const MtOpRow) {.max_args = -1, .flags = MT_OP_FOLD, .fn = fn_})

/* Defines mt_module. The arguments are initializers for the members of MtModule behind its version
 * numbers. */
#define MT_MODULE(...) \
   extern const MtModule mt_module; \
   const MtModule mt_module = {.size = sizeof (MtModule), \
                               .abi_major = MT_EXT_ABI_MAJOR, \
                               .abi_minor = MT_EXT_ABI_MINOR, \
                               __VA_ARGS__}

#endif
