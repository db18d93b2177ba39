/** Reads and replaces learned parameters. */

import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { saveGradeEffects } from '../grades/grade-effects.store.ts';
import { readMeta, saveMeta } from '../published/meta.store.ts';
import type { ParameterState, ParameterVersions, StoredParameters } from './estimator.ts';

/** Names the parameters of one month. */
type ParameterVersion = ParameterVersions['versions'][number];

export function marketParameters(engine: db.Engine, writing: Pick<db.Engine, 'transaction'>) {
  return {
    ...db.methods(engine.run, { findParameters, findParameterVersions }),
    ...db.methods(writing.transaction, { saveParameters, freezeParameters, saveGradeEffects }),
  };
}

function* findParameters(): db.Reading<ParameterState> {
  const { found, ...state } = yield* findState<StoredParameters>('p.body');
  const parameters = found.map(({ month, version, body }) => ({ month, version, body }));
  return { parameters, ...state };
}

function* findParameterVersions(): db.Reading<ParameterVersions> {
  const { found, ...state } = yield* findState<ParameterVersion>('NULL');
  return { versions: found.map(({ month, version }) => ({ month, version })), ...state };
}

type Changes = Pick<ParameterState, 'changedFrom' | 'change'>;

/** One statement, to read parameters and their changes on one snapshot. */
function* findState<T extends ParameterVersion>(
  body: 'p.body' | 'NULL',
): db.Reading<Changes & { readonly found: readonly T[] }> {
  const rows = yield* db.query<(T | Record<keyof T, null>) & Changes>(
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

/**
 * Replaces all parameters. Items become stale unless the new ones only add months. `change` is the
 * state they were learned from; later changes stay pending. Nothing is done if history is sealed,
 * or if the stored parameters are from a later state.
 */
function* saveParameters(
  parameters: readonly StoredParameters[],
  change: number,
): db.Operation<void> {
  const meta = yield* readMeta();
  if (meta.has('sealed_at')) return;
  // Another process has learned from a later state meanwhile.
  if (change < (meta.get('parameters_learned') ?? 0)) return;
  yield* saveMeta('parameters_learned', change);
  const versions = yield* db.query<ParameterVersion>(
    'SELECT month, version FROM source.parameters ORDER BY month',
  );
  yield* db.run('DELETE FROM source.parameters');
  yield* freezeParameters(parameters);
  if (!goesOn(versions, parameters)) {
    yield* db.run('UPDATE published.item SET version = version + 1');
  }
  if (meta.get('parameters_change') === change) {
    yield* db.run("DELETE FROM published.meta WHERE name = 'parameters_changed_from'");
  }
}

/** Whether the new parameters only add months to the old ones. */
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

/** Adds parameters of new months; existing ones stay. */
function* freezeParameters(parameters: readonly StoredParameters[]): db.Operation<void> {
  yield* db.runEach(
    `INSERT INTO source.parameters (month, version, body)
     SELECT r.month, r.version, r.body FROM {rows} WHERE true ON CONFLICT DO NOTHING`,
    db.givenRows(tables.parameters, ['month', 'version', 'body'], parameters),
  );
}
