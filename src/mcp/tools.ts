/** Every tool, in the order in which models see them. */
import type { Tool } from './tool.ts';
import { findDeals } from './tools/find-deals.ts';
import { findItems } from './tools/find-items.ts';
import { getValues } from './tools/get-values.ts';
import { portfolio } from './tools/portfolio.ts';
import { priceHistory } from './tools/price-history.ts';
import { retailPrices } from './tools/retail-prices.ts';
import { sales } from './tools/sales.ts';
import { whatToPay } from './tools/what-to-pay.ts';

/** All tools. */
export const tools: readonly Tool[] = [
  findItems,
  getValues,
  priceHistory,
  retailPrices,
  findDeals,
  whatToPay,
  portfolio,
  sales,
];
