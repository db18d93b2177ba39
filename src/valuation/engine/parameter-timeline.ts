/** The parameters of all months: how they are stored, named and read again. */
import { formatMonth, type Month } from '../../domain/kernel/time.ts';
import type { StoredParameters } from '../../domain/market/estimator.ts';
import { engineVersion } from './engine-version.ts';
import { shortHash } from './input-hash.ts';
import { defaultParameters, type Parameters } from './parameters.ts';

/** The month that what is believed without learning is said to be of. */
const parametersEpoch: Month = 1970 * 12;

/** Parameters in force, and the name of that version. */
export interface NamedParameters {
  readonly version: string;
  readonly parameters: Parameters;
}

/** The parameters of a month, as they are stored: with the name of who learned them. */
export function storeParameters(month: Month, parameters: Parameters): StoredParameters {
  const body = JSON.stringify({ engine: engineVersion, ...parameters });
  return { month, version: `${formatMonth(month)}-${shortHash(body)}`, body };
}

/** Whether this engine learned them. */
export function areOwnParameters({ body }: Pick<StoredParameters, 'body'>): boolean {
  return (JSON.parse(body) as { readonly engine: string }).engine === engineVersion;
}

/** All parameters, by month. */
export class ParameterTimeline {
  #first: Month | null = null;
  readonly #named: NamedParameters[] = [];

  /** From stored ones, in order of month without gaps. */
  constructor(stored: readonly StoredParameters[]) {
    for (const { month, version, body } of stored) {
      this.add(month, { version, parameters: JSON.parse(body) as Parameters });
    }
  }

  /** Adds those of the next month. */
  add(month: Month, named: NamedParameters): void {
    this.#first ??= month;
    if (month !== this.#first + this.#named.length) throw new Error('Parameters have a gap.');
    this.#named.push(named);
  }

  /** Those of a month; the latest earlier ones where it has none of its own. */
  at(month: Month): NamedParameters {
    if (this.#first === null || month < this.#first) return nothingLearned;
    return this.#named[Math.min(month - this.#first, this.#named.length - 1)] ?? nothingLearned;
  }
}

const nothingLearned: NamedParameters = {
  version: storeParameters(parametersEpoch, defaultParameters).version,
  parameters: defaultParameters,
};
