/* Extensions of mtsql: shared libraries that add SQL functions written in C.
 *
 *    #include "mtsql_ext.h"
 *    static bool twice (MtEval *ev, const MtVal *args, int argc, MtVal *out)
 *    {
 *       *out = mt_v_double (2 * args[0].d);
 *       return true;
 *    }
 *    static const MtExtFunction functions[] = {
 *       {.name = "twice", .signature = "double precision -> double precision", .fn = twice,
 *        .doc = "two times x", .example = "SELECT twice(21) => 42"},
 *       {0},
 *    };
 *    MT_MODULE (.name = "example", .version = "1.0", .doc = "An example", .functions = functions);
 *
 *    cc -shared -fPIC -o example.so example.c
 *    LOAD '/path/example.so';
 *    or CREATE FUNCTION f (x float8) RETURNS float8 LANGUAGE c AS '/path/example.so', 'twice';
 *
 * The library exports one symbol, mt_module, which is data: nothing of it runs before one of its
 * functions is called. Structures grow at their end only and say their size; the major ABI number
 * must be equal, the minor one may be smaller.
 *
 * Values have the BSON type that types/type.h names for each SQL type (bigint: MT_INT64, text:
 * MT_STRING without a NUL, timestamptz: MT_DATE in milliseconds …). A function is strict unless it
 * says otherwise: NULL in gives NULL out without a call. Memory for results comes from ev->arena
 * (mt_alloc, mt_strndup, mt_printf); *out may point into the arguments. An error is mt_error
 * (ev->err, …) and false. */
#ifndef MTSQL_EXT_H
#define MTSQL_EXT_H

#include "engine/local/expr/op.h"

#define MT_EXT_ABI_MAJOR 1
#define MT_EXT_ABI_MINOR 0

/* MtExtFunction.flags */
#define MT_EXT_NOT_STRICT 1u /* is called with NULLs */
#define MT_EXT_NEVER_NULL 2u /* non-NULL arguments give a non-NULL result */
#define MT_EXT_STABLE 4u     /* same answer within a statement */
#define MT_EXT_VOLATILE 8u   /* another answer each time */

/* A table of these ends with an entry without a name. */
typedef struct MtExtFunction {
   const char *name;
   const char *signature; /* "x double precision, y double precision -> double precision" */
   unsigned flags;
   MtOpFn fn;
   const char *doc;     /* one line */
   const char *example; /* "SELECT f(1) => 2"; NULL: none */
} MtExtFunction;

typedef struct MtModule {
   uint32_t size; /* sizeof (MtModule) */
   uint16_t abi_major, abi_minor;
   const char *name, *version, *doc;
   const MtExtFunction *functions;
} MtModule;

#define MT_MODULE(...) \
   extern const MtModule mt_module; \
   const MtModule mt_module = {.size = sizeof (MtModule), \
                               .abi_major = MT_EXT_ABI_MAJOR, \
                               .abi_minor = MT_EXT_ABI_MINOR, \
                               __VA_ARGS__}

#endif
