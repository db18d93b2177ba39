/** What was learned across all items: reading and replacing it. */
import type { StoredParameters } from '../../domain/market/estimator.ts';
import type {
  ParameterState,
  ParameterStore,
  ParameterVersions,
} from '../../domain/market/parameter-store.ts';
import { type Engine, givenRows, type Operation, query, run, runEach } from '../sql/operation.ts';
import { tables } from '../sql/tables.ts';
import { readMeta, saveMeta } from './meta.ts';

/** Names the parameters of one month. */
type ParameterVersion = ParameterVersions['versions'][number];

/** Reads and replaces parameters. */
export function marketParameters(
  engine: Engine,
  writing: Pick<Engine, 'transaction'>,
): ParameterStore {
  return {
    findParameters: async () => {
      const { found, ...state } = await engine.run(() => findState<StoredParameters>('p.body'));
      const parameters = found.map(({ month, version, body }) => ({ month, version, body }));
      return { parameters, ...state };
    },
    findParameterVersions: async () => {
      const { found, ...state } = await engine.run(() => findState<ParameterVersion>('NULL'));
      return { versions: found.map(({ month, version }) => ({ month, version })), ...state };
    },
    saveParameters: (parameters, change) =>
      writing.transaction(() => saveParameters(parameters, change)),
    freezeParameters: (parameters) => writing.transaction(() => addParameters(parameters)),
  };
}

type Changes = Pick<ParameterState, 'changedFrom' | 'change'>;

/** Parameters and their changes by one statement: on one snapshot. */
function* findState<T extends ParameterVersion>(
  body: 'p.body' | 'NULL',
): Operation<Changes & { readonly found: readonly T[] }> {
  const rows = yield* query<(T | Record<keyof T, null>) & Changes>(
    `SELECT p.month, p.version, ${body} AS body, c."changedFrom", c.change
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

function* saveParameters(parameters: readonly StoredParameters[], change: number): Operation<void> {
  const meta = yield* readMeta();
  if (meta.has('sealed_at')) return;
  // Another process has learned from more meanwhile.
  if (change < (meta.get('parameters_learned') ?? 0)) return;
  yield* saveMeta('parameters_learned', change);
  const versions = yield* query<ParameterVersion>(
    'SELECT month, version FROM source.parameters ORDER BY month',
  );
  yield* run('DELETE FROM source.parameters');
  yield* addParameters(parameters);
  if (!goesOn(versions, parameters)) {
    yield* run('UPDATE published.item SET version = version + 1');
  }
  if (meta.get('parameters_change') === change) {
    yield* run("DELETE FROM published.meta WHERE name = 'parameters_changed_from'");
  }
}

/** Whether parameters are the old ones, perhaps with later months after them. */
function goesOn(
  old: readonly ParameterVersion[],
  parameters: readonly ParameterVersion[],
): boolean {
  if (old.length === 0) return parameters.length === 0;
  return old.every(({ month, version }, index) => {
    const now = parameters[index];
    return now?.month === month && now.version === version;
  });
}

function* addParameters(parameters: readonly StoredParameters[]): Operation<void> {
  yield* runEach(
    `INSERT INTO source.parameters (month, version, body)
     SELECT r.month, r.version, r.body FROM {rows} WHERE true ON CONFLICT DO NOTHING`,
    givenRows(tables.parameters, ['month', 'version', 'body'], parameters),
  );
}
