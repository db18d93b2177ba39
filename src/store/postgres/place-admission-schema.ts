/** Admission as a database function: one round trip for a group of requests. */

/**
 * Charges a group of requests; `hashes` are 32 bytes each, concatenated. The rule is
 * `decideAdmission`, by which the caller decides each request, with the usage that is returned; the
 * statement here only says who pays, and never charges more than an allowance. For each key it
 * charges the first requests that fit, all together or, if another node was faster, none of them:
 * the caller asks again for what fits and was not charged. Places are charged in one order, so two
 * groups cannot deadlock. Of two keys in one place, one is charged. Numbers are returned as floats,
 * which the client decodes fastest.
 *
 * Test keys, and calls that need a scope the key does not have, cost nothing. A key that is limited
 * to networks is charged only if `checked` has these networks: the client has checked its address.
 */
export const admissionFunction = `
  CREATE FUNCTION private.admit(hashes bytea, costs integer[], needs integer[],
      checked text[], given bigint, shift_ms bigint)
    RETURNS TABLE ("position" integer, "at" float8, "keyId" float8, "accountId" float8,
      "plan" text, "allowance" float8, "scopes" integer, "networks" text, "expiresAt" float8,
      "isTest" boolean, "isOld" boolean, "privateVersion" float8, "usedBefore" float8,
      "isCharged" boolean)
    -- Planning anew for each small group would take longer than all the rest. Scanning a table of
    -- two hundred keys, which the planner prefers, takes longer than looking in its index.
    LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  #variable_conflict use_column
  DECLARE
    now_at constant bigint := published.instant(given, shift_ms);
    today constant integer := floor(now_at / 86400000.0);
  BEGIN
    RETURN QUERY
      WITH request AS MATERIALIZED (
        SELECT s.*, sum(s.cost) OVER (PARTITION BY s.id ORDER BY s.n) AS total
        FROM (
          SELECT r.n, k.*,
            CASE WHEN r.needed & ~k.scopes <> 0 OR k.is_test OR k.is_unpaid THEN 0 ELSE r.price END
              AS cost
          FROM unnest(costs, needs, checked) WITH ORDINALITY AS r (price, needed, found_in, n)
          -- The limit keeps the planner from reading whole tables while it knows little of them.
          LEFT JOIN LATERAL (
            SELECT k.id, k.account_id, k.place, k.allowance, k.scopes, k.networks, k.ends_at,
              k.is_test, k.is_old, (k.networks <> coalesce(r.found_in, '')) IS TRUE AS is_unpaid,
              a.plan, a.private_version,
              coalesce((SELECT u.used FROM private.usage u
                WHERE u.account_id = k.account_id AND u.place = k.place AND u.day = today), 0)
                AS used
            -- The second part, earlier secrets of rolled keys, runs only if the first finds none.
            FROM (
              SELECT s.*, s.expires_at AS ends_at, false AS is_old FROM private.api_key s
              WHERE s.hash = substring(hashes FROM r.n::integer * 32 - 31 FOR 32)
              UNION ALL
              SELECT s.*, least(s.expires_at, s.old_until), true FROM private.api_key s
              WHERE s.old_hash = substring(hashes FROM r.n::integer * 32 - 31 FOR 32)
            ) k JOIN private.account a ON a.id = k.account_id
            WHERE k.revoked_at IS NULL AND (k.ends_at IS NULL OR k.ends_at > now_at)
            LIMIT 1
          ) k ON true
        ) s
      ), bill AS MATERIALIZED (
        SELECT id, account_id, place, sum(cost) AS cost FROM request
        WHERE cost > 0 AND plan = 'reseller' AND used + total <= allowance
        GROUP BY account_id, place, id
      ), payment AS (
        INSERT INTO private.usage AS u (account_id, place, day, used, last_at, key_id)
        SELECT DISTINCT ON (account_id, place) account_id, place, today, cost, now_at, id FROM bill
        ORDER BY account_id, place
        ON CONFLICT (account_id, place, day) DO UPDATE
          SET used = u.used + excluded.used, last_at = now_at, key_id = excluded.key_id
        WHERE u.used + excluded.used
          <= (SELECT k.allowance FROM private.api_key k WHERE k.id = excluded.key_id)
        RETURNING u.key_id, u.used
      )
      SELECT r.n::integer - 1, now_at::float8, r.id::float8, r.account_id::float8, r.plan,
        r.allowance::float8, r.scopes, r.networks, r.ends_at::float8, r.is_test, r.is_old,
        r.private_version::float8,
        coalesce(p.used - b.cost + least(r.total - r.cost, b.cost), r.used)::float8,
        p.used IS NOT NULL AND r.cost > 0 AND r.used + r.total <= r.allowance
      FROM request r LEFT JOIN bill b ON b.id = r.id LEFT JOIN payment p ON p.key_id = r.id
      ORDER BY r.n;
  END
  $$;
`;
