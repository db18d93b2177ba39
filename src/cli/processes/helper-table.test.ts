/** Each helper process gets only the settings that it needs. */
import { expect, test } from 'bun:test';
import { type HelperKind, helperKinds, readConfig } from '../../config.ts';
import { environmentOf } from './helper-table.ts';

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

function givenTo(kind: HelperKind, variables: readonly string[] = []) {
  const config = readConfig(environment);
  return environmentOf(config, { kind, task: 'work', variables, environment });
}

test.each(helperKinds)(
  '%s gets the store, what the system needs, and no unknown variable',
  (helper) => {
    expect(givenTo(helper)).toMatchObject({
      PATH: '/bin',
      TMPDIR: '/tmp',
      https_proxy: 'http://proxy.example.com',
      BRICKMARK_DATA: '/data',
      BRICKMARK_DATABASE_URL: 'postgres://db.example.com/brickmark',
      BRICKMARK_HELPER: `${helper} work`,
    });
    for (const name of ['AWS_SECRET_ACCESS_KEY', 'SHOP_KEY', 'BRICKMARK_METRICS_PORT']) {
      expect(givenTo(helper)).not.toHaveProperty(name);
    }
  },
);

test('secrets go only to the helpers that use them', () => {
  const having = (name: string) => helperKinds.filter((helper) => Boolean(givenTo(helper)[name]));
  expect(having('BRICKMARK_SECRET_FILE')).toEqual(['pages', 'delivery']);
  expect(having('BRICKMARK_SMTP_URL')).toEqual(['pages', 'delivery']);
  expect(having('BRICKMARK_SOURCES')).toEqual(['upkeep']);
  expect(givenTo('upkeep', ['SHOP_KEY']).SHOP_KEY).toBe('the key of a source');
});
