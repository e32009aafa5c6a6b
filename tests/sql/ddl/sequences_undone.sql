-- also: postgres
-- A DROP that is undone brings the old sequence back, with its own values.
create sequence s maxvalue 10;
select nextval('s');
begin; drop sequence s; create sequence s start 100; select nextval('s'); rollback;
select nextval('s');
begin; select nextval('s'), nextval('s'); rollback;
select nextval('s');
begin; create sequence n; select nextval('n'); rollback;
select nextval('s');
begin; drop sequence s; create sequence s start 100; select nextval('s'); commit;
select nextval('s');
