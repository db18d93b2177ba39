/** Each helper process gets only the settings that it needs. */
import { expect, test } from 'bun:test';
import { readConfig } from '../../config.ts';
import { heartbeatLimits, type WatchedHelper } from './heartbeat.ts';
import { environmentOf, restarted } from './helper-settings.ts';

const environment = {
  PATH: '/bin',
  TMPDIR: '/tmp',
  https_proxy: 'http://proxy.example.com',
  SHOP_KEY: 'the key of a source',
  AWS_SECRET_ACCESS_KEY: 'of something else',
  BRICKMARK_DATA: '/data',
  BRICKMARK_SECRET_FILE: '/etc/secret',
  BRICKMARK_DATABASE_URL: 'postgres://db.example.com/brickmark',
  BRICKMARK_SMTP_URL: 'smtp://user:word@mail.example.com',
  BRICKMARK_MAIL_FROM: 'bricks@example.com',
  BRICKMARK_BASE_URL: 'https://brickmark.example.com',
  BRICKMARK_METRICS_PORT: '9464',
  BRICKMARK_SOURCES: '/etc/sources.toml',
};

function givenTo(helper: WatchedHelper, variables: readonly string[] = []) {
  const config = readConfig(environment);
  return environmentOf(config, { helper, task: helper, variables, environment });
}

const helpers = Object.keys(heartbeatLimits) as WatchedHelper[];

test.each(helpers)(
  '%s gets the store, what the system needs, and no unknown variable',
  (helper) => {
    expect(givenTo(helper)).toMatchObject({
      PATH: '/bin',
      TMPDIR: '/tmp',
      https_proxy: 'http://proxy.example.com',
      BRICKMARK_DATA: '/data',
      BRICKMARK_DATABASE_URL: 'postgres://db.example.com/brickmark',
      BRICKMARK_HELPER: helper,
    });
    for (const name of ['AWS_SECRET_ACCESS_KEY', 'SHOP_KEY', 'BRICKMARK_METRICS_PORT']) {
      expect(givenTo(helper)).not.toHaveProperty(name);
    }
  },
);

test('secrets go only to the helpers that use them', () => {
  const having = (name: string) => helpers.filter((helper) => Boolean(givenTo(helper)[name]));
  expect(having('BRICKMARK_SECRET_FILE')).toEqual(['pages', 'delivery']);
  expect(having('BRICKMARK_SMTP_URL')).toEqual(['pages', 'delivery']);
  expect(having('BRICKMARK_SOURCES')).toEqual(['sync']);
  expect(givenTo('sync', ['SHOP_KEY']).SHOP_KEY).toBe('the key of a source');
});

test('only a helper that replaces one that ended is told so', () => {
  const given = (isRestarted: boolean) =>
    environmentOf(readConfig({}), { helper: 'pages', task: 'pages', isRestarted, environment: {} });
  expect(given(true)).toMatchObject(restarted);
  expect(given(false)).not.toHaveProperty('BRICKMARK_RESTARTED');
});
