/** The schema on PostgreSQL: the tables of both engines, and what only PostgreSQL has. */
import { accountsSchema } from '../sql/accounts-schema.ts';
import { marketSchema } from '../sql/market-schema.ts';
import { admissionFunction } from './place-admission-schema.ts';

const schemas = `
  -- What is published, and which items there are. The API reads no other schema of the market.
  CREATE SCHEMA published;
  -- Licensed source rows, and what is computed from them before it is published.
  CREATE SCHEMA source;
  CREATE SCHEMA private;

  -- The schema versions that the database has been migrated to.
  CREATE TABLE published.migration (
    version integer PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
  );
  -- The clock that all nodes use, in milliseconds: shifted by BRICKMARK_NOW, or given by tests.
  CREATE FUNCTION published.instant(given bigint, shift_ms bigint)
    RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(given, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + shift_ms)
  $$;
`;

const storage = `
  -- SQLite has this order as the primary key.
  CREATE INDEX sale_item ON source.sale (item_id, sold_at);
  -- Free space on each page lets rows that are written often be updated in place.
  ALTER TABLE private.usage SET (fillfactor = 50);
  ALTER TABLE private.heartbeat SET (fillfactor = 50);
  ALTER TABLE private.channel SET (fillfactor = 70);
  ALTER TABLE private.delivery SET (fillfactor = 80);
  -- Pictures and chunks are already compressed.
  ALTER TABLE private.photo_picture ALTER COLUMN content SET STORAGE EXTERNAL,
    ALTER COLUMN thumb SET STORAGE EXTERNAL;
  ALTER TABLE published.bulk_chunk ALTER COLUMN body SET STORAGE EXTERNAL;
`;

const auditTriggers = `
  CREATE FUNCTION private.keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      IF NEW.network IS NULL
        AND (NEW.id, NEW.at, NEW.actor, NEW.actor_id, NEW.action, NEW.account_id, NEW.detail)
          IS NOT DISTINCT FROM
          (OLD.id, OLD.at, OLD.actor, OLD.actor_id, OLD.action, OLD.account_id, OLD.detail)
      THEN
        RETURN NEW;
      END IF;
    END IF;
    RAISE EXCEPTION 'The audit log is append-only.';
  END $$;
  CREATE TRIGGER audit_change BEFORE UPDATE OR DELETE ON private.audit
    FOR EACH ROW EXECUTE FUNCTION private.keep_audit();
  CREATE TRIGGER audit_truncate BEFORE TRUNCATE ON private.audit
    FOR EACH STATEMENT EXECUTE FUNCTION private.keep_audit();
`;

export const schema = [
  schemas,
  marketSchema,
  accountsSchema,
  storage,
  auditTriggers,
  admissionFunction,
].join('\n');
