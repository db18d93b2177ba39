/** Actions on selected lots, and the texts of their results. */
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import type { EditRefusal, EditResult } from '../../../portfolio/lots/lot-edits.ts';
import { countText, nounText } from '../../kit/format.ts';
import { Menu } from '../../kit/menu.tsx';
import { type InventoryView, viewPath } from './inventory-view.tsx';

export const lotBox = 'lot';

/** The bar below the table, shown when a row is selected. */
export function BulkBar(props: {
  readonly view: InventoryView;
  /** The number of lots on all pages of the view. */
  readonly lots: number;
  readonly brickfolios: readonly Brickfolio[];
}) {
  const { view, lots, brickfolios } = props;
  const to = (path: string) => viewPath(view, {}, path);
  const choose = (purpose: string, text: string, look = 'plain') => (
    <button
      type="submit"
      class={look}
      name="for"
      value={purpose}
      formaction={to('/inventory/choose')}
    >
      {text}
    </button>
  );
  return (
    <div class="bulk row">
      <span class="bulk-count" data-count={lotBox} aria-live="polite">
        Selected lots
      </span>
      {lots > 1 && (
        <label class="tick">
          <input type="checkbox" name="all" value="yes" />
          All {countText(lots)} lots in this view
        </label>
      )}
      <input type="hidden" name="count" value={lots} />
      <Menu label="Prices" look="button plain" isLeft>
        {choose('prices', 'Purchase prices')}
        {choose('asking', 'Asking prices')}
      </Menu>
      {choose('date', 'Set date')}
      {choose('details', 'Edit details')}
      <Menu label="Move" look="button plain" isLeft>
        {brickfolios.map(({ id, name }) => (
          <button key={id} type="submit" name="to" value={id} formaction={to('/inventory/move')}>
            {name}
          </button>
        ))}
      </Menu>
      <Menu label="Status" look="button plain" isLeft>
        <button type="submit" name="status" value="listed" formaction={to('/inventory/status')}>
          Mark as listed
        </button>
        <button type="submit" name="status" value="owned" formaction={to('/inventory/status')}>
          Mark as owned
        </button>
      </Menu>
      {choose('sale', 'Record sale')}
      {choose('delete', 'Delete', 'danger')}
    </div>
  );
}

const editVerbs: Readonly<Record<EditResult['kind'], (count: number) => string>> = {
  move: (count) => `${nounText(count, 'lot')} moved`,
  price: (count) => `${nounText(count, 'price')} changed`,
  asking: (count) => `${nounText(count, 'asking price')} changed`,
  date: (count) => `${nounText(count, 'purchase date')} changed`,
  details: (count) => `Details of ${nounText(count, 'lot')} changed`,
  status: (count) => `Status of ${nounText(count, 'lot')} changed`,
  delete: (count) => `${nounText(count, 'lot')} deleted`,
};

const refusals: Readonly<Record<EditRefusal, (count: number) => string>> = {
  missing: (count) => `${nounText(count, 'lot')} not found`,
  sold: (count) =>
    `${nounText(count, 'lot')} kept: units were sold from ${count === 1 ? 'it' : 'them'}`,
  'sold earlier': (count) =>
    `${nounText(count, 'lot')} not changed: units were sold before that date`,
  'sold out': (count) => `${nounText(count, 'lot')} not changed: sold out`,
  'other condition': (count) =>
    `${nounText(count, 'lot')} not changed: the grade is for another condition`,
  'no collection': () => 'This collection no longer exists',
  changed: (count) => `${nounText(count, 'lot')} not changed: edited elsewhere in the meantime`,
};

/** The result of a change as sentences; `names` are those of its items, if they are known. */
export function editText({ kind, changed, refused }: EditResult, names: readonly string[] = []) {
  const parts = Object.entries(refused).map(([reason, count]) =>
    refusals[reason as EditRefusal](count),
  );
  const what = names.length === 0 ? '' : `: ${namesText(names)}`;
  const done = changed > 0 ? [editVerbs[kind](changed) + what] : [];
  return [...done, ...parts].map((part) => `${part}.`).join(' ');
}

const andList = new Intl.ListFormat('en-US');

/** Up to three names, or the first two and how many more there are. */
function namesText(names: readonly string[]): string {
  if (names.length <= 3) return andList.format(names);
  return `${names.slice(0, 2).join(', ')}, and ${countText(names.length - 2)} more items`;
}
