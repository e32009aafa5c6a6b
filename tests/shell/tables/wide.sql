SELECT i AS number, repeat('abcdefghi ', i * 3) AS "words of different lengths", repeat('東', i * 7) AS "wide characters",
  E'first line of some length\nsecond' AS several FROM generate_series(1, 5) AS i
