/** Evaluating a box of sets, from text or a file. It is saved, and has a page of its own. */

import { hasPlan } from '../../../accounts/keys/quota.ts';
import type { BoxForSale } from '../../../buying/boxes/box-text.ts';
import { boxUnitsMax } from '../../../buying/boxes/box-worth.ts';
import { evaluateRows } from '../../../buying/boxes/evaluate-rows.work.ts';
import type { BuyTerms } from '../../../buying/boxes/quotes.ts';
import {
  type BoxFacts,
  type BoxRow,
  boxLimits,
  type ListedBox,
  type SavedBox,
} from '../../../buying/boxes/saved-box.ts';
import { readRows, rowOf, unreadRow } from '../../../buying/boxes/typed-items.work.ts';
import { tablesOf, termsOf } from '../../../buying/prices/buying-settings.ts';
import { itemKey } from '../../../catalog/items/numbers.ts';
import { type FileUnits, readContents } from '../../../ingest/runner/own-import.work.ts';
import { sentence } from '../../../kernel/text.ts';
import { formatDay } from '../../../kernel/time.ts';
import { conditions } from '../../../market/source-rows/source-rows.ts';
import { pageSourceId } from '../../../portfolio/lots/own-lots.work.ts';
import { PlainLink } from '../../kit/buttons.tsx';
import { Badge, Card } from '../../kit/card.tsx';
import { dayColumn, mainColumn, moneyColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { needsEvaluate } from '../../kit/fault.tsx';
import { Checkbox, Choice, Field, FileField, PostForm, TextArea } from '../../kit/fields.tsx';
import { actionOf, formPage, type Sent } from '../../kit/form-page.tsx';
import { amountText, type FormReader } from '../../kit/form-reader.ts';
import { countText, dayText, nounText } from '../../kit/format.ts';
import { Layout, marketTabs } from '../../kit/layout.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { safeName, tooLarge, uploadBytesMax, withOwnFile } from '../import/uploaded.ts';
import { conditionChoices } from '../inventory/lot-form.ts';
import { BuyTermsFields, readBuyTerms, termNames } from './buy-terms.tsx';

/** The answer to accounts without the plan; null if it has it. */
export function barEvaluate(_: WebDeps, request: OwnRequest): PageAnswer | null {
  return hasPlan(request.who) ? null : needsEvaluate(request);
}

export const evaluateRoutes = routes('own', {
  '/evaluate': {
    takesFile: true,
    ...formPage({ barred: barEvaluate, show, read: readBox, save: saveBox }),
  },
});

async function show(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const bar = barEvaluate(deps, request);
  if (bar) return bar;
  const { accountId } = request.who;
  const { exampleBox: example } = deps.site;
  const isExample = example !== null && request.query.has('example');
  const boxes = await deps.accounts.listBoxes(accountId);
  const terms = termsOf(await deps.accounts.findBuyingSettings(accountId));
  return (
    <Layout
      title="Evaluate"
      request={request}
      tabs={marketTabs}
      done={{ deleted: 'Box deleted.' }}
      actions={
        example !== null &&
        !isExample && <PlainLink href="/evaluate?example=1">Try an example</PlainLink>
      }
    >
      <p class="quiet">Find out what a box of sets is worth and how much to bid for it.</p>
      <BoxForm request={request} terms={terms} example={isExample ? example : null} />
      {boxes.length > 0 && (
        <Card title="Saved boxes">
          <DataTable label="Saved boxes" columns={boxColumns} rows={boxes} />
        </Card>
      )}
    </Layout>
  );
}

async function readBox({ deps, sent, fields }: Sent<OwnRequest, unknown>) {
  const settings = await deps.accounts.findBuyingSettings(sent.who.accountId);
  const condition = fields.wordOrNull('condition', conditions);
  const askCents = fields.centsOrNull('cost');
  const terms = {
    ...readBuyTerms(fields, termsOf(settings)),
    withModeled: fields.form.isTicked('with_modeled'),
  };
  const typed = await readTypedRows(deps, fields, 'items');
  const file = await readFile(deps, sent, fields);
  const rows = [...typed, ...file].map((row) => ({
    ...row,
    condition: row.condition ?? (row.number === null ? null : condition),
  }));
  if (rows.length === 0) fields.fail('items', 'Enter some numbers or choose a file.');
  checkSize(fields, 'items', rows);
  return { rows, askCents, terms };
}

export async function readTypedRows(
  { market }: WebDeps,
  fields: FormReader,
  name: string,
  tooMany: (count: number) => string = tooManyRows,
): Promise<BoxRow[]> {
  const text = fields.form.text(name);
  if (text.length > boxLimits.text) {
    fields.fail(name, `Use at most ${countText(boxLimits.text)} characters.`);
    return [];
  }
  // Without a bound on lines, a thousand lookups would be made before they are rejected.
  const lines = text.split(/\r\n|\r|\n|[,;]/).filter((line) => line.trim() !== '');
  if (lines.length > boxLimits.rows) {
    fields.fail(name, tooMany(lines.length));
    return [];
  }
  return readRows(market, text);
}

function tooManyRows(count: number): string {
  return `This box has ${countText(count)} items. The limit is ${countText(boxLimits.rows)}.`;
}

export function checkSize(fields: FormReader, name: string, rows: readonly BoxRow[]): void {
  if (rows.length > boxLimits.rows) fields.fail(name, tooManyRows(rows.length));
  const units = rows.reduce((sum, { quantity }) => sum + quantity, 0);
  if (units > boxUnitsMax) {
    const most = countText(boxUnitsMax);
    fields.fail(name, `This box has ${countText(units)} units. The limit is ${most}.`);
  }
}

/** The rows of the file, and those that cannot be read; none if there is no file. */
async function readFile(deps: WebDeps, sent: OwnSentRequest, fields: FormReader) {
  const file = sent.form.file('file');
  if (!file) return [];
  if (file.size > uploadBytesMax) {
    fields.fail('file', tooLarge);
    return [];
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const how = {
    file: { name: safeName(file.name), bytes },
    // The cost is that of the whole box, so prices in the file do not matter.
    settings: { brickfolio: null, missingPrice: 'zero', missingDate: 'unknown' } as const,
    isRehearsal: true,
  };
  const contents = await withOwnFile(deps, sent, how, async (work, bare) => {
    const { units, rejects } = await readContents(work);
    return { units, rejects: rejects.map((each) => ({ ...each, where: bare(each.where) })) };
  });
  if ('fault' in contents) {
    fields.fail('file', contents.fault);
    return [];
  }
  return [
    ...mergeUnits(contents.units).map(rowOf),
    ...contents.rejects.map(({ where, reason }) => unreadRow(where, sentence(reason))),
  ];
}

function mergeUnits(units: readonly FileUnits[]): FileUnits[] {
  const merged = new Map<string, FileUnits>();
  for (const each of units) {
    const name = `${each.kind} ${each.condition} ${itemKey(each.kind, each.number)}`;
    const before = merged.get(name)?.quantity ?? 0;
    merged.set(name, { ...each, quantity: before + each.quantity });
  }
  return [...merged.values()];
}

export async function evaluateFor(
  deps: WebDeps,
  { who, at }: { readonly who: { readonly accountId: number }; readonly at: number },
  { rows, askCents, terms }: Pick<BoxFacts, 'rows' | 'askCents' | 'terms'>,
) {
  const settings = await deps.accounts.findBuyingSettings(who.accountId);
  const using = { market: deps.market, tables: tablesOf(deps.site.tables, settings) };
  return evaluateRows(using, rows, { costCents: askCents, terms, at });
}

export async function valuedFacts(
  deps: WebDeps,
  request: OwnRequest,
  given: Pick<SavedBox, 'name' | 'rows' | 'askCents' | 'terms'>,
): Promise<BoxFacts> {
  const { box, maxBidCents } = await evaluateFor(deps, request, given);
  return {
    ...given,
    valueCents: box.unitsValued === 0 ? null : box.sumOfValuesCents,
    maxCents: maxBidCents,
  };
}

async function saveBox(
  { deps, sent }: Sent<OwnRequest, unknown>,
  input: Awaited<ReturnType<typeof readBox>>,
) {
  const { accountId, at, formId } = actionOf(deps, sent);
  const name = `${dayText(sent.today)}, ${nounText(input.rows.length, 'item')}`;
  const facts = await valuedFacts(deps, sent, { ...input, name });
  // A file is not part of the form ID.
  const sourceId = pageSourceId(JSON.stringify([formId, input]));
  const made = await deps.accounts.addBox(accountId, sourceId, facts, at);
  if (made === 'no plan') return needsEvaluate(sent);
  if (typeof made === 'string') return { refused: fullText(made), field: 'items' };
  return { goTo: `/evaluate/${made.id}` };
}

function fullText(limit: 'too many' | 'too large'): string {
  return limit === 'too many'
    ? `You have ${countText(boxLimits.boxes)} saved boxes. Delete one first.`
    : 'Your saved boxes are too large together. Delete one first.';
}

const fileSources = 'BrickEconomy, Brickset, Rebrickable, BrickStore, Brickmark';

const boxColumns: readonly Column<ListedBox>[] = [
  mainColumn('Box', ({ id, name, boughtAs }) => (
    <>
      <a href={`/evaluate/${id}`}>{name}</a>{' '}
      {boughtAs !== null && <Badge kind="good">Bought</Badge>}
    </>
  )),
  dayColumn('Saved', ({ changedAt }) => dayText(formatDay(changedAt))),
  moneyColumn('Asking price', ({ askCents }) => askCents, { missing: 'None entered' }),
  moneyColumn('Market value', ({ valueCents }) => valueCents),
  moneyColumn('Max bid', ({ maxCents }) => maxCents, { missing: 'No bid' }),
];

function BoxForm(props: {
  readonly request: OwnRequest;
  readonly terms: BuyTerms;
  readonly example: BoxForSale | null;
}) {
  const { request, terms, example } = props;
  const values = example && { items: example.text, cost: amountText(example.askCents) };
  const faults = request.rejected?.faults ?? {};
  const hasFaults = termNames.some((name) => faults[name] !== undefined);
  return (
    <Card>
      <PostForm action="/evaluate" typed={{ values: values ?? {}, faults: {} }} isUpload>
        <div class="form-grid wide">
          <TextArea
            name="items"
            label="Set numbers, minifig numbers or barcodes"
            hint="One per line, as sellers write: 75192 sealed, 10179 x2 (no box) $450, sw0001a"
            rows={8}
            maxlength={boxLimits.text}
          />
          <div class="form-column">
            <FileField label={`Or a file (${fileSources})`} />
            <Field
              name="cost"
              label="Asking price for the whole box ($)"
              hint="Optional. Include tax and shipping."
            />
            <Choice
              name="condition"
              label="Where a line does not say the condition"
              options={[['', 'Ask me'], ...conditionChoices]}
            />
          </div>
        </div>
        <details open={hasFaults}>
          <summary>Buying terms</summary>
          <div class="form-grid">
            <BuyTermsFields terms={terms} inboundHint="For the whole box." />
          </div>
          <Checkbox name="with_modeled" label="Include estimated values in the bid" />
        </details>
        <button type="submit">Evaluate box</button>
      </PostForm>
    </Card>
  );
}
