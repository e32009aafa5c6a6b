/* $hash, $hexHash and $subtype: operators of text and binary data. */
#include "engine/local/expr/op_int.h"

#include "base/digest.h"

#include <xxhash.h>

static MtVal binary (const uint8_t *p, size_t n)
{
   return (MtVal) {.type = MT_BINARY, .len = (uint32_t) n, .p = p};
}

/* Writes the hash of v by the algorithm with this name. */
static bool hash (MtEval *ev, MtVal v, MtStr algorithm, uint8_t *out, size_t *length)
{
   if (mt_str_eq (algorithm, mt_str ("xxh64"))) {
      XXH64_canonicalFromHash ((XXH64_canonical_t *) out, XXH64 (v.p, v.len, 0));
      *length = sizeof (XXH64_canonical_t);
      return true;
   }
   bool md5 = mt_str_eq (algorithm, mt_str ("md5"));
   if (!md5 && !mt_str_eq (algorithm, mt_str ("sha256")))
      return MT_OP_FAIL (MT_E_PARAMETER, 10754002,
                         "algorithm must be \"md5\", \"sha256\" or \"xxh64\", found: %.*s",
                         (int) algorithm.n, algorithm.p);
   return mt_digest (md5 ? MT_DIGEST_MD5 : MT_DIGEST_SHA256, v.p, v.len, out, length, ev->err);
}

/* $hash, and $hexHash if ev->user is set. */
static bool op_hash (MT_OP_ARGS)
{
   uint8_t *bytes = mt_alloc (ev->arena, MT_DIGEST_MAX);
   size_t length;
   if (mt_is_nullish (args[0]))
      return mt_op_null (out);
   if (args[0].type != MT_STRING && args[0].type != MT_BINARY)
      return MT_OP_FAIL (MT_E_PARAMETER, 10754000, "input must be a string or BinData, found: %s",
                         mt_v_type_name (args[0]));
   if (args[1].type != MT_STRING)
      return MT_OP_FAIL (MT_E_PARAMETER, 10754001, "algorithm must be a string, found: %s",
                         mt_v_type_name (args[1]));
   if (!hash (ev, args[0], (MtStr) {(const char *) args[1].p, args[1].len}, bytes, &length))
      return false;
   if (!ev->user)
      return mt_op_put (out, binary (bytes, length));
   char *digits = mt_alloc (ev->arena, 2 * length + 1);
   mt_hex (bytes, length, "0123456789ABCDEF", digits);
   return mt_op_put (out, mt_v_str (digits, 2 * length));
}

static bool op_subtype (MT_OP_ARGS)
{
   if (mt_is_nullish (args[0]))
      return mt_op_null (out);
   if (args[0].type != MT_BINARY)
      return MT_OP_FAIL (MT_E_PARAMETER, 10389300,
                         "$subtype requires a BinData argument, found: %s",
                         mt_v_type_name (args[0]));
   return mt_op_put (out, mt_v_int32 (args[0].sub));
}

const MtOpRow mt_ops_hash[] = {
   MT_ROW_NAMED ("$hash", 2, "input,algorithm", op_hash, "the hash of text or binary data",
                 "{\"$hash\": {\"input\": \"hey\", \"algorithm\": \"xxh64\"}} => "
                 "{\"$binary\": {\"base64\": \"Wv5M8jFeEv4=\", \"subType\": \"00\"}}"),
   {"$hexHash", 2, 2, "input,algorithm", MT_OP_FOLD, op_hash,
    "the hash of text or binary data, in hexadecimal",
    "{\"$hexHash\": {\"input\": \"hey\", \"algorithm\": \"xxh64\"}} => \"5AFE4CF2315E12FE\"",
    "hex"},
   MT_OP_ROW ("$subtype", 1, 1, op_subtype, "the subtype of binary data",
              "{\"$subtype\": {\"$binary\": {\"base64\": \"aGV5\", \"subType\": \"04\"}}} => 4"),
   MT_OP_END,
};
