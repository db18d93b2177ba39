/** An example of every endpoint's data, shown in the OpenAPI document. Tests keep them valid. */
import type { EndpointName } from './endpoints.ts';

const set = {
  set_number: '10482',
  title: 'Harbour Lighthouse',
  theme: 'Coastline',
  subtheme: 'Landmarks',
  pieces: 1284,
  minifigs_count: 2,
  minifigs: ['coa0007', 'coa0012'],
  barcodes: { upc: '673419000017', ean: '5702000000015' },
  msrp_usd: 119.99,
  release_date: '2022-03-01',
  retire_date: '2024-12-31',
  status_id: 4,
  data_tier: 'high',
  image_url: 'https://images.example.com/sets/10482.png',
  new_value_usd: 168.4,
  used_value_usd: 109.75,
  value_range: { low: 148.2, high: 191.35, calculated_at: '2026-11-15T06:00:00.000Z' },
  retailers: [
    {
      retailer: 'retailer_a',
      retailer_name: 'Retailer A',
      current_price: 179.99,
      list_price: 119.99,
      discount_percent: 0,
      in_stock: true,
      is_first_party: false,
      product_url: 'https://retailer-a.example.com/dp/B0EXAMPLE1',
      last_checked_at: '2026-11-15T05:40:00.000Z',
    },
  ],
  box: { width_in: 18.9, height_in: 14.9, depth_in: 3.6, weight_lbs: 4.5 },
};

const minifig = {
  minifig_number: 'coa0007',
  name: 'Lighthouse Keeper, Yellow Raincoat',
  category: 'Coastline',
  year_released: 2022,
  image_url: null,
  current_value_usd: 6.35,
  value_range: { low: 4.9, high: 8.1 },
  set_count: 1,
  sets: ['10482'],
};

const pagination = { total: 1, limit: 50, offset: 0, has_more: false };

const priceBlock = {
  price: 179.99,
  sellerType: 'third_party',
  changedAt: '2026-11-12T09:15:00.000Z',
  lastChange: -10,
  flip1pTo3p: true,
  atLowest: false,
  lowest: 95.99,
  inStock: true,
};

const noPrice = {
  price: null,
  sellerType: null,
  changedAt: null,
  lastChange: null,
  flip1pTo3p: false,
  atLowest: false,
  lowest: null,
  inStock: null,
};

const retailRow = {
  setNumber: '10482',
  name: 'Harbour Lighthouse',
  asin: 'B0EXAMPLE1',
  upc: '673419000017',
  ean: '5702000000015',
  paid: 104.5,
  retailer_a: priceBlock,
  retailer_b: noPrice,
  retailer_aExit: { lowestFba: 176.5, fbaSellers: 6, buyBox: 179.99, netFba: 139.46 },
};

/** The data of one answer per endpoint. */
export const answerExamples: Readonly<Record<EndpointName, unknown>> = {
  getSet: set,
  getMinifig: minifig,
  searchSets: {
    results: [
      {
        set_number: '10482',
        title: 'Harbour Lighthouse',
        theme: 'Coastline',
        subtheme: 'Landmarks',
        pieces: 1284,
        year: 2022,
        retired: true,
        image_url: 'https://images.example.com/sets/10482.png',
      },
    ],
    pagination,
  },
  searchMinifigs: {
    results: [
      {
        minifig_number: 'coa0007',
        name: 'Lighthouse Keeper, Yellow Raincoat',
        category: 'Coastline',
        year_released: 2022,
        image_url: null,
      },
    ],
    pagination,
  },
  listThemes: { themes: [{ theme: 'Coastline', set_count: 61 }] },
  getBatch: {
    sets: [
      { ...set, found: true },
      { set_number: '99999', found: false },
    ],
    minifigs: [{ ...minifig, found: true }],
    summary: { requested: 3, found: 2 },
  },
  getSetHistory: {
    set_number: '10482',
    condition: 'sealed',
    history: [
      {
        month: '2026-09',
        value_usd: 163.1,
        range_low: 143.5,
        range_high: 185.4,
        sales_count: 14,
        event: null,
      },
      {
        month: '2026-10',
        value_usd: 166.25,
        range_low: 146.3,
        range_high: 189,
        sales_count: 11,
        event: null,
      },
    ],
  },
  getSetRetailPrices: retailRow,
  findRetailPrices: retailRow,
  listRetailWatch: [retailRow],
  listBrickfolios: {
    brickfolios: [
      {
        id: 1,
        name: 'Investment shelf',
        description: null,
        is_default: true,
        owned_set_count: 1,
        owned_item_count: 2,
        total_cost_basis_usd: 209,
        total_current_value_usd: 336.8,
        unrealized_gain_loss_usd: 127.8,
        created_at: '2024-01-05T10:00:00.000Z',
      },
    ],
    monthly_periods: [{ month: '2024-11', entry_count: 1, items: 2, cost_basis_usd: 209 }],
  },
  getAnalytics: {
    period: '30d',
    summary: {
      total_sets: 1,
      total_items: 2,
      total_cost_basis_usd: 209,
      total_current_value_usd: 336.8,
      unrealized_gain_loss_usd: 127.8,
      unrealized_gain_loss_pct: 61.15,
      top_gainer: { set_number: '10482', title: 'Harbour Lighthouse', gain_pct: 61.15 },
      top_loser: null,
    },
    value_history: [
      {
        date: '2026-11-15',
        total_value_usd: 336.8,
        cost_basis_usd: 209,
        gain_loss_usd: 127.8,
        gain_loss_pct: 61.15,
      },
    ],
  },
  listEntries: {
    entries: [
      {
        brickfolio_id: 1,
        set_number: '10482',
        title: 'Harbour Lighthouse',
        theme: 'Coastline',
        quantity: 2,
        condition: 'sealed',
        purchase_price_usd: 104.5,
        purchase_date: '2024-11-29',
        status: 'owned',
        current_value_usd: 168.4,
        total_current_value_usd: 336.8,
        unrealized_gain_loss_usd: 127.8,
        unrealized_gain_loss_pct: 61.15,
      },
    ],
    pagination,
  },
  listSales: {
    sales: [
      {
        id: 1,
        set_number: '10482',
        title: 'Harbour Lighthouse',
        platform: 'ebay',
        sale_date: '2026-10-04',
        quantity: 1,
        gross_proceeds_usd: 172,
        platform_fees_usd: 23.79,
        payment_fees_usd: 0,
        shipping_cost_usd: 14.2,
        net_proceeds_usd: 134.01,
        profit_loss_usd: 29.51,
        roi_pct: 28.24,
      },
    ],
    pagination,
  },
};

/** The body that the batch example answers. */
export const batchBodyExample = { sets: ['10482-1', '99999'], minifigs: ['coa0007'] };

/** A value for each path parameter. */
export const pathExamples: Readonly<Partial<Record<EndpointName, string>>> = {
  getSet: '10482',
  getMinifig: 'coa0007',
  getSetHistory: '10482',
  getSetRetailPrices: '10482',
};
