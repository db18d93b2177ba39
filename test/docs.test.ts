/** The docs are true: README's answer is real, and nothing that users type or read is missing. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { withExamples } from '../scripts/answer-examples.ts';
import { withBuyingExample } from '../scripts/buying-example.ts';
import { clientCode } from '../scripts/client-code.ts';
import { type Demo, settled, startDemo } from '../scripts/demo.ts';
import { withEndpointTable } from '../scripts/endpoint-table.ts';
import { pagesWithFiles, withExampleFiles } from '../scripts/example-files.ts';
import { measuredDocs } from '../scripts/measured.ts';
import { historyPicture } from '../scripts/picture.ts';
import { endpointsPlacedIn, recordsPlacedIn, withReference } from '../scripts/reference.ts';
import { withTerminalExamples } from '../scripts/terminal-examples.ts';
import { withToolTable } from '../scripts/tool-table.ts';
import { consumerFlags } from '../src/cli/consumer/consumer-command.ts';
import { consumerCommands } from '../src/cli/consumer/consumer-commands.ts';
import { commands } from '../src/cli/run.ts';
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
import { describeWith } from './support/programs.ts';
import { typeHere } from './support/typed.ts';

/** The amounts with decimals in a page, and the page without them. */
function amountsOf(page: string) {
  const decimals = /-?\b\d+(?:\.\d{1,4})?(?=,?\n)/g;
  return {
    text: page.replace(decimals, '#'),
    amounts: (page.match(decimals) ?? []).map(Number),
  };
}

/** Values drift from second to second, and a start may take a minute: a cent may tip over. */
function isFarFrom(amounts: readonly number[]) {
  return (amount: number, index: number) =>
    Math.abs(amount - (amounts[index] ?? 0)) > Math.max(0.02, 0.001 * amount);
}

/** The figures in a page, and the page without them, without bars and without alignment. */
function figuresOf(page: string) {
  const figure = /\d[\d,]*(?:\.\d+)?/g;
  return {
    text: page.replace(figure, '#').replace(/[▁-█]/g, '▁').replace(/ +/g, ' '),
    figures: (page.match(figure) ?? []).map((text) => Number(text.replaceAll(',', ''))),
  };
}

const root = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('what the demo answers', () => {
  let demo: Demo;

  const pages = ['docs/plus-api.md', 'docs/api.md'];
  const fresh = new Map<string, string>();

  beforeAll(async () => {
    demo = await startDemo(copyDemo);
    // Before anything else is asked: one of the answers says how many calls were made.
    for (const page of pages) fresh.set(page, await withExamples(read(page), demo));
    // Where no other suite has made the demo, it is made here.
  }, 900_000);

  afterAll(() => demo.stop());

  test("the first request and its answer are the demo's own", async () => {
    const readme = read('README.md');
    expect(readme).toContain(`/api/v1/set/${demo.setNumber}`);
    const shown = /```json\n([\s\S]*?)\n```/.exec(readme)?.[1] ?? '';
    expect(settled(await firstDemoAnswer())).toEqual(JSON.parse(shown));
  });

  test.each(pages)("the answers in %s are the demo's own, to every call that it shows", (page) => {
    const shown = read(page);
    const [now, then] = [fresh.get(page) ?? '', shown].map(amountsOf);
    const calls = shown.match(/^curl /gm)?.length ?? 0;
    expect(calls).toBe(
      shown.match(/^```sh\ncurl (?:(?!```)[\s\S])*```\n\n```json$/gm)?.length ?? 0,
    );
    expect(now?.text).toBe(then?.text ?? '');
    expect(now?.amounts.filter(isFarFrom(then?.amounts ?? []))).toEqual([]);
  });

  test('the first answer in docs/api.md is a whole one', () => {
    const [, first = ''] = /```json\n([\s\S]*?)\n```/.exec(read('docs/api.md')) ?? [];
    expect(Object.keys(JSON.parse(first))).toEqual(['data', 'meta']);
  });

  test('what commands print in docs/terminal.md is what they print', async () => {
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

  /** What both quick starts print: every holding, then a line with how many there are. */
  const expectHoldings = async (printed: string) => {
    const path = '/api/v1/brickfolio/entries?limit=250';
    const { data } = (await demo.ask('GET', path)) as { data: HoldingPage };
    const lines = data.entries.map(({ quantity, title }) => `${quantity} x ${title}: $`);
    const shown = [...printed.matchAll(/^\d+ x .*: \$(?=[\d.]+ \(-?[\d.]+%\)$)/gm)];
    expect(shown.map(([line]) => line)).toEqual(lines);
    const last = new RegExp(`\\n${lines.length} holdings\\. \\d+ calls remain today\\.\\n$`);
    expect(printed).toMatch(last);
  };
  const quickstart = join(root, 'docs/examples/quickstart');

  test('the quick start in TypeScript prints every holding', async () => {
    await expectHoldings(await demo.type(`${process.execPath} ${quickstart}.ts`));
  });

  describeWith('python3', 'the quick start in Python', (python) => {
    test('prints every holding', async () => {
      const line = `BRICKMARK_URL="$BRICKMARK_URL/" ${python} ${quickstart}.py`;
      await expectHoldings(await demo.type(line));
    });

    test('says so when something else answers', async () => {
      const line = `BRICKMARK_URL="$BRICKMARK_URL/docs" ${python} ${quickstart}.py 2>&1 || true`;
      expect(await demo.type(line)).toBe('404: not a response from Brickmark\n');
    });
  });

  test('events of the last hours are among them, for whoever tries what docs/events.md says', async () => {
    const path = '/api/plus/v1/events?after=0&limit=250';
    const { data } = (await demo.ask('GET', path)) as { data: EventPage };
    const kinds = new Set(data.events.map(({ kind }) => kind));
    expect(kinds).toContain('retail.price');
    expect(kinds).toContain('retail.low');
  });

  test('the picture shows the same set', async () => {
    expect(historyPicture(await demo.history())).toBe(read('docs/history.svg'));
  });
});

test("the client's types and methods are those of the contract", () => {
  const stale = clientCode().filter(({ path, text }) => read(path) !== text);
  expect(stale.map(({ path }) => path)).toEqual([]);
});

test('what is told of accuracy is what docs/backtest.json, backtest-buying.json, backtest-real.json and backtest-sync.json hold', () => {
  const stale = measuredDocs(root).filter(({ path, text }) => read(path) !== text);
  expect(stale.map(({ path }) => path)).toEqual([]);
});

const apiPages = [
  ['docs/api.md', endpoints],
  ['docs/plus-api.md', plusEndpoints],
] as const;

test.each(apiPages)('the table of endpoints in %s is what the rows say', (path, table) => {
  expect(withEndpointTable(read(path), table)).toBe(read(path));
});

test('the table of tools in docs/mcp.md is what the tools say', () => {
  expect(withToolTable(read('docs/mcp.md'))).toBe(read('docs/mcp.md'));
});

test('the worked example in docs/buying.md is what the code comes to', () => {
  expect(withBuyingExample(read('docs/buying.md'))).toBe(read('docs/buying.md'));
});

test.each(apiPages)('the reference in %s is what the contract says', (path) => {
  expect(withReference(read(path))).toBe(read(path));
});

test.each(pagesWithFiles)('the programs in docs/%s are files that tests run', (name) => {
  const page = read(`docs/${name}`);
  expect(withExampleFiles(page, join(root, 'docs'))).toBe(page);
});

describe('nothing is missing', () => {
  test.each(apiPages)(
    '%s describes every endpoint and every record of its answers',
    (path, table) => {
      const page = read(path);
      expect(endpointsPlacedIn(page).sort()).toEqual(Object.keys(table).sort());
      const rows: readonly Endpoint[] = Object.values(table);
      const used = recordsIn(rows.flatMap(({ body, answer }) => [body, answer]));
      const placed = [...recordsPlacedIn(page), ...recordsPlacedIn(read('docs/api.md'))];
      expect([...used.keys()].filter((name) => !placed.includes(name))).toEqual([]);
    },
  );

  test('every field that may be null says what null means', () => {
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

  test('every route of the log outside the API is in docs/operations.md', () => {
    const [row = ''] = /^\| `method`, `route` \|.*$/m.exec(read('docs/operations.md')) ?? [];
    expect(otherRoutes.filter((route) => !row.includes(`\`${route}\``))).toEqual([]);
  });

  test('every command, flag and setting is in docs/operations.md', () => {
    const operations = read('docs/operations.md');
    const flags = commands.flatMap(({ flags }) => Object.keys(flags).map((flag) => `--${flag}`));
    const wanted = [...commands.map(({ name }) => `\`${name}`), ...flags, ...Object.keys(settings)];
    expect(wanted.filter((word) => !operations.includes(word))).toEqual([]);
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
    const pinned = /^(npm:[\w-]+@)?\d+\.\d+\.\d+(-beta\.\d+)?$/;
    expect(Object.values<string>(all).filter((version) => !pinned.test(version))).toEqual([]);
  });

  /** Whether a page has no heading that is linked to under this name. */
  const lacks = (path: string, heading: string | undefined) => {
    if (heading === undefined) return false;
    const titles = [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
    return !titles.some((title) => headingId(title) === heading);
  };

  test('every link between pages leads somewhere', () => {
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
