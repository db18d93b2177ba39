/** A row of an endpoint table: all that routing, validation, quota and the docs need to know. */
import type { TObject, TSchema } from 'typebox';
import type { TagName } from './tags.ts';

/** One endpoint. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /**
   * How a 200 is written: as JSON in the envelope unless it says otherwise; as server-sent events,
   * of each of which `answer` is the data; or as a file.
   */
  readonly kind?: 'stream' | 'file';
  /** What all paths of its API begin with. */
  readonly prefix: string;
  /** Relative to the prefix, with `{name}` for path parameters. */
  readonly path: string;
  readonly tag: TagName;
  readonly summary: string;
  /** What a caller should know besides: what is null, what differs by caller, the order. */
  readonly description: string;
  /** The same for the table of the API's page in `docs/`. */
  readonly docs: string;
  /** `shared`: the same for everyone; `caller`: limited to the account of the key. */
  readonly scope: 'shared' | 'caller';
  /**
   * What a call costs of the daily allowance: one, one per unique item of a batch, one for each
   * hour that is begun, what the operator has set for a file, or nothing.
   */
  readonly cost: 'one' | 'per item' | 'per hour' | 'per file' | 'free';
  readonly params: TObject;
  readonly query: TObject;
  /** Headers that it reads besides the key. */
  readonly headers?: TObject;
  readonly body: TObject | null;
  /** The schema of `data`, or of each event of a stream. */
  readonly answer: TSchema;
  /** An answer, and a body that asks for it. Parameters have their examples themselves. */
  readonly example: unknown;
  readonly bodyExample?: unknown;
  /** Whether an item may be missing (404), told apart from an unknown path. */
  readonly mayMiss: boolean;
  /** Whether operators may not offer it, which is 404 as well. */
  readonly mayBeOff?: true;
}

/** What a call costs, as a sentence. */
export const costTexts: Readonly<Record<Endpoint['cost'], string>> = {
  one: 'Costs 1 call.',
  'per item': 'Costs 1 call per unique item, all or nothing.',
  'per hour': 'Costs 1 call to open, and 1 more for each further hour.',
  'per file': 'Costs the number of calls set by the operator, charged before the first byte.',
  free: 'Free, even when the allowance is used up.',
};

/** Whether its answers carry an `ETag`, and `If-None-Match` is read: it can be asked for again. */
export function isTagged({ method, kind }: Endpoint): boolean {
  return method === 'GET' && kind !== 'stream';
}
