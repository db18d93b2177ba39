/**
 * Calls by endpoint and key. Servers count in memory and save every few minutes, so a killed one
 * loses some, and calls around midnight may count on the next day. What a key has used is exact.
 */
import { csvCell } from '../../kernel/csv-cell.ts';
import { dayMs, formatDay } from '../../kernel/time.ts';
import type { ApiKey } from './keys.ts';

/** How long they are kept. */
export const endpointUsageDays = 90;

export interface EndpointUse {
  readonly accountId: number;
  readonly keyId: number;
  /** The name of a row of the contract, or `sheetLink`. */
  readonly endpoint: string;
  readonly calls: number;
  /** Calls charged. */
  readonly cost: number;
  /** Responses with an error. */
  readonly errors: number;
}

export interface EndpointDay extends Omit<EndpointUse, 'accountId'> {
  /** Days since 1970, UTC. */
  readonly day: number;
}

/** A row as exported. Keys that are no longer listed have no name. */
export function endpointRecord(
  { day, keyId, endpoint, calls, cost, errors }: EndpointDay,
  keys: readonly Pick<ApiKey, 'id' | 'name' | 'prefix'>[],
) {
  const key = keys.find(({ id }) => id === keyId);
  return {
    date: formatDay(day * dayMs),
    key_id: keyId,
    key_name: key?.name ?? null,
    key_prefix: key?.prefix ?? null,
    endpoint,
    calls,
    cost,
    errors,
  };
}

const csvHeader = 'date,key_id,key_name,key_prefix,endpoint,calls,cost,errors';

export function endpointCsv(records: readonly ReturnType<typeof endpointRecord>[]): string {
  const rows = records.map((record) => Object.values(record).map(csvCell).join());
  return [csvHeader, ...rows].map((row) => `${row}\r\n`).join('');
}
