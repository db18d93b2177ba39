/** The log: what of a failure is told, and what becomes of a reader that does not keep up. */
import { expect, test } from 'bun:test';
import { describeFault } from './fault.ts';
import { makeLog } from './log.ts';

test('a fault is told by name, code and place, without anything that was sent or is owned', () => {
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

test('whatever is thrown can be told, and a message has an end', () => {
  expect(describeFault('bmk_1')).toEqual({ name: 'string', message: '', at: [] });
  expect(describeFault(null)).toEqual({ name: 'object', message: '', at: [] });
  expect(describeFault(new Error('x'.repeat(10_000))).message.length).toBe(300);
});

test('a line says how grave an answer is, and a HEAD has no body', () => {
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

test('a reader that does not keep up loses lines, is told how many, and nobody waits', () => {
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

test('lines are collected and written together', async () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const log = makeLog({ level: 'off', clock: () => 0, write });
  log.event('published', { items: 1 });
  log.failure('upkeep', new Error('one'));
  log.failure('upkeep', new Error('two'));
  log.warning('forwarded', { peer: '203.0.113.7' });
  expect(written).toEqual([]);
  while (written.length === 0) await Bun.sleep(5);
  // What is neither a failure nor a warning is not written at this level.
  expect(written.join('').match(/"event":"\w+"/g)).toEqual([
    '"event":"upkeep"',
    '"event":"upkeep"',
    '"event":"forwarded"',
  ]);
  expect(written.length).toBe(1);
});
