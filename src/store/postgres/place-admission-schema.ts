/** Admission as a database function: one round trip for a group of requests. */

/**
 * Decides a group of requests; `hashes` are 32 bytes each, concatenated. The rule itself is
 * `decideAdmission`, which checks every result; the statements here repeat it as a guard where they
 * charge. Two properties make this safe with many nodes:
 *
 * - Places are charged in one order, so two groups cannot deadlock.
 * - The usage read first may be outdated, but it only grows within a day. A request that does not
 *   fit it is refused; one that seems to fit is decided by the guard on the current row. A guard
 *   that refuses keeps the row locked, so its current usage can be read then.
 *
 * Usually each key can pay for all of its requests or for none, and one statement charges them all.
 * If a key can pay for some of them, the keys are charged one by one: all remaining requests of a
 * key together if they fit, otherwise one at a time, in order. The second of two keys in one place
 * is charged like this as well, because a statement can update a row only once. Numbers are
 * returned as floats, which the client decodes fastest.
 *
 * Test keys, and calls that need a scope the key does not have, cost nothing. A key that is limited
 * to networks is charged only if `checked` has these networks: the client has checked its address.
 */
export const placeAdmissionFunction = `
  CREATE FUNCTION private.admit(hashes bytea, costs integer[], needs integer[],
      checked text[], given bigint, shift_ms bigint)
    RETURNS TABLE ("position" integer, "at" float8, "keyId" float8, "accountId" float8,
      "plan" text, "allowance" float8, "scopes" integer, "networks" text, "expiresAt" float8,
      "isTest" boolean, "isOld" boolean, "privateVersion" float8, "usedBefore" float8,
      "isUnpaid" boolean, "isCharged" boolean)
    -- Planning anew for each small group would take longer than all the rest. Scanning a table of
    -- two hundred keys, which the planner prefers, takes longer than looking in its index.
    LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  #variable_conflict use_column
  DECLARE
    now_at constant bigint := published.instant(given, shift_ms);
    today constant integer := floor(now_at / 86400000.0);
    asked record;
    known bigint;
    known_key bigint;
    paid bigint := 0;
    bid bigint;
    total bigint;
  BEGIN
    "at" := now_at;
    FOR asked IN
      WITH request AS MATERIALIZED (
        SELECT s.*,
          sum(s.cost) OVER (PARTITION BY s.account_id, s.place, s.id ORDER BY s.n
            ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS rest
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
        SELECT id, account_id, place, used + sum(cost) <= allowance AS fits,
          used + min(cost) > allowance AS is_exhausted, sum(cost) AS cost
        FROM request WHERE cost > 0 AND plan = 'reseller'
        GROUP BY account_id, place, id, used, allowance
      ), payment AS (
        INSERT INTO private.usage AS u (account_id, place, day, used, last_at, key_id)
        SELECT DISTINCT ON (account_id, place) account_id, place, today, cost, now_at, id FROM bill
        WHERE fits AND (SELECT bool_and(fits OR is_exhausted) FROM bill)
        ORDER BY account_id, place
        ON CONFLICT (account_id, place, day) DO UPDATE
          SET used = u.used + excluded.used, last_at = now_at, key_id = excluded.key_id
        WHERE u.used + excluded.used
          <= (SELECT k.allowance FROM private.api_key k WHERE k.id = excluded.key_id)
        RETURNING u.key_id, u.used
      )
      SELECT r.*, p.used AS paid_up_to
      FROM request r LEFT JOIN payment p ON p.key_id = r.id
      ORDER BY r.account_id, r.place, r.id, r.n
    LOOP
      IF asked.id IS DISTINCT FROM known_key THEN
        known_key := asked.id;
        known := asked.used;
        IF asked.paid_up_to IS NOT NULL THEN
          paid := asked.rest;
          known := asked.paid_up_to - paid;
        END IF;
      END IF;
      IF asked.plan = 'reseller' AND asked.cost > 0 THEN
        WHILE paid = 0 AND known + asked.cost <= asked.allowance LOOP
          bid := CASE WHEN known + asked.rest <= asked.allowance
            THEN asked.rest ELSE asked.cost END;
          INSERT INTO private.usage AS u (account_id, place, day, used, last_at, key_id)
            VALUES (asked.account_id, asked.place, today, bid, now_at, asked.id)
            ON CONFLICT (account_id, place, day) DO UPDATE
              SET used = u.used + bid, last_at = now_at, key_id = asked.id
            WHERE u.used + bid <= asked.allowance
            RETURNING u.used INTO total;
          IF FOUND THEN
            paid := bid;
            known := total - bid;
          ELSE
            SELECT u.used INTO STRICT known FROM private.usage u
              WHERE u.account_id = asked.account_id AND u.place = asked.place AND u.day = today;
          END IF;
        END LOOP;
      END IF;
      "position" := asked.n - 1;
      "keyId" := asked.id;
      "accountId" := asked.account_id;
      "plan" := asked.plan;
      "allowance" := asked.allowance;
      "scopes" := asked.scopes;
      "networks" := asked.networks;
      "expiresAt" := asked.ends_at;
      "isTest" := asked.is_test;
      "isOld" := asked.is_old;
      "isUnpaid" := asked.is_unpaid;
      "privateVersion" := asked.private_version;
      "usedBefore" := known;
      "isCharged" := paid > 0 AND asked.cost > 0;
      IF "isCharged" THEN
        known := known + asked.cost;
        paid := paid - asked.cost;
      END IF;
      RETURN NEXT;
    END LOOP;
  END
  $$;
`;
