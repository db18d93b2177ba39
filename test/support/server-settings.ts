/** What servers of tests are told: any free port, a clock, and a list of what failed. */

import type { ServerSettings } from '../../src/api/server.ts';
import { streamsMax } from '../../src/contract/limits.ts';
import { makeSheetSigner } from '../../src/domain/account/sheet-link.ts';
import { builtInFees } from '../../src/domain/fees/fee-table.ts';
import { builtInPostage } from '../../src/domain/fees/postage.ts';
import type { Log } from '../../src/http/log.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { networkFinder } from '../../src/http/network.ts';

/** What signs spreadsheet links in tests. */
export const testSigner = makeSheetSigner(new Uint8Array(32).fill(5));

/** Settings of a server on this machine. */
export function serverSettings(clock: () => number, failures: unknown[]): ServerSettings {
  return {
    host: '127.0.0.1',
    port: 0,
    baseUrl: null,
    mcp: { version: '0.0.0', origins: ['https://agents.example.com'] },
    clock,
    // Tests say how long streams last.
    elapsed: clock,
    streamsMax,
    tables: { fees: builtInFees, postage: builtInPostage },
    bulkCost: 3,
    sheetSigner: testSigner,
    sharesPort: false,
    drainSeconds: 0,
    // An answer may take long on a busy machine.
    idleSeconds: 0,
    metrics: new Metrics(true),
    log: failureLog(failures),
    // Tests stand for many networks.
    findNetwork: networkFinder(['127.0.0.1'], () => {}),
  };
}

/** A log of what failed, and of nothing else. */
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
