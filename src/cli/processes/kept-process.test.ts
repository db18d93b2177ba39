/** A kept process that is asked to finish, as by a reload. */
import { expect, test } from 'bun:test';
import { KeptProcess } from './kept-process.ts';

/** Reports its start, and works on for half a second when it is asked to finish. */
const script = `
  process.on('message', (message) => {
    if (message === 'finish') setTimeout(() => { console.log('done'); process.exit(); }, 500);
  });
  process.send(process.env.START);
`;

function keptOf(ended: number[]) {
  return new KeptProcess<string>({
    name: 'It',
    command: [process.execPath, '-e', script],
    environment: (start) => ({ ...process.env, START: String(start) }),
    say: () => {},
    // A process that is ended does not get the time to finish.
    endMs: 1,
    onExit: (start) => ended.push(start),
  });
}

test('it works on, while the next one starts', async () => {
  const ended: number[] = [];
  const kept = keptOf(ended);
  expect(await kept.start()).toBe('0');
  const startedAt = performance.now();
  const finished = kept.finish();
  expect(await kept.start()).toBe('1');
  await finished;
  expect([performance.now() - startedAt > 450, ended]).toEqual([true, [0]]);
  await kept.replace();
  expect(await kept.start()).toBe('2');
  // Ends the one that finishes, too.
  await kept.stop();
  expect(ended.sort()).toEqual([0, 1, 2]);
});
