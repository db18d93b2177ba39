/** The methods and lists of the client, by the tables of `calls.ts`. */
import { batchPieces, joinedBatches } from './batch.ts';
import { apiCalls, apiLists, plusCalls, plusLists } from './calls.ts';
import type * as Typed from './method-types.ts';
import { type List, pagesOf, type Query, type ReadPage } from './paging.ts';
import { type Call, type CallOptions, pathOf, type Transport } from './transport.ts';

class Caller {
  constructor(protected readonly transport: Transport) {}
}

type ClassOf<Methods> = new (transport: Transport) => Caller & Methods;

export const ApiMethods = methodsOf<Typed.ApiMethods>(apiCalls);
export const PlusMethods = methodsOf<Typed.PlusMethods>(plusCalls);

/** A class with a method for each call: parameters of the path, a query or body, and options. */
function methodsOf<Methods>(calls: Readonly<Record<string, Call>>) {
  const Made = class extends Caller {};
  for (const [name, [by, path, sent]] of Object.entries(calls)) {
    const texts = path.split(/\{\w+\}/);
    const count = texts.length - 1;
    const value = function (this: { transport: Transport }, ...given: readonly unknown[]) {
      const target = pathOf(texts, ...(given.slice(0, count) as (string | number)[]));
      const rest = sent ? given.slice(count) : [{}, given[count]];
      const [body, options] = rest as [Sent, CallOptions | undefined];
      return path.endsWith('/batch')
        ? sendBatch(this.transport, target, body, options)
        : this.transport[by](target, body, options);
    };
    Object.defineProperty(Made.prototype, name, { value, writable: true, configurable: true });
  }
  return Made as unknown as ClassOf<Methods>;
}

type Sent = Readonly<Record<string, unknown>>;

/** One call after the other; a failed one fails the batch. */
async function sendBatch(
  transport: Transport,
  path: string,
  body: Sent,
  options: CallOptions | undefined,
): Promise<Sent> {
  const answers: Sent[] = [];
  for (const piece of batchPieces(body)) {
    answers.push(await transport.post<Sent>(path, piece, options));
  }
  return joinedBatches(answers);
}

/** The lists of `/api/v1`, read with these methods. */
export function apiListsOf(methods: Typed.ApiMethods): Typed.ApiLists {
  return listsOf(apiLists, methods);
}

/** The lists of the Plus API. */
export function plusListsOf(methods: Typed.PlusMethods): Typed.PlusLists {
  return listsOf(plusLists, methods);
}

/** Each list calls the method with its name, page by page. */
function listsOf<Lists>(lists: Readonly<Record<string, List>>, methods: object): Lists {
  const rows = Object.entries(lists).map(([name, list]) => {
    const read: ReadPage = Reflect.get(methods, name).bind(methods);
    const pages = (query?: Query, options?: CallOptions) =>
      pagesOf(list, query, (at) => read(at, options));
    return [name, pages];
  });
  return Object.fromEntries(rows);
}
