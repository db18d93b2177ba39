/** The HTTP server: the API, public paths, and page requests, which it passes on. */

import http from 'node:http';
import { hashKey } from '../accounts/keys/api-keys.work.ts';
import type { EndpointUses } from '../accounts/keys/endpoint-uses.work.ts';
import type { KeyStore } from '../accounts/keys/keys.store.ts';
import type { Caller } from '../accounts/keys/quota.ts';
import type { SheetSigner } from '../accounts/sheet-links/sheet-link.ts';
import type { SheetLinkStore } from '../accounts/sheet-links/sheet-links.store.ts';
import type { FeeTables } from '../buying/prices/selling-channels.ts';
import { headerBytesMax, plusRateDefault } from '../contract/limits.ts';
import type { AnswerPage } from '../http/answer-page.ts';
import { discardBody } from '../http/bounded-body.ts';
import { Drain } from '../http/drain.ts';
import type { FreeAnswers, FreeKind } from '../http/free-answers.ts';
import type { Log } from '../http/log.ts';
import type { Metrics } from '../http/metrics.ts';
import type { ServerFacts } from '../http/metrics-server.ts';
import { type Connection, connectionName, type FindAddress, networkOf } from '../http/network.ts';
import { pools } from '../http/pools.ts';
import { type CountUse, requestReporter } from '../http/report.ts';
import { addressOf } from '../http/request-target.ts';
import { type Clock, secondMs } from '../kernel/time.ts';
import type { LookUps } from '../portfolio/interest/interest.work.ts';
import type { PortfolioData } from '../portfolio/returns/portfolio-data.work.ts';
import type { MarketReading } from '../publish/reading.store.ts';
import type { AdmissionStore } from '../store/store.ts';
import { AccountAnswerCache, type AnswerProcess } from './account-answer-cache.ts';
import { groupAdmissions } from './admission-groups.ts';
import { type ApiDeps, answerApi } from './answer.ts';
import { offerBulk } from './bulk-files.ts';
import type { ChangeDeps, HandlerDeps } from './handler-deps.ts';
import { handlersOf } from './handlers.ts';
import { Readiness } from './health.ts';
import { KeyUses } from './key-uses.ts';
import { isMcpPath, McpPath, type McpSettings } from './mcp-path.ts';
import { MarketCache } from './memory/market-cache.ts';
import { ScopeItemCache } from './memory/scope-item-cache.ts';
import { urlParser } from './parsed-url.ts';
import { PlusPace } from './plus-pace.ts';
import {
  answerPage,
  answerPublic,
  answerUnreadable,
  type BuildName,
  isHealth,
  isPublic,
  makePublicDeps,
} from './public-paths.ts';
import { compileRoutes } from './router.ts';
import { fileMaker } from './sheet-files.ts';
import { answerSheet, isSheetPath, type SheetDeps } from './sheet-links.ts';
import { EventStreams } from './streams/event-streams.ts';
import { TestKeys } from './test-keys/test-keys.ts';
import { WarmUp } from './warm-up.ts';

/** Idle timeout of connections; proxies in front need a shorter one. */
export const idleSeconds = pools.streams.least.msMax / secondMs;

/** The same while a page is rendered: an import can take longer. */
const pageSeconds = 90;

/** Bodies are limited where they are read, so that errors have the contract's format. */
const bodyRoomMax = 2 ** 40;

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  /** The public URL; null: the address it listens on. */
  readonly baseUrl: string | null;
  readonly mcp: McpSettings;
  readonly build: BuildName;
  readonly clock: Clock;
  /** A monotonic clock. */
  readonly elapsed: Clock;
  /** Bun's by default. */
  readonly sleep?: (ms: number) => Promise<void>;
  readonly streamsMax: number;
  findTables(): FeeTables;
  readonly changes: ChangeDeps;
  /** The cost of a bulk file; null: not offered. */
  readonly bulkCost: number | null;
  /** Calls per second and key to the Plus API; 50 by default. */
  readonly plusRate?: number;
  /** Signs spreadsheet links; without it there are none. */
  readonly sheetSigner?: SheetSigner | null;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly sharesPort: boolean;
  readonly findAddress: FindAddress;
  /** Limits free responses per network; without it there is no limit. */
  readonly freeAnswers?: FreeAnswers;
  /** Whether visitors without an account see more than sign-in; true by default. */
  readonly hasPublicPages?: boolean;
  /** Without it there are no pages. */
  readonly answerPage?: AnswerPage;
  /** Releases what was only needed to fill the caches. */
  releaseMemory?(): void;
  /** Starts the process that makes pages; resolves once it is warm. */
  warmPages?(): Promise<unknown>;
  /** Counts look-ups; without it they are not counted. */
  readonly lookUps?: LookUps;
  /** Counts calls by endpoint; without it they are not counted. */
  readonly uses?: EndpointUses;
  /** Computes responses of large accounts; without it, this process does. */
  readonly answerProcess?: AnswerProcess;
  /** Whether it replaces a process that was ready; default: no. */
  readonly isRestarted?: boolean;
  /** How long /readyz reports shutdown before the server stops. */
  readonly drainSeconds: number;
  /** The maximum time to complete open connections; a few seconds by default. */
  readonly drainMsMax?: number;
  /** Idle timeout, also while a response is computed; 0: none. */
  readonly idleSeconds?: number;
}

export interface RunningServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** Resolves once it is ready: search, deals and pages are loaded. */
  readonly warmed: Promise<void>;
  findFacts(): ServerFacts;
  hasStream(connection: Connection): boolean;
  /** Stops accepting connections, completes requests in progress, then resolves. */
  stop(): Promise<void>;
}

export interface ApiStore {
  readonly market: MarketReading;
  readonly accounts: PortfolioData['accounts'] &
    AdmissionStore &
    SheetLinkStore &
    HandlerDeps['accounts'] &
    Pick<KeyStore, 'noteKeyUse' | 'listActiveKeys'>;
}

export function startServer(store: ApiStore, settings: ServerSettings): RunningServer {
  const { baseUrl, build, log, freeAnswers, findAddress, answerPage: pages } = settings;
  const client = clientFinder(findAddress, (request) => server.requestIP(request)?.address ?? null);
  const sendFree = (request: Request, kind: FreeKind, answer: Response) =>
    freeAnswers?.give(client.networkOf(request), kind, answer) ?? answer;
  const { uses } = settings;
  const countUse: CountUse = (caller, route, outcome) => uses?.add(caller, route, outcome);
  const report = requestReporter(log, settings.metrics, countUse);
  const made = makeApi(store, settings, (request) => nameOf(server.requestIP(request)));
  const { market, answers, streams, bulk, parseUrl } = made;
  const api: ApiDeps = {
    ...made.calls,
    ...client,
    report,
    sendFree: (request, answer) => sendFree(request, 'other', answer),
  };
  const sheets: SheetDeps = { ...made.sheets, ...client, report, sendFree: api.sendFree };
  const drain = new Drain(settings.drainMsMax);
  const { clock, elapsed } = settings;
  const readiness = new Readiness({ ...store, clock, elapsed, log });
  const warmUp = new WarmUp(log, { isReady: settings.isRestarted ?? false });
  const state = { drain, warmUp, readiness };
  const open = makePublicDeps({ market: store.market, ...state, report, baseUrl, build });
  const mcp = new McpPath({ ...settings.mcp, api, parseUrl, findUrl: () => baseUrl ?? open.url });
  const answerOther = async (request: Request): Promise<Response> => {
    if (isMcpPath(request.url)) return mcp.answer(request);
    if (isSheetPath(request.url)) return answerSheet(request, sheets);
    if (!pages || isPublic(request, settings.hasPublicPages ?? true)) {
      const kind = isHealth(request) ? 'health' : 'other';
      return sendFree(request, kind, await answerPublic(request, open));
    }
    server.timeout(request, pageSeconds);
    const answer = (onFault: (error: unknown) => void) =>
      pages(request, { network: client.networkOf(request), url: open.url, onFault });
    return answerPage(request, answer, report);
  };
  const answerHere = (request: Request): Response | Promise<Response> => {
    const parsed = parseUrl(request.url);
    return parsed ? answerApi(request, parsed, api) : answerOther(request);
  };
  const server: Bun.Server<undefined> = listen(settings, {
    fetch: (request) => {
      const answer = drain.turnAway(request) ?? answerHere(request);
      const ended = drain.isEnding ? drain.last(answer) : answer;
      return request.method === 'POST' ? afterBody(request, ended) : ended;
    },
    error: (error) => answerUnreadable(error, open),
  });
  open.url = addressOf(server.hostname ?? settings.host, server.port ?? settings.port);
  const warming = market.warm(settings.findTables()).finally(() => settings.releaseMemory?.());
  const warmed = warmUp.run([warming, settings.warmPages?.() ?? Promise.resolve()]);
  const leavingMs = settings.drainSeconds * secondMs;
  const endStreams = () => streams.endAll();
  return {
    url: open.url,
    warmed,
    findFacts: () => ({
      inFlight: server.pendingRequests - streams.count,
      isLeaving: drain.isLeaving,
      isWarm: warmUp.isDone,
      isCountable: () => readiness.check(),
      caches: { documents: market.documents.facts, answers: answers.facts },
    }),
    hasStream: (connection) => streams.hasConnection(connectionName(connection)),
    stop: () => {
      warmUp.end();
      return drain.end(server, { leavingMs, endStreams }).finally(() => bulk?.close());
    },
  };
}

function listen(
  settings: ServerSettings,
  answering: {
    fetch(request: Request): Response | Promise<Response>;
    error(error: unknown): Response;
  },
): Bun.Server<undefined> {
  // Typed as read-only, but Bun has no other way to set the limit.
  Object.assign(http, { maxHeaderSize: headerBytesMax });
  return Bun.serve({
    hostname: settings.host,
    port: settings.port,
    idleTimeout: settings.idleSeconds ?? idleSeconds,
    maxRequestBodySize: bodyRoomMax,
    development: false,
    // Otherwise a second server on the same port would silently get half of the calls.
    reusePort: settings.sharesPort,
    ...answering,
  });
}

async function afterBody(
  request: Request,
  answer: Response | Promise<Response>,
): Promise<Response> {
  const response = await answer;
  await discardBody(request);
  return response;
}

function clientFinder(
  findAddress: FindAddress,
  remoteOf: (request: Request) => string | null,
): Pick<ApiDeps, 'addressOf' | 'networkOf'> {
  const findClient = (request: Request) =>
    findAddress(remoteOf(request), request.headers.get('X-Forwarded-For'));
  return { addressOf: findClient, networkOf: (request) => networkOf(findClient(request)) };
}

function nameOf(peer: Bun.SocketAddress | null): string | null {
  return peer && connectionName(peer);
}

function makeApi(
  store: ApiStore,
  settings: ServerSettings,
  nameConnection: (request: Request) => string | null,
) {
  const { clock, elapsed, streamsMax, findTables, log, metrics } = settings;
  const { accounts } = store;
  const market = new MarketCache(store, clock, settings.lookUps);
  const answers = new AccountAnswerCache(market.freshness, settings.answerProcess);
  const admit = groupAdmissions(accounts, clock, elapsed);
  const items = new ScopeItemCache(answers, store, elapsed);
  const streams = new EventStreams({
    market: store.market,
    listActiveKeys: (ids) => accounts.listActiveKeys(ids, clock()),
    admit,
    findItems: (caller, scope) => items.find(caller, scope),
    elapsed,
    streamsMax,
    log,
    metrics,
    nameConnection,
    onCharged: (cost, caller) => settings.uses?.addCost(caller, 'streamEvents', cost),
  });
  const keyUses = new KeyUses(accounts, (error) => log.failure('key use', error));
  const bulk = offerBulk(store.market, settings.bulkCost);
  const handlers = handlersOf({
    market,
    answers,
    accounts,
    streams,
    changes: settings.changes,
    bulk,
    // Read for every request, since they can be reloaded.
    get tables() {
      return findTables();
    },
    clock,
  });
  return {
    market,
    answers,
    streams,
    bulk,
    parseUrl: urlParser(compileRoutes(handlers)),
    calls: {
      admit,
      newRequestId: () => crypto.randomUUID(),
      hashKey,
      pace: new PlusPace(settings.plusRate ?? plusRateDefault, elapsed),
      noteUse: (caller: Caller, at: number) => keyUses.note(caller, at),
      testKeys: new TestKeys(handlers, settings.sleep ?? Bun.sleep),
    },
    sheets: {
      signer: settings.sheetSigner ?? null,
      links: accounts,
      admit,
      prepare: fileMaker(handlers),
      onNoteFailure: (error: unknown) => log.failure('sheet link', error),
    },
  };
}
