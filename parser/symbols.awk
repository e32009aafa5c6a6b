# From the rules of the generated parser: the code of each nonterminal, as NT_name.
/^static const YYCODETYPE yyRuleInfoLhs/ { on = 1 }
/^};/ { on = 0 }
on && $5 == "::=" && !seen[$4]++ { print "#define NT_" $4, int ($1) }
