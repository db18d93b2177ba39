/** The HTTP server: the API under its prefix, and the few paths around it. */
import http from 'node:http';
import { hashKey } from '../accounts/keys.ts';
import { headerBytesMax } from '../contract/limits.ts';
import type { FindNetwork } from '../domain/kernel/network.ts';
import { type Clock, secondMs } from '../domain/kernel/time.ts';
import type { Store } from '../domain/store.ts';
import type { FreeAnswers, FreeKind } from '../http/free-answers.ts';
import { groupAdmissions } from './admission.ts';
import { type ApiParts, answerApi } from './answer.ts';
import {
  answerAround,
  answerPage,
  answerUnread,
  isAround,
  isHealth,
  makeAround,
} from './around.ts';
import { addressOf, rememberAsked } from './asked.ts';
import { Drain } from './drain.ts';
import type { Handlers } from './handler.ts';
import { KeptMarket } from './kept-market.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { ServerFacts } from './metrics-server.ts';
import { type AnswersApart, PrivateAnswers } from './private-answers.ts';
import type { PrivateDeps } from './private-work.ts';
import { Readiness } from './readiness.ts';
import { compileRouter } from './router.ts';
import { getAnalytics, listBrickfolios, listEntries } from './routes/brickfolio.ts';
import { getBatch, getMinifig, getSet, listThemes } from './routes/catalog.ts';
import { getSetHistory } from './routes/history.ts';
import { listSales } from './routes/ledger.ts';
import { findRetailPrices, getSetRetailPrices, listRetailWatch } from './routes/retail.ts';
import { searchMinifigs, searchSets } from './routes/search.ts';
import { makeWatch } from './watch.ts';

/** Seconds that a connection may be silent; proxies in front have to end theirs earlier. */
export const idleSeconds = 60;

/** The same while a page is made. */
const pageSeconds = 90;

/** Bodies are bounded where they are read, so that the answer has the contract's shape. */
const serverBodyBytesMax = 2 ** 40;

/** What the server is told from outside. */
export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  /** The public address; null: where it listens. */
  readonly baseUrl: string | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Whether other processes listen on the same port, and share its calls with this one. */
  readonly sharesPort: boolean;
  /** Tells the network of a request. */
  readonly findNetwork: FindNetwork;
  /** Bounds how often a network is answered for nothing; without it, that has no bound. */
  readonly freeAnswers?: FreeAnswers;
  /** Answers for pages; without it there are none. */
  readonly answerPage?: AnswerPage;
  /** Where the answers of large accounts are made; without it, here. */
  readonly apart?: AnswersApart;
  /** How long /readyz says that the server is to end before it begins to. */
  readonly drainSeconds: number;
}

/** Answers requests that are not for the API. */
export type AnswerPage = (
  request: Request,
  place: {
    /** The network that the request comes from. */
    readonly network: string;
    /** Where the server listens. */
    readonly url: string;
    /** Told of a failure on our side, which is answered all the same. */
    onFault(error: unknown): void;
  },
) => Promise<Response>;

/** A server that listens. */
export interface RunningServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** What operators want to know at this instant. */
  findFacts(): ServerFacts;
  /** Takes no new connections, answers what is in flight, then resolves. */
  stop(): Promise<void>;
}

/** Starts serving a store. */
export function startServer(store: Store, settings: ServerSettings): RunningServer {
  const kept = new KeptMarket(store);
  const own: PrivateDeps = {
    portfolio: kept.portfolio,
    answers: new PrivateAnswers(kept.freshness, settings.apart),
    clock: settings.clock,
  };
  const findAsked = rememberAsked(compileRouter(handlersOf(store, kept, own)));
  const api: ApiParts = {
    admit: groupAdmissions(store.accounts, settings.clock),
    newRequestId: () => crypto.randomUUID(),
    hashKey,
    watch: makeWatch(settings.log, settings.metrics),
    giveFree: (request, answer) => giveFree(request, 'other', answer),
  };
  const { freeAnswers, findNetwork } = settings;
  const networkOf = (request: Request): string =>
    findNetwork(server.requestIP(request)?.address ?? null, request.headers.get('X-Forwarded-For'));
  const giveFree = (request: Request, kind: FreeKind, answer: Response) =>
    freeAnswers?.give(networkOf(request), kind, answer) ?? answer;
  const drain = new Drain();
  const { baseUrl, clock, log } = settings;
  const readiness = new Readiness({ store, clock, log });
  const around = makeAround({ store, drain, readiness, watch: api.watch, baseUrl });
  const pages = settings.answerPage;
  const answerOther = async (request: Request): Promise<Response> => {
    if (!pages || isAround(request)) {
      const kind = isHealth(request) ? 'health' : 'other';
      return giveFree(request, kind, await answerAround(request, around));
    }
    // An import may take longer than a connection may be silent.
    server.timeout(request, pageSeconds);
    const place = { network: networkOf(request), url: around.url };
    const answer = (onFault: (error: unknown) => void) => pages(request, { ...place, onFault });
    return answerPage(request, answer, around);
  };
  // The limit is typed as read-only, but this is how Bun lets the limit be set.
  Object.assign(http, { maxHeaderSize: headerBytesMax });
  const server: Bun.Server<undefined> = Bun.serve({
    hostname: settings.host,
    port: settings.port,
    idleTimeout: idleSeconds,
    maxRequestBodySize: serverBodyBytesMax,
    development: false,
    // Otherwise a second server on the same port would take half of the calls, silently.
    reusePort: settings.sharesPort,
    fetch: (request) => {
      const turnedAway = drain.isLeaving ? drain.turnAway(request) : null;
      if (turnedAway) return drain.isEnding ? drain.last(turnedAway) : turnedAway;
      const asked = findAsked(request.url);
      const answer = asked ? answerApi(request, asked, api) : answerOther(request);
      return drain.isEnding ? drain.last(answer) : answer;
    },
    error: (error) => answerUnread(error, around),
  });
  around.url = addressOf(server.hostname ?? settings.host, server.port ?? settings.port);
  kept.warm().catch((error) => settings.log.failure('warming', error));
  return {
    url: around.url,
    findFacts: () => ({
      inFlight: server.pendingRequests,
      isLeaving: drain.isLeaving,
      isCountable: () => readiness.check(),
      caches: { documents: kept.documents.facts, answers: own.answers.facts },
    }),
    stop: () => drain.end(server, settings.drainSeconds * secondMs),
  };
}

/** The endpoints, written out. */
export function handlersOf(
  { market }: Store,
  { documents, search }: KeptMarket,
  own: PrivateDeps,
): Handlers {
  return {
    getSet: getSet(documents),
    getMinifig: getMinifig(documents),
    searchSets: searchSets(search),
    searchMinifigs: searchMinifigs(search),
    listThemes: listThemes(documents),
    getBatch: getBatch(documents),
    getSetHistory: getSetHistory(market),
    getSetRetailPrices: getSetRetailPrices(own),
    findRetailPrices: findRetailPrices(own),
    listRetailWatch: listRetailWatch(own),
    listBrickfolios: listBrickfolios(own),
    getAnalytics: getAnalytics(own),
    listEntries: listEntries(own),
    listSales: listSales(own),
  };
}
