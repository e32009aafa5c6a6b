CREATE TABLE calls (
   ts           timestamptz      TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL,
   iResult      text             DIMENSION NOT NULL,
   vCmdid       text             DIMENSION NOT NULL,
   vAppid       text             DIMENSION NOT NULL,
   totalCount   bigint           MEASURE NOT NULL,
   dProcessTime double precision MEASURE NOT NULL
) USING rows;
ALTER TABLE calls ADD LAYOUT by_day USING per_day;
ALTER TABLE calls ADD LAYOUT by_app USING nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts');
ALTER TABLE calls ADD LAYOUT by_time USING nested WITH (levels = 'ts, vCmdid, iResult, vAppid', presum = 'ts, vCmdid');
ALTER TABLE calls ADD LAYOUT no_raw USING nested WITH (levels = 'ts, vAppid, iResult, vCmdid', raw_values = false);
