/** How what was learned across all items is kept. */
import type { Month } from '../kernel/time.ts';
import type { StoredParameters } from './estimator.ts';

/** Which parameters there are, and whether rows that they were learned from have changed. */
export interface ParameterState {
  /** In order of month. */
  readonly parameters: readonly StoredParameters[];
  /**
   * The earliest month of which rows changed since the parameters were saved; null for none. Month
   * 0 when facts changed of an item that was sold: they count for all months.
   */
  readonly changedFrom: Month | null;
  /** Grows by one with every batch that changed a row which counts for parameters. */
  readonly change: number;
}

/** The same without what the parameters are: cheap to ask for again and again. */
export interface ParameterVersions extends Omit<ParameterState, 'parameters'> {
  readonly versions: readonly Omit<StoredParameters, 'body'>[];
}

/** Reads and replaces parameters. */
export interface ParameterStore {
  findParameters(): Promise<ParameterState>;
  findParameterVersions(): Promise<ParameterVersions>;
  /**
   * Replaces all parameters; every item becomes stale unless they only go on where the old ones
   * ended. `change` is the state they were learned at: when more has changed since then, all of it
   * still counts as changed. Nothing is done once history is sealed, or when parameters are there
   * that were learned at a later state.
   */
  saveParameters(parameters: readonly StoredParameters[], change: number): Promise<void>;
  /** Adds parameters of months that have none; those that are there stay. */
  freezeParameters(parameters: readonly StoredParameters[]): Promise<void>;
}
