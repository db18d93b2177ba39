/** The sources that are turned on, in the words of their settings. */
import type { Clock } from '../domain/kernel/time.ts';
import { bricklinkConnector } from '../sync/bricklink.ts';
import { bricksetConnector } from '../sync/brickset.ts';
import type { Connector } from '../sync/connector.ts';
import { ebayConnector } from '../sync/ebay.ts';
import { ecbConnector } from '../sync/ecb.ts';
import { httpConnector } from '../sync/http.ts';
import { keepaConnector } from '../sync/keepa.ts';
import { rebrickableConnector } from '../sync/rebrickable.ts';
import type { SyncSettings } from '../sync/settings.ts';

/** A connector for each source that is turned on. */
export function makeConnectors(settings: SyncSettings, clock: Clock): Connector[] {
  const { ecb, rebrickable, brickset, bricklink, keepa, ebay, http } = settings;
  const makeNonce = () => crypto.randomUUID();
  const connectors = [
    ecb && ecbConnector(ecb),
    rebrickable && rebrickableConnector(rebrickable),
    brickset && bricksetConnector(brickset),
    bricklink && bricklinkConnector(bricklink, { clock, makeNonce }),
    keepa && keepaConnector(keepa, { clock }),
    ebay && ebayConnector(ebay, { clock }),
    ...http.map(httpConnector),
  ];
  return connectors.filter((connector) => connector !== null);
}
