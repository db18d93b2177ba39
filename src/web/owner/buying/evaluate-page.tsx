/** The page that evaluates a box: the form, the result, and adding it to the inventory. */
import { canBeLot } from '../../../buying/box-lots.ts';
import type { EvaluatedBox, EvaluatedItem } from '../../../buying/evaluate.ts';
import type { TextProblem } from '../../../domain/buying/box-text.ts';
import { mostShare } from '../../../domain/buying/box-wait.ts';
import { channelName } from '../../../domain/buying/channels.ts';
import type { BuyTerms } from '../../../domain/buying/quotes.ts';
import { percentOf } from '../../../domain/kernel/money.ts';
import { sentence } from '../../../domain/kernel/text.ts';
import { type Brickfolio, firstBrickfolio } from '../../../domain/portfolio/brickfolios.ts';
import type { FileContents } from '../../../ingest/own-import.ts';
import { AssumedNote, ChannelCell } from '../../catalog/channel-cell.tsx';
import { withQuery } from '../../kit/address.ts';
import { Card } from '../../kit/card.tsx';
import {
  column,
  countColumn,
  mainColumn,
  moneyColumn,
  numberColumn,
  wideColumn,
} from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import {
  Checkbox,
  Choice,
  Field,
  FileField,
  PostForm,
  TextArea,
  type Typed,
} from '../../kit/fields.tsx';
import { Figure, Figures } from '../../kit/figure.tsx';
import {
  chanceText,
  conditionNames,
  countText,
  moneyText,
  nounText,
  percentText,
  waitText,
} from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout, marketTabs } from '../../kit/layout.tsx';
import { Delta, Money } from '../../kit/money.tsx';
import { Toast } from '../../kit/toast.tsx';
import { amountText } from '../../kit/typed-fields.ts';
import type { OwnRequest } from '../../page.ts';
import { brickfolioOptions, conditionChoices } from '../inventory/lot-form.ts';
import { BuyTermsFields, termNames } from './buy-terms.tsx';

export const boxTextMax = 20_000;

const fileSources = 'BrickEconomy, Brickset, Rebrickable, BrickStore, Brickmark';

export const noItems = 'Nothing in this box is in the catalog, so there is nothing to add.';

const itemRowsMax = 150;
const uncountedRowsMax = 100;

/** An evaluated box, with the lines and rows that could not be read. */
export interface BoxResult {
  readonly box: EvaluatedBox;
  readonly problems: readonly TextProblem[];
  /** The rejected rows of the file; null without a file. */
  readonly file: Pick<FileContents, 'rejects' | 'rejected'> | null;
  readonly costCents: number | null;
  readonly terms: BuyTerms;
}

interface EvaluateProps {
  readonly request: OwnRequest;
  readonly brickfolios: readonly Brickfolio[];
  /** The initial terms of the form. */
  readonly terms: BuyTerms;
  readonly typed: Typed;
  readonly result: BoxResult | null;
  /** Whether to offer an example. */
  readonly hasExample: boolean;
}

export function EvaluatePage(props: EvaluateProps) {
  const { request, result, hasExample } = props;
  return (
    <Layout
      title="Evaluate"
      request={request}
      tabs={marketTabs}
      actions={
        result ? (
          <a class="button plain" href="#box">
            Edit box
          </a>
        ) : (
          hasExample && (
            <a class="button plain" href="/evaluate?example=1">
              Try an example
            </a>
          )
        )
      }
    >
      <Added query={request.query} />
      {result ? (
        <>
          <Summary {...result} />
          <NotCounted {...result} />
          <Items {...result} />
          <Channels {...result} />
          <AddLots {...props} result={result} />
        </>
      ) : (
        <p class="quiet">Find out what a box of sets is worth and how much to bid for it.</p>
      )}
      <BoxForm {...props} />
    </Layout>
  );
}

function Added({ query }: Pick<OwnRequest, 'query'>) {
  const [lots, collection] = [Number(query.get('added')), query.get('collection')];
  if (!(lots > 0)) return null;
  return (
    <Toast>
      {nounText(lots, 'lot')} added. <a href={withQuery('/inventory', { collection })}>Inventory</a>
    </Toast>
  );
}

function BoxForm({ request, typed, terms, result }: EvaluateProps) {
  const hasFaults = termNames.some((name) => typed.faults[name] !== undefined);
  return (
    <Card id="box" {...(result ? { title: 'What is in the box' } : {})}>
      <PostForm request={request} action="/evaluate" typed={typed} isUpload>
        <div class="form-grid wide">
          <TextArea
            name="items"
            label="Set numbers, minifig numbers or barcodes"
            hint="One per line: 75192 sealed, 10179 x2 no box, 3x 6080 used, sw0001a"
            rows={8}
            maxlength={boxTextMax}
          />
          <div class="form-column">
            <FileField label={`Or a file (${fileSources})`} />
            <Field
              name="cost"
              label="Asking price for the whole box ($)"
              inputmode="decimal"
              hint="Optional. Include tax and shipping."
            />
            <Choice
              name="condition"
              label="Where a line does not say the condition"
              options={[['', 'Ask'], ...conditionChoices]}
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

function Summary(result: BoxResult) {
  const { box, costCents } = result;
  const { best, range, profitCents } = box;
  return (
    <Card>
      <div class="quiet small">Bid up to</div>
      <div class="hero-value">
        <Money cents={best?.maxBidCents ?? null} />
      </div>
      <p class="quiet">{bidWords(result)}</p>
      <Figures>
        {costCents !== null && profitCents !== null && (
          <Figure
            name="Profit"
            value={<Delta cents={profitCents} />}
            note={profitText(profitCents, costCents)}
          />
        )}
        <Figure
          name="Market value"
          value={<Money cents={box.unitsValued === 0 ? null : box.sumOfValuesCents} />}
          note={`${countText(box.unitsValued)} of ${nounText(box.units, 'unit')} valued`}
        />
        {range && (
          <Figure
            name="Likely total, before fees"
            value={`${moneyText(range.lowCents)} – ${moneyText(range.highCents)}`}
            note={`80% of similar boxes; median ${moneyText(range.medianCents)}`}
          />
        )}
        <SellingTime {...box} />
      </Figures>
    </Card>
  );
}

/** A higher ROI, in percent, is not shown. */
const roiMax = 1_000;

function profitText(profitCents: number, costCents: number): string {
  const sum = `Median net ${moneyText(profitCents + costCents)} less cost ${moneyText(costCents)}`;
  const roi = costCents === 0 ? null : percentOf(profitCents, costCents);
  return roi === null || roi > roiMax ? sum : `${sum}; ROI ${percentText(roi)}`;
}

/** Boxes that take longer to sell get a warning. */
const waitDaysMax = 365;

/** How long it takes until most of the value is sold, and until everything is. */
function SellingTime({ items, mostSoldDays }: Pick<EvaluatedBox, 'items' | 'mostSoldDays'>) {
  const [slowest] = items.toSorted((a, b) => (b.selloutDays ?? 0) - (a.selloutDays ?? 0));
  if (!slowest || mostSoldDays === null) return null;
  const { number, title, quantity, selloutDays } = slowest;
  return (
    <Figure
      name={`${Math.round(mostShare * 100)}% of the value sold in`}
      value={aboutText(mostSoldDays)}
      note={
        <>
          Slowest: {countText(quantity)} × {title} {number}, {aboutText(selloutDays ?? 0, 'about')}.
          {mostSoldDays > waitDaysMax && (
            <span class="warning"> More than a year. Consider a lower bid.</span>
          )}
        </>
      }
    />
  );
}

/** About 5 months, or Over 5 years. */
function aboutText(days: number, about = 'About'): string {
  const text = waitText(days);
  if (!text.startsWith('over')) return `${about} ${text}`;
  return about === 'About' ? `Over${text.slice(4)}` : text;
}

/** Explains the bid, or why there is none. */
function bidWords({ box, terms }: BoxResult): string {
  const { best, unitsValued, unitsBidOn } = box;
  if (unitsValued === 0) return 'No bid: nothing in the box has a value.';
  if (unitsBidOn === 0) return 'No bid: all values are estimated, with too few sales behind them.';
  if (best === null) return 'No bid: no channel has known prices yet.';
  if (best.maxBidCents === null) return 'No bid: fees and shipping take too much of it.';
  const modeled = leftOut(unitsValued - unitsBidOn, 'too few sales support their value');
  const unsold = leftOut(unitsBidOn - box.unitsSold, 'fees and shipping take all of their price');
  const margin = `${terms.marginBasisPoints / 100}%`;
  const channel = channelName(best.channel);
  const chance = chanceText(terms.share);
  const bid = `The bid leaves ${margin} of cost or more at ${chance}, sold on ${channel}.`;
  return `${bid}${modeled}${unsold}`;
}

function leftOut(units: number, why: string): string {
  return units === 0 ? '' : ` Not counted: ${nounText(units, 'unit')}, because ${why}.`;
}

/** Something that was not counted, and what to do about it. */
interface Uncounted {
  readonly what: string;
  readonly todo: string;
}

const uncountedColumns: readonly Column<Uncounted>[] = [
  mainColumn('Item', ({ what }) => what),
  wideColumn('What to do', ({ todo }) => todo),
];

function NotCounted({ problems, box, file }: BoxResult) {
  const rows: Uncounted[] = [
    ...problems.map(({ line, text, problem }) => ({
      what: `Line ${line}: ${text}`,
      todo: problem,
    })),
    ...box.items.flatMap((item) => (item.unitValueCents === null ? [uncountedItem(item)] : [])),
    ...(file?.rejects ?? []).map(({ where, reason }) => ({ what: where, todo: sentence(reason) })),
  ];
  const all = rows.length - (file?.rejects.length ?? 0) + (file?.rejected ?? 0);
  if (rows.length === 0) return null;
  return (
    <Card title="Not counted">
      <DataTable
        label="Not counted"
        columns={uncountedColumns}
        rows={rows.slice(0, uncountedRowsMax)}
        caption={
          all > uncountedRowsMax && `The first ${countText(uncountedRowsMax)} of ${countText(all)}.`
        }
      />
    </Card>
  );
}

function uncountedItem({ number, title, condition, isFound }: EvaluatedItem): Uncounted {
  if (!isFound) {
    const todo = 'Not in the catalog. Check the number; a variant is written like 75192-2.';
    return { what: number, todo };
  }
  const what = `${number} ${title ?? ''}`.trim();
  return { what, todo: `No value yet (${condition}). Price it yourself.` };
}

type Quote = EvaluatedBox['quotes'][number];

function Channels({ box, terms }: BoxResult) {
  if (box.quotes.length === 0) return null;
  // Assumed prices come last.
  const quotes = box.quotes.toSorted(
    (a, b) => Number(a.isAssumed) - Number(b.isAssumed) || b.netCents - a.netCents,
  );
  const columns: readonly Column<Quote>[] = [
    mainColumn('Channel', ({ channel, isAssumed, maxBidCents }) => (
      <ChannelCell
        channel={channel}
        isAssumed={isAssumed}
        isBest={channel === box.best?.channel && maxBidCents !== null}
      />
    )),
    moneyColumn(`Net at ${chanceText(terms.share)}`, ({ netCents }) => netCents),
    moneyColumn('Max bid', ({ maxBidCents }) => maxBidCents, { missing: 'Fees take too much' }),
  ];
  return (
    <Card title="Where to sell it">
      <DataTable label="Channels" columns={columns} rows={quotes} />
      {quotes.some(({ isAssumed }) => isAssumed) && <AssumedNote isBox />}
    </Card>
  );
}

const itemColumns: readonly Column<EvaluatedItem>[] = [
  mainColumn('Item', ({ kind, number, title }) =>
    title === null ? number : <ItemCell kind={kind} number={number} name={title} />,
  ),
  column('Condition', ({ condition }) => conditionNames[condition]),
  countColumn('Quantity', ({ quantity }) => quantity),
  numberColumn('Value', ({ unitValueCents, tier }) => <Money cents={unitValueCents} tier={tier} />),
  moneyColumn('Total', ({ totalValueCents }) => totalValueCents),
];

const costColumn = moneyColumn('Share of cost', ({ costCents }: EvaluatedItem) => costCents);

function Items({ box, costCents }: BoxResult) {
  const items = box.items.toSorted((a, b) => (b.totalValueCents ?? -1) - (a.totalValueCents ?? -1));
  return (
    <Card title="Items">
      <DataTable
        label="Items"
        columns={costCents === null ? itemColumns : [...itemColumns, costColumn]}
        rows={items.slice(0, itemRowsMax)}
        caption={
          items.length > itemRowsMax &&
          `The ${countText(itemRowsMax)} most valuable of ${countText(items.length)}.`
        }
      />
      {items.some(({ kind }) => kind === 'minifig') && (
        <p class="quiet">Minifigs without a condition count as used.</p>
      )}
    </Card>
  );
}

/** Fields that the form to add lots repeats, so that the box is evaluated again. */
const carried = ['items', 'condition', 'cost', 'with_modeled', ...termNames] as const;

function AddLots(props: EvaluateProps & { readonly result: BoxResult }) {
  const { request, brickfolios, typed } = props;
  const { box, problems, costCents } = props.result;
  const sets = box.items.filter(canBeLot);
  if (problems.length > 0 || sets.length === 0) {
    return (
      <Card title="Add to inventory">
        <p class="quiet">
          {problems.length > 0
            ? 'First correct or remove the lines above that could not be read.'
            : noItems}
        </p>
      </Card>
    );
  }
  return (
    <Card title="Add to inventory">
      <PostForm request={request} action="/evaluate/lots" typed={typed}>
        <p class="quiet flush">
          Adds a lot for each set and splits the price paid among them by value, to the cent.
          {leftOutText(box)}
        </p>
        {carried.map((name) => (
          <input key={name} type="hidden" name={name} value={typed.values[name] ?? ''} />
        ))}
        <div class="form-grid">
          <Choice
            name="brickfolio"
            label="Collection"
            value={String(brickfolios.find((each) => each.isDefault)?.id ?? '')}
            options={
              brickfolios.length === 0
                ? [['', `${firstBrickfolio} (new)`]]
                : brickfolioOptions(brickfolios)
            }
          />
          <Field
            name="purchase_date"
            label="Purchase date"
            type="date"
            value={request.today}
            isRequired
          />
          <Field
            name="paid"
            label="Price paid ($)"
            {...(costCents !== null && { value: amountText(costCents) })}
            inputmode="decimal"
            hint="For the whole box, including tax and shipping."
            isRequired
          />
        </div>
        <button type="submit">Add {nounText(sets.length, 'set')}</button>
      </PostForm>
    </Card>
  );
}

/** Explains which items are not added, and what happens to their cost. */
function leftOutText({ items }: EvaluatedBox): string {
  const left = items.filter((item) => !canBeLot(item));
  if (left.length === 0) return '';
  const units = left.reduce((sum, { quantity }) => sum + quantity, 0);
  const costs = left.reduce((sum, { costCents }) => sum + (costCents ?? 0), 0);
  const share = costs > 0 ? `their cost of ${moneyText(costs)}` : 'any cost they have';
  const who = `Unknown numbers (${nounText(units, 'unit')})`;
  return ` ${who} are not added; ${share} is split among the others.`;
}
