-- also: mongo postgres
-- Recursive queries whose step reads their rows through WITH queries of its own.
with recursive x(n) as (values (1) union all (with y as (select n from x) select a.n + b.n from y a, y b where a.n < 10)) select * from x;
with recursive x(n) as (values (1) union all (with y as (select n from x where n < 5) select n + 1 from y union all select n + 10 from y)) select * from x order by 1;
with recursive x(n) as (values (1) union (with y as (select n from x where n < 5) select n + 1 from y where n in (select n from y))) select * from x order by 1;
with recursive x(n) as (values (1) union all (with y as (select n from x), z as (select n from y) select a.n + b.n from z a, y b where a.n < 10)) select * from x;
with recursive x(n) as (values (1) union all (with y as materialized (select n+1 as n from x) select a.n from y a join y b using (n) where a.n < 10)) select * from x;
with recursive x(n) as (values (1) union all (with y as not materialized (select n+1 as n from x) select a.n from y a join y b using (n) where a.n < 10)) select * from x;
with recursive x(n) as (values (1) union all select a.n + b.n from x a, x b where a.n < 10) select * from x;
with recursive x(n) as (values (1) union all (with y as (select n from x) select a.n + x.n from y a, x where a.n < 10)) select * from x;
-- Sub-selects of such rows have other values in each step.
with recursive x(n) as (values (1) union (with y as (select n from x where n < 5) select 1 + (select max(n) from y))) select * from x order by 1;
with recursive x(n) as (values (1) union (with y as (select n from x where n < 5) select n+1 from (values (1),(2)) v(n) where n in (select n from y))) select * from x order by 1;
with recursive x(n) as (values (1) union (with y as (select n from x where n < 5) select v.n+1 from (values (1),(2)) v(n) where exists (select from y where y.n=v.n))) select * from x order by 1;
with recursive x(n) as (values (1) union (with y as (select n from x where n < 5) select v.n+1 from (values (1),(2)) v(n) where exists (select from y))) select * from x order by 1;
with recursive x(n) as (values (1) union (with y as (select n from x where n < 5) select v.n+1 from (values (1),(2)) v(n) where array(select n from y) @> array[v.n])) select * from x order by 1;
with recursive x(n) as (values (1) union (with y as (select n from x where n < 5), z as (select max(n) as m from y) select m + 1 from z)) select * from x order by 1;
with recursive x(n) as (values (1) union (with y as (select n from x where n < 5) select coalesce(n, 0) + count(*)::int from y group by rollup(n))) select * from x order by 1;
with recursive x(n) as (values (1) union (with y as (select n from x where n < 5) select coalesce(n, 0) + count(*)::int from y group by grouping sets ((n), (), (), (n), (), (), (), (n), (), (), (), (), (), (), (), (), (), (), (n)))) select * from x order by 1;
with recursive x(n) as (values (1),(2) union (with y as (select n from x where n < 5) select l.m + 1 from y, lateral (select sum(z.n)::int as m from y z where z.n >= y.n) l)) select * from x order by 1;
with recursive x(n) as (values (1),(2) union (with y as (select n from x where n < 5) (select n + 1 from y except select n from y where n > 2) )) select * from x order by 1;
with recursive x(n) as (values (1),(2) union all (with y as (select n from x where n < 5) select n + 1 from y where n = (select min(n) from y where n in (select n from y)))) select * from x order by 1;
with recursive x(n) as (values (1),(2) union all (with y as (select n from x where n < 5) select y.n + row_number() over (order by z.n)::int from y left join y z on z.n = y.n + 1)) select * from x order by 1 limit 10;
with recursive x(n) as (values (1),(2) union all (with y as (select n from x where n < 5) select distinct on (z.n) y.n + 1 from y full join y z on z.n = y.n + 1 order by z.n, y.n)) select * from x order by 1 limit 10;
with recursive x(n) as (values (1) union all (with recursive y as (select n from x where n < 3 union all select n + 1 from y where n < 3) select a.n + b.n from y a join y b on a.n = b.n)) select * from x order by 1 limit 20;
with recursive x(n) as (values (1) union all (with y as (select n from x), z as (select a.n from y a join y b using (n)), w as (select a.n from z a join z b using (n)), v as (select a.n from w a join w b using (n)) select n + 1 from v where n < 5)) select * from x;
with recursive x(n) as (values (1) union all (with y as (select n from x) select case when (select count(*) from y) > 0 then n + 1 end from y where n < (select max(n) + 1 from y) and n < 5)) select * from x;
with recursive x(n) as (values (1) union all (with y as (select n from x) select n + 1 from (select n from y order by (select max(n) from y)) s where n < 5)) select * from x;
with recursive x(n) as (values (1) union all (with y as (select n from x) select u + 1 from y, unnest(array(select n from y)) u where u < 5)) select * from x;
with recursive x(n) as (values (1) union all (with y as (select n from x) select sum(n)::int + 1 from y having sum(n) < 5 and (select count(*) from y) = 1)) select * from x order by 1;
