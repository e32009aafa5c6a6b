/* Checks of calls that fill `err`, which each test's file has for itself. */
#ifndef CALLS_H
#define CALLS_H

#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static MtError err;

#define OK(call) \
   do { \
      if (!(call)) \
         fail_msg ("%s: %s %s", #call, err.sqlstate, err.message); \
   } while (0)

#define FAILS(state, call) \
   do { \
      mt_error_clear (&err); \
      assert_false (call); \
      assert_string_equal (err.sqlstate, state); \
   } while (0)

#endif
