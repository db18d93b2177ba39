/** A shared box: its items and what they are worth, and with costs its prices and the bid. */

import { type EvaluatedRow, findRowItems } from '../../../buying/boxes/evaluate-rows.work.ts';
import type { BoxRow, SavedBox } from '../../../buying/boxes/saved-box.ts';
import { csvCell, usdCell } from '../../../kernel/csv-cell.ts';
import { numberFields } from '../../../portfolio/lots/lots.ts';
import { DownloadLink } from '../../kit/buttons.tsx';
import { Card, Figures } from '../../kit/card.tsx';
import { column, countColumn, mainColumn, moneyColumn, numberColumn } from '../../kit/columns.tsx';
import { columnFields, csvDownload, csvOf } from '../../kit/csv-download.ts';
import type { Column } from '../../kit/data-table.tsx';
import { countText, nounText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { List, pageRange } from '../../kit/list.tsx';
import { Money } from '../../kit/money.tsx';
import type { PageRequest, WebDeps } from '../../page.ts';
import { stateText } from '../buying/box-fields.tsx';
import { ChannelComparison, Summary } from '../buying/box-result.tsx';
import { evaluateFor } from '../buying/evaluate.tsx';
import { type Reading, SharedPage } from './reading.tsx';

/** A row of a box that is shared without costs. */
interface PlainBoxRow extends Pick<EvaluatedRow, 'item' | 'unitValueCents' | 'tier'> {
  readonly row: Pick<BoxRow, 'condition' | 'grade' | 'quantity'>;
}

/** A row without its prices, and without its line, which may have one. */
function withoutPrices({ kind, number, condition, grade, quantity }: BoxRow): BoxRow {
  const nothing = { text: '', problem: null, ignored: '', priceCents: null, maxCents: null };
  return { kind, number, condition, grade, quantity, ...nothing };
}

/** The items of the catalog in a box, and the number of its other rows. */
async function readPlain({ market }: WebDeps, { rows }: SavedBox) {
  const numbered = rows.map((row, index) => ({ row: withoutPrices(row), index }));
  const found = await findRowItems(market, numbered);
  const known: readonly PlainBoxRow[] = found.filter(({ item }) => item !== null);
  return { rows: known, unknown: rows.length - known.length };
}

async function findBox({ accounts }: WebDeps, { share }: Reading): Promise<SavedBox | null> {
  return share.boxId === null ? null : accounts.findBox(share.accountId, share.boxId);
}

export async function showBox(deps: WebDeps, request: PageRequest, reading: Reading) {
  const box = await findBox(deps, reading);
  if (!box) return null;
  return (
    <SharedPage
      request={request}
      reading={reading}
      valuedAt={await deps.market.findPublishedAt()}
      actions={<DownloadLink href={`${reading.path}/items.csv`}>Download CSV</DownloadLink>}
    >
      {reading.share.withCosts
        ? pricedBox(request, await readPriced(deps, request, reading, box), box)
        : plainBox(request, await readPlain(deps, box))}
    </SharedPage>
  );
}

export async function sendBox(deps: WebDeps, request: PageRequest, reading: Reading) {
  const box = await findBox(deps, reading);
  if (!box) return null;
  const file = reading.share.withCosts
    ? csvOf(columnFields(pricedColumns), (await readPriced(deps, request, reading, box)).rows)
    : csvOf(columnFields(plainColumns), (await readPlain(deps, box)).rows);
  return csvDownload(`brickmark-box-${request.today}.csv`, file);
}

/** With the fees of the owner. */
function readPriced(deps: WebDeps, { at }: PageRequest, { share }: Reading, box: SavedBox) {
  return evaluateFor(deps, { who: share, at }, box);
}

function plainBox(request: PageRequest, { rows, unknown }: Awaited<ReturnType<typeof readPlain>>) {
  const units = rows.reduce((sum, { row }) => sum + row.quantity, 0);
  const valued = rows.filter(({ unitValueCents }) => unitValueCents !== null);
  const valuedUnits = valued.reduce((sum, { row }) => sum + row.quantity, 0);
  const cents = valued.reduce((sum, row) => sum + (totalCents(row) ?? 0), 0);
  return (
    <>
      <Card>
        <Figures
          figures={[
            [
              'Market value',
              <Money cents={valued.length === 0 ? null : cents} />,
              `${countText(valuedUnits)} of ${nounText(units, 'unit')} valued`,
            ],
          ]}
        />
      </Card>
      <BoxRows request={request} rows={rows} columns={plainColumns} />
      {unknown > 0 && <p class="quiet">{`${nounText(unknown, 'row')} not in the catalog.`}</p>}
    </>
  );
}

function BoxRows<Row>(props: {
  readonly request: PageRequest;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
}) {
  const { request, rows, columns } = props;
  const { offset, limit } = pageRange(request);
  const shown = rows.slice(offset, offset + limit);
  return (
    <List request={request} label="Items" columns={columns} rows={shown} total={rows.length} />
  );
}

function pricedBox(
  request: PageRequest,
  evaluated: Awaited<ReturnType<typeof readPriced>>,
  box: SavedBox,
) {
  const { askCents: costCents, terms } = box;
  return (
    <>
      <Summary {...evaluated} costCents={costCents} terms={terms} />
      <BoxRows request={request} rows={evaluated.rows} columns={pricedColumns} />
      <ChannelComparison {...evaluated} costCents={costCents} terms={terms} />
    </>
  );
}

function totalCents({ unitValueCents, row }: PlainBoxRow): number | null {
  return unitValueCents === null ? null : unitValueCents * row.quantity;
}

function numbersOf({ item }: PlainBoxRow) {
  return item ? numberFields(item) : { set_number: null, minifig_number: null };
}

const valueColumns: readonly Column<PlainBoxRow>[] = [
  column('Condition', ({ row }) => (row.condition === null ? 'Not known' : stateText(row)), {
    csv: {
      condition: ({ row }) => csvCell(row.condition),
      grade: ({ row }) => csvCell(row.grade),
    },
  }),
  countColumn('Quantity', ({ row }) => row.quantity, {
    csv: 'quantity',
  }),
  numberColumn(
    'Value each',
    ({ unitValueCents, tier }) => <Money cents={unitValueCents} tier={tier} />,
    {
      csv: {
        unit_value_usd: ({ unitValueCents }) => usdCell(unitValueCents),
        market_value_usd: (row) => usdCell(totalCents(row)),
        value_confidence: ({ tier }) => tier ?? '',
      },
    },
  ),
];

function itemCell({ item }: PlainBoxRow) {
  return item && <ItemCell kind={item.kind} number={item.number} name={item.title} />;
}

const itemFields = {
  set_number: (row: PlainBoxRow) => csvCell(numbersOf(row).set_number),
  minifig_number: (row: PlainBoxRow) => csvCell(numbersOf(row).minifig_number),
  title: ({ item }: PlainBoxRow) => csvCell(item?.title ?? null),
};

const plainColumns: readonly Column<PlainBoxRow>[] = [
  mainColumn('Item', itemCell, { csv: itemFields }),
  ...valueColumns,
];

/** The item is null if its line was not understood. */
const pricedColumns: readonly Column<EvaluatedRow>[] = [
  mainColumn<EvaluatedRow>('Item', (each) => itemCell(each) ?? each.row.text, {
    csv: { ...itemFields, text: ({ item, row }) => (item ? '' : csvCell(row.text)) },
  }),
  ...valueColumns,
  moneyColumn('Max each', ({ row, unitMaxCents }) => row.maxCents ?? unitMaxCents, {
    missing: 'None',
    csv: 'max_usd',
  }),
  moneyColumn('Price each', ({ row }) => row.priceCents, {
    missing: 'None',
    csv: 'price_usd',
  }),
];
