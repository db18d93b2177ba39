/** Reading and validating `sources.toml`. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs, minuteMs } from '../kernel/time.ts';
import { Secret } from './secret.ts';
import { readSyncSettings, type SettingsSource } from './settings.work.ts';
import { SettingsError } from './settings-text.ts';

let folder: string;
const secret = 'S3cr3t-of/the+operator';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-settings-'));
  const files = {
    keepa: `${secret}\n`,
    empty: '\n',
    lines: 'first\nsecond\n',
    'b.mapping.json': '{}',
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string, environment: Record<string, string> = {}) {
  return readNamed({
    text,
    path: join(folder, 'sources.toml'),
    readVariable: (name) => environment[name] ?? null,
  });
}

/** With the settings of each source by its name, in which its own secrets can be read. */
function readNamed(source: SettingsSource) {
  const { sources, ...others } = readSyncSettings(source);
  const shown = (value: unknown) => (value instanceof Secret ? value.reveal() : value);
  const of = sources.map(({ name, settings }) => {
    const values = Object.entries(settings).map(([each, value]) => [each, shown(value)]);
    return [name, Object.fromEntries(values) as Record<string, unknown>] as const;
  });
  return { ...others, names: of.map(([name]) => name), of: Object.fromEntries(of) };
}

/** The error of a text, without the path of the file. */
function refusal(text: string, environment: Record<string, string> = {}): string {
  try {
    read(text, environment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    expect(error.message).not.toContain(secret);
    return error.message.replace(`${join(folder, 'sources.toml')}, `, '');
  }
  return 'nothing is refused';
}

test('an empty file enables nothing', () => {
  expect(readSyncSettings({ text: '', path: '', readVariable: () => null })).toEqual({
    sources: [],
    keepDays: 7,
    keepMb: 2000,
    secrets: [],
    keyless: [],
    warnings: [],
  });
});

const everything = `
keep_days = 30
keep_mb = 500
[ecb]
[rebrickable]
enabled = true
url = "https://mirror.example.com/rebrickable"
every = "30m"
[brickset]
key_env = "BRICKSET_KEY"
calls_per_day = 50
[bricklink]
consumer_key_env = "BL1"
consumer_secret_env = "BL2"
token_env = "BL3"
token_secret_env = "BL4"
currency = "EUR"
region = "europe"
[keepa]
key_file = "keepa"
[ebay]
client_id_env = "EBAY1"
client_secret_env = "EBAY2"
marketplace = "EBAY_DE"
[[http]]
name = "retailer-b"
url = "https://shop.example.com/prices.csv?country=us"
format = "offers-csv"
mapping = "b.mapping.json"
every = "6h"
headers = { Accept = "text/csv" }
headers_env = { Authorization = "SHOP" }
[[http]]
name = "partner"
url_env = "PARTNER"
format = "feed"
[[http]]
enabled = false
name = "partner"
`;
const variables = {
  BRICKSET_KEY: 'brickset-key',
  BL1: 'bl-one',
  BL2: 'bl-two',
  BL3: 'bl-three',
  BL4: 'bl-four',
  EBAY1: 'ebay-one',
  EBAY2: 'ebay-two',
  SHOP: 'Bearer shop-t0ken; id=me-too',
  PARTNER: 'https://partner.example.com/feed/tok3n.ndjson?k=v4lue&of=a%2Fb+c',
};

describe('settings', () => {
  test('are read, with defaults for the rest', () => {
    const settings = read(everything, variables);
    expect(settings).toMatchObject({ keepDays: 30, keepMb: 500, warnings: [] });
    const { ecb, rebrickable, brickset, bricklink, keepa, ebay, ...https } = settings.of;
    expect(Object.keys(https)).toEqual(['retailer-b', 'partner']);
    expect({ ecb, rebrickable, brickset, bricklink, keepa, ebay }).toEqual({
      ecb: { url: new URL('https://www.ecb.europa.eu/stats/eurofxref/') },
      rebrickable: {
        url: new URL('https://mirror.example.com/rebrickable/'),
        everyMs: 30 * minuteMs,
      },
      brickset: {
        url: new URL('https://brickset.com/api/v3.asmx/'),
        everyMs: 24 * hourMs,
        callsPerDay: 50,
        key: 'brickset-key',
      },
      bricklink: {
        url: new URL('https://api.bricklink.com/api/store/v1/'),
        everyMs: 20 * hourMs,
        callsPerDay: 5000,
        currency: 'EUR',
        region: 'europe',
        consumerKey: 'bl-one',
        consumerSecret: 'bl-two',
        token: 'bl-three',
        tokenSecret: 'bl-four',
      },
      keepa: { url: new URL('https://api.keepa.com/'), everyMs: 2 * hourMs, key: secret },
      ebay: {
        url: new URL('https://api.ebay.com/'),
        everyMs: 20 * hourMs,
        callsPerDay: 5000,
        marketplace: 'EBAY_DE',
        clientId: 'ebay-one',
        clientSecret: 'ebay-two',
      },
    });
  });

  test('of a URL are name, format, mapping relative to the file, and headers', () => {
    const { of } = read(everything, variables);
    expect(of['retailer-b']).toMatchObject({
      name: 'retailer-b',
      format: 'offers-csv',
      mapping: join(folder, 'b.mapping.json'),
      everyMs: 6 * hourMs,
      headers: { Accept: 'text/csv' },
    });
    expect(String(of['retailer-b']?.url)).toBe('https://shop.example.com/prices.csv?country=us');
    expect(JSON.stringify(of['retailer-b']?.headers)).toContain('"Authorization":"[secret]"');
    expect(of.partner).toMatchObject({ mapping: null, everyMs: 24 * hourMs, headers: {} });
    expect(String(of.partner?.url)).toBe(variables.PARTNER);
  });

  test('that are secret are redacted, including parts of a URL', () => {
    const secrets = read(everything, variables).secrets.map((known) => known.reveal());
    expect(secrets).toEqual(
      expect.arrayContaining([
        ...Object.values(variables),
        secret,
        '/feed/tok3n.ndjson',
        '?k=v4lue&of=a%2Fb+c',
        'tok3n.ndjson',
        'v4lue',
        'a%2Fb+c',
        'a/b c',
        'shop-t0ken',
        'me-too',
      ]),
    );
    expect(secrets).not.toContain('Bearer');
  });

  test('mark each URL that has a secret', () => {
    const { of } = read(everything, variables);
    expect([of['retailer-b']?.hasSecret, of.partner?.hasSecret]).toEqual([true, true]);
    expect(read(`${at}headers = { Accept = "text/csv" }\n`).of.a?.hasSecret).toBe(false);
  });

  test('may have a country instead of a region', () => {
    const text = everything.replace('"europe"', '"DE"');
    expect(read(text, variables).of.bricklink?.region).toBe('DE');
  });

  test('of a disabled source need no secrets', () => {
    expect(read('[keepa]\nenabled = false\nkey_env = "NONE"\n').names).toEqual([]);
    expect(read('[keepa]\nenabled = false\n').names).toEqual([]);
  });
});

test('without secrets, enabled sources are listed, and no variable or file is read', () => {
  const settings = readNamed({
    text: everything.replace('"keepa"', '"nowhere"'),
    path: join(folder, 'sources.toml'),
    readVariable: () => {
      throw new Error('A variable was read.');
    },
    withoutSecrets: true,
  });
  const fixed = ['ecb', 'rebrickable', 'brickset', 'bricklink', 'keepa', 'ebay'];
  expect(settings.names).toEqual([...fixed, 'retailer-b', 'partner']);
  expect(settings).toMatchObject({ of: { bricklink: { callsPerDay: 5000 } }, warnings: [] });
});

/** Settings of a source whose secret cannot be used, and why. */
const keyless: Record<string, [text: string, words: string]> = {
  'a variable that is not set': [
    'key_env = "NOWHERE"',
    "the environment variable named in 'key_env' is empty or not set. Put the secret there.",
  ],
  'a secret that is too short to be redacted': [
    'key_env = "SHORT"',
    "the environment variable named in 'key_env' has fewer than 4 characters; is it complete?",
  ],
  'a secret in place of a path': [
    `key_file = "${secret}"`,
    "the file named in 'key_file' cannot be read, or is longer than 8192 bytes. " +
      'Check its path and permissions.',
  ],
  'a folder': [
    'key_file = "."',
    "the file named in 'key_file' cannot be read, or is longer than 8192 bytes. " +
      'Check its path and permissions.',
  ],
  'an empty file': [
    'key_file = "empty"',
    "the file named in 'key_file' is empty or not set. Put the secret there.",
  ],
  'a file of several lines': [
    'key_file = "lines"',
    "the file named in 'key_file' has more than one line, or characters other than ASCII.",
  ],
};

describe('a secret that cannot be used stops its source alone:', () => {
  for (const [what, [text, problem]] of Object.entries(keyless)) {
    test(what, () => {
      const settings = read(`[ecb]\n[keepa]\n${text}\n[brickset]\nkey_env = "K"\n`, {
        K: 'a key',
        SHORT: 'key',
      });
      expect(settings.names).toEqual(['ecb', 'brickset']);
      const path = join(folder, 'sources.toml');
      expect(settings.keyless).toEqual([{ name: 'keepa', problem: `${path}, line 3: ${problem}` }]);
    });
  }

  test('the address or a header of an [[http]]', () => {
    const shop = (name: string, lines: string) =>
      `[[http]]\nname = "${name}"\nformat = "feed"\n${lines}\n`;
    const text = [
      shop('header', 'url = "https://a.example.com/"\nheaders_env = { A = "NOWHERE" }'),
      shop('unset', 'url_env = "NOWHERE"'),
      shop('wrong', 'url_env = "K"'),
      shop('good', 'url = "https://a.example.com/"'),
    ].join('');
    const { names, keyless } = read(text, { K: 'not an address' });
    expect(names).toEqual(['good']);
    expect(keyless.map(({ name, problem }) => [name, /line (\d+)/.exec(problem)?.[1]])).toEqual([
      ['header', '5'],
      ['unset', '9'],
      ['wrong', '13'],
    ]);
    expect(refusal(`${text}${shop('unset', 'url_env = "NOWHERE"')}`)).toContain('already taken');
  });
});

describe('a secret in a file', () => {
  test('that other users can read is used with a warning', () => {
    chmodSync(join(folder, 'keepa'), 0o644);
    const { warnings, of } = read('[keepa]\nkey_file = "keepa"\n');
    chmodSync(join(folder, 'keepa'), 0o600);
    expect(of.keepa?.key).toBe(secret);
    expect(warnings).toEqual([
      `${join(folder, 'sources.toml')}, line 2: ` +
        'other users can read this file. Run chmod 600 on it.',
    ]);
  });
});

const wrongEvery = `'every' must be a duration such as "30m", "6h" or "1d", from "1m" to "31d".`;
const elsewhere = 'a secret does not belong in this file: put it into an environment variable';
const http = '[[http]]\nname = "a"\nformat = "feed"\n';
const at = `${http}url = "https://a.example.com/"\n`;

/** Rejected texts, and how the error starts or ends. */
const refused: Record<string, [text: string, words: string]> = {
  'an unknown table': [
    '\n[briklink]\n',
    "line 2: there is no table or name 'briklink'. Did you mean 'bricklink'?",
  ],
  'a name before the tables': [
    'keep_day = 3\n',
    "line 1: there is no table or name 'keep_day'. Did you mean 'keep_days'?",
  ],
  'an unknown name': [
    '[ecb]\n[rebrickable]\n# often\nevry = "6h"\n',
    "line 4: there is no name 'evry'. Did you mean 'every'?",
  ],
  'a name of another source': [
    '[ecb]\ncalls_per_day = 3\n',
    "line 2: there is no name 'calls_per_day'. Use one of enabled, url.",
  ],
  'an unknown name in the second of several tables': [
    `${at}${http.replace('"a"', '"b"')}urll = "x"\n`,
    "line 8: there is no name 'urll'. Did you mean 'url'?",
  ],
  'no flag': ['[ecb]\nenabled = "yes"\n', "line 2: 'enabled' must be true or false."],
  'an invalid number of days': [
    'keep_days = 0\n',
    "line 1: 'keep_days' must be a whole number from 1 to 365.",
  ],
  'an invalid number of calls': [
    '[brickset]\nkey_env = "K"\ncalls_per_day = 1.5\n',
    "line 3: 'calls_per_day' must be a whole number from 1 to 1000000.",
  ],
  'no duration': ['[rebrickable]\nevery = "6 hours"\n', `line 2: ${wrongEvery}`],
  'a duration that is too short': ['[rebrickable]\nevery = "0m"\n', `line 2: ${wrongEvery}`],
  'a duration that is too long': ['[rebrickable]\nevery = "32d"\n', `line 2: ${wrongEvery}`],
  'no address': [
    '[ecb]\nurl = "example"\n',
    `line 2: 'url' must be an address such as "https://example.com/".`,
  ],
  'an address without TLS': [
    '[ecb]\nurl = "http://example.com/"\n',
    "line 2: 'url' must begin with https://, or be on this machine.",
  ],
  'an address with a password': [
    '[ecb]\nurl = "https://me:hunter2@example.com/"\n',
    "line 2: 'url' cannot contain a password. Send it in a header, with 'headers_env'.",
  ],
  'an address with a user': [
    '[ecb]\nurl = "https://hunter2@example.com/"\n',
    "line 2: 'url' cannot contain a password. Send it in a header, with 'headers_env'.",
  ],
  'an address with a password and no user': [
    '[ecb]\nurl = "https://:hunter2@example.com/"\n',
    "line 2: 'url' cannot contain a password. Send it in a header, with 'headers_env'.",
  ],
  'a base address with a query': [
    '[ecb]\nurl = "https://example.com/?a=b"\n',
    "line 2: 'url' cannot contain a query.",
  ],
  'no currency': [
    '[bricklink]\ncurrency = "dollars"\n',
    `line 2: 'currency' must be a code such as "USD".`,
  ],
  'no region': [
    '[bricklink]\nregion = "north america"\n',
    "line 2: 'region' cannot be 'north america'. Did you mean 'north_america'?",
  ],
  'no marketplace': [
    '[ebay]\nmarketplace = "US"\n',
    `line 2: 'marketplace' must be a code such as "EBAY_US".`,
  ],
  'a secret': [
    `[keepa]\nkey = "${secret}"\n`,
    `line 2: ${elsewhere} and write key_env = "ITS_NAME", ` +
      'or into a file and write key_file = "/path/of/it".',
  ],
  'a secret in place of a name': [
    `[keepa]\nkey_env = "${secret}"\n`,
    `line 2: 'key_env' must be the name of an environment variable, such as "SHOP_KEY", ` +
      'not the secret itself.',
  ],
  'a secret without quotes': [`[keepa]\nkey_env = ${secret}\n`, 'line 2: '],
  'a secret in an address': [
    `${http}url = "https://a.example.com/?api_key=${secret}"\n`,
    `line 4: ${elsewhere} and write url_env = "ITS_NAME"`,
  ],
  'a signature in an address': [
    `${http}url = "https://a.example.com/?se=1&sig=${secret}"\n`,
    `line 4: ${elsewhere}`,
  ],
  'a password in an address': [
    `${http}url = "https://a.example.com/?pw=${secret}"\n`,
    `line 4: ${elsewhere}`,
  ],
  'a session in a header': [`${at}headers = { X-Session = "${secret}" }\n`, `line 5: ${elsewhere}`],
  'a secret in a header': [
    `${at}headers = { X-Api-Key = "${secret}" }\n`,
    `line 5: ${elsewhere} and write headers_env = { Authorization = "ITS_NAME" }`,
  ],
  'no secret': ['[keepa]\n', "line 1: the secret 'key' is missing: put it into"],
  'a secret in two places': [
    '[keepa]\nkey_env = "A"\nkey_file = "b"\n',
    "line 2: only one of 'key_env' and 'key_file' can be set.",
  ],
  'one [http]': [
    '[http]\nname = "a"\n',
    "line 1: write 'http' as [[http]], since there may be several.",
  ],
  'several [[ecb]]': ['[[ecb]]\n', "line 1: write 'ecb' as [ecb]."],
  'no name': [
    '[[http]]\nformat = "feed"\nurl = "https://a.example.com/"\n',
    "line 1: 'name' is missing.",
  ],
  'a name that cannot be a folder': [
    `${at}`.replace('"a"', '"../a"'),
    "line 2: 'name' must be up to 40 of a to z, 0 to 9 and -.",
  ],
  'a name twice': [`${at}${at}`, "line 6: the name 'a' is already taken."],
  'the name of a built-in source': [
    at.replace('"a"', '"keepa"'),
    "line 2: the name 'keepa' is already taken.",
  ],
  'no format': ['[[http]]\nname = "a"\n', "line 1: 'format' is missing."],
  'another format': [
    '[[http]]\nname = "a"\nformat = "offer-csv"\n',
    "line 3: 'format' cannot be 'offer-csv'. Did you mean 'offers-csv'?",
  ],
  'no mapping': [
    at.replace('feed', 'offers-csv'),
    "line 1: the format 'offers-csv' needs a 'mapping' that names its columns.",
  ],
  'a missing mapping file': [
    `${at.replace('feed', 'offers-csv')}mapping = "c.json"\n`,
    'line 5: there is no file',
  ],
  'a mapping for a format without one': [
    `${at}mapping = "b.mapping.json"\n`,
    "line 5: the format 'feed' does not use a 'mapping'.",
  ],
  'no url': [http, "line 1: one of 'url', 'url_env' and 'url_file' must be set."],
  'two urls': [`${at}url_env = "U"\n`, 'line 1: one of'],
  'no headers': [`${at}headers = "a"\n`, "line 5: 'headers' must be text by name"],
  'a header on two lines': [
    `${at}headers = { Accept = "a\\nb" }\n`,
    "line 5: 'headers' must be ASCII text by name",
  ],
};

describe('rejected is', () => {
  for (const [what, [text, words]] of Object.entries(refused)) {
    test(what, () => {
      const given = refusal(text, { K: 'a key', SHORT: 'key', U: 'https://a.example.com/x' });
      if (words.endsWith('.')) expect(given).toBe(words);
      else expect(given).toStartWith(words);
    });
  }

  test('invalid TOML, with its line and without possible secrets', () => {
    const words = refusal('[keepa]\nkey = hunter2\n');
    expect(words).toBe('line 2: Strings must be quoted.');
    expect(refusal('[ecb]\nenabled = true\n[rebrickable\n')).toStartWith('line 3: Expected');
    expect(refusal('a = [\n 1,\n')).toStartWith('line 1: ');
    expect(refusal(`# ${'x'.repeat(300_000)}`)).toEndWith('is it the right file?');
  });
});

describe('bounds', () => {
  const bricklink = (text: string) =>
    read(
      '[bricklink]\nconsumer_key_env = "K"\nconsumer_secret_env = "K"\ntoken_env = "K"\n' +
        `token_secret_env = "K"\n${text}`,
      { K: 'a key' },
    ).of.bricklink;
  const keepa = (text: string, key = 'a key') =>
    read(`[keepa]\nkey_env = "K"\n${text}`, { K: key }).of.keepa;

  test('have defaults', () => {
    expect(bricklink('')).toMatchObject({
      everyMs: 20 * hourMs,
      callsPerDay: 5000,
      currency: 'USD',
      region: null,
    });
    expect(keepa('')?.everyMs).toBe(2 * hourMs);
    const { ebay } = read('[ebay]\nclient_id_env = "K"\nclient_secret_env = "K"\n', {
      K: 'a key',
    }).of;
    const usual = { everyMs: 20 * hourMs, callsPerDay: 5000, marketplace: 'EBAY_US' };
    expect(ebay).toMatchObject(usual);
    const brickset = read('[brickset]\nkey_env = "K"\n', { K: 'a key' }).of.brickset;
    expect(brickset?.everyMs).toBe(24 * hourMs);
  });

  test.each([
    ['1m', minuteMs],
    ['90m', 90 * minuteMs],
    ['31d', 31 * 24 * hourMs],
    ['744h', 31 * 24 * hourMs],
  ])('every = "%s" is within them', (text, everyMs) => {
    expect(read(`[rebrickable]\nevery = "${text}"\n`).of.rebrickable?.everyMs).toBe(everyMs);
  });

  test.each(['745h', '100000m', '1.5h', '1w', 'h'])('every = "%s" is outside', (text) => {
    expect(refusal(`[rebrickable]\nevery = "${text}"\n`)).toBe(`line 2: ${wrongEvery}`);
  });

  test.each([
    ['keep_days', 1, 365],
    ['keep_mb', 1, 1_000_000],
  ] as const)('%s is from %d to %d', (name, min, max) => {
    const names = { keep_days: 'keepDays', keep_mb: 'keepMb' } as const;
    expect(read(`${name} = ${min}\n`)[names[name]]).toBe(min);
    expect(read(`${name} = ${max}\n`)[names[name]]).toBe(max);
    for (const wrong of [min - 1, max + 1]) {
      const words = `line 1: '${name}' must be a whole number from ${min} to ${max}.`;
      expect(refusal(`${name} = ${wrong}\n`)).toBe(words);
    }
  });

  test('calls per day are from one to a million', () => {
    expect(bricklink('calls_per_day = 1\n')?.callsPerDay).toBe(1);
    expect(bricklink('calls_per_day = 1000000\n')?.callsPerDay).toBe(1_000_000);
    expect(() => bricklink('calls_per_day = 1000001\n')).toThrow('from 1 to 1000000');
  });

  test('a secret has at least four characters, and its file at most 8192 bytes', () => {
    expect(keepa('', '1234')?.key).toBe('1234');
    expect(keepa('', '123')).toBeUndefined();
    const path = join(folder, 'long');
    const fromFile = (length: number) => {
      writeFileSync(path, 'k'.repeat(length), { mode: 0o600 });
      return read('[keepa]\nkey_file = "long"\n').of.keepa?.key;
    };
    expect(fromFile(8192)).toBe('k'.repeat(8192));
    expect(fromFile(8193)).toBeUndefined();
  });

  test('a name has up to 40 characters, and a header up to 64', () => {
    const named = (length: number) => at.replace('"a"', `"${'a'.repeat(length)}"`);
    expect(read(named(40)).names).toEqual(['a'.repeat(40)]);
    expect(refusal(named(41))).toStartWith("line 2: 'name' must be up to 40");
    const header = (length: number) => `${at}headers = { ${'A'.repeat(length)} = "b" }\n`;
    expect(read(header(64)).of.a?.headers).toEqual({ ['A'.repeat(64)]: 'b' });
    expect(refusal(header(65))).toStartWith("line 5: 'headers' must be ASCII text by name");
  });

  test('a settings file has up to 262,144 characters', () => {
    expect(read('#'.padEnd(256 * 1024, 'x')).names).toEqual([]);
    expect(refusal('#'.padEnd(256 * 1024 + 1, 'x'))).toContain('more than 262144 characters');
  });
});

describe('probable secrets', () => {
  test.each(['sid', 'x-sig', 'PW', 'my_pwd', 'api-key', 'Cookie', 'credentials'])(
    "rejects a parameter called '%s' in an address",
    (name) => {
      const text = `${http}url = "https://a.example.com/?${name}=1"\n`;
      expect(refusal(text)).toStartWith(`line 4: ${elsewhere}`);
    },
  );

  test.each(['side', 'signal', 'pwn', 'country'])(
    "accepts a parameter called '%s' in an address",
    (name) => {
      expect(read(`${http}url = "https://a.example.com/?${name}=1"\n`).names).toEqual(['a']);
    },
  );
});

test('parts of a secret URL are secret from eight characters on', () => {
  const url = 'https://a.example.com/1234567/12345678/x';
  const { secrets } = read(`${http}url_env = "U"\n`, { U: url });
  const known = secrets.map((secret) => secret.reveal());
  expect(known).toContain('12345678');
  expect(known).not.toContain('1234567');
});

test('local URLs need no HTTPS, and fragments are removed', () => {
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]']) {
    const { ecb } = read(`[ecb]\nurl = "http://${host}:1/a#b"\n`).of;
    expect(String(ecb?.url)).toBe(`http://${host}:1/a/`);
  }
  for (const host of ['localhost.example.com', '128.0.0.1', 'ftp.example.com']) {
    expect(refusal(`[ecb]\nurl = "http://${host}/"\n`)).toContain('must begin with https');
  }
});
