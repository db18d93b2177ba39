/** The HTTP server: the API under its prefix, the public paths, and what is passed on to pages. */
import http from 'node:http';
import type { LookUps } from '../accounts/interest.ts';
import { hashKey } from '../accounts/keys.ts';
import type { PortfolioData } from '../accounts/portfolio-data.ts';
import { headerBytesMax } from '../contract/limits.ts';
import type { AdmissionStore } from '../domain/account/admission-store.ts';
import type { SheetSigner } from '../domain/account/sheet-link.ts';
import type { SheetLinkStore } from '../domain/account/sheet-link-store.ts';
import type { FeeTables } from '../domain/buying/channels.ts';
import { type Clock, secondMs } from '../domain/kernel/time.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import type { AnswerPage } from '../http/answer-page.ts';
import { Drain } from '../http/drain.ts';
import type { FreeAnswers, FreeKind } from '../http/free-answers.ts';
import type { Log } from '../http/log.ts';
import type { Metrics } from '../http/metrics.ts';
import type { ServerFacts } from '../http/metrics-server.ts';
import { type Connection, connectionName, type FindNetwork } from '../http/network.ts';
import { requestReporter } from '../http/report.ts';
import { addressOf } from '../http/target.ts';
import { groupAdmissions } from './admission.ts';
import { type ApiDeps, answerApi } from './answer.ts';
import { offerBulk } from './bulk-files.ts';
import { EventStreams } from './event-streams.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { handlersOf } from './handlers.ts';
import { Readiness } from './health.ts';
import { MarketCache } from './market-cache.ts';
import { isMcpPath, McpPath, type McpSettings } from './mcp-path.ts';
import { urlParser } from './parsed-url.ts';
import { type AnswerProcess, PrivateAnswers } from './private-answers.ts';
import {
  answerPage,
  answerPublic,
  answerUnread,
  isHealth,
  isPublic,
  makePublicDeps,
} from './public-paths.ts';
import { compileRoutes } from './router.ts';
import { ScopeItems } from './scope-items.ts';
import { fileMaker } from './sheet-files.ts';
import { answerSheet, isSheetPath, type SheetDeps } from './sheet-links.ts';

/** Seconds that a connection may be silent; proxies in front have to end theirs earlier. */
export const idleSeconds = 60;

/** The same while a page is made. */
const pageSeconds = 90;

/** Bodies are bounded where they are read, so that the answer has the contract's shape. */
const serverBodyBytesMax = 2 ** 40;

/** What the server is given from outside. */
export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  /** The public address; null: where it listens. */
  readonly baseUrl: string | null;
  /** What /mcp says of itself, and who may ask there. */
  readonly mcp: McpSettings;
  readonly clock: Clock;
  /** Milliseconds that only ever go on, whatever the clock is set to. */
  readonly elapsed: Clock;
  /** Streams of events that may be open at a time. */
  readonly streamsMax: number;
  /** What platforms and parcels cost. */
  readonly tables: FeeTables;
  /** What a file of everything that is published costs; null: none are offered. */
  readonly bulkCost: number | null;
  /** Signs spreadsheet links; without it there are none. */
  readonly sheetSigner?: SheetSigner | null;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Whether other processes listen on the same port, and share its calls with this one. */
  readonly sharesPort: boolean;
  /** Finds the network of a request. */
  readonly findNetwork: FindNetwork;
  /** Bounds how often a network is answered for nothing; without it, that has no bound. */
  readonly freeAnswers?: FreeAnswers;
  /** Answers for pages; without it there are none. */
  readonly answerPage?: AnswerPage;
  /** Where look-ups are counted; without it, nobody asks for them. */
  readonly lookUps?: LookUps;
  /** Where the answers of large accounts are made; without it, here. */
  readonly answerProcess?: AnswerProcess;
  /** How long /readyz says that the server is to end before it begins to. */
  readonly drainSeconds: number;
  /** How long it then answers open connections at the most; a few seconds if undefined. */
  readonly drainMsMax?: number;
  /** How long a connection may be silent, also while an answer is made; 0: for ever. */
  readonly idleSeconds?: number;
}

/** A server that listens. */
export interface RunningServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** What operators want to know at this instant. */
  findFacts(): ServerFacts;
  /** Whether a stream of events is written to a connection. */
  hasStream(connection: Connection): boolean;
  /** Takes no new connections, answers what is in flight, then resolves. */
  stop(): Promise<void>;
}

/** What serving takes of a store. */
export interface ApiStore {
  readonly market: MarketReading;
  readonly accounts: PortfolioData['accounts'] &
    AdmissionStore &
    SheetLinkStore &
    HandlerDeps['accounts'];
}

/** Starts serving a store. */
export function startServer(store: ApiStore, settings: ServerSettings): RunningServer {
  const { baseUrl, log, freeAnswers, findNetwork, answerPage: pages } = settings;
  const networkOf = (request: Request): string =>
    findNetwork(server.requestIP(request)?.address ?? null, request.headers.get('X-Forwarded-For'));
  const giveFree = (request: Request, kind: FreeKind, answer: Response) =>
    freeAnswers?.give(networkOf(request), kind, answer) ?? answer;
  const report = requestReporter(log, settings.metrics);
  const made = makeApi(store, settings, (request) => nameOf(server.requestIP(request)));
  const { market, answers, streams, bulk, parseUrl, admit } = made;
  const api: ApiDeps = {
    admit,
    newRequestId: () => crypto.randomUUID(),
    hashKey,
    report,
    giveFree: (request, answer) => giveFree(request, 'other', answer),
  };
  const sheets: SheetDeps = { ...made.sheets, report, giveFree: api.giveFree };
  const drain = new Drain(settings.drainMsMax);
  const readiness = readinessOf(store, settings);
  const open = makePublicDeps({ market: store.market, drain, readiness, report, baseUrl });
  const mcp = new McpPath({ ...settings.mcp, api, parseUrl, findUrl: () => baseUrl ?? open.url });
  const answerOther = async (request: Request): Promise<Response> => {
    if (isMcpPath(request.url)) return mcp.answer(request);
    if (isSheetPath(request.url)) return answerSheet(request, sheets);
    if (!pages || isPublic(request)) {
      const kind = isHealth(request) ? 'health' : 'other';
      return giveFree(request, kind, await answerPublic(request, open));
    }
    // An import may take longer than a connection may be silent.
    server.timeout(request, pageSeconds);
    const answer = (onFault: (error: unknown) => void) =>
      pages(request, { network: networkOf(request), url: open.url, onFault });
    return answerPage(request, answer, report);
  };
  limitHeaders();
  const server: Bun.Server<undefined> = Bun.serve({
    hostname: settings.host,
    port: settings.port,
    idleTimeout: settings.idleSeconds ?? idleSeconds,
    maxRequestBodySize: serverBodyBytesMax,
    development: false,
    // Otherwise a second server on the same port would take half of the calls, silently.
    reusePort: settings.sharesPort,
    fetch: (request) => {
      const turnedAway = drain.isLeaving ? drain.turnAway(request) : null;
      if (turnedAway) return drain.isEnding ? drain.last(turnedAway) : turnedAway;
      const parsed = parseUrl(request.url);
      const answer = parsed ? answerApi(request, parsed, api) : answerOther(request);
      return drain.isEnding ? drain.last(answer) : answer;
    },
    error: (error) => answerUnread(error, open),
  });
  open.url = addressOf(server.hostname ?? settings.host, server.port ?? settings.port);
  market.warm().catch((error) => log.failure('warming', error));
  const leavingMs = settings.drainSeconds * secondMs;
  const endStreams = () => streams.endAll();
  return {
    url: open.url,
    findFacts: () => ({
      inFlight: server.pendingRequests - streams.count,
      isLeaving: drain.isLeaving,
      isCountable: () => readiness.check(),
      caches: { documents: market.documents.facts, answers: answers.facts },
    }),
    hasStream: (connection) => streams.hasConnection(connectionName(connection)),
    stop: () => drain.end(server, { leavingMs, endStreams }).finally(() => bulk?.close()),
  };
}

function readinessOf({ market, accounts }: ApiStore, settings: ServerSettings): Readiness {
  const { clock, elapsed, log } = settings;
  return new Readiness({ market, accounts, clock, elapsed, log });
}

function limitHeaders(): void {
  // The limit is typed as read-only, but this is how Bun lets it be set.
  Object.assign(http, { maxHeaderSize: headerBytesMax });
}

function nameOf(peer: Bun.SocketAddress | null): string | null {
  return peer && connectionName(peer);
}

/** What the API is answered with: memory, streams, files, and a handler for every URL. */
function makeApi(
  store: ApiStore,
  settings: ServerSettings,
  nameConnection: (request: Request) => string | null,
) {
  const { clock, elapsed, streamsMax, tables, log, metrics } = settings;
  const { accounts } = store;
  const market = new MarketCache(store, clock, settings.lookUps);
  const answers = new PrivateAnswers(market.freshness, settings.answerProcess);
  const admit = groupAdmissions(accounts, clock, elapsed);
  const items = new ScopeItems(answers, store, elapsed);
  const streams = new EventStreams({
    market: store.market,
    admit,
    findItems: (caller, scope) => items.find(caller, scope),
    elapsed,
    streamsMax,
    log,
    metrics,
    nameConnection,
  });
  const bulk = offerBulk(store.market, settings.bulkCost);
  const handlers = handlersOf({ market, answers, accounts, streams, bulk, tables, clock });
  return {
    market,
    answers,
    streams,
    bulk,
    admit,
    parseUrl: urlParser(compileRoutes(handlers)),
    sheets: {
      signer: settings.sheetSigner ?? null,
      links: accounts,
      admit,
      prepare: fileMaker(handlers),
      onNoteFailure: (error: unknown) => log.failure('sheet link', error),
    },
  };
}
