/** A process that is restarted when it ends, and ends with the process that started it. */
import { expect, test } from 'bun:test';
import { KeptProcess } from './kept-process.ts';

/** Reports that it is ready, and ends only when asked to. */
const program = "process.on('SIGTERM', () => process.exit(0)); process.send(process.pid);";

test('a process that is stopped ends, and is not started again', async () => {
  const ended: number[] = [];
  const said: string[] = [];
  const kept = new KeptProcess<number>({
    name: 'Worker 1',
    command: [process.execPath, '-e', program],
    environment: () => ({ ...process.env }),
    say: (text) => said.push(text),
    onExit: (start) => ended.push(start),
  });
  const pid = await kept.start();
  await kept.stop();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(ended).toEqual([0]);
  await expect(kept.start()).rejects.toThrow('The server is ending.');
  kept.keep();
  expect([kept.lastStart, said]).toEqual([0, []]);
});
