/** Fee and postage tables in the data folder, and the predictions computed from them. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FeeTables } from '../buying/prices/selling-channels.ts';
import { builtInFees, readFeeTable } from '../market/fees/fee-table.ts';
import { builtInPostage, readPostageTables } from '../market/fees/postage.ts';
import { TableError } from '../market/fees/table-fields.ts';
import { withPredictions } from '../portfolio/predictions/predictions.work.ts';
import type { Store } from '../store/store.ts';
import { CommandError } from './command.ts';

/** The tables in the data folder, else those of this version. */
export function readFeeTables(dataFolder: string): FeeTables {
  return {
    fees: readTable(join(dataFolder, 'fees.json'), readFeeTable) ?? builtInFees,
    postage: readTable(join(dataFolder, 'postage.json'), readPostageTables) ?? builtInPostage,
  };
}

/** The tables of a running process, which an operator can reload. */
export class FeeFiles {
  #current: FeeTables;

  constructor(private readonly dataFolder: string) {
    this.#current = readFeeTables(dataFolder);
  }

  find(): FeeTables {
    return this.#current;
  }

  /** Keeps the tables, and throws a `CommandError`, if a file is invalid. */
  reload(): void {
    this.#current = readFeeTables(this.dataFolder);
  }
}

/**
 * The accounts for code that records purchases (imports, pages, the demo): every new lot is stored
 * with a prediction of its sale. Other code uses the accounts of the store.
 */
export function accountsWithPredictions(
  { accounts, market }: Pick<Store, 'accounts' | 'market'>,
  dataFolder: string,
): Store['accounts'] {
  return withPredictions(accounts, { market, findTables: () => readFeeTables(dataFolder) });
}

function readTable<T>(path: string, read: (value: unknown) => T): T | null {
  if (!existsSync(path)) return null;
  try {
    return read(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (!(error instanceof TableError || error instanceof SyntaxError)) throw error;
    throw new CommandError(`Cannot use '${path}': ${error.message}`);
  }
}
