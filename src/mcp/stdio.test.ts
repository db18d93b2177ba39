/** Standard input and output: after the input is closed, pending answers are still written. */
import { expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import type { Brickmark } from '../../clients/typescript/src/index.ts';
import { until } from '../../test/support/until.ts';
import { serveMcp } from './stdio.ts';

const clientInfo = { name: 'test', version: '1' };
const initialize = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
};
const call = (id: number, name: string) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: {} },
});

/** A server whose input has these messages, and has ended. */
function serve(messages: readonly object[], patienceMs: number) {
  const { stdin, ...serving } = start(messages, patienceMs);
  stdin.end();
  return serving;
}

/** A server whose input has these messages so far. */
function start(messages: readonly object[], patienceMs: number) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let written = '';
  stdout.on('data', (chunk) => {
    written += chunk;
  });
  const deals = Promise.withResolvers<unknown>();
  const state = {
    asked: 0,
    isEnded: false,
    faults: [] as unknown[],
    signals: [] as AbortSignal[],
  };
  const listDeals = () => {
    state.asked++;
    return deals.promise;
  };
  const budget = { limit: 100, remaining: 60, reset: '2026-11-16T00:00:00.000Z' };
  const deps = {
    version: '1.2.3',
    makeClient: (signal: AbortSignal) => {
      state.signals.push(signal);
      return { brickmark: { plus: { listDeals }, budget } as unknown as Brickmark };
    },
    onFault: (error: unknown) => state.faults.push(error),
  };
  const { ended, close } = serveMcp(deps, stdin, { stdout, patienceMs });
  ended.then(() => {
    state.isEnded = true;
  });
  for (const message of messages) {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
  const readAnswers = () =>
    written
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { stdin, state, deals, ended, close, readAnswers };
}

/** Longer than any test: one that waits for this fails. */
const forever = 86_400_000;
const noDeals = {
  deals: [],
  pagination: { total: 0, limit: 10, offset: 0, has_more: false },
};

test('A call that is still being answered when the input ends is waited for', async () => {
  const { state, deals, ended, readAnswers } = serve([initialize, call(1, 'find_deals')], forever);
  await until(() => state.asked === 1);
  // Longer than what has nothing to wait for takes to end.
  await serve([], forever).ended;
  await serve([], forever).ended;
  expect(state.isEnded).toBe(false);
  deals.resolve(noDeals);
  await ended;
  expect(readAnswers().map(({ id }) => id)).toEqual([0, 1]);
});

test('Tools run one after the other, because each of their calls is charged', async () => {
  const messages = [initialize, call(1, 'find_deals'), call(2, 'find_deals')];
  const { state, deals, ended, readAnswers } = serve(messages, forever);
  await until(() => state.asked >= 1);
  await Bun.sleep(20);
  expect(state.asked).toBe(1);
  deals.resolve(noDeals);
  await ended;
  expect(readAnswers().map(({ id }) => id)).toEqual([0, 1, 2]);
});

test('Calls that are refused are answered, too', async () => {
  const { ended, readAnswers } = serve([initialize, call(1, 'no_tool')], forever);
  await ended;
  expect(readAnswers()).toMatchObject([{ id: 0 }, { id: 1, error: { code: -32602 } }]);
});

test('A call that was canceled is not waited for', async () => {
  const canceled = { method: 'notifications/cancelled', params: { requestId: 1 } };
  const messages = [initialize, call(1, 'find_deals'), canceled];
  const { ended, readAnswers } = serve(messages, forever);
  await ended;
  expect(readAnswers().map(({ id }) => id)).toEqual([0]);
});

test('Waiting for an answer ends at some point, and then the call does', async () => {
  const messages = [initialize, call(1, 'find_deals')];
  const { stdin, state, ended, readAnswers } = start(messages, 1);
  await until(() => state.asked === 1);
  stdin.end();
  await ended;
  expect(state.signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(readAnswers().map(({ id }) => id)).toEqual([0]);
});

test('Closing ends it at once, also while calls are unanswered', async () => {
  const { state, close, ended } = serve([initialize, call(1, 'find_deals')], forever);
  await until(() => state.asked === 1);
  await close();
  await ended;
  expect(state.faults).toEqual([]);
});
