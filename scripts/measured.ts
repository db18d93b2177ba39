/** The docs that are made from docs/backtest.json, -buying, -real and -sync, and nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accuracyPicture } from './accuracy-picture.ts';
import { askingSections } from './asking-figures.ts';
import { askingPicture } from './asking-picture.ts';
import type { DocumentedBacktest } from './backtest.ts';
import type { DocumentedBuying } from './backtest-buying.ts';
import type { DocumentedAsking } from './backtest-sync.ts';
import { buyingSections } from './buying-figures.ts';
import { coveragePicture } from './coverage-picture.ts';
import { madeUpSections, withFigures } from './figures.ts';
import { realSections } from './real/figures.ts';
import type { RealReport } from './real/report.ts';

/** Pages with figures between markers. */
const pages = ['docs/valuation.md', 'docs/sources/planning.md'];

/** A file of the docs as it should be. */
export interface MeasuredDoc {
  readonly path: string;
  readonly text: string;
}

/** All of them, by their paths in the project. */
export function measuredDocs(root: string): MeasuredDoc[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const backtest = JSON.parse(read('docs/backtest.json')) as DocumentedBacktest;
  const buying = JSON.parse(read('docs/backtest-buying.json')) as DocumentedBuying;
  const real = JSON.parse(read('docs/backtest-real.json')) as RealReport[];
  const asking = JSON.parse(read('docs/backtest-sync.json')) as DocumentedAsking;
  const figureOf = (name: string) =>
    madeUpSections[name]?.(backtest) ??
    buyingSections[name]?.(buying) ??
    realSections[name]?.(real) ??
    askingSections[name]?.(asking) ??
    null;
  return [
    { path: 'docs/accuracy.svg', text: accuracyPicture(backtest) },
    { path: 'docs/coverage.svg', text: coveragePicture(backtest) },
    { path: 'docs/sources/asking.svg', text: askingPicture(asking) },
    ...pages.map((path) => ({ path, text: withFigures(read(path), figureOf) })),
  ];
}
