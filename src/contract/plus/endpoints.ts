/** The endpoint table of the Plus API, in the order of its documentation. */
import { bulkEndpoints } from './endpoints/bulk.ts';
import { buyingEndpoints } from './endpoints/buying.ts';
import { catalogEndpoints } from './endpoints/catalog.ts';
import { eventEndpoints } from './endpoints/events.ts';
import { evidenceEndpoints } from './endpoints/evidence.ts';
import { portfolioEndpoints } from './endpoints/portfolio.ts';
import { retailEndpoints } from './endpoints/retail.ts';
import { usageEndpoints } from './endpoints/usage.ts';
import { watchlistEndpoints } from './endpoints/watchlists.ts';
import { webhookEndpoints } from './endpoints/webhooks.ts';

export const plusEndpoints = {
  ...catalogEndpoints,
  ...buyingEndpoints,
  ...evidenceEndpoints,
  ...retailEndpoints,
  ...portfolioEndpoints,
  ...watchlistEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...bulkEndpoints,
  ...usageEndpoints,
} as const;
