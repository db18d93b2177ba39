/**
 * Learns the effects of src/market/values/prior/known-effects.ts from snapshots of real prices, and
 * measures them on sets they were not learned from: `npm run backtest:effects -- FOLDER`.
 */
import { resolve } from 'node:path';
import { table } from '../../../src/cli/table.ts';
import type { ValuationFacts } from '../../../src/market/values/estimator.ts';
import type { Effects } from '../../../src/market/values/prior/group-effects.ts';
import { estimateOf, type Prior } from '../../../src/market/values/prior/prior.ts';
import {
  fitUnknownSetPrior,
  periodKey,
  type SetExample,
  subthemeKey,
  unknownSetPoints,
} from '../../../src/market/values/prior/set-prior.ts';
import { quantile } from '../../../src/market/values/quantile.ts';
import { percent } from '../markdown.ts';
import { missingFiles, readSnapshots, realDataFolder, type Snapshot } from './real-sets.ts';

interface KnownExample extends SetExample {
  readonly key: string;
}

/** So that an effect does not tell the price of a set. */
const setsMin = 8;

/** Smaller effects are left out. */
const effectMin = 0.03;

const folds = 5;

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? realDataFolder);
  const [missing] = missingFiles(folder);
  if (missing === undefined) await printKnown(folder);
  else {
    console.error(`There is no ${missing}. Use: npm run backtest:effects -- FOLDER`);
    process.exitCode = 1;
  }
}

async function printKnown(folder: string): Promise<void> {
  const snapshots = await readSnapshots(folder);
  for (const snapshot of snapshots) console.log(measuredTable(snapshot, snapshots));
  console.log(JSON.stringify(learnKnown(snapshots.flatMap(examplesOf)), null, 2));
}

/** Sets with a retail price. */
function examplesOf({ sets, at }: Snapshot): KnownExample[] {
  return sets.flatMap(({ key, facts, worth }) =>
    facts.msrpCents && worth.sealed ? [{ key, facts, at, log: Math.log(worth.sealed) }] : [],
  );
}

function learnKnown(examples: readonly KnownExample[]): Prior {
  const prior = fitUnknownSetPrior(examples);
  const large = (effects: Effects, groupOf: (facts: ValuationFacts) => string | null): Effects => {
    const groups = Map.groupBy(examples, ({ facts }) => groupOf(facts));
    const sets = (name: string) => new Set(groups.get(name)?.map(({ key }) => key)).size;
    const rounded = Object.entries(effects).map(
      ([name, effect]) => [name, Math.round(effect * 100) / 100] as const,
    );
    return Object.fromEntries(
      rounded.filter(([name, effect]) => sets(name) >= setsMin && Math.abs(effect) >= effectMin),
    );
  };
  return {
    ...prior,
    themes: large(prior.themes, ({ theme }) => theme),
    periods: large(prior.periods, periodKey),
    subthemes: large(prior.subthemes, subthemeKey),
  };
}

/** Each set is estimated with the effects of other sets, in all snapshots. */
function measuredTable(snapshot: Snapshot, all: readonly Snapshot[]): string {
  const examples = all.flatMap(examplesOf);
  const foldOf = ({ key }: KnownExample) => Bun.hash.crc32(key) % folds;
  const priors = Array.from({ length: folds }, (_, fold) =>
    learnKnown(examples.filter((example) => foldOf(example) !== fold)),
  );
  const errors = examplesOf(snapshot).flatMap((example) => {
    const [prior, point] = [priors[foldOf(example)], unknownSetPoints(example.facts)?.(example.at)];
    return prior && point
      ? [{ decade: decadeOf(example.facts), error: estimateOf(prior, point).log - example.log }]
      : [];
  });
  const groups = [...Map.groupBy(errors, ({ decade }) => decade)].sort(([a], [b]) =>
    a.localeCompare(b),
  );
  return table(
    [snapshot.name, 'sets', 'order', 'bias'],
    [['all', errors] as const, ...groups].map(([name, some]) => {
      const logs = some.map(({ error }) => error);
      const level = quantile(logs, 0.5);
      const order = quantile(
        logs.map((log) => Math.abs(Math.expm1(log - level))),
        0.5,
      );
      return [name, String(some.length), percent(order), percent(Math.expm1(level))];
    }),
  );
}

function decadeOf({ releasedAt }: ValuationFacts): string {
  if (releasedAt === null) return 'unknown';
  return `${Math.floor(new Date(releasedAt).getUTCFullYear() / 10)}0s`;
}
