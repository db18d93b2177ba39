/** All handlers: one for every row of both tables, or the compiler names the missing one. */
import type { Handlers } from './handler.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { brickfolioHandlers } from './routes/brickfolio.ts';
import { bulkHandlers } from './routes/bulk.ts';
import { buyingHandlers } from './routes/buying.ts';
import { catalogHandlers } from './routes/catalog.ts';
import { dealsHandlers } from './routes/deals.ts';
import { eventHandlers } from './routes/events.ts';
import { evidenceHandlers } from './routes/evidence.ts';
import { historyHandlers } from './routes/history.ts';
import { ledgerHandlers } from './routes/ledger.ts';
import { retailHandlers } from './routes/retail.ts';
import { searchHandlers } from './routes/search.ts';
import { usageHandlers } from './routes/usage.ts';

/** The handlers of all endpoints. */
export function handlersOf(deps: HandlerDeps): Handlers {
  return {
    ...catalogHandlers(deps),
    ...searchHandlers(deps),
    ...historyHandlers(deps),
    ...retailHandlers(deps),
    ...brickfolioHandlers(deps),
    ...ledgerHandlers(deps),
    ...buyingHandlers(deps),
    ...dealsHandlers(deps),
    ...evidenceHandlers(deps),
    ...eventHandlers(deps),
    ...bulkHandlers(deps),
    ...usageHandlers(deps),
  };
}
