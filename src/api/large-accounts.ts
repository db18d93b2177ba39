/**
 * Accounts with very many lots and sales: going through them takes so long that all other callers
 * would have to wait. Their answers are made in a process of its own, by the same handlers.
 */

import { ApiError } from '../contract/errors.ts';
import type { Caller } from '../domain/account/quota.ts';
import type { BrickfolioStore } from '../domain/portfolio/brickfolio-store.ts';
import { callSocket, type SocketProcess } from '../http/socket-call.ts';
import { serveSocket } from '../http/socket-server.ts';
import { type Answer, type Handlers, jsonOf, type Work } from './handler.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { handlersOf } from './handlers.ts';
import { MarketCache } from './market-cache.ts';
import { type AnswerProcess, PrivateAnswers, type Question } from './private-answers.ts';

/** With more lots and sales than this, an account is large. They take a millisecond or two. */
export const smallRowsMax = 200;

/** How long one may take to be made. */
const answerMsMax = 30_000;

/** The publication that an answer was made from. */
const stampHeader = 'X-Brickmark-Stamp';

interface SentQuestion {
  readonly caller: Caller;
  readonly question: Question;
}

/** Has the answers of large accounts made by another process. */
export function answerProcess(
  accounts: Pick<BrickfolioStore, 'hasMoreRows'>,
  process: SocketProcess,
): AnswerProcess {
  return {
    isFor: ({ accountId }) => accounts.hasMoreRows(accountId, smallRowsMax),
    make: async (caller, question) => {
      const sent: SentQuestion = { caller, question };
      const response = await callSocket(process, {
        target: '/',
        method: 'POST',
        headers: new Headers(),
        body: JSON.stringify(sent),
        patienceMs: answerMsMax,
      });
      return { answer: await readAnswer(response), stamp: stampOf(response) };
    },
  };
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  if (response.status === 200) return text;
  if (response.status === 404) return { missing: text };
  if (response.status === 400) throw new ApiError('BadRequest', text);
  throw new Error('The process that makes the answers of large accounts failed.');
}

function stampOf(response: Response): number {
  return Number(response.headers.get(stampHeader) ?? -1);
}

/** The other side: makes answers for whoever can reach the socket, which is only our own user. */
export function serveLargeAccounts(
  store: ConstructorParameters<typeof MarketCache>[0] & {
    readonly accounts: HandlerDeps['accounts'];
  },
  settings: Pick<HandlerDeps, 'clock' | 'tables'> & {
    readonly socket: string;
    onFault(error: unknown): void;
  },
): { stop(): Promise<void> } {
  const { clock, tables } = settings;
  const market = new MarketCache(store, clock);
  const answers = new PrivateAnswers(market.freshness);
  const { accounts } = store;
  // Files are the same for everybody, so that nobody's answer with one is made here.
  const elsewhere = { streams: null, bulk: null };
  const handlers = handlersOf({ market, answers, accounts, ...elsewhere, tables, clock });
  const answer = async (request: Request) => {
    const { caller, question }: SentQuestion = await request.json();
    // What is published meanwhile may be in the answer, or not: it is of this one at least.
    await market.freshness.refresh();
    const headers = { [stampHeader]: String(market.freshness.stamp) };
    // No question that is sent here is about the allowance.
    const spent = { used: 0, at: clock() };
    try {
      const made = await workOf(handlers, question).read(caller, spent);
      const json = jsonOf(made);
      if (json !== null) return new Response(json, { headers });
      if (typeof made === 'object' && 'missing' in made)
        return new Response(made.missing, { status: 404, headers });
      throw new Error('Streams and files are not made for another process.');
    } catch (error) {
      // What no schema could tell, and only the data does.
      if (!(error instanceof ApiError)) throw error;
      return new Response(error.message, { status: 400 });
    }
  };
  return serveSocket(settings.socket, { answer, onFault: settings.onFault });
}

/** The question was read by the endpoint's own schema before it was sent. */
function workOf(handlers: Handlers, { endpoint, input }: Question): Work {
  const handler = handlers[endpoint] as (input: object) => Work;
  return handler(input);
}
