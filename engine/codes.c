/* The names of MongoDB's error codes: those of its error_codes.yml that pipelines can raise. */
#include "engine/codes.h"

#include <stdio.h>

static const struct {
   int32_t code;
   const char *name;
} names[] = {
   {1, "InternalError"},
   {2, "BadValue"},
   {5, "GraphContainsCycle"},
   {9, "FailedToParse"},
   {13, "Unauthorized"},
   {14, "TypeMismatch"},
   {15, "Overflow"},
   {16, "InvalidLength"},
   {17, "ProtocolError"},
   {20, "IllegalOperation"},
   {22, "InvalidBSON"},
   {26, "NamespaceNotFound"},
   {27, "IndexNotFound"},
   {28, "PathNotViable"},
   {40, "ConflictingUpdateOperators"},
   {43, "CursorNotFound"},
   {47, "NoMatchingDocument"},
   {48, "NamespaceExists"},
   {50, "MaxTimeMSExpired"},
   {52, "DollarPrefixedFieldName"},
   {53, "InvalidIdField"},
   {56, "EmptyFieldName"},
   {59, "CommandNotFound"},
   {66, "ImmutableField"},
   {67, "CannotCreateIndex"},
   {72, "InvalidOptions"},
   {73, "InvalidNamespace"},
   {96, "OperationFailed"},
   {112, "WriteConflict"},
   {115, "CommandNotSupported"},
   {121, "DocumentValidationFailure"},
   {125, "CommandFailed"},
   {139, "JSInterpreterFailure"},
   {146, "ExceededMemoryLimit"},
   {159, "DurationOverflow"},
   {161, "IncompatibleCollationVersion"},
   {165, "ViewDepthLimitExceeded"},
   {166, "CommandNotSupportedOnView"},
   {168, "InvalidPipelineOperator"},
   {175, "QueryPlanKilled"},
   {211, "KeyNotFound"},
   {224, "QueryFeatureNotAllowed"},
   {232, "MaxSubPipelineDepthExceeded"},
   {238, "NotImplemented"},
   {241, "ConversionFailure"},
   {251, "NoSuchTransaction"},
   {257, "TransactionTooLarge"},
   {263, "OperationNotSupportedInTransaction"},
   {291, "NoQueryExecutionPlans"},
   {292, "QueryExceededMemoryLimitNoDiskUseAllowed"},
   {10334, "BSONObjectTooLarge"},
   {11000, "DuplicateKey"},
   {11600, "InterruptedAtShutdown"},
   {11601, "Interrupted"},
   {13113, "MergeStageNoMatchingDocument"},
   {31082, "SearchNotEnabled"},
   {40414, "IDLFailedToParse"},
   {40415, "IDLUnknownField"},
};

const char *mt_code_name (int32_t code, char *buffer, size_t size)
{
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (names[i].code == code)
         return names[i].name;
   snprintf (buffer, size, "Location%d", (int) code);
   return buffer;
}
