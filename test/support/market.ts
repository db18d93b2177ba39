/** A small fictional market that covers every state of the catalog. */
import type { FeedLine } from './stored-world.ts';

/** Sets, minifigs, sales and offers; comments say what each is for. */
export const smallMarket: readonly FeedLine[] = [
  { kind: 'fx', date: '2026-09-30', currency: 'EUR', usd_per_unit: 1.1 },
  {
    kind: 'minifig',
    minifig_number: 'cas001',
    name: 'Knight of the Café',
    category: 'Castle',
    color: 'Red',
    year_released: 2019,
    image_url: 'https://images.example.com/cas001.png',
    aliases: ['fig-000001'],
  },
  { kind: 'minifig', minifig_number: 'cas002', name: 'Squire' },
  // A set with all fields: retired, frequently sold, offered by both retailers.
  {
    kind: 'set',
    set_number: '75192-1',
    title: 'Grand Castle',
    theme: 'Castle',
    subtheme: 'Crown',
    pieces: 1500,
    year: 2020,
    minifigs: ['cas002', 'FIG-000001'],
    upc: '673419000017',
    ean: '5702000000015',
    msrp_usd: 149.99,
    release_date: '2020-05-10',
    retire_date: '2022-12-31',
    image_url: 'https://images.example.com/75192.png',
    box: { width_in: 18.9, height_in: 14.9, depth_in: 3.6, weight_lbs: 4.5 },
  },
  { kind: 'set', set_number: '75192-2', title: 'Grand Castle, second edition', theme: 'Castle' },
  // Only the number of minifigs is known; pieces are 0 in the source.
  {
    kind: 'set',
    set_number: '5001',
    title: 'Castle Keychain',
    theme: 'Gear',
    pieces: 0,
    minifigs_count: 3,
  },
  // Announced, available, retiring soon.
  {
    kind: 'set',
    set_number: '6001',
    title: 'Tomorrow Tower',
    theme: 'Éclair',
    release_date: '2026-12-01',
    msrp_usd: 20,
  },
  {
    kind: 'set',
    set_number: '6002',
    title: 'Today Tower',
    theme: 'eclair',
    release_date: '2025-01-01',
    msrp_usd: 30,
  },
  {
    kind: 'set',
    set_number: '6003',
    title: 'Yesterday Tower',
    theme: 'Dinghies',
    release_date: '2024-01-01',
    retire_date: '2026-12-31',
    pieces: 200,
  },
  // No data to derive a value from.
  { kind: 'set', set_number: '7001', title: 'Mystery Box', theme: 'Gear' },
  ...sales(14),
  {
    kind: 'sale',
    source: 'shop',
    source_id: 'used-1',
    item_type: 'set',
    item: '75192',
    condition: 'used',
    price: 100,
    currency: 'EUR',
    sold_at: '2026-10-01T10:00:00Z',
  },
  {
    kind: 'sale',
    source: 'shop',
    source_id: 'fig-1',
    item_type: 'minifig',
    item: 'fig-000001',
    condition: 'used',
    price: 8,
    sold_at: '2026-10-01T10:00:00Z',
  },
  {
    kind: 'offer',
    retailer: 'retailer_b',
    set_number: '75192',
    observed_at: '2026-11-10T00:00:00Z',
    price: 180,
    in_stock: true,
    seller_type: 'third_party',
  },
  {
    kind: 'offer',
    retailer: 'retailer_a',
    set_number: '75192',
    observed_at: '2026-11-01T00:00:00Z',
    price: 119.99,
    list_price: 149.99,
    seller_type: 'retailer',
    product_url: 'https://retailer-a.example.com/75192',
  },
  {
    kind: 'offer',
    retailer: 'retailer_a',
    set_number: '75192',
    observed_at: '2026-11-12T00:00:00Z',
    price: null,
  },
];

/** Sales of the castle around $200, one every five days until yesterday. */
function sales(count: number): FeedLine[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'sale',
    source: 'shop',
    source_id: `sealed-${index}`,
    item_type: 'set',
    item: '75192',
    condition: 'sealed',
    price: 196 + (index % 5) * 2,
    sold_at: new Date(Date.UTC(2026, 10, 14) - index * 5 * 86_400_000).toISOString(),
  }));
}

/**
 * Two sets that sell for $100.00 and are offered for less than half; the second by a third party.
 */
export const bargains: readonly FeedLine[] = ['8101', '8102'].flatMap((set_number, index) => [
  {
    kind: 'set',
    set_number,
    title: `Harbor ${index + 1}`,
    theme: 'Harbors',
    pieces: 500,
    retire_date: '2025-12-31',
    box: { width_in: 15, height_in: 10, depth_in: 2.5, weight_lbs: 2 },
  },
  ...sales(14).map((sale) => ({
    ...sale,
    source_id: `${set_number} ${sale.source_id}`,
    item: set_number,
    price: 100,
  })),
  {
    kind: 'offer',
    retailer: 'retailer_a',
    set_number,
    observed_at: '2026-11-15T09:00:00Z',
    price: 40 + 5 * index,
    in_stock: true,
    seller_type: index === 0 ? 'retailer' : 'third_party',
    product_url: `https://retailer-a.example.com/${set_number}`,
  },
]);

/** A small collection with one sale; it contains the castle, so retail watch does, too. */
export function smallCollection(account: string): FeedLine[] {
  const lot = { kind: 'holding', account, brickfolio: 'Shelf', condition: 'sealed', quantity: 2 };
  return [
    { kind: 'brickfolio', account, name: 'Shelf', description: 'Sealed boxes.' },
    {
      ...lot,
      source_id: 'lot-1',
      set_number: '75192',
      purchase_price_usd: 120,
      purchase_date: '2026-09-20',
    },
    {
      ...lot,
      source_id: 'lot-2',
      set_number: '6002',
      purchase_price_usd: 45.5,
      purchase_date: '2026-10-20',
      status: 'listed',
    },
    {
      kind: 'ledger_sale',
      account,
      source_id: 'sale-1',
      set_number: '75192',
      platform: 'ebay',
      sale_date: '2026-11-02',
      quantity: 1,
      gross_proceeds_usd: 210,
      platform_fees_usd: 27.83,
      shipping_cost_usd: 14.2,
    },
  ];
}

/** The number of Grand Castle, for tests that need any set. */
export const castle = '75192';
