/* Includes the header of Intel's decimal library with the options of Debian's package libbidgcc000,
 * by which arguments, rounding modes and flags are passed by value. */
#ifndef MT_BID_H
#define MT_BID_H

#define DECIMAL_CALL_BY_REFERENCE 0
#define DECIMAL_GLOBAL_ROUNDING 0
#define DECIMAL_GLOBAL_EXCEPTION_FLAGS 0
#include <bid_conf.h>
#include <bid_functions.h>

#include <string.h>

enum {
   MT_BID_NEAREST = 0,
   MT_BID_DOWN = 1,
   MT_BID_UP = 2,
   MT_BID_TO_ZERO = 3,
   MT_BID_HALF_AWAY = 4
};
#define MT_BID_INVALID 0x01u
#define MT_BID_OVERFLOW 0x08u
#define MT_BID_INEXACT 0x20u

static inline BID_UINT128 mt_bid_load (const void *p)
{
   BID_UINT128 x;
   memcpy (&x, p, 16);
   return x;
}

#endif
