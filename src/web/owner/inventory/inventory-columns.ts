/** The columns of the inventory beside the set. */
import { type ColumnHead, placedStyle } from '../../kit/column-head.ts';

/** In the order in which they stand; those that are shown at first. */
export const inventoryColumns = [
  'quantity',
  'condition',
  'cost',
  'value',
  'gain',
  'trend',
  'collection',
  'date',
  'status',
] as const;
export type InventoryColumn = (typeof inventoryColumns)[number];

/** What each is called, and what it holds. */
export const columnHeads: Readonly<Record<InventoryColumn, ColumnHead>> = {
  quantity: { key: 'quantity', name: 'Qty', isNumber: true, isSortable: true },
  condition: { key: 'condition', name: 'Condition', isSortable: true },
  cost: { key: 'cost', name: 'Cost basis', isNumber: true, isSortable: true },
  value: { key: 'value', name: 'Market value', isNumber: true, isSortable: true },
  gain: { key: 'gain', name: 'Gain', isNumber: true, isSortable: true },
  trend: { key: 'trend', name: '90 days', isSecondary: true, isNumber: true },
  collection: { key: 'collection', name: 'Collection', isMinor: true, isSortable: true },
  date: {
    key: 'date',
    name: 'Purchased',
    isDay: true,
    isMinor: true,
    isOneLine: true,
    isSortable: true,
  },
  status: { key: 'status', name: 'Status', isMinor: true, isSortable: true },
};

/** Before them are the box and the set. */
const places = { from: 3, to: 2 + inventoryColumns.length };

/** Their names and alignment, for the style sheet. */
export const inventoryStyle = placedStyle(Object.values(columnHeads), places);
