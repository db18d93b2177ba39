/** The log: how faults are described, and what a slow reader loses. */
import { expect, test } from 'bun:test';
import { until } from '../../test/support/until.ts';
import type { Caller } from '../accounts/keys/quota.ts';
import { describeFault } from './fault.ts';
import { type LogLevel, logLevels, makeLog } from './log.ts';

test('a fault has its name, code and stack, without input or private data', () => {
  const key = `bmk_${'0a'.repeat(24)}`;
  const error = Object.assign(
    new TypeError(
      `No ${key} of ann@example.com (Bearer ${key}) at http://h/x?q=mill%20pond: mill pond, ` +
        `'My Shelf', "Attic"\nis   not\tthere`,
    ),
    { code: 'SQLITE_FULL' },
  );
  const fault = describeFault(error, 'http://h/api/v1/catalog/sets/search?q=mill%20pond&limit=5');
  expect(fault).toMatchObject({ name: 'TypeError', code: 'SQLITE_FULL' });
  expect(fault.message).toBe('No … of … (… at http://h/x… …, …, … is not there');
  expect(fault.at[0]).toContain('log.test.ts');
  const text = JSON.stringify(fault);
  for (const secret of [key, 'ann@', 'mill', 'My Shelf', 'Attic']) {
    expect(text).not.toContain(secret);
  }
});

test('anything thrown can be logged, and messages have a maximum length', () => {
  expect(describeFault('bmk_1')).toEqual({ name: 'string', message: '', at: [] });
  expect(describeFault(null)).toEqual({ name: 'object', message: '', at: [] });
  expect(describeFault(new Error('x'.repeat(10_000))).message.length).toBe(300);
});

test('a line has a severity, and a HEAD has no body', () => {
  const written: string[] = [];
  const log = makeLog({ level: 'requests', clock: () => 0, write: (text) => written.push(text) });
  const answers = [
    [200, 'GET'],
    [399, 'HEAD'],
    [400, 'GET'],
    [499, 'GET'],
    [500, 'GET'],
  ] as const;
  for (const [status, method] of answers) {
    const request = { requestId: 'r', method, route: 'getSet', startedAt: 0 } as const;
    log.request(request, { status, code: null, cost: 0, caller: null, body: 'é' }, 1);
  }
  log.flush();
  const lines = written.join('').trimEnd().split('\n');
  const told = lines.map((line) => JSON.parse(line)).map(({ level, bytes }) => [level, bytes]);
  expect(told).toEqual([
    ['info', 2],
    ['info', 0],
    ['warn', 2],
    ['warn', 2],
    ['error', 2],
  ]);
});

test('a line has what is known about a response, and no empty fields', () => {
  const written: string[] = [];
  const log = makeLog({ level: 'requests', clock: () => 0, write: (text) => written.push(text) });
  const request = { requestId: 'r', method: 'BREW', route: 'getSet', startedAt: 0 } as const;
  const plain = { status: 200, code: null, cost: 3, caller: null, body: '' };
  log.request(request, plain, 1.2345);
  const caller = { accountId: 7, keyId: 8, plan: 'basic', place: 0 } as unknown as Caller;
  const fault = { error: new TypeError('lost'), url: 'http://h/' };
  log.request(request, { ...plain, status: 500, code: 'InternalError', caller, fault }, 0);
  log.flush();
  const [first = '', second = ''] = written.join('').split('\n');
  expect(JSON.parse(first)).toEqual({
    time: '1970-01-01T00:00:00.000Z',
    level: 'info',
    event: 'request',
    request_id: 'r',
    method: 'other',
    route: 'getSet',
    status: 200,
    cost: 3,
    ms: 1.23,
    bytes: 0,
  });
  expect(JSON.parse(second)).toMatchObject({
    code: 'InternalError',
    account_id: 7,
    key_id: 8,
    fault: { name: 'TypeError' },
  });
});

test('the time advances from line to line', () => {
  const written: string[] = [];
  let now = 0;
  const log = makeLog({ level: 'off', clock: () => now, write: (text) => written.push(text) });
  log.warning('a', {});
  now = 1;
  log.warning('b', {});
  log.flush();
  expect(written.join('').match(/"time":"[^"]+"/g)).toEqual([
    '"time":"1970-01-01T00:00:00.000Z"',
    '"time":"1970-01-01T00:00:00.001Z"',
  ]);
  // Nothing else is buffered, so nothing is written.
  log.flush();
  expect(written).toHaveLength(1);
});

test('other events are logged if all requests are', () => {
  const countAt = (level: LogLevel) => {
    const written: string[] = [];
    const log = makeLog({ level, clock: () => 0, write: (text) => written.push(text) });
    log.event('published', { items: 1 });
    log.flush();
    return written.length;
  };
  expect(logLevels.map(countAt)).toEqual([0, 0, 1]);
});

test('lines are written at once beyond a quarter of a million characters', () => {
  const written: string[] = [];
  const log = makeLog({ level: 'requests', clock: () => 0, write: (text) => written.push(text) });
  const note = 'n'.repeat(100_000);
  for (let turn = 0; turn < 2; turn++) log.event('test', { note });
  expect(written).toEqual([]);
  log.event('test', { note });
  expect(written).toHaveLength(1);
  expect(written[0]?.split('\n')).toHaveLength(4);
});

test('the level determines the lowest status that is logged', () => {
  const statusMins = logLevels.map((level) => makeLog({ level, clock: () => 0, write: () => {} }));
  expect(statusMins.map(({ statusMin }) => statusMin)).toEqual([500, 400, 0]);
});

test('a single dropped line is reported too', () => {
  const written: string[] = [];
  const release: (() => void)[] = [];
  const write = (text: string, onGone: () => void) => {
    written.push(text);
    release.push(onGone);
  };
  const log = makeLog({ level: 'requests', clock: () => 0, write });
  const note = 'n'.repeat(8 * 1024 * 1024 - 100);
  log.event('large', { note });
  log.event('still held', { note: '' });
  log.flush();
  log.event('left out', {});
  for (const onGone of release) onGone();
  log.event('written', {});
  log.flush();
  expect(written.join('')).not.toContain('left out');
  expect(written.join('')).toContain('"left_out":1');
});

test('a slow reader loses lines and is told how many; requests never wait', () => {
  const written: string[] = [];
  let release: (() => void)[] = [];
  const log = makeLog({
    level: 'requests',
    clock: () => 0,
    write: (text, onGone) => {
      written.push(text);
      release.push(onGone);
    },
  });
  const note = 'n'.repeat(1000);
  const count = 20_000;
  for (let index = 0; index < count; index++) log.event('test', { index, note });
  log.flush();
  const held = written.join('').length;
  // It may be behind by eight million characters before it loses any.
  expect(held).toBeWithin(8 * 1024 * 1024, 9 * 1024 * 1024);
  for (const onGone of release) onGone();
  release = [];
  log.event('test', { index: count, note });
  log.flush();
  const lines = written
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const told = lines.find(({ event }) => event === 'log');
  expect(lines.length - 1 + told.left_out).toBe(count + 1);
  expect(lines.at(-1).index).toBe(count);
});

test('lines are buffered and written together', async () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const log = makeLog({ level: 'off', clock: () => 0, write });
  log.event('published', { items: 1 });
  log.failure('upkeep', new Error('one'));
  log.failure('upkeep', new Error('two'));
  log.warning('forwarded', { peer: '203.0.113.7' });
  expect(written).toEqual([]);
  await until(() => written.length > 0);
  // Only faults and warnings are written at this level.
  expect(written.join('').match(/"event":"\w+"/g)).toEqual([
    '"event":"upkeep"',
    '"event":"upkeep"',
    '"event":"forwarded"',
  ]);
  expect(written.length).toBe(1);
  log.failure('upkeep', new Error('three'));
  await until(() => written.length !== 1);
  expect(written[1]).toContain('three');
});
