/**
 * The form of a purchase: its receipt and its items. Rows that cannot be saved yet stay in the
 * form, which is shown again until all of them are complete.
 */
import { type EvaluatedRow, findRowItems } from '../../../buying/boxes/evaluate-rows.work.ts';
import { type BoxRow, boxLimits } from '../../../buying/boxes/saved-box.ts';
import { unreadRow } from '../../../buying/boxes/typed-items.work.ts';
import { type ItemKind, itemKinds } from '../../../catalog/items/numbers.ts';
import { sentence } from '../../../kernel/text.ts';
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import { lotsOf, unitsOfRows } from '../../../portfolio/purchases/box-lots.work.ts';
import { addPurchase } from '../../../portfolio/purchases/own-purchases.work.ts';
import { Card } from '../../kit/card.tsx';
import { mainColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { PostForm, TextArea } from '../../kit/fields.tsx';
import type { Form } from '../../kit/form.ts';
import { actionOf, formPage } from '../../kit/form-page.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { countText, nounText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import { choiceValue, type SuggestedItem } from '../../kit/set-picker.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { priceName, RowItem, rowColumns, stateName } from '../buying/box-fields.tsx';
import { readRow } from '../buying/box-row.ts';
import { suggestRows } from '../buying/box-suggestions.ts';
import { readTypedRows } from '../buying/evaluate.tsx';
import { SurePrice } from '../price-check.tsx';
import {
  goToPurchase,
  newReceipt,
  ReceiptFields,
  readPlace,
  readReceipt,
  refusedReceipt,
  type TypedReceipt,
} from './receipt-fields.tsx';
import { checkReceipt } from './receipt-prices.ts';

/** The maximum number of rows whose fields fit into one form. */
export const purchaseRowsMax = 60;

interface NumberedRow {
  readonly row: BoxRow;
  readonly index: number;
}

export interface PurchaseInput {
  readonly receipt: TypedReceipt;
  readonly rows: readonly EvaluatedRow[];
}

/** The form of a purchase that was sent, and the value that confirms its odd prices. */
export interface CheckedInput extends PurchaseInput {
  readonly sure: string | null;
}

export function PurchaseForm(props: {
  readonly action: string;
  readonly button: string;
  readonly receipt: TypedReceipt;
  readonly rows: readonly EvaluatedRow[];
  readonly suggestions: ReadonlyMap<number, readonly SuggestedItem[]>;
  readonly brickfolios: readonly Brickfolio[] | null;
  /** The version of the purchase that is changed. */
  readonly seen?: string;
  /** The value that confirms its odd prices; null if there are none. */
  readonly sure: string | null;
}) {
  const { action, button, receipt, rows, suggestions, brickfolios, seen } = props;
  return (
    <Card>
      <PostForm action={action} class="watched box-rows">
        {seen !== undefined && <input type="hidden" name="seen" value={seen} />}
        {rows.length > 0 && (
          <DataTable
            label="Items"
            columns={columnsOf(suggestions)}
            rows={rows}
            select={{ name: 'pick', value: ({ index }) => `row-${index}` }}
          />
        )}
        <TextArea
          // Text that became rows is not shown again.
          name={textName(rows.length)}
          label={rows.length === 0 ? 'Sets and minifigs' : 'Add items'}
          hint="One per line: 75192 sealed, 10179 x2 used $450. Prices are optional."
          rows={rows.length === 0 ? 5 : 2}
          maxlength={boxLimits.text}
        />
        <ReceiptFields receipt={receipt} brickfolios={brickfolios} />
        <p class="quiet flush">
          Items with a price keep it. The others share the rest of the total by value; tax and
          shipping are in proportion. The costs add up to the total, to the cent.
        </p>
        <SurePrice sure={props.sure} />
        <div class="row">
          <button type="submit" name="do" value="save">
            {button}
          </button>
          {rows.length > 0 && (
            <button class="plain" type="submit" name="do" value="remove">
              Remove selected
            </button>
          )}
        </div>
      </PostForm>
    </Card>
  );
}

const textName = (rows: number) => (rows === 0 ? 'items' : `add-${rows}`);

function columnsOf(
  suggestions: ReadonlyMap<number, readonly SuggestedItem[]>,
): readonly Column<EvaluatedRow>[] {
  return [
    mainColumn('Item', (each) => (
      <>
        <input type="hidden" name={`item-${each.index}`} value={itemValue(each.row)} />
        <input type="hidden" name={`text-${each.index}`} value={each.row.text} />
        <RowItem each={each} suggestions={suggestions.get(each.index) ?? []} />
      </>
    )),
    rowColumns.condition,
    rowColumns.quantity,
    rowColumns.value,
    rowColumns.price,
  ];
}

/** Empty if the text could not be read. */
function itemValue({ kind, number }: BoxRow): string {
  return number === null ? '' : choiceValue({ kind, number, title: '', theme: '', year: null });
}

/** Reads the form. Rows that are not complete are an error, and are shown again. */
export async function readPurchaseForm(deps: WebDeps, fields: FormReader): Promise<PurchaseInput> {
  const receipt = readReceipt(fields);
  const indexes = keptIndexes(fields.form);
  const kept = await readKeptRows(deps, fields, indexes.slice(0, purchaseRowsMax));
  const { typed, fault } = await readText(deps, fields);
  const numbered = withIndexes(kept, typed);
  const rows = await findRowItems(deps.market, numbered.slice(0, purchaseRowsMax));
  const name = numbered.length === 0 ? 'items' : textName(rows.length);
  const isRemoving = fields.form.text('do') === 'remove';
  if (fault !== null) fields.fail(name, fault);
  else if (Math.max(indexes.length, numbered.length) > purchaseRowsMax) {
    fields.fail(name, tooManyRows());
  } else if (numbered.length === 0) fields.fail('items', 'Enter some numbers.');
  else if (isRemoving) fields.fail(name, 'Removed. Check the rest and save.');
  else {
    fields.check(name, unknownText(rows));
    for (const { index, item, row } of rows) {
      if (item !== null && row.condition === null) fields.fail(stateName(index), 'Sealed or used?');
    }
  }
  return { receipt, rows };
}

function tooManyRows(): string {
  const most = countText(purchaseRowsMax);
  return `A purchase can have ${most} rows here. Evaluate larger ones as a box.`;
}

/** Asks for the items that are not known; null if all are. */
function unknownText(rows: readonly EvaluatedRow[]): string | null {
  const unknown = rows.filter(({ item }) => item === null).length;
  if (unknown === 0) return null;
  return `${nounText(unknown, 'row')} not found: choose or type what is meant, or remove it.`;
}

interface KeptRow {
  readonly before: NumberedRow;
  readonly after: readonly BoxRow[];
}

/** The numbers of the rows that are not removed. */
function keptIndexes(form: Form): number[] {
  const removed = form.text('do') === 'remove' ? new Set(form.texts('pick')) : new Set<string>();
  return Object.keys(form.typed)
    .flatMap((name) => /^item-(\d{1,4})$/.exec(name)?.[1] ?? [])
    .map(Number)
    .filter((index) => !removed.has(`row-${index}`));
}

async function readKeptRows(deps: WebDeps, fields: FormReader, indexes: readonly number[]) {
  const { form } = fields;
  const kept: KeptRow[] = [];
  for (const index of indexes) {
    const row = rowBefore(form.text(`item-${index}`), form.text(`text-${index}`));
    kept.push({ before: { row, index }, after: await readRow(deps, fields, row, index) });
  }
  return kept;
}

function rowBefore(item: string, text: string): BoxRow {
  const [, word = '', number = ''] = /^(\w+) (\S{1,60})$/.exec(item) ?? [];
  const kind: ItemKind = itemKinds.find((each) => each === word) ?? 'set';
  const unread = unreadRow(text, 'No set or minifig number found.');
  return number === '' ? unread : { ...unread, kind, number, problem: null };
}

/** The rows of the text, or why it is not read. The form may show its field with another name. */
async function readText(deps: WebDeps, fields: FormReader) {
  const names = Object.keys(fields.form.typed).filter((name) => /^(items|add-\d+)$/.test(name));
  const typed: BoxRow[] = [];
  for (const name of names) typed.push(...(await readTypedRows(deps, fields, name, tooManyRows)));
  return { typed, fault: names.flatMap((name) => fields.typed.faults[name] ?? [])[0] ?? null };
}

/**
 * Rows that were replaced or added get new numbers, so that they are not shown with what was typed
 * for others.
 */
function withIndexes(kept: readonly KeptRow[], typed: readonly BoxRow[]): NumberedRow[] {
  let next = 1 + Math.max(-1, ...kept.map(({ before }) => before.index));
  const same = kept.flatMap(({ before, after }): NumberedRow[] => {
    const [row, ...others] = after;
    const isSame = row?.text === before.row.text && row.number === before.row.number;
    if (row && isSame && others.length === 0) return [{ row, index: before.index }];
    return after.map((each) => ({ row: each, index: next++ }));
  });
  return [...same, ...typed.map((row) => ({ row, index: next++ }))];
}

/** Questions odd prices of a complete form; returns the value that confirms them. */
export function checkPurchase(deps: WebDeps, fields: FormReader, input: PurchaseInput) {
  return checkReceipt(deps, fields, input, ({ index }) => priceName(index));
}

/** The lots of a complete form, or why what was paid cannot be allotted. */
export function lotsOfInput(
  { receipt, rows }: PurchaseInput,
  nameOf?: (row: EvaluatedRow) => string,
) {
  return lotsOf(unitsOfRows(rows, nameOf), receipt);
}

export function statedRows(rows: readonly Pick<EvaluatedRow, 'row'>[]) {
  return rows.map(({ row: { kind, number, condition, grade, quantity, priceCents } }) => {
    return [kind, number, condition, grade, quantity, priceCents];
  });
}

type NewPurchase = CheckedInput & {
  readonly brickfolio: { readonly name: string; readonly isNew: boolean };
};

export const newPurchaseRoutes = routes('own', {
  '/purchases/new': formPage<OwnRequest, unknown, NewPurchase>({
    show,
    read: async ({ deps, sent, fields }) => {
      const typed = await readPurchaseForm(deps, fields);
      const brickfolio = await readPlace(deps, sent.who.accountId, fields);
      return { ...typed, brickfolio, sure: await checkPurchase(deps, fields, typed) };
    },
    save: async ({ deps, sent }, input) => {
      const split = lotsOfInput(input);
      if ('problem' in split) return refusedReceipt(split.problem);
      const { lots, totalCents, prices } = split;
      const action = actionOf(deps, sent);
      const bought = { terms: { ...input.receipt, totalCents, prices }, lots };
      const done = await addPurchase(action, bought, input.brickfolio);
      if (!done.ok) return { refused: sentence(done.reason), field: 'brickfolio' };
      return goToPurchase(action);
    },
  }),
});

async function show(deps: WebDeps, request: OwnRequest, _: unknown, input?: CheckedInput) {
  const rows = input?.rows ?? [];
  return (
    <Layout title="Purchase of several sets" request={request}>
      <PurchaseForm
        action="/purchases/new"
        button="Save purchase"
        receipt={input?.receipt ?? newReceipt(request)}
        rows={rows}
        suggestions={await suggestRows(deps, rows)}
        sure={input?.sure ?? null}
        brickfolios={await deps.accounts.listBrickfolios(request.who.accountId)}
      />
    </Layout>
  );
}
