/* Declares the functions of the parser that lemon generates from the grammar (%name MtGrammar). */
#ifndef MT_GRAMMAR_INT_H
#define MT_GRAMMAR_INT_H

#include "parser/build_int.h"
#include "parser/grammar.h"

void *MtGrammarAlloc (void *(*alloc) (size_t) );
void MtGrammarFree (void *grammar, void (*release) (void *));
void MtGrammar (void *grammar, int code, MtToken token, MtParser *p);
void MtGrammarInit (void *grammar);
void MtGrammarFinalize (void *grammar);
int MtGrammarFallback (int code);
/* Returns the number of entries on the parser's stack. The caller limits it to
 * MT_MAX_PARSER_STACK. */
size_t mt_grammar_depth (const void *grammar);

#endif
