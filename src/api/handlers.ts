/** All handlers: one for every row of both tables, checked by the compiler. */
import type { Handlers } from './handler.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { brickfolioHandlers } from './handlers/brickfolio.ts';
import { bulkHandlers } from './handlers/bulk.ts';
import { buyingHandlers } from './handlers/buying.ts';
import { catalogHandlers } from './handlers/catalog.ts';
import { catalogListHandlers } from './handlers/catalog-list.ts';
import { dealsHandlers } from './handlers/deals.ts';
import { eventHandlers } from './handlers/events.ts';
import { evidenceHandlers } from './handlers/evidence.ts';
import { feeHandlers } from './handlers/fees.ts';
import { historyHandlers } from './handlers/history.ts';
import { holdingHandlers } from './handlers/holdings.ts';
import { ledgerHandlers } from './handlers/ledger.ts';
import { noticeHandlers } from './handlers/notices.ts';
import { retailHandlers } from './handlers/retail.ts';
import { retailHistoryHandlers } from './handlers/retail-history.ts';
import { searchHandlers } from './handlers/search.ts';
import { usageHandlers } from './handlers/usage.ts';
import { watchlistHandlers } from './handlers/watchlists.ts';
import { wayHandlers } from './handlers/ways.ts';
import { webhookHandlers } from './handlers/webhooks.ts';

export function handlersOf(deps: HandlerDeps): Handlers {
  return {
    ...historyHandlers(deps),
    ...brickfolioHandlers(deps),
    ...ledgerHandlers(deps),
    ...buyingHandlers(deps),
    ...wayHandlers(deps),
    ...dealsHandlers(deps),
    ...feeHandlers(deps),
    ...retailHistoryHandlers(deps),
    ...holdingHandlers(deps),
    ...eventHandlers(deps),
    ...bulkHandlers(deps),
    ...usageHandlers(deps),
    ...catalogHandlers(deps),
    ...catalogListHandlers(deps),
    ...searchHandlers(deps),
    ...retailHandlers(deps),
    ...evidenceHandlers(deps),
    ...watchlistHandlers(deps),
    ...webhookHandlers(deps),
    ...noticeHandlers(deps),
  };
}
