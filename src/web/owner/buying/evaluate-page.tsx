/** The page that evaluates a box: the form, what it is worth, and the way into a collection. */
import { canBeLot } from '../../../buying/box-lots.ts';
import type { EvaluatedBox, EvaluatedItem } from '../../../buying/evaluate.ts';
import type { TextProblem } from '../../../domain/buying/box-text.ts';
import { channelName } from '../../../domain/buying/channels.ts';
import type { BuyTerms } from '../../../domain/buying/resale.ts';
import {
  countText,
  gainText,
  moneyText,
  percentText,
  waitText,
} from '../../../domain/kernel/format.ts';
import { percentOf } from '../../../domain/kernel/money.ts';
import { sentence } from '../../../domain/kernel/text.ts';
import { formatDay } from '../../../domain/kernel/time.ts';
import type { Brickfolio } from '../../../domain/portfolio/brickfolio-store.ts';
import type { FileContents } from '../../../ingest/own-import.ts';
import { firstBrickfolio } from '../../../ingest/private/account.ts';
import { AssumedNote, ChannelCell } from '../../catalog/channel-cell.tsx';
import {
  Checkbox,
  Choice,
  Field,
  FileField,
  PostForm,
  TextArea,
  type Typed,
} from '../../kit/fields.tsx';
import { Figure } from '../../kit/figures.tsx';
import { Layout } from '../../kit/layout.tsx';
import { itemPath } from '../../kit/links.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import { amountText } from '../../kit/typed-fields.ts';
import type { OwnRequest } from '../../page.ts';
import { conditionChoices } from '../inventory/lot-form.ts';
import { BuyTermsFields, termNames } from './buy-terms.tsx';

/** How much may be typed. */
export const boxTextMax = 20_000;

/** Why a box cannot be added to a collection. */
export const noSets = 'Collections hold sets, and this box has none from the catalog.';

/** How many rows the tables of the page have, so that it stays small. */
const itemRowsMax = 150;
const uncountedRowsMax = 100;

/** A box that was evaluated, and what was not understood of it. */
export interface BoxResult {
  readonly box: EvaluatedBox;
  readonly problems: readonly TextProblem[];
  /** What was rejected of the file; null when there was none. */
  readonly file: Pick<FileContents, 'rejects' | 'rejected'> | null;
  readonly costCents: number | null;
  readonly terms: BuyTerms;
}

/** What the page shows. */
interface EvaluateProps {
  readonly request: OwnRequest;
  readonly brickfolios: readonly Brickfolio[];
  /** Where the form starts from. */
  readonly terms: BuyTerms;
  readonly typed: Typed;
  readonly result: BoxResult | null;
  /** Whether there is a box to try it with. */
  readonly hasExample: boolean;
}

/** The page. */
export function EvaluatePage(props: EvaluateProps) {
  const { request, result, hasExample } = props;
  return (
    <Layout title="Evaluate" request={request}>
      {result ? <Result {...props} result={result} /> : <p>What is this box worth?</p>}
      {!result && hasExample && (
        <p>
          <a href="/evaluate?example=1">Try it with a box from an estate sale</a>
        </p>
      )}
      <BoxForm {...props} />
    </Layout>
  );
}

function BoxForm({ request, typed, terms, result }: EvaluateProps) {
  return (
    <section class="card">
      {result && <h2>What is in the box</h2>}
      <PostForm request={request} action="/evaluate" isUpload>
        <TextArea
          name="items"
          label="Set numbers, minifig numbers or barcodes"
          hint="One per line, or separated by commas: 75192, 10179 x2, 3x 6080 used, sw0001a."
          typed={typed}
          rows={8}
          maxlength={boxTextMax}
        />
        <FileField
          typed={typed}
          label="Or a file from BrickEconomy, Brickset, Rebrickable, BrickStore or Brickmark"
        />
        <div class="form-grid">
          <Choice
            name="condition"
            label="Condition if not given"
            typed={typed}
            options={conditionChoices}
          />
          <Field
            name="cost"
            label="Cost of the whole box, $"
            typed={typed}
            inputmode="decimal"
            hint="Including tax and shipping. Leave empty if you have no price yet."
          />
          <BuyTermsFields
            typed={typed}
            terms={terms}
            inboundHint="What you pay to receive the whole box."
          />
        </div>
        <Checkbox name="with_modeled" label="Include modeled values in the bid" typed={typed} />
        <button type="submit">Evaluate</button>
      </PostForm>
    </section>
  );
}

/** The same with a box that was evaluated. */
type ResultProps = EvaluateProps & { readonly result: BoxResult };

function Result(props: ResultProps) {
  const { result } = props;
  return (
    <>
      <Figures result={result} />
      <NotCounted result={result} />
      <Items result={result} />
      <Channels result={result} />
      <AddLots {...props} />
    </>
  );
}

function Figures({ result }: Pick<ResultProps, 'result'>) {
  const { box, costCents } = result;
  const { best, range, profitCents } = box;
  return (
    <div class="grid figures">
      <Figure name="Bid up to" value={moneyText(best?.maxBidCents ?? null)}>
        <p class="quiet">{bidWords(result)}</p>
      </Figure>
      <Figure name="Sum of values" value={moneyText(box.sumOfValuesCents)}>
        <p class="quiet">
          {countText(box.unitsValued)} of {countText(box.units)} units have a value.
        </p>
      </Figure>
      <Figure
        name="Likely total"
        value={range ? `${moneyText(range.lowCents)} – ${moneyText(range.highCents)}` : '–'}
      >
        {range && (
          <p class="quiet">
            Median {moneyText(range.medianCents)}. Four out of five such boxes sell for a total in
            this range, before fees.
          </p>
        )}
      </Figure>
      {costCents !== null && profitCents !== null && (
        <Figure name="Profit" value={gainText(profitCents)} sign={profitCents}>
          <p class="quiet">
            Net {moneyText(profitCents + costCents)} less cost {moneyText(costCents)}
            <Roi profitCents={profitCents} costCents={costCents} />.
          </p>
        </Figure>
      )}
      <Sellout items={box.items} />
    </div>
  );
}

/** Beyond this, in percent, a return says nothing. */
const roiMax = 1_000;

function Roi({ profitCents, costCents }: { profitCents: number; costCents: number }) {
  const roi = costCents === 0 ? null : percentOf(profitCents, costCents);
  return roi === null || roi > roiMax ? null : <>; ROI {percentText(roi)}</>;
}

/** Whoever waits longer than this for a box to sell out is warned. */
const selloutDaysMax = 365;

/** How long the slowest item takes to sell out. */
function Sellout({ items }: Pick<EvaluatedBox, 'items'>) {
  let slowest: EvaluatedItem | null = null;
  for (const item of items) {
    if ((item.selloutDays ?? 0) > (slowest?.selloutDays ?? 0)) slowest = item;
  }
  if (slowest === null) return null;
  const { number, title, quantity, selloutDays } = slowest;
  const days = waitText(selloutDays);
  const isLong = (selloutDays ?? 0) > selloutDaysMax;
  return (
    <Figure name="Sells out in" value={days.startsWith('over') ? days : `about ${days}`}>
      <p class="quiet">
        Slowest: {countText(quantity)} × {title} {number}.
      </p>
      {isLong && <p class="warning">More than a year. Bid less, or on fewer units of it.</p>}
    </Figure>
  );
}

/** What the bid is made of, or why there is none. */
function bidWords({ box, terms }: BoxResult): string {
  const { best, unitsValued, unitsBidOn } = box;
  if (unitsValued === 0) return 'Nothing in the box has a value.';
  if (unitsBidOn === 0) return 'All values are modeled: too few sales support them.';
  if (best === null) return 'It is not known yet what sets sell for in any channel.';
  if (best.maxBidCents === null) return 'Fees and shipping take too much of it.';
  const modeled = leftOut(unitsValued - unitsBidOn, 'too few sales support their value');
  const unsold = leftOut(unitsBidOn - box.unitsSold, 'fees and shipping take all of their price');
  const confidence = `${Math.round(terms.share * 100)}% confidence`;
  const margin = `${terms.marginBasisPoints / 100}%`;
  const channel = channelName(best.channel);
  const bid = `Selling on ${channel}, with ${confidence} of a ${margin} margin on cost or more.`;
  return `${bid}${modeled}${unsold}`;
}

function leftOut(units: number, why: string): string {
  return units === 0 ? '' : ` Not counted: ${unitsText(units)}, because ${why}.`;
}

function unitsText(units: number): string {
  return units === 1 ? '1 unit' : `${countText(units)} units`;
}

/** Something in the box that counts for nothing, and what to do about it. */
interface Uncounted {
  readonly what: string;
  readonly todo: string;
}

function NotCounted({ result }: Pick<ResultProps, 'result'>) {
  const { problems, box, file } = result;
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
    <section class="card scroll">
      <h2>Not counted</h2>
      <table class="cards">
        {all > uncountedRowsMax && (
          <caption>
            The first {countText(uncountedRowsMax)} of {countText(all)}.
          </caption>
        )}
        <TableHead columns={['Item', 'What to do']} />
        <tbody>
          {rows.slice(0, uncountedRowsMax).map(({ what, todo }) => (
            <tr key={what}>
              <td data-name="Item">{what}</td>
              <td data-name="What to do">{todo}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
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

function Channels({ result: { box } }: Pick<ResultProps, 'result'>) {
  if (box.quotes.length === 0) return null;
  // What is assumed without fees would seem better than what is known.
  const quotes = [...box.quotes].sort(
    (a, b) => Number(a.isAssumed) - Number(b.isAssumed) || b.netCents - a.netCents,
  );
  return (
    <section class="card scroll">
      <h2>Where to sell it</h2>
      <table class="cards">
        <TableHead columns={['Channel', 'Net', 'Max bid']} numbers={['Net', 'Max bid']} />
        <tbody>
          {quotes.map(({ channel, isAssumed, netCents, maxBidCents }) => (
            <tr key={channel}>
              <td data-name="Channel">
                <ChannelCell
                  channel={channel}
                  isAssumed={isAssumed}
                  isBest={channel === box.best?.channel && maxBidCents !== null}
                />
              </td>
              <td data-name="Net" class="number">
                {moneyText(netCents)}
              </td>
              <td data-name="Max bid" class="number">
                {moneyText(maxBidCents)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {quotes.some(({ isAssumed }) => isAssumed) && <AssumedNote isBox />}
    </section>
  );
}

const itemColumns = ['Item', 'Condition', 'Quantity', 'Value', 'Total', 'Data tier'] as const;

function Items({ result: { box, costCents } }: Pick<ResultProps, 'result'>) {
  const items = [...box.items].sort(
    (a, b) => (b.totalValueCents ?? -1) - (a.totalValueCents ?? -1),
  );
  const columns = costCents === null ? itemColumns : [...itemColumns, 'Cost'];
  return (
    <section class="card scroll">
      <h2>Items</h2>
      <table class="cards">
        {items.length > itemRowsMax && (
          <caption>
            The {countText(itemRowsMax)} most valuable of {countText(items.length)}.
          </caption>
        )}
        <TableHead columns={columns} numbers={['Quantity', 'Value', 'Total', 'Cost']} />
        <tbody>
          {items.slice(0, itemRowsMax).map((item) => (
            <ItemRow key={`${item.kind} ${item.number} ${item.condition}`} item={item} />
          ))}
        </tbody>
      </table>
      {items.some(({ kind }) => kind === 'minifig') && (
        <p class="quiet">Minifigs are valued as used. New ones may sell for more.</p>
      )}
    </section>
  );
}

function ItemRow({ item }: { readonly item: EvaluatedItem }) {
  const { kind, number, title, condition, quantity, tier, costCents } = item;
  return (
    <tr>
      <td data-name="Item">
        {title === null ? (
          number
        ) : (
          <span class="set-name">
            <a href={itemPath(kind, number)}>{title}</a>
            <span class="quiet"> {number}</span>
          </span>
        )}
      </td>
      <td data-name="Condition">{condition}</td>
      <td data-name="Quantity" class="number">
        {countText(quantity)}
      </td>
      <td data-name="Value" class="number">
        {moneyText(item.unitValueCents)}
      </td>
      <td data-name="Total" class="number">
        {moneyText(item.totalValueCents)}
      </td>
      <td data-name="Data tier">{tier ?? '–'}</td>
      {costCents !== null && (
        <td data-name="Cost" class="number">
          {moneyText(costCents)}
        </td>
      )}
    </tr>
  );
}

/** What a lot of the box needs besides what the evaluation was made from. */
const carried = ['items', 'condition', 'cost', 'with_modeled', ...termNames] as const;

function AddLots({ request, brickfolios, typed, result }: ResultProps) {
  const { box, problems, costCents } = result;
  const sets = box.items.filter(canBeLot);
  return (
    <section class="card">
      <h2>Add to collection</h2>
      {problems.length > 0 && (
        <p>Correct or remove the lines above that are not understood first.</p>
      )}
      {problems.length === 0 && sets.length === 0 && <p>{noSets}</p>}
      {problems.length === 0 && sets.length > 0 && (
        <PostForm request={request} action="/evaluate/lots">
          <p>
            Adds a lot for each set and splits the price paid among them by value, to the cent.{' '}
            <LeftOut box={box} />
          </p>
          {carried.map((name) => (
            <input key={name} type="hidden" name={name} value={typed.values[name] ?? ''} />
          ))}
          <div class="form-grid">
            <Choice
              name="brickfolio"
              label="Collection"
              typed={typed}
              value={String(brickfolios.find((each) => each.isDefault)?.id ?? '')}
              options={
                brickfolios.length === 0
                  ? [['', `${firstBrickfolio} (new)`]]
                  : brickfolios.map((each) => [String(each.id), each.name] as const)
              }
            />
            <Field
              name="purchase_date"
              label="Purchase date"
              type="date"
              typed={typed}
              value={formatDay(request.at)}
              isRequired
            />
            <Field
              name="paid"
              label="Price paid, $"
              typed={typed}
              {...(costCents !== null && { value: amountText(costCents) })}
              inputmode="decimal"
              hint="For the whole box, including tax and shipping."
              isRequired
            />
          </div>
          <button type="submit">Add {sets.length === 1 ? '1 set' : `${sets.length} sets`}</button>
        </PostForm>
      )}
    </section>
  );
}

/** What gets no lot, and who bears its cost. */
function LeftOut({ box: { items } }: { readonly box: EvaluatedBox }) {
  const left = items.filter((item) => !canBeLot(item));
  if (left.length === 0) return null;
  const units = left.reduce((sum, { quantity }) => sum + quantity, 0);
  const costs = left.reduce((sum, { costCents }) => sum + (costCents ?? 0), 0);
  return (
    <>
      Collections hold sets from the catalog only. {unitsText(units)} (minifigs or unknown numbers)
      {units === 1 ? ' gets' : ' get'} no lot;
      {costs > 0
        ? ` the cost of ${moneyText(costs)} goes to the sets.`
        : ' any cost goes to the sets.'}
    </>
  );
}
