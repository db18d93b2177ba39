/** Examples in the docs are real: the demo gives these responses and prints this output. */
// @runs SQLite (rest): needs a demo
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withExamples } from '../scripts/answer-examples.ts';
import { type Demo, settled, startDemo } from '../scripts/demo.ts';
import { withFirstAnswer } from '../scripts/first-answer.ts';
import { historyPicture } from '../scripts/picture.ts';
import { withTerminalExamples } from '../scripts/terminal-examples.ts';
import type { HoldingPage } from '../src/contract/brickfolio.ts';
import type { EventPage } from '../src/contract/plus/events.ts';
import { copyDemo, firstDemoAnswer } from './support/demo.ts';
import { typeHere } from './support/typed.ts';

const root = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

let demo: Demo;

const pages = ['docs/plus-api.md', 'docs/api.md'];
const fresh = new Map<string, string>();

beforeAll(async () => {
  demo = await startDemo({ fill: copyDemo });
  // First, since one of the responses has the number of calls made.
  for (const page of pages) fresh.set(page, await withExamples(read(page), demo));
  // Created here if no other suite has created the demo.
}, 900_000);

afterAll(() => demo.stop());

test('the first request and the part of its response in README are real', async () => {
  const readme = read('README.md');
  expect(readme).toContain(`/api/v1/set/${demo.setNumber}\n`);
  expect(readme).toContain('"value_range":');
  const answer = settled(await firstDemoAnswer());
  expect(withFirstAnswer(readme, demo.setNumber, answer)).toBe(readme);
});

test.each(pages)('the responses in %s are real, for every request shown', (page) => {
  const shown = read(page);
  const [now, then] = [fresh.get(page) ?? '', shown].map(amountsOf);
  const calls = shown.match(/^curl /gm)?.length ?? 0;
  expect(calls).toBe(shown.match(/^```sh\ncurl (?:(?!```)[\s\S])*```\n\n```json$/gm)?.length ?? 0);
  expect(now?.text).toBe(then?.text ?? '');
  expect(now?.amounts.filter(isFarFrom(then?.amounts ?? []))).toEqual([]);
});

test('the first response in docs/api.md is complete', () => {
  const [, first = ''] = /```json\n([\s\S]*?)\n```/.exec(read('docs/api.md')) ?? [];
  expect(Object.keys(JSON.parse(first))).toEqual(['data', 'meta']);
});

test('the output of commands in docs/terminal.md is real', async () => {
  const at = { folder: tmpdir(), environment: { ...process.env, ...demo.env } };
  const shown = read('docs/terminal.md');
  const typed = await withTerminalExamples(
    shown,
    async (words) => (await typeHere(words.split(' '), at)).stdout,
  );
  const [now, then] = [typed, shown].map(figuresOf);
  expect(now?.text).toBe(then?.text ?? '');
  expect(now?.figures.filter(isFarFrom(then?.figures ?? []))).toEqual([]);
});

test('the quick start in TypeScript prints every holding', async () => {
  const printed = await demo.type(
    `${process.execPath} ${join(root, 'docs/examples/quickstart.ts')}`,
  );
  const path = '/api/v1/brickfolio/entries?limit=250';
  const { data } = (await demo.ask('GET', path)) as { data: HoldingPage };
  const lines = data.entries.map(({ quantity, title }) => `${quantity} x ${title}: $`);
  const shown = [...printed.matchAll(/^\d+ x .*: \$(?=[\d.]+ \(-?[\d.]+%\)$)/gm)];
  expect(shown.map(([line]) => line)).toEqual(lines);
  const last = new RegExp(`\\n${lines.length} holdings\\. \\d+ calls remain today\\.\\n$`);
  expect(printed).toMatch(last);
});

test('the demo has events of the last hours, as docs/events.md says', async () => {
  const path = '/api/plus/v1/events?after=0&limit=250';
  const { data } = (await demo.ask('GET', path)) as { data: EventPage };
  const kinds = new Set(data.events.map(({ kind }) => kind));
  expect(kinds).toContain('retail.price');
  expect(kinds).toContain('retail.low');
});

test('the screenshot shows the same set', async () => {
  expect(historyPicture(await demo.history())).toBe(read('docs/history.svg'));
});

/** The decimal amounts in a page, and the page without them. */
function amountsOf(page: string) {
  const decimals = /-?\b\d+(?:\.\d{1,4})?(?=,?\n)/g;
  return {
    text: page.replace(decimals, '#'),
    amounts: (page.match(decimals) ?? []).map(Number),
  };
}

/** Values change with time and a start may take a minute, so a cent of difference is allowed. */
function isFarFrom(amounts: readonly number[]) {
  return (amount: number, index: number) =>
    Math.abs(amount - (amounts[index] ?? 0)) > Math.max(0.02, 0.001 * amount);
}

/** The figures in a page, and the page without figures, bars and alignment. */
function figuresOf(page: string) {
  const figure = /\d[\d,]*(?:\.\d+)?/g;
  return {
    text: page.replace(figure, '#').replace(/[▁-█]/g, '▁').replace(/ +/g, ' '),
    figures: (page.match(figure) ?? []).map((text) => Number(text.replaceAll(',', ''))),
  };
}
