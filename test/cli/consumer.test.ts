/** The commands for key holders, against a running server. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consumerCommands } from '../../src/cli/commands.ts';
import type { OwnHoldingPage } from '../../src/contract/plus/holdings.ts';
import { bargains, smallCollection, smallMarket } from '../support/market.ts';
import { programCommand } from '../support/program.ts';
import { type Ran, typeHere } from '../support/typed.ts';
import { batch, noon, startWorld, type World, withPrefix } from '../support/world.ts';

const email = 'reseller@example.com';
const folder = mkdtempSync(join(tmpdir(), 'brickmark-consumer-'));
const config = join(folder, 'config', 'config.toml');

let world: World;
let key: string;

/** All output, to check that it contains no key. */
const printed: string[] = [];

beforeAll(async () => {
  world = await startWorld();
  await world.load([
    ...smallMarket,
    ...bargains,
    { kind: 'set', set_number: '1', title: '=1+1, "a"', theme: 'Formulas' },
    {
      kind: 'offer',
      retailer: 'retailer_b',
      set_number: '75192',
      observed_at: '2026-11-14T08:30:00Z',
      price: 171.25,
      in_stock: true,
      seller_type: 'retailer',
    },
  ]);
  await world.addAccount(email);
  await world.load(smallCollection(email));
  key = await world.addKey(email);
});

afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

interface TypeOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly columns?: number | undefined;
}

/** Runs a command for a server; the operator's settings, invalid here, must not matter. */
async function type(
  words: readonly string[],
  { env = {}, stdin, columns }: TypeOptions = {},
): Promise<Ran> {
  const ran = await typeHere(words, {
    folder,
    environment: {
      ...process.env,
      BRICKMARK_NOW: noon,
      BRICKMARK_DATABASE_URL: 'nonsense',
      BRICKMARK_URL: world.url,
      BRICKMARK_KEY: key,
      BRICKMARK_CONFIG: config,
      ...env,
    },
    stdin,
    columns,
  });
  printed.push(ran.stdout, ran.stderr);
  return ran;
}

/** The `data` of an API response. */
async function dataOf(path: string, init?: RequestInit): Promise<unknown> {
  return ((await (await world.call(path, key, init)).json()) as { data: unknown }).data;
}

const answers: readonly (readonly [words: string, ask: () => Promise<unknown>])[] = [
  ['get set 75192-1', () => dataOf('/set/75192')],
  ['get set 75192 404404', () => dataOf('/catalog/batch', batch({ sets: ['75192', '404404'] }))],
  ['get minifig cas001', () => dataOf('/minifig/cas001')],
  ['get minifig cas001 x', () => dataOf('/catalog/batch', batch({ minifigs: ['cas001', 'x'] }))],
  ['history 75192', () => dataOf('/set/75192/history')],
  ['history 75192 --condition used', () => dataOf('/set/75192/history?condition=used')],
  [
    'search castle --limit 2 --offset 1',
    async () => ({
      sets: await dataOf('/catalog/sets/search?q=castle&limit=2&offset=1'),
      minifigs: await dataOf('/catalog/minifigs/search?q=castle&limit=2&offset=1'),
    }),
  ],
  [
    'search knight of --minifigs',
    async () => ({ minifigs: await dataOf('/catalog/minifigs/search?q=knight%20of&limit=10') }),
  ],
  [
    'portfolio --period 90d',
    async () => ({
      analytics: await dataOf('/brickfolio/analytics?period=90d'),
      brickfolio: await dataOf('/brickfolio'),
    }),
  ],
  [
    'portfolio minifigs',
    async () => {
      const page = (await dataOf(plus('/holdings?item_type=minifig'))) as OwnHoldingPage;
      return { minifigs: page.holdings };
    },
  ],
  ['watch', () => dataOf('/brickfolio/retail-watch?changed_within=24h')],
  ['watch --changed 30d', () => dataOf('/brickfolio/retail-watch?changed_within=30d')],
  [
    'watch --since 2026-11-01T00:00:00+01:00 --changed 90d',
    () => dataOf('/brickfolio/retail-watch?changed_within=90d&since=2026-11-01T00:00:00%2B01:00'),
  ],
  ['watch --all', () => dataOf('/brickfolio/retail-watch')],
  ['max-buy 75192 --condition used', () => dataOf(plus('/max-buy?set=75192&condition=used'))],
  ['max-buy cas001 --minifig', () => dataOf(plus('/max-buy?minifig=cas001'))],
  [
    'max-buy 75192 --share 0.5 --margin 12.5 --channel ebay --grade damaged_box',
    () =>
      dataOf(plus('/max-buy?set=75192&share=0.5&margin_pct=12.5&channel=ebay&grade=damaged_box')),
  ],
  ['ways-to-sell 75192', () => dataOf(plus('/set/75192/ways-to-sell'))],
  [
    'ways-to-sell 75192 --condition used --price 99.99',
    () => dataOf(plus('/set/75192/ways-to-sell?condition=used&price_usd=99.99')),
  ],
  ['deals --limit 1', () => dataOf(plus('/deals?limit=1'))],
  [
    'deals --share 0.5 --margin 0 --min-tier low --retailer retailer_a --max-price 5000',
    () =>
      dataOf(
        plus(
          '/deals?limit=20&share=0.5&margin_pct=0&min_tier=low&retailer=retailer_a' +
            '&max_price_usd=5000',
        ),
      ),
  ],
  [
    'deals --min-profit 5.5 --min-roi 10 --status 4 --theme Castle --grade light_wear',
    () =>
      dataOf(
        plus(
          '/deals?limit=20&min_profit_usd=5.5&min_roi_pct=10&status_id=4&theme=Castle' +
            '&grade=light_wear',
        ),
      ),
  ],
  ['usage', () => dataOf(plus('/usage'))],
];

/** Lists with several pages. */
const pagedLists = [
  ['portfolio entries', '/brickfolio/entries', 'entries'],
  ['portfolio sales', '/salesledger', 'sales'],
] as const;

function plus(path: string): string {
  return withPrefix(`/api/plus/v1${path}`);
}

test('every command is tested', () => {
  const tried = [
    ...answers.map(([words]) => words),
    'login',
    // Tested in test/process/mcp.test.ts, since its output is that of the protocol.
    'mcp',
    ...pagedLists.map(([words]) => words),
  ];
  const isTried = (name: string) => tried.some((words) => `${words} `.startsWith(`${name} `));
  expect(consumerCommands.map(({ name }) => name).filter((name) => !isTried(name))).toEqual([]);
});

test.each(answers)('%s --json prints the API data and nothing else', async (words, ask) => {
  const { status, stdout } = await type([...words.split(' '), '--json']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual(await ask());
});

test.each(answers.map(([words]) => words))('%s prints the same data as text', async (words) => {
  const { status, stdout, stderr } = await type(words.split(' '));
  expect(status).toBe(0);
  expect(stdout.length).toBeGreaterThan(5);
  expect(stdout).not.toMatch(/undefined|null|NaN|\[object/);
  expect(stdout).not.toContain('\u001b');
  expect(stderr).toMatch(/^(Not found: \S+\n)?\d+ of 1,000 calls left today\.\n$/);
});

test.each(answers.map(([words]) => words))(
  '%s --csv has a cell for every column',
  async (words) => {
    const { status, stdout } = await type([...words.split(' '), '--csv']);
    expect(status).toBe(0);
    const [head = '', ...rows] = stdout.trimEnd().split('\r\n');
    expect(head).toMatch(/^[a-z]\w*(,[a-z]\w*)+$/);
    const cells = (row: string) => row.replace(/"([^"]|"")*"/g, '').split(',').length;
    for (const row of rows) expect(cells(row)).toBe(head.split(',').length);
  },
);

describe('text output', () => {
  test('of a set has its value, range, tier and retailers', async () => {
    const { stdout } = await type(['get', 'set', '75192']);
    expect(stdout).toBe(
      [
        '75192  Grand Castle',
        '  Theme      Castle, Crown',
        '  Status     Retired, released May 10, 2020, retired Dec 31, 2022',
        '  Contents   1,500 pieces, 2 minifigs',
        '  MSRP       $149.99',
        '  Sealed     $196.00   $176.40 to $215.60',
        '  Used       $110.00',
        '  Data tier  High: many recent sales support the value.',
        '',
        'RETAILER      PRICE  DISCOUNT  STOCK         SOLD BY   CHECKED',
        'Retailer A  $119.99    20.00%  Out of stock  Retailer  Nov 12, 2026, 00:00 UTC',
        'Retailer B  $171.25         –  In stock      Retailer  Nov 14, 2026, 08:30 UTC',
        '',
      ].join('\n'),
    );
  });

  test('of a history has a sparkline', async () => {
    const { stdout } = await type(['history', '75192', '--months', '2']);
    expect(stdout).toBe(
      [
        '75192  Sealed',
        '  $204.00 █▁ $202.00',
        '  -1.0% from Sep 2026 to Oct 2026',
        '',
        'MONTH       VALUE      LOW     HIGH  SALES  EVENT',
        'Sep 2026  $204.00  $183.60  $224.40      5',
        'Oct 2026  $202.00  $181.80  $222.20      6',
        '76 earlier: --months 78',
        '',
      ].join('\n'),
    );
  });

  test('of a price change has the price paid', async () => {
    const { stdout } = await type(['watch', '--changed', '30d']);
    expect(stdout).toBe(
      [
        'SET    NAME             PAID  AT    PRICE  CHANGE  CHANGED       NOTE',
        '75192  Grand Castle  $120.00  B   $171.25  -$8.75  Nov 14, 2026  lowest',
        '',
      ].join('\n'),
    );
  });

  test('fits the terminal, in color', async () => {
    const { stdout } = await type(['search', 'castle', '--sets'], { columns: 60 });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toContain('\u001b[1mSET\u001b[0m');
    expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBe(60);
  });
});

test.each(pagedLists)('%s fetches all pages', async (words, path, field) => {
  const { stdout } = await type([...words.split(' '), '--json']);
  const page = (await dataOf(`${path}?limit=250`)) as Record<string, unknown>;
  expect(JSON.parse(stdout)).toEqual({ [field]: page[field] });
  expect((await type(words.split(' '))).stdout).toContain('75192');
  expect((await type([...words.split(' '), '--csv'])).stdout).toContain(',75192,Grand Castle,');
});

test('more lots than fit on a page take two calls', async () => {
  const collector = 'many@example.com';
  await world.addAccount(collector);
  const lots = Array.from({ length: 251 }, (_, index) => ({
    kind: 'holding',
    account: collector,
    source_id: `lot-${index}`,
    brickfolio: 'Attic',
    set_number: '75192',
    condition: 'sealed',
    quantity: 1,
    purchase_price_usd: index,
    purchase_date: '2026-01-01',
  }));
  await world.load([{ kind: 'brickfolio', account: collector, name: 'Attic' }, ...lots]);
  const env = { BRICKMARK_KEY: await world.addKey(collector, { allowance: 10 }) };
  const { stdout, stderr } = await type(['portfolio', 'entries', '--csv'], { env });
  expect(stdout.trimEnd().split('\r\n')).toHaveLength(252);
  expect(stderr).toBe('8 of 10 calls left today.\n');
});

test('a single lot is shown, and an account without lots has none', async () => {
  const owner = 'one-lot@example.com';
  await world.addAccount(owner);
  const env = { BRICKMARK_KEY: await world.addKey(owner, { allowance: 10 }) };
  const entries = async () => (await type(['portfolio', 'entries'], { env })).stdout;
  expect(await entries()).toBe('No lots.\n');
  const lot = { kind: 'holding', account: owner, source_id: 'a', brickfolio: 'Attic' };
  const facts = { set_number: '75192', condition: 'sealed', quantity: 1, purchase_price_usd: 5 };
  await world.load([
    { kind: 'brickfolio', account: owner, name: 'Attic' },
    { ...lot, ...facts, purchase_date: '2026-01-01' },
  ]);
  expect(await entries()).toMatch(/^BOUGHT +SET .*\nJan 1, 2026 +75192 .*\n$/);
});

describe('numbers from standard input', () => {
  test('are sent as a batch, whatever the line breaks', async () => {
    const { stdout, stderr } = await type(['get', 'set', '-', '--csv'], {
      stdin: '75192, 404404\r\n6002\n\n75192-1\n',
    });
    const rows = stdout.trimEnd().split('\r\n');
    expect(rows.map((row) => row.split(',').slice(0, 2).join(','))).toEqual([
      'set_number,found',
      '75192,true',
      '404404,false',
      '6002,true',
    ]);
    expect(stderr).toStartWith('Not found: 404404.\n');
  });

  test('cost nothing if the allowance does not cover all of them', async () => {
    const env = { BRICKMARK_KEY: await world.addKey(email, { allowance: 100 }) };
    const stdin = Array.from({ length: 101 }, (_, index) => `${index}`).join('\n');
    expect(await type(['get', 'set', '-'], { env, stdin })).toEqual({
      status: 1,
      stdout: '',
      stderr: 'This needs 101 calls, and 100 are left today. No calls were used. Ask for fewer.\n',
    });
  });

  test('are required', async () => {
    const ran = await type(['get', 'minifig', '-'], { stdin: ' \n' });
    expect([ran.status, ran.stderr]).toEqual([1, 'No numbers in standard input.\n']);
  });
});

test.each([
  ['--json', 80, 'a\\u009b2Jb\\u202ec'],
  ['--json', undefined, 'a\\u009b2Jb\\u202ec'],
  ['--csv', 80, 'a\\u009b2Jb\\u202ec'],
  ['--csv', undefined, 'a\u009b2Jb\u202ec'],
])('%s in %p columns shows foreign text as %j', async (form, columns, written) => {
  const hostile = 'a\u009b2Jb\u202ec';
  const found = { set_number: hostile, found: false };
  const other = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => Response.json({ data: { sets: [found], minifigs: [], summary: {} }, meta: {} }),
  });
  try {
    const env = { BRICKMARK_URL: other.url.origin };
    const ran = await type(['get', 'set', '1', '2', form], { env, columns });
    expect(ran.stdout).toContain(written);
    if (form === '--json') expect(JSON.parse(ran.stdout).sets).toEqual([found]);
    expect(ran.stderr).toBe('Not found: a\\u009b2Jb\\u202ec.\n');
  } finally {
    await other.stop(true);
  }
});

test('a command of two calls makes none if only one is left', async () => {
  const env = { BRICKMARK_KEY: await world.addKey(email, { allowance: 1 }) };
  const refusal = 'This needs 2 calls, and 1 is left today. No calls were used.';
  for (const [words, advice] of [
    ['portfolio', "'brickmark usage' shows when they reset."],
    ['search castle', 'With --sets or --minifigs, it needs 1.'],
  ] as const) {
    const ran = await type(words.split(' '), { env });
    expect(ran).toEqual({ status: 1, stdout: '', stderr: `${refusal} ${advice}\n` });
  }
  const ran = await type(['search', 'castle', '--sets'], { env });
  expect([ran.status, ran.stderr]).toEqual([0, '0 of 1 call left today.\n']);
});

test('CSV cells cannot be formulas', async () => {
  const { stdout } = await type(['get', 'set', '1', '--csv']);
  expect(stdout).toContain(`\r\n1,true,"'=1+1, ""a""'",Formulas,`);
});

describe('a failure has status 1, one sentence and a next step', () => {
  const refused: [words: string, env: () => Promise<Record<string, string>>, message: string][] = [
    ['get set 404404', async () => ({}), "There is no set '404404'. Find its number with"],
    ['get minifig 404404', async () => ({}), "Find its number with 'brickmark search'."],
    ['history 404404', async () => ({}), "There is no set '404404'. Find its number with"],
    [
      'max-buy cas001',
      async () => ({}),
      "There is no set 'cas001'. For a minifig, add --minifig. Find its number with",
    ],
    ['max-buy x --minifig', async () => ({}), "There is no minifig 'x'. Find its number with"],
    [
      'portfolio entries --collection 99',
      async () => ({}),
      "'brickmark portfolio' shows their ids.",
    ],
    [
      'get set 75192',
      async () => ({ BRICKMARK_KEY: 'bmk_unknown' }),
      'rejected the key: it is mistyped, expired or revoked. Create one under',
    ],
    [
      'portfolio',
      async () => {
        await world.addAccount('free@example.com', 'free');
        return { BRICKMARK_KEY: await world.addKey('free@example.com') };
      },
      'The key works, but API calls need the Reseller plan, and its account is not on it.\n',
    ],
    [
      'search castle',
      async () => {
        const spent = await world.addKey(email, { allowance: 1 });
        await world.call('/set/75192', spent);
        return { BRICKMARK_KEY: spent };
      },
      'The daily limit of 1 call is used up. Resets at Nov 1',
    ],
    [
      'get set 75192 6002',
      async () => ({ BRICKMARK_KEY: await world.addKey(email, { allowance: 1 }) }),
      '1 of 1 call left today, fewer than this needs. Resets at Nov 1',
    ],
    ['usage', async () => ({ BRICKMARK_URL: 'http://127.0.0.1:1' }), 'No response from http'],
    ['usage', async () => ({ BRICKMARK_URL: '', BRICKMARK_KEY: '' }), 'Not logged in. Run'],
  ];

  test.each(refused)("explains why '%s' fails (%#)", async (words, env, message) => {
    const ran = await type(words.split(' '), { env: await env() });
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(ran.stderr.trimEnd()).not.toContain('\n');
  });

  test.each<[answer: () => Response, message: string]>([
    [() => new Response('<html>'), 'is not Brickmark (status 200). Check the address.'],
    [() => new Response('<html>', { status: 404 }), 'is not Brickmark (status 404)'],
    [
      () => new Response('Slow.', { status: 429 }),
      'limits requests (status 429). Try again later.',
    ],
    [
      () => Response.redirect('https://b.example.com/'),
      'redirects to another address. Use that one',
    ],
    [
      () =>
        Response.json({ error: { code: 'BadRequest', message: 'No\u001b[2J.' } }, { status: 400 }),
      'No\\u001b[2J.',
    ],
  ])('says that another server answers (%#)', async (answer, message) => {
    const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer });
    try {
      const ran = await type(['usage'], { env: { BRICKMARK_URL: other.url.origin } });
      expect(ran).toMatchObject({ status: 1, stdout: '' });
      expect(ran.stderr).toContain(message);
    } finally {
      await other.stop(true);
    }
  });
});

test.each([
  ['get set', 'NUMBER is missing.'],
  ['get set - 1', "Use '-' without other numbers."],
  ['get', "'get' needs a subcommand: 'get set', 'get minifig'."],
  ['history sael', "Unknown command 'history sael'; did you mean 'history seal'?"],
  ['portfolio sale', "did you mean 'portfolio sales'?"],
  ['history 1 2', "Unexpected argument '2'."],
  ['history 1 --condition mint', "--condition must be sealed or used, not 'mint'."],
  ['get set .', "'.' is not a number."],
  ['get minifig ..', "'..' is not a number."],
  ['history .', "'.' is not a number."],
  ['search', 'WORDS is missing.'],
  ['search a', 'Type at least 2 characters.'],
  ['search xy --limit 251', '--limit must be a whole number from 1 to 250'],
  ['portfolio --period 2y', "--period must be 30d, 90d or 1y, not '2y'."],
  ['portfolio entry', "Unexpected argument 'entry'."],
  ['watch --changed soon', "--changed must be a time such as 30m, 3h or 7d, not 'soon'."],
  ['watch --since yesterday', "--since 'yesterday' is not a time"],
  ['watch --all --changed 3h', 'Use --all without --changed or --since.'],
  ['usage --json --csv', 'Use --json or --csv, not both.'],
  ['usage --data x', "Unknown flag '--data'"],
  // Help does not list these.
  ['login --csv', "Unknown flag '--csv'"],
  ['mcp --json', "Unknown flag '--json'"],
  ['login bmk_secret', "Don't type the key after 'login', where others can read it."],
])('%s is a usage error', async (words, message) => {
  const ran = await type(words.split(' '));
  expect(ran).toMatchObject({ status: 2, stdout: '' });
  expect(ran.stderr).toContain(message);
});

describe('login', () => {
  const unset = { BRICKMARK_URL: '', BRICKMARK_KEY: '' };

  test('saves an accepted key for later commands', async () => {
    const ran = await type(['login', `${world.url}/api/v1`], { env: unset, stdin: `${key}\n` });
    expect(ran).toMatchObject({ status: 0 });
    expect(ran.stdout).toBe(
      `Logged in to ${world.url}. Saved in ${config}, readable only by you.\n`,
    );
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect((await type(['get', 'set', '75192'], { env: unset })).status).toBe(0);
  });

  test('with --json prints the file, not the key', async () => {
    const { stdout } = await type(['login', '--json'], { env: unset, stdin: key });
    expect(JSON.parse(stdout)).toEqual({ url: world.url, config });
  });

  test('saves no rejected key, and names the setting that takes precedence', async () => {
    const before = readFileSync(config, 'utf8');
    expect(await type(['login'], { stdin: 'bmk_wrong' })).toMatchObject({ status: 1 });
    expect(await type(['login'], { stdin: '' })).toMatchObject({ status: 1 });
    expect(readFileSync(config, 'utf8')).toBe(before);
    const { stderr } = await type(['login'], { stdin: key });
    expect(stderr).toEndWith('BRICKMARK_URL and BRICKMARK_KEY in the environment still win.\n');
  });

  test('needs a URL', async () => {
    const env = { ...unset, BRICKMARK_CONFIG: join(folder, 'nowhere') };
    const ran = await type(['login'], { env, stdin: key });
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining('URL is missing.')]);
  });
});

describe('in a separate process', () => {
  const start = async (words: readonly string[], url: string, shell: readonly string[] = []) =>
    Bun.spawn([...shell, ...(await programCommand()), ...words], {
      cwd: folder,
      env: { ...process.env, BRICKMARK_URL: url, BRICKMARK_KEY: key },
      stdout: 'pipe',
      stderr: 'pipe',
    });

  test('a command ends quietly if the pipe is closed', async () => {
    const unread = ['sh', '-c', '{ "$@"; echo "status $?" >&2; } | true', 'sh'];
    const child = await start(['history', '75192', '--csv'], world.url, unread);
    await child.exited;
    const errors = await new Response(child.stderr).text();
    expect(errors).toMatch(/^(\d+ of 1,000 calls left today\.\n)?status 0\n$/);
  });

  test('Ctrl-C between two pages prints nothing', async () => {
    const requested = Promise.withResolvers<void>();
    const page = { entries: [], pagination: { total: 9, limit: 250, offset: 0, has_more: true } };
    const slow = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) => {
        if (url.includes('offset=0')) return Response.json({ data: { ...page, entries: [{}] } });
        requested.resolve();
        return new Promise<Response>(() => {});
      },
    });
    try {
      const child = await start(['portfolio', 'entries', '--json'], slow.url.origin);
      await requested.promise;
      child.kill('SIGINT');
      await child.exited;
      expect(child.signalCode).toBe('SIGINT');
      const outputs = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
      expect(await Promise.all(outputs)).toEqual(['', '']);
    } finally {
      await slow.stop(true);
    }
  });
});

test('no key was printed, and no store was created', () => {
  expect(printed.join('')).not.toContain(key);
  expect(printed.join('')).not.toContain('bmk_secret');
  expect(existsSync(join(folder, 'data'))).toBe(false);
});
