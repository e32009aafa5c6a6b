-- also: postgres
-- Variances of doubles to the last digit, and beyond their range: in process (a server's own differ in the last digit).
SELECT var_pop(x), var_samp(x), stddev(x), stddev_pop(x) FROM (VALUES (1.50::float8),(2.25),(4)) t(x);
SELECT var_pop(x), stddev_samp(x) FROM (VALUES (1e300::float8),(-1e300)) t(x);
SELECT var_pop(x), var_samp(x), stddev_pop(x), stddev_samp(x) FROM (VALUES (0.1::real), (0.2), (0.4)) t(x);
SELECT var_pop(x), corr(x, y), regr_slope(x, y), covar_pop(x, y) FROM (VALUES (0.1::float8, 3), (0.2, 5), (0.4, 'NaN')) t(x, y);
SELECT var_pop(x), corr(x, x) FROM (VALUES ('Infinity'::float8), (1), (2)) t(x);
SELECT x > 1 AS g, var_pop(x), corr(x, x * x), regr_intercept(x, x * x) FROM (VALUES (0.1::float8), (0.2), (0.4), (1.25), (1.75), (3.1)) t(x) GROUP BY 1 ORDER BY 1;
