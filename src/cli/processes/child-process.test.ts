/** Child processes: how their end is reported. */
import { expect, test } from 'bun:test';
import { HelperHealth } from '../../http/metrics.ts';
import { startChild } from './child-process.ts';

test.each([
  ['failed is reported with its status', 'exit 3', ['ended with status 3']],
  ['was killed is reported with the signal', 'kill -9 $$', ['was killed (SIGKILL)']],
  ['succeeded is not reported', 'exit 0', []],
])('a process that %s', async (_, script, reasons) => {
  const said: string[] = [];
  const child = startChild(['sh', '-c', script], process.env, {
    watch: {
      helper: 'pages',
      health: new HelperHealth(['pages']),
      say: (text) => said.push(text),
    },
  });
  await expect(child.ready).rejects.toThrow('It ended before it was ready.');
  expect(said).toEqual(
    reasons.map((reason) => `The process for pages ${reason}, so it is replaced.`),
  );
});
