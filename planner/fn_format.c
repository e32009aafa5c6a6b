/* to_char and its like. */
#include "planner/func_int.h"

const MtFunc mt_fn_format[] = {
   {.name = NULL},
};
