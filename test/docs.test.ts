/**
 * The docs are correct and complete: generated parts are up to date, and commands, settings and
 * fields are listed. `docs-examples.test.ts` compares examples with the demo.
 */
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { barcodeReaderPath } from '../scripts/barcode-reader.ts';
import { withBuyingExample } from '../scripts/buying-example.ts';
import { clientCode } from '../scripts/client-code.ts';
import { withCommandTable } from '../scripts/command-table.ts';
import { withEndpointTable } from '../scripts/endpoint-table.ts';
import { pagesWithFiles, withExampleFiles } from '../scripts/example-files.ts';
import { pagesWithPackages, withPackageNames } from '../scripts/package-names.ts';
import { pythonCode } from '../scripts/python-code.ts';
import { endpointsShownIn, recordsShownIn, withReference } from '../scripts/reference.ts';
import { withToolTable } from '../scripts/tool-table.ts';
import { measuredDocs } from '../simulator/figures/measured-docs.ts';
import { deliveryKinds, deliveryTable } from '../src/alerts/channels/delivery-channel-kinds.ts';
import { dealWarnings } from '../src/buying/deals/deal.ts';
import { noBuyReasons } from '../src/buying/prices/what-to-pay.ts';
import { commands, consumerCommands } from '../src/cli/commands.ts';
import { consumerFlags } from '../src/cli/consumer/consumer-command.ts';
import { consumerCommandSettings, settings } from '../src/config.ts';
import { allEndpoints } from '../src/contract/all-endpoints.ts';
import type { Endpoint } from '../src/contract/endpoint.ts';
import { endpoints } from '../src/contract/endpoints.ts';
import { plusEndpoints } from '../src/contract/plus/endpoints.ts';
import { recordsIn } from '../src/contract/schema.ts';
import { otherRoutes } from '../src/http/request-outcome.ts';
import { formats } from '../src/ingest/runner/formats.work.ts';
import { rowReasons } from '../src/market/evidence/evidence-report.ts';
import { headingId } from '../src/web/docs/markdown.ts';

/** A form for issues, as far as it is checked. */
interface IssueForm {
  readonly name?: string;
  readonly description?: string;
  readonly body: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes: { readonly label?: string };
    readonly validations?: { readonly required: boolean };
  }[];
}

const root = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('the types and methods of both clients match the contract', () => {
  const made = [...clientCode(), ...pythonCode(root)];
  const stale = made.filter(({ path, text }) => read(path) !== text);
  expect(stale.map(({ path }) => path)).toEqual([]);
});

test('generated files are marked as such for reviews', () => {
  const written = ['docs/openapi.json', 'docs/plus-openapi.json', barcodeReaderPath];
  const made = [...clientCode(), ...pythonCode(root)].map(({ path }) => path).concat(written);
  const command = ['git', 'check-attr', 'linguist-generated', '--', ...made];
  const shown = Bun.spawnSync(command, { cwd: root }).stdout.toString().trim().split('\n');
  expect(shown).toEqual(made.map((path) => `${path}: linguist-generated: set`));
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

test('each difference from the contract has a reason, a day, and a test with that name', () => {
  const rows = read('docs/decisions/README.md').match(/^\| .*$/gm) ?? [];
  const cells = rows
    .map((row) => row.slice(2, -2).split(' | '))
    .filter(([first]) => !first?.startsWith('what'));
  expect(cells.length).toBeGreaterThan(20);
  for (const [what, , reason, since, test = ''] of cells) {
    const [, file = '', name = ''] = /^`(\S+)`: "(.+)"$/.exec(test) ?? [];
    const isTested = file !== '' && read(file).includes(name);
    const isWhole = reason !== '' && /^2026-\d\d-\d\d$/.test(since ?? '');
    expect([what, isTested, isWhole]).toEqual([what, true, true]);
  }
});

describe('docs/examples/recompute.py follows docs/buying.md', () => {
  const program = read('docs/examples/recompute.py').split('# From the command line')[0] ?? '';
  const page = read('docs/buying.md');

  test('its sections have the names and the order of the headings', () => {
    const sections = [...program.matchAll(/^# (.+)$/gm)].map(([, name]) => name);
    const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, name = '']) => name);
    const others = new Set([
      'Compute it yourself',
      'A worked example',
      'Your own numbers',
      'When prices move',
    ]);
    expect([...sections, 'When most of it is sold']).toEqual(
      headings.filter((name) => !others.has(name)),
    );
  });

  test('the page has every number in it that is not a unit of measure', () => {
    const units = ['0', '0.0', '1', '2', '0.5', '5', '100', '1000', '10_000', '625', '31'];
    const code = program.replaceAll(/"""[\s\S]*?"""|"[^"]*"|#.*$/gm, '');
    const numbers = code.match(/(?<![\w.])\d[\d_.]*/g) ?? [];
    const stated = new Set(page.replaceAll(',', '').match(/[\d.]*\d/g));
    const missing = numbers.filter((number) => !units.includes(number) && !stated.has(number));
    expect([...new Set(missing)]).toEqual([]);
  });
});

test.each(apiPages)('the reference in %s is generated from the contract', (path, table) => {
  const apiRecords = recordsShownIn(read('docs/api.md'));
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
  expect(recordsShownIn(added).sort()).toEqual(recordsShownIn(section).sort());
});

test.each(pagesWithFiles)('the programs in docs/%s are files that tests run', (name) => {
  const page = read(`docs/${name}`);
  expect(withExampleFiles(page, join(root, 'docs'))).toBe(page);
});

test.each(pagesWithPackages)('%s names packages of this version (npm run docs)', (page) => {
  expect(withPackageNames(read(page))).toBe(read(page));
});

describe('completeness', () => {
  test.each(apiPages)(
    '%s describes every endpoint and every record of its responses',
    (path, table) => {
      const page = read(path);
      expect(endpointsShownIn(page).sort()).toEqual(Object.keys(table).sort());
      const rows: readonly Endpoint[] = Object.values(table);
      const used = recordsIn(rows.flatMap(({ body, answer }) => [body, answer]));
      const placed = [...recordsShownIn(page), ...recordsShownIn(read('docs/api.md'))];
      expect([...used.keys()].filter((name) => !placed.includes(name))).toEqual([]);
    },
  );

  test.each(['docs/account-area.md', 'docs/alerts.md', 'docs/configure.md', 'docs/run.md'])(
    '%s names every kind of alert channel',
    (path) => {
      const page = read(path).toLowerCase();
      const words = deliveryKinds.map((kind) => deliveryTable[kind].word.toLowerCase());
      expect(words.filter((word) => !page.includes(word))).toEqual([]);
    },
  );

  test('the reference lists every kind of alert channel as a label of metrics', () => {
    const labels = deliveryKinds.map((kind) => `\`${kind}\``).join(', ');
    expect(read('docs/reference.md')).toContain(`\`channel\` (${labels})`);
  });

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
    const wanted = [...names, ...flags, ...Object.keys(consumerCommandSettings)];
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

  test.each(['docs/accessibility.md', 'SECURITY.md'])(
    'every suite that %s names exists',
    (page) => {
      const named = read(page).match(/(?<=`)(?:src|test)\/[\w/.-]+\.test\.ts(?=`)/g) ?? [];
      expect(named.length).toBeGreaterThan(5);
      expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    },
  );

  test('ten first tasks name files that exist or are to be written', () => {
    const tasks = read('docs/first-tasks.md').match(/^\| \d+ \|.*$/gm) ?? [];
    expect(tasks).toHaveLength(10);
    for (const task of tasks) {
      const paths = [...task.matchAll(/`((?:src|clients|test|docs|scripts|bin)\/[\w/.-]+)`/g)];
      const missing = paths
        .map(([, path = '']) => path)
        .filter((path) => !existsSync(join(root, path)));
      expect(missing.filter((path) => !path.endsWith('.test.ts'))).toEqual([]);
      expect(paths.length - missing.length).toBeGreaterThan(0);
    }
  });

  test('the forms for issues have a name, a description, and questions with one ID each', () => {
    const folder = join(root, '.github', 'ISSUE_TEMPLATE');
    const names = readdirSync(folder).filter((name) => name !== 'config.yml');
    expect(names.sort()).toEqual([
      'bug.yml',
      'feature.yml',
      'source-or-format.yml',
      'wrong-value.yml',
    ]);
    for (const name of names) {
      const form = Bun.YAML.parse(readFileSync(join(folder, name), 'utf8')) as IssueForm;
      expect([form.name, form.description].filter((text) => !text)).toEqual([]);
      const questions = form.body.filter(({ type }) => type !== 'markdown');
      const ids = questions.map(({ id }) => id);
      expect(ids.filter((id) => !/^[a-z]+$/.test(id ?? ''))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
      expect(questions.filter(({ attributes }) => !attributes.label)).toEqual([]);
      expect(questions.some(({ validations }) => validations?.required)).toBe(true);
    }
  });

  test('docs/README.md links to every page', () => {
    const overview = read('docs/README.md');
    const pages = readdirSync(join(root, 'docs')).filter((name) => /\.md$/.test(name));
    const others = pages.filter((name) => name !== 'README.md');
    expect(others.filter((name) => !overview.includes(`](${name})`))).toEqual([]);
  });

  test('every feature in README has a link to its figure, and a command that exists', () => {
    const [, section = ''] = /^## Features\n([\s\S]*?)^## /m.exec(read('README.md')) ?? [];
    const [, , ...rows] = section.match(/^\| .+ \|$/gm) ?? [];
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      const [what, figure, typed = ''] = row.slice(2, -2).split(' | ');
      const typedCommands = [...typed.matchAll(/`(.+?)`/g)].map(([, command = '']) => command);
      expect([what, figure]).toEqual([what, expect.stringMatching(/\]\(.+\)$/)]);
      expect([what, typedCommands.length > 0]).toEqual([what, true]);
      expect(typedCommands.filter((command) => !canBeTyped(command))).toEqual([]);
    }
  });

  /** Whether a command, script or suite exists. */
  function canBeTyped(command: string): boolean {
    const words = command.split(' ');
    if (words[0] === 'brickmark') return commands.some(({ name }) => name === words[1]);
    if (words[1] === 'test') return existsSync(join(root, words[3] ?? ''));
    return Object.hasOwn(JSON.parse(read('package.json')).scripts, words[2] ?? '');
  }

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
