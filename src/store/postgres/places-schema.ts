/** The migration that gives keys their places: usage is counted by place and day. */
import { placeAdmissionFunction } from './place-admission-schema.ts';

/**
 * Keys that there are already get a place each: those that are active or ended last the five, so
 * that what they spent today goes on counting; others keep a counter of their own, which nobody
 * spends from any more. Nodes of the version before go on beside it: keys that they make are all in
 * place 0, and share its counter.
 */
export const placesSchema = `
  ALTER TABLE private.api_key ADD COLUMN place integer NOT NULL DEFAULT 0;
  -- What others had spent in the place on the day on which the key was made, before it was.
  ALTER TABLE private.api_key ADD COLUMN used_before bigint NOT NULL DEFAULT 0;
  -- When a key was last used that has lost its place, or on days that are no longer kept.
  ALTER TABLE private.api_key ADD COLUMN last_used_at bigint;
  UPDATE private.api_key k SET place = placed.place FROM (
    SELECT id, row_number() OVER (PARTITION BY account_id
      ORDER BY least(revoked_at, expires_at) DESC NULLS FIRST, id) AS place
    FROM private.api_key) AS placed WHERE placed.id = k.id;
  ALTER TABLE private.usage ADD COLUMN account_id bigint
    REFERENCES private.account ON DELETE CASCADE;
  ALTER TABLE private.usage ADD COLUMN place integer;
  UPDATE private.usage u SET account_id = k.account_id, place = k.place
    FROM private.api_key k WHERE k.id = u.key_id;
  -- The key is whichever spent last; it may be gone.
  ALTER TABLE private.usage DROP CONSTRAINT usage_key_id_fkey;
  ALTER TABLE private.usage DROP CONSTRAINT usage_pkey;
  ALTER TABLE private.usage ADD PRIMARY KEY (account_id, place, day);
  -- Days that are old are found by it, and added up in the account.
  CREATE INDEX usage_day ON private.usage (day);
  ALTER TABLE private.account ADD COLUMN calls_earlier bigint NOT NULL DEFAULT 0;
  -- Links that have ended are found by it.
  CREATE INDEX reset_link_expiry ON private.reset_link (expires_at);
${placeAdmissionFunction}`;
