-- also: postgres
-- All of PostgreSQL's default abbreviations, in winter, in summer, and when Moscow had another time.
SET TimeZone = 'UTC';
SELECT z, timestamp '2024-01-15 12:00' AT TIME ZONE z AS winter, timestamp '2024-07-15 12:00' AT TIME ZONE z AS summer,
       timestamp '2005-07-15 12:00' AT TIME ZONE z AS before, timestamptz '2012-07-15 12:00+00' AT TIME ZONE z AS back
  FROM (VALUES
('ACDT'), ('ACSST'), ('ACST'), ('ACT'), ('ACWST'), ('ADT'), ('AEDT'), ('AESST'), ('AEST'),
('AFT'), ('AKDT'), ('AKST'), ('ALMST'), ('ALMT'), ('AMST'), ('AMT'), ('ANAST'), ('ANAT'),
('ARST'), ('ART'), ('AST'), ('AWSST'), ('AWST'), ('AZOST'), ('AZOT'), ('AZST'), ('AZT'),
('BDST'), ('BDT'), ('BNT'), ('BORT'), ('BOT'), ('BRA'), ('BRST'), ('BRT'), ('BST'), ('BTT'),
('CADT'), ('CAST'), ('CCT'), ('CDT'), ('CEST'), ('CET'), ('CETDST'), ('CHADT'), ('CHAST'),
('CHUT'), ('CKT'), ('CLST'), ('CLT'), ('COT'), ('CST'), ('CXT'), ('DAVT'), ('DDUT'), ('EASST'),
('EAST'), ('EAT'), ('EDT'), ('EEST'), ('EET'), ('EETDST'), ('EGST'), ('EGT'), ('EST'), ('FET'),
('FJST'), ('FJT'), ('FKST'), ('FKT'), ('FNST'), ('FNT'), ('GALT'), ('GAMT'), ('GEST'), ('GET'),
('GFT'), ('GILT'), ('GMT'), ('GYT'), ('HKT'), ('HST'), ('ICT'), ('IDT'), ('IOT'), ('IRKST'),
('IRKT'), ('IRT'), ('IST'), ('JAYT'), ('JST'), ('KDT'), ('KGST'), ('KGT'), ('KOST'), ('KRAST'),
('KRAT'), ('KST'), ('LHDT'), ('LHST'), ('LIGT'), ('LINT'), ('LKT'), ('MAGST'), ('MAGT'),
('MART'), ('MAWT'), ('MDT'), ('MEST'), ('MESZ'), ('MET'), ('METDST'), ('MEZ'), ('MHT'), ('MMT'),
('MPT'), ('MSD'), ('MSK'), ('MST'), ('MUST'), ('MUT'), ('MVT'), ('MYT'), ('NDT'), ('NFT'),
('NOVST'), ('NOVT'), ('NPT'), ('NST'), ('NUT'), ('NZDT'), ('NZST'), ('NZT'), ('OMSST'),
('OMST'), ('PDT'), ('PET'), ('PETST'), ('PETT'), ('PGT'), ('PHT'), ('PKST'), ('PKT'), ('PMDT'),
('PMST'), ('PONT'), ('PST'), ('PWT'), ('PYST'), ('PYT'), ('RET'), ('SADT'), ('SAST'), ('SCT'),
('SGT'), ('TAHT'), ('TFT'), ('TJT'), ('TKT'), ('TMT'), ('TOT'), ('TRUT'), ('TVT'), ('UCT'),
('ULAST'), ('ULAT'), ('UT'), ('UTC'), ('UYST'), ('UYT'), ('UZST'), ('UZT'), ('VET'), ('VLAST'),
('VLAT'), ('VOLT'), ('VUT'), ('WADT'), ('WAKT'), ('WAST'), ('WAT'), ('WDT'), ('WET'),
('WETDST'), ('WFT'), ('WGST'), ('WGT'), ('XJT'), ('YAKST'), ('YAKT'), ('YAPT'), ('YEKST'),
('YEKT'), ('Z'), ('ZULU')) v (z) ORDER BY z;
SELECT '2024-07-01 00:00 VET'::timestamptz, '2024-07-01 00:00 MSK'::timestamptz, timestamptz '2012-01-01 00:00 MSK', '2005-07-01 00:00 msk'::timestamptz;
