/** What was learned across all items: reading and replacing it. */
import type { StoredParameters } from '../../domain/market/estimator.ts';
import type { MarketPublishing, ParameterState } from '../../domain/market/market-store.ts';
import { goesOn, type ParameterVersion } from '../parameters.ts';
import type { Connection } from './client.ts';
import { jsonRows } from './json-rows.ts';
import { readMeta, saveMeta } from './meta.ts';
import type { Writing } from './writing.ts';

/** Reads and replaces parameters. */
export function parameterPublishing(
  client: Connection,
  write: Writing,
): Pick<
  MarketPublishing,
  'findParameters' | 'findParameterVersions' | 'saveParameters' | 'freezeParameters'
> {
  return {
    findParameters: async () => {
      const { found, ...state } = await findState<StoredParameters>(client, 'p.body');
      const parameters = found.map(({ month, version, body }) => ({ month, version, body }));
      return { parameters, ...state };
    },
    findParameterVersions: async () => {
      const { found, ...state } = await findState<ParameterVersion>(client, 'NULL');
      return { versions: found.map(({ month, version }) => ({ month, version })), ...state };
    },
    saveParameters: (parameters, change) => write((tx) => saveParameters(tx, parameters, change)),
    freezeParameters: (parameters) => write((tx) => addParameters(tx, parameters)),
  };
}

type Changes = Pick<ParameterState, 'changedFrom' | 'change'>;

/** Parameters and their changes by one statement: on one snapshot. */
async function findState<T extends ParameterVersion>(
  client: Connection,
  body: 'p.body' | 'NULL',
): Promise<Changes & { readonly found: readonly T[] }> {
  const rows = await client.query<(T | Record<keyof T, null>) & Changes>(
    `SELECT p.month, p.version, ${body} AS body, c."changedFrom", coalesce(c.change, 0) AS change
     FROM (SELECT max(value) FILTER (WHERE name = 'parameters_changed_from') AS "changedFrom",
         max(value) FILTER (WHERE name = 'parameters_change') AS change
       FROM published.meta) c
     LEFT JOIN source.parameters p ON true ORDER BY p.month`,
  );
  const { changedFrom = null, change = 0 } = rows[0] ?? {};
  return {
    found: rows.filter((row): row is T & Changes => row.month !== null),
    changedFrom,
    change,
  };
}

async function saveParameters(
  tx: Connection,
  parameters: readonly StoredParameters[],
  change: number,
): Promise<void> {
  const meta = await readMeta(tx);
  if (meta.has('sealed_at')) return;
  // Another process has learned from more meanwhile.
  if (change < (meta.get('parameters_learned') ?? 0)) return;
  await saveMeta(tx, 'parameters_learned', change);
  const versions = await tx.query<ParameterVersion>(
    'SELECT month, version FROM source.parameters ORDER BY month',
  );
  await tx.run('DELETE FROM source.parameters');
  await addParameters(tx, parameters);
  if (!goesOn(versions, parameters)) {
    await tx.run('UPDATE published.item SET version = version + 1');
  }
  if (meta.get('parameters_change') === change) {
    await tx.run("DELETE FROM published.meta WHERE name = 'parameters_changed_from'");
  }
}

async function addParameters(
  tx: Connection,
  parameters: readonly StoredParameters[],
): Promise<void> {
  await tx.run(
    `INSERT INTO source.parameters (month, version, body)
     SELECT month, version, body FROM json_to_recordset($1::text::json)
       AS r (month integer, version text, body text)
     ON CONFLICT DO NOTHING`,
    [jsonRows(parameters)],
  );
}
