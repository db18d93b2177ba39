/**
 * The docs are correct and complete: examples are real, and commands, settings and fields are
 * listed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { withExamples } from '../scripts/answer-examples.ts';
import { withBuyingExample } from '../scripts/buying-example.ts';
import { clientCode } from '../scripts/client-code.ts';
import { withCommandTable } from '../scripts/command-table.ts';
import { type Demo, settled, startDemo } from '../scripts/demo.ts';
import { withEndpointTable } from '../scripts/endpoint-table.ts';
import { pagesWithFiles, withExampleFiles } from '../scripts/example-files.ts';
import { historyPicture } from '../scripts/picture.ts';
import { pythonCode } from '../scripts/python-code.ts';
import { endpointsPlacedIn, recordsPlacedIn, withReference } from '../scripts/reference.ts';
import { withTerminalExamples } from '../scripts/terminal-examples.ts';
import { withToolTable } from '../scripts/tool-table.ts';
import { measuredDocs } from '../simulator/figures/measured-docs.ts';
import { commands, consumerCommands } from '../src/cli/commands.ts';
import { consumerFlags } from '../src/cli/consumer/consumer-command.ts';
import { consumerSettings, settings } from '../src/config.ts';
import { allEndpoints } from '../src/contract/all-endpoints.ts';
import type { HoldingPage } from '../src/contract/brickfolio.ts';
import type { Endpoint } from '../src/contract/endpoint.ts';
import { endpoints } from '../src/contract/endpoints.ts';
import { plusEndpoints } from '../src/contract/plus/endpoints.ts';
import type { EventPage } from '../src/contract/plus/events.ts';
import { recordsIn } from '../src/contract/schema.ts';
import { dealWarnings } from '../src/domain/buying/deal.ts';
import { noBuyReasons } from '../src/domain/buying/what-to-pay.ts';
import { rowReasons } from '../src/domain/market/evidence-report.ts';
import { otherRoutes } from '../src/http/request-outcome.ts';
import { formats } from '../src/ingest/formats.ts';
import { headingId } from '../src/web/docs/markdown.ts';
import { copyDemo, firstDemoAnswer } from './support/demo.ts';
import { typeHere } from './support/typed.ts';

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

const root = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('examples from the demo', () => {
  let demo: Demo;

  const pages = ['docs/plus-api.md', 'docs/api.md'];
  const fresh = new Map<string, string>();

  beforeAll(async () => {
    demo = await startDemo(copyDemo);
    // First, since one of the responses has the number of calls made.
    for (const page of pages) fresh.set(page, await withExamples(read(page), demo));
    // Created here if no other suite has created the demo.
  }, 900_000);

  afterAll(() => demo.stop());

  test('the first request and its response in README are real', async () => {
    const readme = read('README.md');
    expect(readme).toContain(`/api/v1/set/${demo.setNumber}`);
    const shown = /```json\n([\s\S]*?)\n```/.exec(readme)?.[1] ?? '';
    expect(settled(await firstDemoAnswer())).toEqual(JSON.parse(shown));
  });

  test.each(pages)('the responses in %s are real, for every request shown', (page) => {
    const shown = read(page);
    const [now, then] = [fresh.get(page) ?? '', shown].map(amountsOf);
    const calls = shown.match(/^curl /gm)?.length ?? 0;
    expect(calls).toBe(
      shown.match(/^```sh\ncurl (?:(?!```)[\s\S])*```\n\n```json$/gm)?.length ?? 0,
    );
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
});

test('the types and methods of both clients match the contract', () => {
  const made = [...clientCode(), ...pythonCode(root)];
  const stale = made.filter(({ path, text }) => read(path) !== text);
  expect(stale.map(({ path }) => path)).toEqual([]);
});

test('the accuracy figures are those in docs/backtest.json, backtest-buying.json, backtest-real.json and backtest-sync.json', () => {
  const stale = measuredDocs(root).filter(({ path, text }) => read(path) !== text);
  expect(stale.map(({ path }) => path)).toEqual([]);
});

const apiPages = [
  ['docs/api.md', endpoints],
  ['docs/plus-api.md', plusEndpoints],
] as const;

test.each(apiPages)('the endpoint table in %s matches the contract', (path, table) => {
  expect(withEndpointTable(read(path), table)).toBe(read(path));
});

test('the tool table in docs/mcp.md matches the tools', () => {
  expect(withToolTable(read('docs/mcp.md'))).toBe(read('docs/mcp.md'));
});

test('the worked example in docs/buying.md is what the code computes', () => {
  expect(withBuyingExample(read('docs/buying.md'))).toBe(read('docs/buying.md'));
});

test('the example in docs/guide-max-buy.md is that of docs/buying.md on eBay', () => {
  const column = read('docs/buying.md').match(/^\| .* \|$/gm) ?? [];
  const figureOf = (row: RegExp) =>
    column
      .find((line) => row.test(line))
      ?.split('|')[2]
      ?.replaceAll('*', '')
      .trim() ?? 'missing';
  const guide = read('docs/guide-max-buy.md');
  for (const row of [/\| Value/, /\*\*Price\*\*/, /\*\*Net\*\*/, /max buy price/]) {
    expect(guide).toContain(`| ${figureOf(row)} |`);
  }
});

test.each(apiPages)('the reference in %s is generated from the contract', (path, table) => {
  const apiRecords = recordsPlacedIn(read('docs/api.md'));
  expect(withReference(read(path), table, apiRecords)).toBe(read(path));
});

test('an endpoint that is not yet in the docs is inserted after the one before it', () => {
  const page = read('docs/plus-api.md');
  const place = /<!-- endpoint: evaluateBox -->[\s\S]*?(?=\n## )/;
  const [section = ''] = place.exec(page) ?? [];
  const fresh = withReference(page.replace(place, ''), plusEndpoints);
  const [added = ''] = place.exec(fresh) ?? [];
  expect(fresh.indexOf('endpoint: evaluateBox')).toBeLessThan(fresh.indexOf('getSetEvidence -->'));
  expect(fresh.indexOf('endpoint: evaluateBox')).toBeGreaterThan(fresh.indexOf('listDeals -->'));
  expect(recordsPlacedIn(added).sort()).toEqual(recordsPlacedIn(section).sort());
});

test.each(pagesWithFiles)('the programs in docs/%s are files that tests run', (name) => {
  const page = read(`docs/${name}`);
  expect(withExampleFiles(page, join(root, 'docs'))).toBe(page);
});

describe('completeness', () => {
  test.each(apiPages)(
    '%s describes every endpoint and every record of its responses',
    (path, table) => {
      const page = read(path);
      expect(endpointsPlacedIn(page).sort()).toEqual(Object.keys(table).sort());
      const rows: readonly Endpoint[] = Object.values(table);
      const used = recordsIn(rows.flatMap(({ body, answer }) => [body, answer]));
      const placed = [...recordsPlacedIn(page), ...recordsPlacedIn(read('docs/api.md'))];
      expect([...used.keys()].filter((name) => !placed.includes(name))).toEqual([]);
    },
  );

  test('every nullable field says what null means', () => {
    const records = recordsIn(Object.values<Endpoint>(allEndpoints).map(({ answer }) => answer));
    const silent = [...records].flatMap(([name, { properties }]) =>
      Object.entries(properties)
        .filter(([, { anyOf }]) => anyOf?.some(({ type }) => type === 'null'))
        .filter(([, { description = '' }]) => !/\bnull\b/.test(description))
        .map(([field]) => `${name}.${field}`),
    );
    expect(silent).toEqual([]);
  });

  test('every reason and warning is in docs/plus-api.md', () => {
    const page = read('docs/plus-api.md');
    const wanted = [...noBuyReasons, ...dealWarnings, ...rowReasons];
    expect([...new Set(wanted)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('every warning of a deal is in docs/buying.md', () => {
    const page = read('docs/buying.md');
    expect(dealWarnings.filter((warning) => !page.includes(`| \`${warning}\` |`))).toEqual([]);
  });

  test('every log route outside the API is in docs/reference.md', () => {
    const [row = ''] = /^\| `method`, `route` \|.*$/m.exec(read('docs/reference.md')) ?? [];
    expect(otherRoutes.filter((route) => !row.includes(`\`${route}\``))).toEqual([]);
  });

  test('every command and flag is in docs/reference.md', () => {
    const page = read('docs/reference.md');
    expect(page).toBe(withCommandTable(page));
    const flags = commands.flatMap(({ flags }) => Object.keys(flags).map((flag) => `--${flag}`));
    const wanted = [...commands.map(({ name }) => `\`${name}`), ...flags];
    expect(wanted.filter((word) => !page.includes(word))).toEqual([]);
  });

  test('every setting is in docs/configure.md', () => {
    const page = read('docs/configure.md');
    expect(Object.keys(settings).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('every command, flag and setting of key holders is in docs/terminal.md', () => {
    const page = read('docs/terminal.md');
    const flags = [consumerFlags, ...consumerCommands.map(({ flags }) => flags)].flatMap((each) =>
      Object.keys(each).map((flag) => `--${flag}`),
    );
    const names = consumerCommands.map(({ name }) => `\`${name}`);
    const wanted = [...names, ...flags, ...Object.keys(consumerSettings)];
    expect(wanted.filter((word) => !page.includes(word))).toEqual([]);
  });

  test('every format is in docs/formats.md', () => {
    const page = read('docs/formats.md');
    expect(Object.keys(formats).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('every dependency is justified and pinned', () => {
    const page = read('docs/decisions/dependencies.md');
    const manifest = JSON.parse(read('package.json'));
    const all = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(Object.keys(all).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const pinned = /^(npm:[\w-]+@)?\d+\.\d+\.\d+(-(beta|r)\.\d+)?$/;
    expect(Object.values<string>(all).filter((version) => !pinned.test(version))).toEqual([]);
  });

  /** Whether a page lacks the heading of an anchor. */
  const lacks = (path: string, heading: string | undefined) => {
    if (heading === undefined) return false;
    const titles = [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
    return !titles.some((title) => headingId(title) === heading);
  };

  test('every file that the glossary names exists', () => {
    const paths = [...read('docs/glossary.md').matchAll(/`([\w-]+\/[\w/.-]+)`/g)];
    expect(paths.length).toBeGreaterThan(50);
    const isMissing = (path: string) =>
      !['', 'src/'].some((folder) => existsSync(join(root, folder, path)));
    expect(paths.map(([, path = '']) => path).filter(isMissing)).toEqual([]);
  });
  test('every link between pages is valid', () => {
    const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.md') && !path.includes('node_modules'),
    );
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#:]*)(?:#([^)]+))?\)/g)]
        .map(([, path = '', heading]) => ({
          path: join(dirname(page), path || basename(page)),
          heading,
        }))
        .filter(({ path, heading }) => !existsSync(join(root, path)) || lacks(path, heading))
        .map(({ path, heading }) => `${page}: ${path}#${heading}`),
    );
    expect(broken).toEqual([]);
  });
});
