-- Texts that are no SQL/JSON path.
SELECT jsonb_path_query('1', '$.**{2147483648}');
SELECT jsonb_path_query('1', '"\uD83D"');
SELECT jsonb_path_query('1', '"\x00"');
SELECT jsonb_path_query('1', '"\u{110000}"');
SELECT jsonb_path_query('1', '$."a');
SELECT jsonb_path_query('1', '$ /* open');
SELECT jsonb_path_query('1', '1e+');
SELECT jsonb_path_query('1', '1.type()');
SELECT jsonb_path_query('1', '00');
SELECT jsonb_path_query('1', '@ + 1');
SELECT jsonb_path_query('1', '$[0] + last');
SELECT jsonb_path_query('1', '($ > 1) + 1');
SELECT jsonb_path_query('1', '$ ? (exists(@ > 1))');
SELECT jsonb_path_query('1', '$ ? (@ like_regex "(" )');
SELECT jsonb_path_query('1', '$ ? (@ like_regex "a" flag "xa")');
SELECT jsonb_path_query('1', '$ ? (@ like_regex "a" flag "x")');
