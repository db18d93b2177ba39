/** All tools, in the order in which models see them. */
import type { Tool } from './tool.ts';
import { findDeals } from './tools/find-deals.ts';
import { findItems } from './tools/find-items.ts';
import { getValues } from './tools/get-values.ts';
import { myPortfolio } from './tools/my-portfolio.ts';
import { mySales } from './tools/my-sales.ts';
import { retailPrices } from './tools/retail-prices.ts';
import { valueHistory } from './tools/value-history.ts';
import { waysToSell } from './tools/ways-to-sell.ts';
import { whatToPay } from './tools/what-to-pay.ts';

export const tools: readonly Tool[] = [
  findItems,
  getValues,
  valueHistory,
  retailPrices,
  findDeals,
  whatToPay,
  waysToSell,
  myPortfolio,
  mySales,
];
