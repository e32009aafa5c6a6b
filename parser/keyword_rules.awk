# From keywords.def the grammar's rules that say where each keyword may be a name: one for each token, in the class of its row.
BEGIN { FS = "[(,) ]+" }
/^KEYWORD/ && $3 != "ID" && !seen[$3]++ { print tolower($4) "_" tolower($5) "(A) ::= " $3 "(A)." }
