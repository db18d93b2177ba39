/**
 * Measures the engine on real prices: `npm run backtest:real [-- FOLDER]`, a few minutes. FOLDER
 * holds the files of other services, which are not part of this project. It prints what it finds,
 * and writes docs/backtest-real.json, from which `npm run docs` makes the tables.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { table } from '../src/cli/table.ts';
import { percent } from './figures.ts';
import { measureSnapshot } from './real/measure.ts';
import { missingFiles, readSnapshots, realDataFolder } from './real/real-sets.ts';
import { type RealGroup, type RealReport, reportOf } from './real/report.ts';

/** Figures are told to this many places. */
const places = 4;

if (import.meta.main) await main(resolve(process.argv[2] ?? realDataFolder));

async function main(folder: string): Promise<void> {
  const missing = missingFiles(folder);
  if (missing.length > 0) {
    console.error(
      `Real prices are not here: there is no ${missing[0]}. ` +
        'Name the folder that holds the files: npm run backtest:real -- FOLDER',
    );
    process.exitCode = 1;
    return;
  }
  const reports: RealReport[] = [];
  for (const snapshot of await readSnapshots(folder)) {
    console.log(`${snapshot.name}: ${snapshot.sets.length} sets`);
    const report = reportOf(snapshot.name, await measureSnapshot(snapshot));
    reports.push(report);
    for (const kind of ['cold', 'warm'] as const) {
      for (const condition of ['sealed', 'used'] as const) {
        console.log(`\n${kind} start, ${condition}\n${textTable(report[kind][condition])}\n`);
      }
    }
  }
  const path = join(import.meta.dir, '..', 'docs', 'backtest-real.json');
  writeFileSync(path, `${JSON.stringify(reports, rounded, 1)}\n`);
}

function textTable(groups: readonly RealGroup[]): string {
  return table(
    ['by', 'group', 'sets', 'nulls', 'error', 'bias', 'over 3×', 'in range', 'width'],
    groups.map((of) => [
      of.by,
      of.group,
      String(of.sets),
      String(of.nulls),
      percent(of.error),
      percent(of.bias),
      percent(of.farOff),
      percent(of.inRange),
      of.width === null ? '' : `× ${of.width.toFixed(1)}`,
    ]),
  );
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 10 ** places) / 10 ** places : value;
}
