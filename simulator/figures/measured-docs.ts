/** The docs made from the measurements in docs/backtest*.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buyingSections } from './buying-figures.ts';
import { withFigures } from './markdown.ts';
import type { BuyingMeasurements, SyncMeasurements, ValueMeasurements } from './measure.ts';
import { realSections } from './real/real-figures.ts';
import type { RealReport } from './real/real-report.ts';
import { syncPicture, syncSections } from './sync-figures.ts';
import { valueSections } from './value-figures.ts';
import { accuracyPicture, coveragePicture } from './value-pictures.ts';

/** Pages with figures between markers. */
const pages = ['docs/valuation.md', 'docs/sources/planning.md'];

/** Up-to-date contents of these files, by path. */
export function measuredDocs(root: string): { readonly path: string; readonly text: string }[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const values = JSON.parse(read('docs/backtest.json')) as ValueMeasurements;
  const buying = JSON.parse(read('docs/backtest-buying.json')) as BuyingMeasurements;
  const real = JSON.parse(read('docs/backtest-real.json')) as RealReport[];
  const sync = JSON.parse(read('docs/backtest-sync.json')) as SyncMeasurements;
  const figureOf = (name: string) =>
    valueSections[name]?.(values) ??
    buyingSections[name]?.(buying) ??
    realSections[name]?.(real) ??
    syncSections[name]?.(sync) ??
    null;
  return [
    { path: 'docs/accuracy.svg', text: accuracyPicture(values) },
    { path: 'docs/coverage.svg', text: coveragePicture(values) },
    { path: 'docs/sources/asking.svg', text: syncPicture(sync) },
    ...pages.map((path) => ({ path, text: withFigures(read(path), figureOf) })),
  ];
}
