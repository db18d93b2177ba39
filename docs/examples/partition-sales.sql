-- Splits the sales of a Brickmark database into a partition per month of the sale. Run it as the
-- owner of the database; imports and publishing wait until it is done, servers keep answering:
--
--   psql -v ON_ERROR_STOP=1 --file=partition-sales.sql "$BRICKMARK_DATABASE_URL"
--
-- Run it again once a year: it adds the months of the next two years. A sale of a month without a
-- partition is stored in sale_other.
BEGIN;

-- The lock of imports and of publishing.
SELECT pg_advisory_xact_lock(4270002);

CREATE OR REPLACE FUNCTION pg_temp.month_start(month date) RETURNS bigint LANGUAGE sql
  RETURN (extract(epoch FROM month::timestamp) * 1000)::bigint;

CREATE OR REPLACE FUNCTION pg_temp.add_month(month date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text := 'sale_' || to_char(month, 'YYYY_MM');
  since bigint := pg_temp.month_start(month);
  until bigint := pg_temp.month_start((month + interval '1 month')::date);
BEGIN
  IF to_regclass('source.' || name) IS NOT NULL THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE TABLE source.%I (LIKE source.sale)', name);
  EXECUTE format(
    'WITH moved AS (DELETE FROM source.sale_other WHERE sold_at >= %s AND sold_at < %s RETURNING *)
     INSERT INTO source.%I SELECT * FROM moved', since, until, name);
  EXECUTE format(
    'ALTER TABLE source.sale ATTACH PARTITION source.%I FOR VALUES FROM (%s) TO (%s)',
    name, since, until);
END $$;

CREATE OR REPLACE FUNCTION pg_temp.add_months(first date, last date) RETURNS void LANGUAGE sql AS $$
  SELECT pg_temp.add_month(month::date) FROM generate_series(first, last, interval '1 month') month;
$$;

CREATE OR REPLACE FUNCTION pg_temp.partition_sales() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first bigint;
BEGIN
  IF (SELECT relkind FROM pg_class WHERE oid = 'source.sale'::regclass) = 'p' THEN
    RETURN;
  END IF;
  ALTER TABLE source.sale RENAME TO sale_before;
  DROP INDEX source.sale_item, source.sale_foreign;
  ALTER TABLE source.sale_before DROP CONSTRAINT sale_pkey;
  CREATE TABLE source.sale (LIKE source.sale_before) PARTITION BY RANGE (sold_at);
  CREATE TABLE source.sale_other PARTITION OF source.sale DEFAULT;
  SELECT coalesce(min(sold_at), extract(epoch FROM now()) * 1000) INTO first
    FROM source.sale_before;
  PERFORM pg_temp.add_months(
    date_trunc('month', to_timestamp(first / 1000.0) AT TIME ZONE 'UTC')::date,
    date_trunc('month', now() AT TIME ZONE 'UTC')::date
  );
  INSERT INTO source.sale SELECT * FROM source.sale_before ORDER BY sold_at;
  DROP TABLE source.sale_before;
  -- A key of a partitioned table must contain the month. That no two sales have the same source
  -- and source_id is then up to imports, which look each sale up first, one import at a time.
  ALTER TABLE source.sale ADD PRIMARY KEY (source, source_id, sold_at);
  CREATE INDEX sale_item ON source.sale (item_id);
  CREATE INDEX sale_foreign ON source.sale (currency, sold_at, retracted_at)
    WHERE currency <> 'USD';
END $$;

SELECT pg_temp.partition_sales();
SELECT pg_temp.add_months(
  date_trunc('month', now() AT TIME ZONE 'UTC')::date,
  date_trunc('month', now() AT TIME ZONE 'UTC' + interval '2 years')::date
);
COMMIT;

ANALYZE source.sale;
