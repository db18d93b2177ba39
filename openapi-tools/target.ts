/** What both programs are told: which server to call, and what is in its market. */

/** A running Brickmark. */
export interface Target {
  /** Its address, without a path. */
  readonly url: string;
  readonly key: string;
  /** A set and a minifigure of its catalog; the key's account holds the set. */
  readonly set: string;
  readonly minifig: string;
}

/** A call of each operation: none can be left out, and none can be called that is not there. */
export type Calls<Operations> = {
  readonly [Name in keyof Operations]: () => Promise<unknown>;
};

/** The body of an answer that must be good. */
export function bodyOf<Body>(answer: { data?: Body; error?: unknown }): NonNullable<Body> {
  if (answer.data !== undefined && answer.data !== null) return answer.data;
  throw new Error(`There is no answer: ${JSON.stringify(answer.error)}`);
}
