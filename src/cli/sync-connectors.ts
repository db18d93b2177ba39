/** The sources that are turned on, in the words of their settings. */
import type { Clock } from '../domain/kernel/time.ts';
import { bricklinkConnector } from '../sync/bricklink.ts';
import { bricksetConnector } from '../sync/brickset.ts';
import type { Connector } from '../sync/connector.ts';
import { keepaConnector } from '../sync/keepa.ts';
import type { SyncSettings } from '../sync/settings.ts';

/** A connector for each source that is turned on. */
export function makeConnectors(settings: SyncSettings, clock: Clock): Connector[] {
  const { brickset, bricklink, keepa } = settings;
  const makeNonce = () => crypto.randomUUID();
  const connectors = [
    brickset && bricksetConnector(brickset),
    bricklink && bricklinkConnector(bricklink, { clock, makeNonce }),
    keepa && keepaConnector(keepa, { clock }),
  ];
  return connectors.filter((connector) => connector !== null);
}
