/** The max buy price of an item, and how it is calculated. */

import type { BuyTerms, Quote } from '../../buying/boxes/quotes.ts';
import { type SumLineName, sumLines } from '../../buying/boxes/sum-lines.ts';
import { type BuyingSettings, tablesOf, termsOf } from '../../buying/prices/buying-settings.ts';
import { gradedResale } from '../../buying/prices/resale.ts';
import { findResaleItem, type ResaleItem } from '../../buying/prices/resale-item.work.ts';
import {
  type FeeTables,
  feesOf,
  type SellingChannel,
  sellingChannelName,
} from '../../buying/prices/selling-channels.ts';
import {
  type NoBuyReason,
  noBuyWords,
  type WhatToPay,
  whatToPay,
} from '../../buying/prices/what-to-pay.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { SalesRate } from '../../market/evidence/evidence.ts';
import {
  assumedEffects,
  conditionOfGrade,
  type Grade,
  type GradeEffects,
  gradeShare,
  type PlainGrade,
  parseGrade,
  sealedGrades,
  usedGrades,
} from '../../market/grades/grades.ts';
import { type Condition, usualCondition } from '../../market/source-rows/source-rows.ts';
import { changedAddress, itemPath } from '../kit/address.ts';
import { PlainButton, PlainLink } from '../kit/buttons.tsx';
import { Card, type Figure, Figures } from '../kit/card.tsx';
import { mainColumn, moneyColumn, numberColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Choice, QueryForm, type Typed } from '../kit/fields.tsx';
import { FormReader } from '../kit/form-reader.ts';
import {
  chanceText,
  decimalText,
  moneyText,
  nounText,
  shareText,
  waitText,
} from '../kit/format.ts';
import { Money } from '../kit/money.tsx';
import { BuyTermsFields, readBuyTerms, termNames } from '../owner/buying/buy-terms.tsx';
import { gradeNames, gradeText } from '../owner/inventory/detail-text.ts';
import type { PageRequest, WebDeps } from '../page.ts';
import { conditionOf } from './item-worth.ts';
import {
  AmazonAskNote,
  AssumedNote,
  LeftOutNote,
  LosingNote,
  queueText,
  SellingChannelCell,
  splitByNet,
  WaitCell,
} from './selling-channel-cell.tsx';

/** The chances that are always shown. */
const shares = [0.5, 0.8, 0.9];

export interface Pay {
  readonly kind: ItemKind;
  readonly number: string;
  readonly condition: Condition;
  readonly query: URLSearchParams;
  readonly terms: BuyTerms;
  readonly typed: Typed;
  readonly withModeled: boolean;
  readonly rate: SalesRate | null;
  /** Amazon's own price; null if it does not sell the item. */
  readonly amazonAskCents: number | null;
  /** Another price that recent sales agree on, which is not confirmed; null for none. */
  readonly doubtedCents: number | null;
  /** The grade that prices are for; null: none chosen. */
  readonly grade: Grade | null;
  /** The effect of the grade, in words; null if it has none. */
  readonly gradeNote: string | null;
  /** For the chance of the terms. */
  readonly answer: WhatToPay;
  /** For each chance, lowest first. */
  readonly figures: readonly { readonly share: number; readonly answer: WhatToPay }[];
}

/** The max buy prices for the terms of an address; null without the Reseller plan. */
export async function readPay(
  deps: WebDeps,
  request: PageRequest,
  { kind, number }: { readonly kind: ItemKind; readonly number: string },
): Promise<Pay | null> {
  if (request.who?.plan !== 'reseller') return null;
  const { query, at, today } = request;
  const [item, settings, effects] = await Promise.all([
    findResaleItem(deps.market, kind, number),
    deps.accounts.findBuyingSettings(request.who.accountId),
    query.has('grade') ? deps.market.findGradeEffects() : assumedEffects,
  ]);
  return payFor(deps.site.tables, { kind, number, item, settings, effects, query, at, today });
}

/** An item, and the terms it is bought on. */
interface PayInput {
  readonly kind: ItemKind;
  readonly number: string;
  readonly item: Pick<ResaleItem, 'resale'> | null;
  /** The defaults for terms that are not in the address. */
  readonly settings: BuyingSettings;
  readonly effects: GradeEffects;
  readonly query: URLSearchParams;
  readonly at: number;
  readonly today: string;
}

export function payFor(priceLists: FeeTables, input: PayInput): Pay {
  const { kind, number, item, settings, effects, query, at, today } = input;
  const tables = tablesOf(priceLists, settings);
  const fields = FormReader.ofQuery(query, today);
  const terms = readBuyTerms(fields, termsOf(settings));
  const condition = conditionOf(kind, query);
  const grade = gradeIn(query, condition);
  const effect = gradeShare(grade, effects);
  const whole = item?.resale[condition] ?? null;
  const resale = whole && gradedResale(whole, effect);
  const withModeled = query.has('modeled');
  const answerAt = (share: number) =>
    whatToPay(tables, resale, { terms: { ...terms, share }, at, channel: null, withModeled });
  const shown = [...new Set([...shares, terms.share])].sort((a, b) => a - b);
  return {
    kind,
    number,
    condition,
    query,
    terms,
    typed: fields.typed,
    withModeled: withModeled && resale?.tier === 'modeled',
    rate: resale?.rate ?? null,
    amazonAskCents: resale?.amazonAskCents ?? null,
    doubtedCents: resale?.doubtedCents ?? null,
    grade,
    gradeNote: gradeText(grade, effect),
    answer: answerAt(terms.share),
    figures: shown.map((share) => ({ share, answer: answerAt(share) })),
  };
}

/** The grade in an address; null if there is none of this condition. */
function gradeIn(query: URLSearchParams, condition: Condition): Grade | null {
  const grade = parseGrade(query.get('grade') ?? '');
  return grade && conditionOfGrade(grade) === condition ? grade : null;
}

/** The max buy price, linked to its calculation; nothing if there is none. */
export function maxBuyFigure(pay: Pay | null): Figure | null {
  if (!pay || pay.answer.maxBuyCents === null) return null;
  const link = <a href="#pay">{moneyText(pay.answer.maxBuyCents)}</a>;
  return ['Max buy price', link, `${percent(pay.terms.share)} chance to keep your margin`];
}

/** The card; `pay` is null without the Reseller plan. */
export function PayCard({ pay }: { readonly pay: Pay | null }) {
  if (pay === null) {
    return (
      <Card title="What to pay" id="pay">
        <p class="quiet">Max buy prices by sales channel are part of the Reseller plan.</p>
      </Card>
    );
  }
  const { answer } = pay;
  return (
    <Card title="What to pay" id="pay">
      {answer.reason === null ? (
        <Answer pay={pay} />
      ) : (
        <NoAnswer pay={pay} reason={answer.reason} />
      )}
      {(answer.reason === null || answer.reason === 'nothing_left') && (
        <>
          <ChannelComparison pay={pay} />
          <Sums pay={pay} />
        </>
      )}
      {answer.reason !== 'no_value' && <TermsForm pay={pay} />}
    </Card>
  );
}

function Answer({ pay }: { readonly pay: Pay }) {
  const { figures, terms, answer, rate, withModeled, doubtedCents } = pay;
  const others = figures.filter(({ share }) => share !== terms.share);
  return (
    <>
      <Figures
        figures={[
          [
            `Max buy price at ${chanceText(terms.share)}`,
            <Money cents={answer.maxBuyCents} />,
            withModeled
              ? 'Estimated from similar items'
              : `${shareText(terms.marginBasisPoints)} margin or more after fees and shipping`,
          ],
          answer.best && [
            'Best channel',
            sellingChannelName(answer.best.channel),
            `${moneyText(answer.best.sum.netCents)} net`,
          ],
          answer.best?.wait && [
            'Time to sell yours',
            waitText(answer.best.wait.days),
            queueText(answer.best.wait),
          ],
          answer.salesPerMonth !== null && [
            'Sales per month',
            answer.salesPerMonth < 0.1
              ? `Under ${decimalText(0.1, 1)}`
              : decimalText(answer.salesPerMonth, 1),
            rate && rateText(rate),
          ],
        ]}
      />
      <p class="quiet">
        {others
          .map(
            ({ share, answer: { maxBuyCents } }) =>
              `${percent(share)} chance: ${moneyText(maxBuyCents)}`,
          )
          .join(' · ')}
      </p>
      {pay.gradeNote && <p>{`${pay.gradeNote}.`}</p>}
      {doubtedCents !== null && (
        <p>
          {`Recent sales at about ${moneyText(doubtedCents)} are not confirmed yet. Prices are ` +
            'calculated from the lower of this and the value.'}
        </p>
      )}
    </>
  );
}

function percent(share: number): string {
  return shareText(Math.round(share * 10_000));
}

function rateText({ sales, days }: SalesRate): string {
  return (
    `In all channels: ${nounText(sales, 'sale')} in ${nounText(Math.round(days), 'day')}, ` +
    'and similar items'
  );
}

function NoAnswer({ pay, reason }: { readonly pay: Pay; readonly reason: NoBuyReason }) {
  const here = { path: itemPath(pay.kind, pay.number), query: pay.query };
  return (
    <>
      <p>{`No max buy price. ${noBuyWords[reason]}`}</p>
      {reason === 'modeled_value' && (
        <p>
          <PlainLink href={`${changedAddress(here, { modeled: 1 })}#pay`}>Show anyway</PlainLink>
        </p>
      )}
    </>
  );
}

/** The channels; those with assumed prices come last. */
function ChannelComparison({ pay }: { readonly pay: Pay }) {
  const { quotes, best } = pay.answer;
  const { kept, losing } = splitByNet(quotes, ({ sum }) => sum.netCents);
  return (
    <details>
      <summary>Compare channels</summary>
      <DataTable
        label={`By channel, at ${chanceText(pay.terms.share)}`}
        columns={channelColumns(best?.channel ?? null)}
        rows={kept.toSorted((a, b) => Number(a.isAssumed) - Number(b.isAssumed))}
      />
      <LosingNote losing={losing} />
      <AmazonAskNote askCents={pay.amazonAskCents} prices={kept.map(({ sum }) => sum)} />
      <LeftOutNote channels={kept.map(({ channel }) => channel)} />
      {quotes.every(({ channel }) => channel !== 'fba') && (
        <p class="quiet">{sellingChannelName('fba')} is missing: the package size is unknown.</p>
      )}
      {kept.some(({ isAssumed }) => isAssumed) && <AssumedNote />}
    </details>
  );
}

const channelColumns = (best: SellingChannel | null): readonly Column<Quote>[] => [
  mainColumn('Channel', ({ channel, isAssumed }) => (
    <SellingChannelCell channel={channel} isAssumed={isAssumed} isBest={channel === best} />
  )),
  moneyColumn('Price', ({ sum }) => sum.priceCents),
  moneyColumn('Fees', ({ sum }) => feesOf(sum)),
  numberColumn(
    'Shipping',
    ({ sum }) => `${moneyText(sum.postageCents)}${sum.isPostageGuessed ? ' (estimated)' : ''}`,
  ),
  moneyColumn('Net', ({ sum }) => sum.netCents),
  moneyColumn('Max buy price', ({ maxBuyCents }) => maxBuyCents, {
    missing: 'No price leaves your margin',
  }),
  numberColumn('Time to sell yours', ({ wait }) => <WaitCell wait={wait} />),
];

function Sums({ pay }: { readonly pay: Pay }) {
  const { answer, terms } = pay;
  return (
    <details>
      <summary>How it adds up</summary>
      <div class="grid sums">
        {answer.quotes.map((quote) => (
          <table key={quote.channel} class="sum">
            <caption>{sellingChannelName(quote.channel)}</caption>
            <tbody>
              {sumLines(quote, terms).map(({ name, cents }) => (
                <tr key={name} class={name === 'net' || name === 'max_buy' ? 'total' : undefined}>
                  <td>{lineText(name, quote, terms)}</td>
                  <td class="number">{moneyText(cents)}</td>
                </tr>
              ))}
              {quote.maxBuyCents === null && (
                <tr>
                  <td colSpan={2}>The net does not cover your margin at any price.</td>
                </tr>
              )}
            </tbody>
          </table>
        ))}
      </div>
    </details>
  );
}

function lineText(name: SumLineName, { channel, sum }: Quote, terms: BuyTerms): string {
  const texts: Readonly<Record<SumLineName, string>> = {
    price: `Price (${percent(terms.share)} of sales are higher)`,
    platform_fees:
      channel === 'fba' ? 'Amazon referral fee' : `${sellingChannelName(channel)} fees`,
    payment_fees: 'Payment processing',
    fulfillment: 'FBA fulfillment',
    storage: 'FBA storage',
    postage: sum.isPostageGuessed ? 'Shipping and packing (estimated)' : 'Shipping and packing',
    net: 'Net',
    money: `Cost of capital (${shareText(terms.moneyBasisPoints)} per year)`,
    margin: `Margin (${shareText(terms.marginBasisPoints)} of cost)`,
    inbound: 'Inbound shipping',
    tax: `Sales tax (${shareText(terms.costs.taxBasisPoints)})`,
    cashback: `Cashback (${shareText(terms.costs.cashbackBasisPoints)})`,
    max_buy: 'Max buy price',
  };
  return texts[name];
}

const optionOf = (grade: PlainGrade): readonly [string, string] => [grade, gradeNames[grade]];

const gradeOptions = { sealed: sealedGrades.map(optionOf), used: usedGrades.map(optionOf) };

function TermsForm({ pay }: { readonly pay: Pay }) {
  const { kind, number, condition, typed, terms, withModeled } = pay;
  return (
    <details open={[...termNames, 'grade'].some((name) => typed.values[name] !== undefined)}>
      <summary>Change terms</summary>
      <QueryForm class="stack" action={`${itemPath(kind, number)}#pay`} typed={typed}>
        <div class="form-grid">
          <BuyTermsFields terms={terms} />
          <Choice
            name="grade"
            label="Grade"
            options={[['', 'Not graded'], ...gradeOptions[condition]]}
            value={pay.grade ?? ''}
          />
        </div>
        {condition !== usualCondition(kind) && (
          <input type="hidden" name="condition" value={condition} />
        )}
        {withModeled && <input type="hidden" name="modeled" value="1" />}
        <div class="row">
          <PlainButton>Calculate</PlainButton>
          <PlainLink href="/account/buying">Buying settings</PlainLink>
        </div>
      </QueryForm>
    </details>
  );
}
