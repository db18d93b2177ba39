/** Settings of test servers: a free port, a given clock, and a log that collects failures. */

import { makeSheetSigner } from '../../src/accounts/sheet-links/sheet-link.ts';
import type { ServerSettings } from '../../src/api/server.ts';
import { streamsMax } from '../../src/contract/limits.ts';
import type { Log } from '../../src/http/log.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { addressFinder } from '../../src/http/network.ts';
import { makeEncrypter } from '../../src/kernel/encryption.ts';
import { builtInFees } from '../../src/market/fees/fee-table.ts';
import { builtInPostage } from '../../src/market/fees/postage.ts';

export const testSigner = makeSheetSigner(new Uint8Array(32).fill(5));

/** The same each time, so that stores of both engines are the same. */
const testBytes = (count: number) => new Uint8Array(count).fill(9);

export const testEncrypter = makeEncrypter(new Uint8Array(32).fill(7), testBytes);

export function serverSettings(clock: () => number, failures: unknown[]): ServerSettings {
  return {
    host: '127.0.0.1',
    port: 0,
    baseUrl: null,
    mcp: { version: '0.0.0', origins: ['https://agents.example.com'] },
    build: { version: '0.0.0', commit: null },
    clock,
    // Tests control how long streams last.
    elapsed: clock,
    streamsMax,
    findTables: () => ({ fees: builtInFees, postage: builtInPostage }),
    changes: {
      alerts: { recordMatches: async () => 0 },
      encrypter: testEncrypter,
      allowedNetworks: [],
      randomBytes: testBytes,
      sleep: async () => {},
    },
    bulkCost: 3,
    // The clock of tests stands still, so keys would never earn another call.
    plusRate: 1_000_000,
    sheetSigner: testSigner,
    sharesPort: false,
    drainSeconds: 0,
    // No timeout, since a response may take long on a busy machine.
    idleSeconds: 0,
    metrics: new Metrics(true),
    log: failureLog(failures),
    // Trusts X-Forwarded-For from loopback, so that tests can simulate many networks.
    findAddress: addressFinder(['127.0.0.1'], () => {}),
  };
}

export function failureLog(failures: unknown[]): Log {
  return {
    statusMin: 500,
    request: (_, { fault }) => failures.push(fault?.error),
    event: () => {},
    warning: () => {},
    failure: (_, error) => failures.push(error),
    flush: () => {},
  };
}
