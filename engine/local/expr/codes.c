/* MongoDB's error codes that depend on the operator, as tables. */
#include "engine/local/expr/codes.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The error codes of operators with named arguments. `missing` lists the codes for missing
 * arguments by name; "*" is any other name. */
static const struct {
   const char *op;
   int32_t not_object, unknown;
   const char *missing;
} named[] = {
   {"$cond", 17080, 17083, "if 17080 then 17081 else 17082"},
   {"$switch", 40060, 40067, "branches 40068"},
   {"a branch of $switch", 40062, 40063, "case 40064 then 40065"},
   {"$let", 16874, 16875, "vars 16876 in 16877"},
   {"$map", 16878, 16879, "input 16880 in 16882"},
   {"$filter", 28646, 28647, "input 28648 cond 28650"},
   {"$reduce", 40075, 40076, "input 40077 initialValue 40078 in 40079"},
   {"$getField", 3041700, 3041701, "field 3041702 input 3041703"},
   {"$setField", 4161100, 4161101, "field 4161102 value 4161103 input 4161109"},
   {"$unsetField", 4161100, 4161101, "field 4161102 input 4161109"},
   {"$sortArray", 2942500, 2942501, "input 2942502 sortBy 2942503"},
   {"$zip", 34460, 34464, "inputs 34465"},
   {"$dateToString", 18629, 18534, "date 18628"},
   {"$dateFromString", 40540, 40541, "dateString 40542"},
   {"$dateFromParts", 40519, 40518, ""},
   {"$dateToParts", 40524, 40520, "date 40522"},
   {"$dateDiff", 5166301, 5166302, "startDate 5166303 endDate 5166304 unit 5166305"},
   {"$dateAdd", 5166400, 5166401, "* 5166402"},
   {"$dateSubtract", 5166400, 5166401, "* 5166402"},
   {"$dateTrunc", 5439007, 5439008, "date 5439009 unit 5439010"},
   {"$year", 40536, 40535, "date 40539"},
   {"$month", 40536, 40535, "date 40539"},
   {"$week", 40536, 40535, "date 40539"},
   {"$dayOfMonth", 40536, 40535, "date 40539"},
   {"$dayOfWeek", 40536, 40535, "date 40539"},
   {"$dayOfYear", 40536, 40535, "date 40539"},
   {"$hour", 40536, 40535, "date 40539"},
   {"$minute", 40536, 40535, "date 40539"},
   {"$second", 40536, 40535, "date 40539"},
   {"$millisecond", 40536, 40535, "date 40539"},
   {"$isoWeek", 40536, 40535, "date 40539"},
   {"$isoWeekYear", 40536, 40535, "date 40539"},
   {"$isoDayOfWeek", 40536, 40535, "date 40539"},
   {"$trim", 50696, 50694, "input 50695"},
   {"$ltrim", 50696, 50694, "input 50695"},
   {"$rtrim", 50696, 50694, "input 50695"},
   {"$replaceOne", 51751, 51750, "input 51749 find 51748 replacement 51747"},
   {"$replaceAll", 51751, 51750, "input 51749 find 51748 replacement 51747"},
   {"$regexMatch", 51103, 31024, "input 31022 regex 31023"},
   {"$regexFind", 51103, 31024, "input 31022 regex 31023"},
   {"$regexFindAll", 51103, 31024, "input 31022 regex 31023"},
   {"$firstN", 5787900, 5787901, "n 5787906 input 5787907"},
   {"$lastN", 5787900, 5787901, "n 5787906 input 5787907"},
   {"$minN", 5787900, 5787901, "n 5787906 input 5787907"},
   {"$maxN", 5787900, 5787901, "n 5787906 input 5787907"},
   {"$percentile", 7429703, 40415, "* 40414"},
   {"$median", 7436100, 40415, "* 40414"},
};

/* The error codes of operators that require arguments of a type: for the first and the second
 * argument. */
static const struct {
   const char *op;
   int32_t first, second;
} types[] = {
   {"$multiply", MT_CODE_TYPE_MISMATCH, MT_CODE_TYPE_MISMATCH},
   {"$round", 51081, 51082},
   {"$trunc", 51081, 51082},
   {"$atan2", 51044, 51045},
   {"$log", 28756, 28757},
   {"$pow", 28762, 28763},
   {"$map", 16883, 0},
   {"$filter", 28651, 0},
   {"$reduce", 40080, 0},
   {"$setUnion", 17043, 17043},
   {"$setIntersection", 17047, 17047},
   {"$setEquals", 17044, 17044},
   {"$allElementsTrue", 17040, 0},
   {"$anyElementTrue", 17041, 0},
   {"$first", 28689, 0},
   {"$last", 28689, 0},
   {"$indexOfBytes", 40091, 40092},
   {"$indexOfCP", 40093, 40094},
};

static const struct {
   const char *op;
   int32_t code;
} ranges[] = {{"$ln", 28766}, {"$log10", 28761}, {"$sqrt", 28714}};

#define ANY_FUNCTION_OF_ONE_NUMBER 28765
#define ANY_TRIGONOMETRIC_FUNCTION 50989

int32_t mt_code_if (const MtCodeIf *list, int n)
{
   for (int i = 0; i < n; i++)
      if (list[i].holds)
         return list[i].code;
   return 0;
}

int32_t mt_code_not_object (const char *op)
{
   for (size_t i = 0; i < sizeof named / sizeof *named; i++)
      if (strcmp (named[i].op, op) == 0)
         return named[i].not_object;
   return MT_CODE_FAILED_TO_PARSE;
}

int32_t mt_code_unknown (const char *op)
{
   for (size_t i = 0; i < sizeof named / sizeof *named; i++)
      if (strcmp (named[i].op, op) == 0)
         return named[i].unknown;
   return MT_CODE_FAILED_TO_PARSE;
}

static int32_t code_in (const char *list, const char *name)
{
   for (const char *word = list; *word;) {
      size_t n = strcspn (word, " ");
      char *end;
      long code = strtol (word + n, &end, 10);
      if ((n == 1 && *word == '*') || (strlen (name) == n && strncmp (word, name, n) == 0))
         return (int32_t) code;
      word = end + strspn (end, " ");
   }
   return MT_CODE_FAILED_TO_PARSE;
}

int32_t mt_code_missing (const char *op, const char *name)
{
   for (size_t i = 0; i < sizeof named / sizeof *named; i++)
      if (strcmp (named[i].op, op) == 0)
         return code_in (named[i].missing, name);
   return MT_CODE_FAILED_TO_PARSE;
}

int32_t mt_code_type (const char *op, int i)
{
   for (size_t k = 0; k < sizeof types / sizeof *types; k++)
      if (strcmp (types[k].op, op) == 0)
         return i ? types[k].second : types[k].first;
   return ANY_FUNCTION_OF_ONE_NUMBER;
}

int32_t mt_code_range (const char *op)
{
   for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
      if (strcmp (ranges[i].op, op) == 0)
         return ranges[i].code;
   return ANY_TRIGONOMETRIC_FUNCTION;
}
