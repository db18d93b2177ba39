/** The HTTP server: the API under its prefix, and the few paths around it. */
import http from 'node:http';
import { hashKey } from '../accounts/keys.ts';
import { ApiError, errorTable } from '../contract/errors.ts';
import { apiPrefix, headerBytesMax } from '../contract/limits.ts';
import { openApiDocument } from '../contract/openapi.ts';
import type { Store } from '../domain/store.ts';
import { type Clock, formatInstant, formatMonth } from '../domain/time.ts';
import { groupAdmissions } from './admission.ts';
import { type ApiParts, answerApi } from './answer.ts';
import { rememberAsked, targetOf } from './asked.ts';
import { Documents } from './documents.ts';
import { Drain } from './drain.ts';
import { Freshness } from './freshness.ts';
import type { Handlers } from './handler.ts';
import { PrivateAnswers } from './private-answers.ts';
import type { PrivateParts } from './private-parts.ts';
import { respondError } from './respond.ts';
import { compileRouter } from './router.ts';
import { getAnalytics, listBrickfolios, listEntries } from './routes/brickfolio.ts';
import { getBatch, getMinifig, getSet, listThemes } from './routes/catalog.ts';
import { getSetHistory } from './routes/history.ts';
import { listSales } from './routes/ledger.ts';
import { findRetailPrices, getSetRetailPrices, listRetailWatch } from './routes/retail.ts';
import { searchMinifigs, searchSets } from './routes/search.ts';
import { SearchIndex } from './search-index.ts';
import { KeptSetValues } from './set-values.ts';

/** Seconds that a connection may be silent. */
const idleSeconds = 60;

/** Bodies are bounded where they are read, so that the answer has the contract's shape. */
const serverBodyBytesMax = 2 ** 40;

/** What the server is told from outside. */
export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  /** The public address; null: where it listens. */
  readonly baseUrl: string | null;
  readonly clock: Clock;
  logFailure(requestId: string, error: unknown): void;
}

/** A server that listens. */
export interface RunningServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Takes no new connections, answers what is in flight, then resolves. */
  stop(): Promise<void>;
}

/** Starts serving a store. */
export function startServer(store: Store, settings: ServerSettings): RunningServer {
  const freshness = new Freshness(store.market);
  const search = new SearchIndex(store.market, freshness);
  const documents = new Documents(store.market, freshness);
  const setValues = new KeptSetValues(store.market, freshness);
  const own: PrivateParts = {
    sources: {
      accounts: store.accounts,
      market: { ...store.market, findSetValues: (keys) => setValues.find(keys) },
    },
    answers: new PrivateAnswers(freshness),
    clock: settings.clock,
  };
  const findAsked = rememberAsked(compileRouter(handlersOf({ store, documents, search, own })));
  const api: ApiParts = {
    admit: groupAdmissions(store.accounts, settings.clock),
    newRequestId: () => crypto.randomUUID(),
    hashKey,
    logFailure: settings.logFailure,
  };
  const around: Around = { store, settings, url: '', openApi: null };
  // The limit is typed as read-only, but this is how Bun lets the limit be set.
  Object.assign(http, { maxHeaderSize: headerBytesMax });
  const drain = new Drain();
  const server = Bun.serve({
    hostname: settings.host,
    port: settings.port,
    idleTimeout: idleSeconds,
    maxRequestBodySize: serverBodyBytesMax,
    development: false,
    // Otherwise a second server on the same port would take half of the calls, silently.
    reusePort: false,
    fetch: (request) => {
      const asked = findAsked(request.url);
      const answer = asked ? answerApi(request, asked, api) : answerAround(request, around);
      return drain.isEnding ? drain.last(answer) : answer;
    },
    error: (error) => {
      const requestId = api.newRequestId();
      if (error instanceof ApiError) return respondError(error.code, error.message, { requestId });
      settings.logFailure(requestId, error);
      return respondError('InternalError', errorTable.InternalError.example, { requestId });
    },
  });
  around.url = addressOf(server.hostname ?? settings.host, server.port ?? settings.port);
  search
    .warm()
    .then(() => setValues.warm())
    .catch((error) => settings.logFailure('warming', error));
  return { url: around.url, stop: () => drain.end(server) };
}

/** The endpoints, written out. */
function handlersOf(parts: {
  readonly store: Store;
  readonly documents: Documents;
  readonly search: SearchIndex;
  readonly own: PrivateParts;
}): Handlers {
  const { store, documents, search, own } = parts;
  return {
    getSet: getSet(documents),
    getMinifig: getMinifig(documents),
    searchSets: searchSets(search),
    searchMinifigs: searchMinifigs(search),
    listThemes: listThemes(documents),
    getBatch: getBatch(documents),
    getSetHistory: getSetHistory(store.market),
    getSetRetailPrices: getSetRetailPrices(own),
    findRetailPrices: findRetailPrices(own),
    listRetailWatch: listRetailWatch(own),
    listBrickfolios: listBrickfolios(own),
    getAnalytics: getAnalytics(own),
    listEntries: listEntries(own),
    listSales: listSales(own),
  };
}

/** The address of a server; an IPv6 address stands in brackets. */
function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

interface Around {
  readonly store: Store;
  readonly settings: ServerSettings;
  url: string;
  /** Made when it is first asked for; it does not change while the server runs. */
  openApi: string | null;
}

/** The paths outside the API: health, its description, and the record of restated history. */
async function answerAround(request: Request, around: Around): Promise<Response> {
  const path = targetOf(request.url).split('?', 1)[0];
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && path === '/healthz') {
    // Fails, and so answers 500, when the store cannot be read.
    await around.store.market.publishStamp();
    return Response.json({ status: 'ok' });
  }
  if (isRead && path === '/openapi.json') return respondOpenApi(around);
  if (isRead && path === '/restatements.json') {
    return Response.json({ restatements: await presentRestatements(around.store) });
  }
  const message = `There is nothing at this path; /openapi.json lists what is under ${apiPrefix}.`;
  return respondError('NotFound', message, { requestId: crypto.randomUUID() });
}

function respondOpenApi(around: Around): Response {
  const baseUrl = around.settings.baseUrl ?? around.url;
  around.openApi ??= JSON.stringify(openApiDocument(baseUrl));
  return new Response(around.openApi, {
    headers: { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' },
  });
}

async function presentRestatements(store: Store) {
  const restatements = await store.market.listRestatements();
  return restatements.map((restatement) => ({
    id: restatement.id,
    from_month: formatMonth(restatement.fromMonth),
    reason: restatement.reason,
    recorded_at: formatInstant(restatement.at),
  }));
}
