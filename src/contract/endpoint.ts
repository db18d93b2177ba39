/** A row of an endpoint table, with everything that routing, validation, quota and docs need. */
import type { TObject, TSchema } from 'typebox';
import { type Scope, scopeBits } from '../accounts/keys/scopes.ts';
import type { apiPrefix, plusPrefix } from './limits.ts';
import type { TagName } from './tags.ts';

export interface Endpoint {
  /** Rows with the same path have different methods; a GET comes first. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The format of a 200: JSON by default; server-sent events, each an `answer`; or a file. */
  readonly kind?: 'stream' | 'file';
  readonly prefix: typeof apiPrefix | typeof plusPrefix;
  /** Relative to the prefix, with `{name}` for path parameters. */
  readonly path: string;
  readonly tag: TagName;
  readonly summary: string;
  /**
   * Details for callers: the meaning of null, differences by caller, the order. If `scope`
   * is `shared`, it must end with "The same for every caller."
   */
  readonly description: string;
  /** The description in the table of the API's page in `docs/`. */
  readonly docs: string;
  /** `shared`: the same for everyone; `caller`: depends on the account of the key. */
  readonly scope: 'shared' | 'caller';
  /** The scopes that a key needs. */
  readonly needs: readonly Scope[];
  /** More scopes, needed for every value of a query parameter but its default. */
  readonly alsoNeeds?: {
    readonly parameter: string;
    readonly except: string;
    readonly scopes: readonly Scope[];
  };
  /**
   * The cost of a call: one, one per unique item of a batch, one per item returned if the page
   * tells values, one per hour begun, the operator's price of a file, or none.
   */
  readonly cost: 'one' | 'per item' | 'per result' | 'per hour' | 'per file' | 'free';
  readonly params: TObject;
  readonly query: TObject;
  /** Headers it reads besides the key. */
  readonly headers?: TObject;
  readonly body: TObject | null;
  /** The schema of `data`, or of each event of a stream. */
  readonly answer: TSchema;
  /** A response, and the body that requests it. Parameters have their own examples. */
  readonly example: unknown;
  readonly bodyExample?: unknown;
  /** Whether an item may not exist (404), unlike an unknown path. */
  readonly mayMiss: boolean;
  /** Whether the operator can turn it off, which is a 404 as well. */
  readonly mayBeOff?: true;
  /**
   * Set if it changes something. Such a call is charged before it is carried out. `once`: sending
   * it again changes nothing more, so clients may retry it.
   */
  readonly effect?: 'once' | 'each time';
  /** Set once it is decided that it will be removed; only for the Plus API. */
  readonly ending?: Ending;
}

/** Days as YYYY-MM-DD. They are at least `endingMonths` apart. */
export interface Ending {
  readonly deprecatedOn: string;
  readonly removedOn: string;
}

/** How long an endpoint of the Plus API works after it is deprecated. */
export const endingMonths = 6;

/** The headers that tell callers, by RFC 9745 and RFC 8594; null if it stays. */
export function endingHeadersOf({ ending }: Pick<Endpoint, 'ending'>) {
  if (!ending) return null;
  const { deprecatedOn, removedOn } = ending;
  return {
    Deprecation: `@${Date.parse(`${deprecatedOn}T00:00:00Z`) / 1000}`,
    Sunset: new Date(`${removedOn}T00:00:00Z`).toUTCString(),
  };
}

export const costTexts: Readonly<Record<Endpoint['cost'], string>> = {
  one: 'Costs 1 call.',
  'per item': 'Costs 1 call per unique item, all or nothing.',
  'per result': 'Costs 1 call per item with values or list prices, else 1 per page; a 304 costs 1.',
  'per hour': 'Costs 1 call to open, and 1 more for each further hour.',
  'per file':
    'Costs the number of calls set by the operator, charged before the first byte; a 304 or 416 ' +
    'costs 1.',
  free: 'Free, even when the allowance is used up.',
};

/** Whether responses have an `ETag`, and `If-None-Match` is supported. */
export function isTagged({ method, kind }: Endpoint): boolean {
  return method === 'GET' && kind !== 'stream';
}

/** The scopes that a call with this query needs, as bits. */
export function neededScopes({ needs, alsoNeeds }: Endpoint, search: string): number {
  const bits = scopeBits(needs);
  const value = alsoNeeds && new URLSearchParams(search).get(alsoNeeds.parameter);
  if (!alsoNeeds || value === null || value === alsoNeeds.except) return bits;
  return bits | scopeBits(alsoNeeds.scopes);
}

/** The scopes that a call may need, in words; null if it needs none. */
export function scopesText({ needs, alsoNeeds }: Endpoint): string | null {
  if (needs.length === 0) return null;
  const text = `Needs the scope ${codes(needs)}.`;
  if (!alsoNeeds) return text;
  const { parameter, except, scopes } = alsoNeeds;
  return `${text} With a \`${parameter}\` other than \`${except}\`, it needs ${codes(scopes)} too.`;
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' and ');
}
