/** The page of a saved box: its result, its rows to edit, and buying it. */

import type { EvaluatedRow, EvaluatedRows } from '../../../buying/boxes/evaluate-rows.work.ts';
import { boxLimits, isReady, type SavedBox } from '../../../buying/boxes/saved-box.ts';
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import { BoxWaysCard, type SetWays } from '../../catalog/item-ways.tsx';
import { changedAddress } from '../../kit/address.ts';
import { Card } from '../../kit/card.tsx';
import { mainColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import {
  CellField,
  Checkbox,
  Choice,
  Field,
  Notice,
  PostForm,
  TextArea,
} from '../../kit/fields.tsx';
import { amountText, versionOf } from '../../kit/form-reader.ts';
import { countText, nounText } from '../../kit/format.ts';
import { Layout, marketTabs } from '../../kit/layout.tsx';
import { PagePager, pageOf } from '../../kit/list.tsx';
import { Menu } from '../../kit/menu.tsx';
import type { SuggestedItem } from '../../kit/set-picker.tsx';
import type { OwnRequest } from '../../page.ts';
import { conditionChoices } from '../inventory/lot-form.ts';
import { SurePrice } from '../price-check.tsx';
import { newReceipt, ReceiptFields } from '../purchases/receipt-fields.tsx';
import { RowItem, rowColumns, rowName } from './box-fields.tsx';
import { ChannelComparison, Summary } from './box-result.tsx';
import { BuyTermsFields, termNames } from './buy-terms.tsx';

/** Rows per page; their fields fit into one form. */
export const boxPageRows = 40;

interface BoxPageProps {
  readonly request: OwnRequest;
  readonly box: SavedBox;
  readonly evaluated: EvaluatedRows;
  /** The rows of this page, those that need something first. */
  readonly rows: readonly EvaluatedRow[];
  /** Suggestions for rows that are not in the catalog, by their position. */
  readonly suggestions: ReadonlyMap<number, readonly SuggestedItem[]>;
  readonly ways: readonly SetWays[];
  readonly brickfolios: readonly Brickfolio[];
  /** The value that confirms its odd prices when it is bought; null if there are none. */
  readonly sure: string | null;
  /** The purchase that the box became; null if there is none. */
  readonly purchaseId: number | null;
}

export function boxVersion({ rows, askCents, name, terms }: SavedBox): string {
  return versionOf([JSON.stringify([rows, terms]), askCents, name]);
}

/** Another one once the box is bought, so that two windows do not buy it twice. */
export function buyVersion(box: SavedBox): string {
  return versionOf([boxVersion(box), box.boughtAs]);
}

export function BoxPage(props: BoxPageProps) {
  const { request, box, evaluated } = props;
  const { askCents: costCents, terms } = box;
  const path = `/evaluate/${box.id}`;
  return (
    <Layout
      title={box.name}
      request={request}
      tabs={marketTabs}
      done={doneTexts}
      actions={
        <Menu label="⋯" name="More actions" look="button plain">
          <a href="/evaluate">All boxes</a>
          <a href={`${path}/share`}>Share</a>
          <a class="danger" href={`${path}/delete`}>
            Delete box
          </a>
        </Menu>
      }
    >
      {request.query.get('did') === boughtBefore && <BoughtBefore {...props} />}
      <Summary {...evaluated} costCents={costCents} terms={terms} />
      <Rows {...props} />
      <BuyBox {...props} />
      <ChannelComparison {...evaluated} costCents={costCents} terms={terms} />
      <BoxWaysCard sets={props.ways} />
    </Layout>
  );
}

/** The `did` parameter after a form that would have bought the box again. */
export const boughtBefore = 'bought-before';

function BoughtBefore({ purchaseId }: Pick<BoxPageProps, 'purchaseId'>) {
  if (purchaseId === null) return null;
  return (
    <Notice kind="bad">
      {'Not bought again: this box was bought in another window. '}
      <a href={`/purchases/${purchaseId}`}>Open that purchase</a>
    </Notice>
  );
}

const doneTexts = {
  saved: 'Box saved.',
  changed: 'Not saved: this box was changed in another window. Check it and try again.',
};

function Rows(props: BoxPageProps) {
  const { request, box, evaluated, rows } = props;
  const view = { path: `/evaluate/${box.id}`, query: new URLSearchParams(pageQuery(request)) };
  const count = box.rows.length;
  return (
    <Card id="box" title={nounText(count, 'item')}>
      <Needed rows={evaluated.rows} />
      <PostForm
        action={changedAddress(view, { page: view.query.get('page') })}
        class="watched box-rows"
      >
        <input type="hidden" name="seen" value={boxVersion(box)} />
        <DataTable
          label="Items"
          columns={columnsOf(props)}
          rows={rows}
          select={{ name: 'pick', value: ({ index }) => `row-${index}` }}
        />
        <PagePager request={view} total={count} rows={boxPageRows} />
        <BoxFields {...props} />
        <div class="row">
          <button type="submit" name="do" value="save">
            Save changes
          </button>
          <button class="plain" type="submit" name="do" value="remove">
            Remove selected
          </button>
        </div>
      </PostForm>
    </Card>
  );
}

function pageQuery({ query }: OwnRequest): Record<string, string> {
  const page = pageOf(query);
  return page === 1 ? {} : { page: String(page) };
}

function Needed({ rows }: Pick<EvaluatedRows, 'rows'>) {
  const unread = rows.filter(({ item }) => item === null).length;
  const open = rows.filter(({ item, row }) => item !== null && row.condition === null).length;
  const valueless = rows.filter(({ row, item, unitValueCents }) => {
    return item !== null && isReady(row) && unitValueCents === null && row.maxCents === null;
  }).length;
  const texts = [
    unread > 0 && `${nounText(unread, 'row')} not found: choose or type what is meant.`,
    open > 0 && `${nounText(open, 'row')} without a condition: sealed or used?`,
    valueless > 0 && `${nounText(valueless, 'row')} without a value: enter your own max.`,
  ].filter((text) => text !== false);
  if (texts.length === 0) return null;
  return <Notice kind="warn">{`Not counted yet. ${texts.join(' ')}`}</Notice>;
}

function BoxFields({ request, box }: BoxPageProps) {
  const faults = request.rejected?.faults ?? {};
  const open = box.rows.filter(({ number, condition }) => {
    return number !== null && condition === null;
  }).length;
  return (
    <>
      <div class="form-grid">
        <TextArea
          name="add"
          label="Add items"
          hint="One per line, such as 75192 used x2."
          rows={2}
          maxlength={boxLimits.text}
        />
        <Field name="name" label="Name" value={box.name} maxlength={boxLimits.name} isRequired />
        <Field
          name="cost"
          label="Asking price for the whole box ($)"
          value={amountText(box.askCents)}
          hint="Optional. Include tax and shipping."
        />
        {open > 1 && (
          <Choice
            name="fill"
            label={`Condition of the ${countText(open)} rows without one`}
            options={[['', 'Ask me'], ...conditionChoices]}
          />
        )}
      </div>
      <details open={termNames.some((name) => faults[name] !== undefined)}>
        <summary>Buying terms</summary>
        <div class="form-grid">
          <BuyTermsFields terms={box.terms} inboundHint="For the whole box." />
        </div>
        <Checkbox
          name="with_modeled"
          label="Include estimated values in the bid"
          isTicked={box.terms.withModeled}
        />
      </details>
    </>
  );
}

function columnsOf({ suggestions }: BoxPageProps): readonly Column<EvaluatedRow>[] {
  return [
    mainColumn('Item', (each) => (
      <RowItem each={each} suggestions={suggestions.get(each.index) ?? []} />
    )),
    rowColumns.condition,
    rowColumns.quantity,
    rowColumns.value,
    numberColumn('Max each ($)', (each) => (
      <CellField
        name={`max-${each.index}`}
        label={`Your max for one ${rowName(each)}`}
        value={amountText(each.row.maxCents)}
        placeholder={each.unitMaxCents === null ? 'None' : amountText(each.unitMaxCents)}
        inputmode="decimal"
      />
    )),
    rowColumns.price,
  ];
}

/** Why the box cannot be bought yet; null if it can. */
export function notBuyable(rows: readonly EvaluatedRow[]): string | null {
  if (rows.some(({ row }) => row.number === null)) {
    return 'First mend or remove the rows that could not be read.';
  }
  const known = rows.filter(({ item }) => item !== null);
  if (known.length === 0) {
    return 'Nothing in this box is in the catalog, so there is nothing to add.';
  }
  if (known.some(({ row }) => row.condition === null)) {
    return 'First choose the condition of every item.';
  }
  return null;
}

function BuyBox(props: BoxPageProps) {
  const { request, box, evaluated, brickfolios, purchaseId, sure } = props;
  const { rows } = evaluated;
  const why = notBuyable(rows);
  const sets = rows.filter(({ item }) => item !== null);
  const left = rows.length - sets.length;
  if (why !== null) {
    return (
      <Card title="Buy this box">
        <p class="quiet">{why}</p>
      </Card>
    );
  }
  return (
    <Card title="Buy this box">
      <PostForm action={`/evaluate/${box.id}/buy`}>
        <input type="hidden" name="seen" value={buyVersion(box)} />
        {purchaseId !== null && (
          <p class="flush">
            You bought this box: <a href={`/purchases/${purchaseId}`}>open the purchase</a>. Buying
            it again records another one.
          </p>
        )}
        <p class="quiet flush">
          Adds its items to your inventory. Items with a price keep it; the others share the rest by
          value, to the cent.
          {left > 0 && leftOutText(left)}
        </p>
        <ReceiptFields
          brickfolios={brickfolios}
          receipt={{ ...newReceipt(request), totalCents: askedCents(box) }}
        />
        <SurePrice sure={sure} />
        <button type="submit">Buy {nounText(sets.length, 'item')}</button>
      </PostForm>
    </Card>
  );
}

function leftOutText(rows: number): string {
  const [are, their] = rows === 1 ? ['is', 'its'] : ['are', 'their'];
  const what = ` ${nounText(rows, 'row')} not in the catalog ${are} not added`;
  return `${what}; ${their} cost is split among the others.`;
}

/** The asking price, or that of all rows; null if there is none. */
function askedCents({ askCents, rows }: SavedBox): number | null {
  if (askCents !== null || rows.some(({ priceCents }) => priceCents === null)) return askCents;
  return rows.reduce((sum, row) => sum + row.quantity * (row.priceCents ?? 0), 0);
}
