/**
 * Responses of accounts with many lots and sales are computed in a helper process, by the same
 * handlers, because they would delay other callers.
 */

import type { Caller } from '../accounts/keys/quota.ts';
import { ApiError } from '../contract/errors.ts';
import { bad } from '../contract/input-messages.ts';
import { pools } from '../http/pools.ts';
import { callSocket, type SocketProcess, serveSocket } from '../http/process-socket.ts';
import type { PortfolioRoomStore } from '../portfolio/portfolio.store.ts';
import { AccountAnswerCache, type AnswerProcess, type Question } from './account-answer-cache.ts';
import { AnswerData } from './answer-data.ts';
import { type Answer, type Handlers, jsonOf, type Work } from './handler.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { handlersOf } from './handlers.ts';
import { MarketCache } from './memory/market-cache.ts';

/** An account with more lots and sales than this is large. Smaller ones take 1 to 2 ms. */
const smallRowsMax = 200;

/** The publication that a response was made from. */
const stampHeader = 'X-Brickmark-Stamp';

interface SentQuestion {
  readonly caller: Caller;
  readonly question: Question;
}

export function answerProcess(
  accounts: Pick<PortfolioRoomStore, 'hasMoreRows'>,
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
        patienceMs: pools.answers.least.msMax,
      });
      const stamp = Number(response.headers.get(stampHeader) ?? -1);
      return { answer: await readAnswer(response), stamp };
    },
  };
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  if (response.status === 200) return new AnswerData(text);
  if (response.status === 404) return { missing: text };
  if (response.status === 400) throw bad(text);
  throw new Error('The process that makes the answers of large accounts failed.');
}

/** The helper's side. Only our own user can access the socket. */
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
  const answers = new AccountAnswerCache(market.freshness);
  const { accounts } = store;
  // Bulk files are the same for everyone, so they are not requested here.
  const elsewhere = { streams: null, changes: null, bulk: null };
  const handlers = handlersOf({ market, answers, accounts, ...elsewhere, tables, clock });
  const answer = async (request: Request) => {
    const { caller, question }: SentQuestion = await request.json();
    // A response may contain later publications, but all up to this stamp.
    await market.freshness.refresh();
    const headers = { [stampHeader]: String(market.freshness.stamp) };
    // No endpoint that depends on the allowance is handled here.
    const spent = { used: 0, at: clock() };
    try {
      const made = await workOf(handlers, question).read(caller, spent);
      const json = jsonOf(made);
      if (json !== null) return new Response(json, { headers });
      if ('missing' in made) return new Response(made.missing, { status: 404, headers });
      throw new Error('Streams and files are not made for another process.');
    } catch (error) {
      // A problem that depends on the data, which no schema can detect.
      if (!(error instanceof ApiError)) throw error;
      return new Response(error.message, { status: 400 });
    }
  };
  return serveSocket(settings.socket, { answer, onFault: settings.onFault });
}

/** The input was validated by the endpoint's schema before it was sent. */
function workOf(handlers: Handlers, { endpoint, input }: Question): Work {
  const handler = handlers[endpoint] as (input: object) => Work;
  return handler(input);
}
