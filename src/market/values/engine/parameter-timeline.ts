/** Parameters of all months: storing, naming and reading them. */

import { at } from '../../../kernel/at.ts';
import { formatMonth, type Month } from '../../../kernel/time.ts';
import type { StoredParameters } from '../estimator.ts';
import { engineVersion } from './engine-version.ts';
import { InputHash, shortHash } from './input-hash.ts';
import { defaultParameters, type Parameters } from './parameters.ts';

/** The month of the default parameters. */
const parametersEpoch: Month = 1970 * 12;

export interface NamedParameters {
  readonly version: string;
  readonly parameters: Parameters;
}

/** Stored with the version of the engine that learned them. */
export function storeParameters(month: Month, parameters: Parameters): StoredParameters {
  const body = JSON.stringify({ engine: engineVersion, ...parameters });
  return { month, version: `${formatMonth(month)}-${shortHash(body)}`, body };
}

/** Whether this engine version learned them. */
export function areOwnParameters({ body }: Pick<StoredParameters, 'body'>): boolean {
  return (JSON.parse(body) as { readonly engine: string }).engine === engineVersion;
}

export class ParameterTimeline {
  #first: Month | null = null;
  readonly #named: NamedParameters[] = [];
  readonly #hash = new InputHash();
  readonly #hashes: number[] = [];

  /** Stored parameters are in order of month, without gaps. */
  constructor(stored: readonly StoredParameters[]) {
    for (const { month, version, body } of stored) {
      this.add(month, { version, parameters: JSON.parse(body) as Parameters });
    }
  }

  add(month: Month, named: NamedParameters): void {
    this.#first ??= month;
    if (month !== this.#first + this.#named.length) throw new Error('Parameters have a gap.');
    this.#named.push(named);
  }

  /** A hash of the versions of all months up to one. */
  hashUntil(month: Month): number {
    if (this.#first === null || month < this.#first) return 0;
    const last = Math.min(month - this.#first, this.#named.length - 1);
    for (let index = this.#hashes.length; index <= last; index++) {
      this.#hash.addText(at(this.#named, index).version);
      this.#hashes.push(this.#hash.value());
    }
    return at(this.#hashes, last);
  }

  /** The parameters of a month, or the latest earlier ones. */
  at(month: Month): NamedParameters {
    if (this.#first === null || month < this.#first) return nothingLearned;
    return at(this.#named, Math.min(month - this.#first, this.#named.length - 1));
  }
}

const nothingLearned: NamedParameters = {
  version: storeParameters(parametersEpoch, defaultParameters).version,
  parameters: defaultParameters,
};
