/** `retail_prices`: prices of a set at both retailers. */
import type { PriceBlock, RetailRow as Row } from '../../../clients/typescript/src/index.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { exactly, orNull } from '../../contract/fields.ts';
import { RetailRow } from '../../contract/retail.ts';
import { ToolRefusal, tool } from '../tool.ts';
import { lines, usdText } from '../words.ts';

const { set, asin, upc } = endpoints.findRetailPrices.query.properties;

export const retailPrices = tool({
  name: 'retail_prices',
  title: 'Get retail prices of a set',
  description:
    'Get the current prices of one set at the two tracked retailers, the seller (the retailer ' +
    'itself or a third party), the last price change, the lowest price ever seen, and the net ' +
    'proceeds of a resale through Retailer A. Send exactly one of set, asin and barcode. row is ' +
    'null if no retailer ever had the set; a null price means that there is no offer now. paid ' +
    "is the user's average unit cost, if they hold the set.",
  cost: '1 call',
  parameters: { upc: 'barcode' },
  input: exactly({ set, asin, barcode: upc }),
  output: exactly({ row: orNull(RetailRow) }),
  run: async (input, brickmark) => {
    if (Object.keys(input).length !== 1)
      throw new ToolRefusal('Send exactly one of set, asin and barcode.');
    const { set, asin, barcode } = input;
    const row = await brickmark.findRetailPrices({ set, asin, upc: barcode });
    return { data: { row }, text: row ? rowText(row) : noRow };
  },
});

const noRow =
  'No retail prices found. Check the number with find_items, or get the market value with ' +
  'get_values.';

function rowText(row: Row): string {
  const { lowestFba, buyBox, netFba } = row.retailer_aExit;
  return lines(
    `${row.setNumber} ${row.name}`,
    `- Retailer A: ${priceText(row.retailer_a)}`,
    `- Retailer B: ${priceText(row.retailer_b)}`,
    netFba === null
      ? ''
      : `- Resale at A: nets ${usdText(netFba)} of ${usdText(lowestFba ?? buyBox)}`,
    row.paid === undefined ? '' : `- You paid ${usdText(row.paid)} on average`,
  );
}

const sellerWords = {
  retailer: 'sold by the retailer',
  third_party: 'sold by a third party',
} as const;

export function priceText({
  price,
  sellerType,
  inStock,
  atLowest,
  lowest,
  ...change
}: PriceBlock): string {
  if (price === null) return `no offer now; lowest ever ${usdText(lowest)}`;
  const { changedAt, lastChange } = change;
  const changed =
    changedAt !== null && lastChange !== null
      ? [`changed by ${usdText(lastChange)} on ${changedAt.slice(0, 10)}`]
      : [];
  const facts = [
    sellerType === null ? 'seller unknown' : sellerWords[sellerType],
    inStock === null ? 'stock unknown' : inStock ? 'in stock' : 'out of stock',
    atLowest ? 'the lowest ever' : `lowest ever ${usdText(lowest)}`,
    ...changed,
  ];
  return `${usdText(price)}, ${facts.join(', ')}`;
}
