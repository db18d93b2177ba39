/** Settings: their defaults, and the errors of invalid ones. */
import { describe, expect, test } from 'bun:test';
import {
  ConfigError,
  checkSettingNames,
  consumerCommandSettings,
  readConfig,
  settings,
} from './config.ts';

const started = Date.UTC(2026, 0, 1);

test('without any setting, everything has its default', () => {
  const clock = () => started;
  expect(readConfig({}, clock)).toEqual({
    dataFolder: './data',
    sourcesFile: null,
    readVariable: expect.any(Function),
    secretFile: null,
    databaseUrl: null,
    replicaUrl: null,
    connections: 8,
    baseUrl: null,
    mcpOrigins: [],
    clock,
    clockShiftMs: 0,
    retailerNames: { retailer_a: 'Retailer A', retailer_b: 'Retailer B' },
    pictureHosts: [
      'cdn.rebrickable.com',
      'images.brickset.com',
      'img.bricklink.com',
      'm.media-amazon.com',
    ],
    pictureBytesMax: 512 * 1024 * 1024,
    photoBytesMax: 200 * 1024 * 1024,
    trustedProxies: [],
    allowedNetworks: [],
    access: { signUp: 'open', hasPublicPages: true, requires: 'none' },
    securityContact: null,
    provider: null,
    mail: null,
    log: 'off',
    metrics: { host: '127.0.0.1', port: null },
    drainSeconds: 0,
    bulkCost: null,
    plusRate: 50,
    bulkTarget: null,
    operator: null,
    worker: null,
    helper: null,
    isRestarted: false,
  });
});

test('an empty setting is the same as none', () => {
  const clock = () => started;
  const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '  ']));
  const readVariable = expect.any(Function);
  expect(readConfig(empty, clock)).toEqual({ ...readConfig({}, clock), readVariable });
});

test('any variable can be read for settings of sources', () => {
  const { readVariable } = readConfig({ BRICKSET_KEY: 'a key' });
  expect([readVariable('BRICKSET_KEY'), readVariable('KEEPA_KEY')]).toEqual(['a key', null]);
});

test('every setting is read', () => {
  const config = readConfig({
    BRICKMARK_DATA: '/var/lib/brickmark',
    BRICKMARK_SOURCES: '/etc/brickmark/sources.toml',
    BRICKMARK_SECRET_FILE: '/etc/brickmark.secret',
    BRICKMARK_DATABASE_URL: 'postgres://localhost/brickmark',
    BRICKMARK_REPLICA_URL: 'postgresql://replica/brickmark',
    BRICKMARK_DATABASE_CONNECTIONS: '20',
    BRICKMARK_BASE_URL: 'https://brickmark.example.com',
    BRICKMARK_MCP_ORIGINS: 'https://Agents.example.com, http://localhost:6274/',
    BRICKMARK_RETAILER_A_NAME: 'Big River',
    BRICKMARK_RETAILER_B_NAME: 'Wall Mart',
    BRICKMARK_PICTURE_HOSTS: 'Pictures.example.com, other.example.com:8443',
    BRICKMARK_TRUSTED_PROXIES: '10.0.0.0/8, 192.168.0.0/16,',
    BRICKMARK_ALLOWED_NETWORKS: '127.0.0.1,fd00::/8',
    BRICKMARK_SIGN_UP: 'invite',
    BRICKMARK_PUBLIC_PAGES: 'off',
    BRICKMARK_REQUIRE_SIGN_IN: 'oidc',
    BRICKMARK_OIDC_ISSUER: 'https://id.example.com',
    BRICKMARK_OIDC_CLIENT_ID: 'brickmark',
    BRICKMARK_OIDC_CLIENT_SECRET: 'secret',
    BRICKMARK_OIDC_NAME: 'Example ID',
    BRICKMARK_OIDC_DOMAINS: 'Example.com, eu.example.org',
    BRICKMARK_SMTP_URL: 'smtp://me%40example.com:p%3Ass@mail.example.com',
    BRICKMARK_MAIL_FROM: 'bricks@example.com',
    BRICKMARK_LOG: 'requests',
    BRICKMARK_METRICS_PORT: '9464',
    BRICKMARK_METRICS_HOST: '::1',
    BRICKMARK_DRAIN_SECONDS: '15',
    BRICKMARK_WORKER: '2',
  });
  expect(config).toMatchObject({
    dataFolder: '/var/lib/brickmark',
    sourcesFile: '/etc/brickmark/sources.toml',
    secretFile: '/etc/brickmark.secret',
    databaseUrl: 'postgres://localhost/brickmark',
    replicaUrl: 'postgresql://replica/brickmark',
    connections: 20,
    worker: 2,
    baseUrl: 'https://brickmark.example.com',
    mcpOrigins: ['https://agents.example.com', 'http://localhost:6274'],
    retailerNames: { retailer_a: 'Big River', retailer_b: 'Wall Mart' },
    pictureHosts: ['pictures.example.com', 'other.example.com:8443'],
    trustedProxies: ['10.0.0.0/8', '192.168.0.0/16'],
    access: { signUp: 'invite', hasPublicPages: false, requires: 'oidc' },
    provider: {
      issuer: 'https://id.example.com',
      clientId: 'brickmark',
      clientSecret: 'secret',
      name: 'Example ID',
      domains: ['example.com', 'eu.example.org'],
    },
    mail: {
      host: 'mail.example.com',
      port: 587,
      isSecure: false,
      from: 'bricks@example.com',
      user: 'me@example.com',
      password: 'p:ss',
    },
    log: 'requests',
    metrics: { host: '::1', port: 9464 },
    drainSeconds: 15,
  });
  const isAllowedBy = (address: string) =>
    config.allowedNetworks.map((network) => network(address));
  expect(isAllowedBy('127.0.0.1')).toEqual([true, false]);
  expect(isAllowedBy('127.0.0.2')).toEqual([false, false]);
  expect(isAllowedBy('fd12::1')).toEqual([false, true]);
});

test('an unknown word is rejected with the known ones', () => {
  const read = (name: string) => () => readConfig({ [name]: 'maybe' });
  expect(read('BRICKMARK_SIGN_UP')).toThrow(
    "BRICKMARK_SIGN_UP 'maybe' is not one of open, invite, closed.",
  );
  expect(read('BRICKMARK_PUBLIC_PAGES')).toThrow('is not one of on, off.');
});

test('an identity provider needs https, a client and a public address', () => {
  const client = { BRICKMARK_OIDC_CLIENT_ID: 'b', BRICKMARK_OIDC_CLIENT_SECRET: 's' };
  const settings = { ...client, BRICKMARK_BASE_URL: 'https://bricks.example.com' };
  const read = (issuer: string, more: object = settings) =>
    readConfig({ BRICKMARK_OIDC_ISSUER: issuer, ...more }).provider;
  expect(read('http://localhost:3000')).toMatchObject({ name: 'single sign-on', domains: [] });
  for (const wrong of ['@example.com', 'example', '*.example.com', 'a b.com']) {
    const domains = { ...settings, BRICKMARK_OIDC_DOMAINS: `ok.example, ${wrong}` };
    expect(() => read('https://id.example.com', domains)).toThrow(`'${wrong}' is not a domain`);
  }
  expect(() => readConfig({ BRICKMARK_OIDC_DOMAINS: 'a.example' })).toThrow(
    'BRICKMARK_OIDC_ISSUER',
  );
  for (const wrong of ['id.example.com', 'http://id.example.com', 'http://localhost.example.com']) {
    expect(() => read(wrong)).toThrow(`BRICKMARK_OIDC_ISSUER '${wrong}' is not an address`);
  }
  expect(() => read('https://id.example.com', client)).toThrow('and BRICKMARK_BASE_URL.');
  expect(() => readConfig({ BRICKMARK_REQUIRE_SIGN_IN: 'oidc' })).toThrow('needs');
});

test('a contact for security reports is an email or an https address', () => {
  const read = (contact: string) =>
    readConfig({ BRICKMARK_SECURITY_CONTACT: contact }).securityContact;
  expect(read('security@example.com')).toBe('mailto:security@example.com');
  expect(read('https://example.com/report')).toBe('https://example.com/report');
  expect(() => read('http://example.com')).toThrow('is not an email such as');
});

test('users can be told whom to ask', () => {
  expect(readConfig({}).access).not.toHaveProperty('contact');
  const { access } = readConfig({ BRICKMARK_CONTACT: 'help@example.com' });
  expect(access.contact).toBe('mailto:help@example.com');
});

test('bulk files are copied to a folder, or to a bucket with its keys', () => {
  const keys = {
    BRICKMARK_S3_ACCESS_KEY_ID: 'AKIA',
    BRICKMARK_S3_SECRET_ACCESS_KEY: 'hidden',
    BRICKMARK_S3_ENDPOINT: 'https://s3.example.com/',
    BRICKMARK_S3_REGION: 'eu-west-1',
  };
  const read = (target: string, more: Readonly<Record<string, string>> = keys) =>
    readConfig({ BRICKMARK_BULK_TARGET: target, ...more }).bulkTarget;
  expect(read('/srv/bulk', {})).toEqual({ kind: 'folder', path: '/srv/bulk' });
  const bucket = {
    kind: 'bucket',
    bucket: 'market.data',
    prefix: '',
    endpoint: 'https://s3.example.com',
    region: 'eu-west-1',
    accessKeyId: 'AKIA',
    secretAccessKey: 'hidden',
  } as const;
  expect(read('s3://market.data')).toEqual(bucket);
  expect(read('s3://market.data/')).toEqual(bucket);
  expect(read('s3://market.data/a/b_2/')).toEqual({ ...bucket, prefix: 'a/b_2/' });
  for (const wrong of ['s3://', 's3://x/../y', 's3://market//a', 'https://s3.example.com/market']) {
    expect(() => read(wrong)).toThrow(`BRICKMARK_BULK_TARGET '${wrong}' is not a folder, or a`);
  }
  expect(() => read('s3://AKIA:hid/d@en@market/a')).toThrow(
    "BRICKMARK_BULK_TARGET 's3://…@market/a' is not a folder, or a",
  );
  expect(() => read('s3://market', {})).toThrow('needs BRICKMARK_S3_ACCESS_KEY_ID and');
  for (const endpoint of ['s3.example.com', 'https://me:hidden@s3.example.com']) {
    const given = { ...keys, BRICKMARK_S3_ENDPOINT: endpoint };
    expect(() => read('s3://market', given)).toThrow(/^BRICKMARK_S3_ENDPOINT is not .*password\.$/);
  }
});

test('an invalid allowed network is rejected', () => {
  const read = () => readConfig({ BRICKMARK_ALLOWED_NETWORKS: '10.0.0.0/8, intranet' });
  expect(read).toThrow("BRICKMARK_ALLOWED_NETWORKS: 'intranet' is not a network such as");
});

test.each(['*', 'agents.example.com', 'https://agents.example.com/chat', 'ftp://a.example.com'])(
  '%s is rejected as an origin',
  (site) => {
    const read = () => readConfig({ BRICKMARK_MCP_ORIGINS: site });
    expect(read).toThrow(`BRICKMARK_MCP_ORIGINS: '${site}' is not an origin such as`);
  },
);

test('pictures can be turned off, and a host is a name without a path', () => {
  expect(readConfig({ BRICKMARK_PICTURE_HOSTS: 'none' }).pictureHosts).toEqual([]);
  const read = (hosts: string) => () => readConfig({ BRICKMARK_PICTURE_HOSTS: hosts });
  expect(read('https://pictures.example.com')).toThrow("'https://pictures.example.com' is not");
  expect(read('a.example.com, b.example.com/x')).toThrow("'b.example.com/x' is not a host");
});

test.each([
  ['https://brickmark.example.com/', 'https://brickmark.example.com'],
  ['https://example.com/brickmark//', 'https://example.com/brickmark'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
])('the address %s is stored without a trailing slash', (given, kept) => {
  expect(readConfig({ BRICKMARK_BASE_URL: given }).baseUrl).toBe(kept);
});

test.each([
  'brickmark.example.com',
  'ftp://brickmark.example.com',
  'https://',
  'https://a b.example.com',
  'https://brickmark.example.com/?a=1',
  'https://brickmark.example.com/#top',
])('%p is rejected as an address', (text) => {
  const read = () => readConfig({ BRICKMARK_BASE_URL: text });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(`BRICKMARK_BASE_URL '${text}' is not an address`);
});

test('a set clock starts at its instant and continues', () => {
  let system = started;
  const { clock } = readConfig({ BRICKMARK_NOW: '2026-11-15T12:00:00Z' }, () => system);
  expect(clock()).toBe(Date.UTC(2026, 10, 15, 12));
  system += 1500;
  expect(clock()).toBe(Date.UTC(2026, 10, 15, 12) + 1500);
});

test.each(['tomorrow', '2026-11-15', '2026-11-15T12:00:00', '2026-02-30T12:00:00Z'])(
  '%p is rejected as a start of the clock',
  (text) => {
    const read = () => readConfig({ BRICKMARK_NOW: text });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(`BRICKMARK_NOW '${text}' is not a time`);
  },
);

test.each(['localhost/brickmark', 'mysql://secret@localhost/brickmark', 'postgres//secret@db'])(
  '%p is rejected as a database address, without revealing its password',
  (text) => {
    for (const name of ['BRICKMARK_DATABASE_URL', 'BRICKMARK_REPLICA_URL']) {
      const read = () => readConfig({ [name]: text });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(`${name} is not an address such as postgres://`);
      expect(read).not.toThrow(/secret/);
    }
  },
);

test.each([
  ['BRICKMARK_DATABASE_CONNECTIONS', '1', 'is not a whole number from 3 to 500.'],
  ['BRICKMARK_LOG', 'verbose', 'is not one of off, errors, requests.'],
  ['BRICKMARK_METRICS_PORT', 'nine', 'is not a whole number from 0 to 65535.'],
  ['BRICKMARK_METRICS_PORT', '65536', 'is not a whole number from 0 to 65535.'],
  ['BRICKMARK_DRAIN_SECONDS', '-1', 'is not a whole number from 0 to 300.'],
  ['BRICKMARK_DRAIN_SECONDS', '1.5', 'is not a whole number from 0 to 300.'],
])('%s cannot be %p, with the reason in one sentence', (name, text, reason) => {
  const read = () => readConfig({ [name]: text });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(`${name} '${text}' ${reason}`);
});

test.each(['10.0.0.0/99', '10.0.0.0/', '10.0.0.0/8/8', 'proxy', '::1/129'])(
  '%p is rejected as a network of proxies',
  (text) => {
    const read = () => readConfig({ BRICKMARK_TRUSTED_PROXIES: `127.0.0.1, fd00::/8, ${text}` });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(`BRICKMARK_TRUSTED_PROXIES: '${text}' is not a network`);
  },
);

const withMail = { BRICKMARK_MAIL_FROM: 'a@b.example', BRICKMARK_BASE_URL: 'https://b.example' };

test.each([
  ['smtps://mail.example.com', { port: 465, isSecure: true, user: null }],
  ['smtp://localhost:2525/', { host: 'localhost', port: 2525, isSecure: false }],
  ['smtp://[::1]:25', { host: '::1', port: 25 }],
])('%s is a mail server', (given, wanted) => {
  expect(readConfig({ ...withMail, BRICKMARK_SMTP_URL: given }).mail).toMatchObject(wanted);
});

test.each([
  [{ BRICKMARK_SMTP_URL: 'mail.example.com:secret' }, 'BRICKMARK_SMTP_URL is not'],
  [{ BRICKMARK_SMTP_URL: 'smtp://me:secret%@mail.example.com' }, 'BRICKMARK_SMTP_URL is not'],
  [{ BRICKMARK_MAIL_FROM: 'Bricks <a@b.example>' }, 'BRICKMARK_MAIL_FROM is not'],
  [{ BRICKMARK_MAIL_FROM: '' }, 'BRICKMARK_MAIL_FROM is not'],
  [{ BRICKMARK_BASE_URL: '' }, 'needs BRICKMARK_BASE_URL'],
])('%j is rejected without revealing a password', (change, words) => {
  const environment = { ...withMail, BRICKMARK_SMTP_URL: 'smtp://mail.example.com', ...change };
  const message = (() => {
    try {
      readConfig(environment);
    } catch (error) {
      return error instanceof ConfigError ? error.message : '';
    }
    return '';
  })();
  expect(message).toContain(words);
  expect(message).not.toContain('secret');
});

describe('names of settings:', () => {
  const check = (names: readonly string[], sourcesText = '') =>
    checkSettingNames(Object.fromEntries(names.map((name) => [name, '1'])), sourcesText);

  test.each([
    ['BRICKMARK_DATABSE_URL', 'BRICKMARK_DATABASE_URL'],
    ['BRICKMARK_SECRETFILE', 'BRICKMARK_SECRET_FILE'],
    ['BRICKMARK_METRIC_PORT', 'BRICKMARK_METRICS_PORT'],
    ['BRICKMARK_LOG_LEVEL', 'BRICKMARK_LOG'],
  ])('%s is refused, and %s suggested', (typed, meant) => {
    expect(() => check([typed])).toThrow(`Unknown setting ${typed}; did you mean ${meant}?`);
  });

  test('every unknown name is listed, without its value', () => {
    const environment = { BRICKMARK_XYZ: 's3cret', BRICKMARK_ABC: 's3cret', OTHER: '1' };
    const all = 'Unknown setting BRICKMARK_ABC. Unknown setting BRICKMARK_XYZ. ';
    expect(() => checkSettingNames(environment, '')).toThrow(all);
    expect(() => checkSettingNames(environment, '')).not.toThrow('s3cret');
    expect(() => checkSettingNames({ BRICKMARK_XYZ: ' ' }, '')).not.toThrow();
  });

  test('settings of all commands, of Compose and of receivers are known', () => {
    check([...Object.keys(settings), ...Object.keys(consumerCommandSettings)]);
    check(['BRICKMARK_OWNER_PASSWORD', 'BRICKMARK_PUBLISH', 'BRICKMARK_WEBHOOK_SECRET']);
  });

  test('names in sources.toml are known, also in a comment', () => {
    const text = '[keepa]\nkey_env = "BRICKMARK_KEEPA"\n# key_env = "BRICKMARK_OLD_KEY"';
    check(['BRICKMARK_KEEPA', 'BRICKMARK_OLD_KEY'], text);
    expect(() => check(['BRICKMARK_KEEPA_KEY'], text)).toThrow('Unknown setting');
    expect(() => check(['BRICKMARK_KEEPA'])).toThrow('must be named in sources.toml');
  });

  test('names that Kubernetes injects for services are known', () => {
    const of = (service: string) => [
      `${service}_SERVICE_HOST`,
      `${service}_SERVICE_PORT`,
      `${service}_SERVICE_PORT_HTTP`,
      `${service}_PORT`,
      `${service}_PORT_8080_TCP`,
      `${service}_PORT_8080_TCP_PROTO`,
      `${service}_PORT_8080_TCP_PORT`,
      `${service}_PORT_8080_TCP_ADDR`,
      `${service}_PORT_53_UDP_ADDR`,
    ];
    check([...of('BRICKMARK'), ...of('BRICKMARK_API')]);
    expect(() => check(['BRICKMARK_PORT'])).toThrow('Unknown setting BRICKMARK_PORT');
  });
});
