/** Tables of fees and postage that an operator has put beside the store. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FeeTables } from '../domain/buying/channels.ts';
import { builtInFees, readFeeTable } from '../domain/fees/fee-table.ts';
import { builtInPostage, readPostageTables } from '../domain/fees/postage.ts';
import { TableError } from '../domain/fees/table-fields.ts';
import { CommandError } from './command.ts';

/** The tables in force: those beside the store, else those that come with this version. */
export function readFeeTables(dataFolder: string): FeeTables {
  return {
    fees: readTable(join(dataFolder, 'fees.json'), readFeeTable) ?? builtInFees,
    postage: readTable(join(dataFolder, 'postage.json'), readPostageTables) ?? builtInPostage,
  };
}

/** Null where there is no such file. */
function readTable<T>(path: string, read: (value: unknown) => T): T | null {
  if (!existsSync(path)) return null;
  try {
    return read(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (!(error instanceof TableError || error instanceof SyntaxError)) throw error;
    throw new CommandError(`Cannot use '${path}': ${error.message}`);
  }
}
