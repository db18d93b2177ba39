/** Retail prices of the sets in the inventory, with the filters of the API. */

import { barcodeKey } from '../../catalog/barcodes/barcode.ts';
import { listMembersMax } from '../../contract/limits.ts';
import type { PriceBlock, RetailRow } from '../../contract/retail.ts';
import { toCentsOrNull } from '../../kernel/money.ts';
import { parseDay, parseInstant } from '../../kernel/time.ts';
import { asinKey } from '../../market/retail/retail.ts';
import {
  readRetailWatch,
  type WatchedRow,
  type WatchFilter,
  watchWindowMs,
} from '../../portfolio/today/retail-watch.work.ts';
import { EmptyState } from '../kit/card.tsx';
import { Lines, mainColumn, moneyColumn, numberColumn } from '../kit/columns.tsx';
import type { Column } from '../kit/data-table.tsx';
import { type ChoiceOptions, statusOf, type Typed } from '../kit/fields.tsx';
import { type Filter, FilterForm, isFiltered } from '../kit/filters.tsx';
import { FormReader } from '../kit/form-reader.ts';
import { countText } from '../kit/format.ts';
import { ItemCell } from '../kit/item-picture.tsx';
import { Layout, marketTabs } from '../kit/layout.tsx';
import { List, lastPagePath, pageRange } from '../kit/list.tsx';
import type { OwnRequest, PageAnswer, SiteFacts, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { Price, stepText } from './item-retail.tsx';

export const retailRoutes = routes('own', { '/retail': { get: showRetail } });

async function showRetail(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { who, query, at, today } = request;
  const fields = FormReader.ofQuery(query, today);
  const filter = readFilter(fields, at);
  const rows = fields.isGood ? await readRetailWatch(deps.portfolio, who.accountId, filter) : [];
  const last = lastPagePath(request, rows.length);
  if (last !== null) return { goTo: last };
  const { limit, offset } = pageRange(request);
  const shown = rows.slice(offset, offset + limit);
  const { typed } = fields;
  const filters = filtersOf(typed);
  const isNarrowed = isFiltered(typed, filters);
  const page = (
    <Layout title="Retail prices" request={request} tabs={marketTabs}>
      <p class="quiet">Retail prices of the sets in your inventory, latest change first.</p>
      <FilterForm
        class="market"
        action="/retail"
        typed={typed}
        filters={filters}
        clear={isNarrowed ? '/retail' : null}
      />
      <List
        request={request}
        label="Retail prices"
        typed={typed}
        columns={columnsOf(deps.site.retailerNames)}
        rows={shown.map(({ record, paidCents }) => ({ ...parse(record), paidCents }))}
        total={rows.length}
        empty={
          isNarrowed ? (
            <EmptyState title="No prices match" actions={[['/retail', 'Clear filters']]}>
              None of your sets match these filters.
            </EmptyState>
          ) : (
            <EmptyState title="No retail prices yet" actions={[['/inventory/add', 'Add a set']]}>
              Retail prices of the sets in your inventory are listed here.
            </EmptyState>
          )
        }
      />
    </Layout>
  );
  return { page, status: statusOf(typed) };
}

function readFilter(fields: FormReader, at: number): WatchFilter {
  const read = (name: string, parse: (text: string) => number | null, hint: string) => {
    if (fields.isBlank(name)) return null;
    const value = parse(fields.form.text(name));
    if (value === null) fields.fail(name, hint);
    return value;
  };
  const windowMs = read('changed_within', watchWindowMs, 'Enter a time like 90m, 24h or 7d.');
  const since = read(
    'since',
    (text) => parseDay(text) ?? parseInstant(text),
    'Enter a date like 2026-11-15.',
  );
  const bounds = [windowMs === null ? null : at - windowMs, since].filter((one) => one !== null);
  return {
    changedSince: bounds.length === 0 ? null : Math.max(...bounds),
    asinKeys: readMembers(fields, 'asin')?.map(asinKey) ?? null,
    barcodeKeys: readMembers(fields, 'upc')?.flatMap((code) => barcodeKey(code) ?? []) ?? null,
  };
}

/** Reads a list separated by commas or spaces; null if it is empty. */
function readMembers(fields: FormReader, name: string): string[] | null {
  const members = fields.form
    .text(name)
    .split(/[\s,]+/)
    .filter(Boolean);
  if (members.length > listMembersMax) {
    fields.fail(name, `Enter at most ${countText(listMembersMax)}.`);
  }
  return members.length === 0 ? null : members;
}

function parse({ body }: WatchedRow['record']): RetailRow {
  return JSON.parse(body);
}

const windows: ChoiceOptions = [
  ['', 'Any time'],
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
];

function filtersOf({ values: { changed_within: window = '' } }: Typed): readonly Filter[] {
  // An address may have any window, as in the API.
  const isKnown = windows.some(([value]) => value === window);
  const options: ChoiceOptions = isKnown ? windows : [...windows, [window, `Last ${window}`]];
  const placeholder = 'Separated by commas';
  return [
    { name: 'changed_within', label: 'Price changed', options },
    { name: 'since', label: 'Changed since', type: 'date' },
    { name: 'asin', label: 'ASINs', placeholder, isRare: true },
    { name: 'upc', label: 'UPCs or EANs', placeholder, isRare: true },
  ];
}

type ShownRow = RetailRow & { readonly paidCents: number | null };

function columnsOf(names: SiteFacts['retailerNames']): readonly Column<ShownRow>[] {
  return [
    mainColumn('Set', ({ setNumber, name }) => (
      <ItemCell kind="set" number={setNumber} name={name} />
    )),
    moneyColumn('Average cost', ({ paidCents }) => paidCents, { missing: 'Unknown' }),
    numberColumn(names.retailer_a, (row) => <Offer block={row.retailer_a} />),
    numberColumn(names.retailer_b, (row) => <Offer block={row.retailer_b} />),
    moneyColumn('Net after FBA fees', ({ retailer_aExit: { netFba } }) => toCentsOrNull(netFba), {
      missing: 'Unknown',
    }),
  ];
}

function Offer({ block }: { readonly block: PriceBlock }) {
  const price = (
    <span>
      <Price block={block} />
    </span>
  );
  const step = stepText(block);
  const isPast = block.price === null && step !== null;
  return <Lines first={price} second={isPast ? `Last change ${step}` : step} />;
}
