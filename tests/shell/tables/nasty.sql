SELECT * FROM (VALUES
  (1, E'a\tb', E'line one\nline two'), (2, E'\x1b[31mred\x7f', E'\r\n'), (3, '東京', '한국'), (4, E'e\u0301a', 'ｶﾞ'),
  (5, E'\u0085', E'trailing\n'), (6, '|pipe| "quote" \back', '<b>&amp;</b>'), (7, E'\n\nx', E'x\ny\nz'), (8, 'नमस्ते', 'ไทย'),
  (9, NULL, ''), (10, '\.', 'a,b'), (11, ' lead', 'trail '), (12, E'#$%&_{}~^', E'tab\tin\tthe\tmiddle'),
  (13, '🇯🇵', '👍🏽'), (14, E'\u00ad', '①')) AS t (n, "first column", second)
