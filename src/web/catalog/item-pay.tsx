/** What may be paid for an item that is to be sold again: the answer, and every line of its sum. */

import type { ComponentChildren } from 'preact';
import { findResaleItem, type ResaleItem } from '../../buying/resale-item.ts';
import { type BuyingSettings, tablesOf, termsOf } from '../../domain/buying/buying-settings.ts';
import {
  channelName,
  type FeeTables,
  feesOf,
  type SellingChannel,
} from '../../domain/buying/channels.ts';
import type { BuyTerms, Quote } from '../../domain/buying/resale.ts';
import { type SumLineName, sumLines } from '../../domain/buying/sum-lines.ts';
import { type NoBuyReason, type WhatToPay, whatToPay } from '../../domain/buying/what-to-pay.ts';
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { countText, moneyText, waitText } from '../../domain/kernel/format.ts';
import type { SalesRate } from '../../domain/market/evidence.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import type { WebDeps } from '../deps.ts';
import { withQuery } from '../kit/address.ts';
import { Notice, type Typed } from '../kit/fields.tsx';
import { shareText } from '../kit/format.ts';
import { itemPath } from '../kit/links.tsx';
import { TableHead } from '../kit/table-head.tsx';
import { TypedFields } from '../kit/typed-fields.ts';
import { BuyTermsFields, readBuyTerms, termNames } from '../owner/buying/buy-terms.tsx';
import type { PageRequest } from '../page.ts';
import { AmazonAskNote, AssumedNote, ChannelCell } from './channel-cell.tsx';
import { Figure } from './item-facts.tsx';

/** The shares of sales that are always answered for. */
const shares = [0.5, 0.8, 0.9];

/** What was asked, and the answers. */
export interface Pay {
  readonly kind: ItemKind;
  readonly number: string;
  readonly condition: Condition;
  readonly terms: BuyTerms;
  readonly typed: Typed;
  readonly withModeled: boolean;
  readonly rate: SalesRate | null;
  /** What Amazon itself asks; null when it does not sell it. */
  readonly amazonAskCents: number | null;
  /** For the share that was asked for. */
  readonly answer: WhatToPay;
  /** For each share that is shown, rising. */
  readonly figures: readonly { readonly share: number; readonly answer: WhatToPay }[];
}

/** What may be paid on the terms of an address; null without the plan for it. */
export async function readPay(
  deps: WebDeps,
  request: PageRequest,
  { kind, number }: { readonly kind: ItemKind; readonly number: string },
): Promise<Pay | null> {
  if (request.who?.plan !== 'reseller') return null;
  const [item, settings] = await Promise.all([
    findResaleItem(deps.market, kind, number),
    deps.accounts.findBuyingSettings(request.who.accountId),
  ]);
  const { query, at } = request;
  return payFor(deps.tables, { kind, number, item, settings, query, at });
}

/** What is asked about an item; null: nothing is known of it. */
export interface PayAsked {
  readonly kind: ItemKind;
  readonly number: string;
  readonly item: Pick<ResaleItem, 'resale'> | null;
  /** What the account buys on, unless the address says something else. */
  readonly settings: BuyingSettings;
  readonly query: URLSearchParams;
  readonly at: number;
}

/** Works out what may be paid. */
export function payFor(priceLists: FeeTables, asked: PayAsked): Pay {
  const { kind, number, item, settings, query, at } = asked;
  const tables = tablesOf(priceLists, settings);
  const fields = TypedFields.ofQuery(query, at);
  const terms = readBuyTerms(fields, termsOf(settings));
  const condition = conditionOf(kind, query);
  const resale = item?.resale[condition] ?? null;
  const withModeled = query.has('modeled');
  const answerAt = (share: number) =>
    whatToPay(tables, resale, { terms: { ...terms, share }, at, channel: null, withModeled });
  const shown = [...new Set([...shares, terms.share])].sort((a, b) => a - b);
  return {
    kind,
    number,
    condition,
    terms,
    typed: fields.typed,
    withModeled: withModeled && resale?.tier === 'modeled',
    rate: resale?.rate ?? null,
    amazonAskCents: resale?.amazonAskCents ?? null,
    answer: answerAt(terms.share),
    figures: shown.map((share) => ({ share, answer: answerAt(share) })),
  };
}

/** Only sets come sealed. */
function conditionOf(kind: ItemKind, query: URLSearchParams): Condition {
  return kind === 'minifig' || query.get('condition') === 'used' ? 'used' : 'sealed';
}

/** Whether something was typed that cannot be read. */
export function hasFaults(pay: Pay | null): boolean {
  return pay !== null && Object.keys(pay.typed.faults).length > 0;
}

/** The card; null: the account lacks the plan. */
export function PayCard({ pay }: { readonly pay: Pay | null }) {
  if (pay === null) {
    return (
      <Card>
        <p>Max buy prices by sales channel are part of the Reseller plan.</p>
      </Card>
    );
  }
  const { answer, withModeled } = pay;
  return (
    <Card pay={pay}>
      {withModeled && (
        <Notice kind="warn">Estimated from similar items. No sales support these numbers.</Notice>
      )}
      {answer.reason === null && <Answer pay={pay} />}
      {answer.reason !== null && <NoAnswer pay={pay} reason={answer.reason} />}
      {(answer.reason === null || answer.reason === 'nothing_left') && (
        <>
          <Channels pay={pay} />
          <Sums pay={pay} />
        </>
      )}
      <TermsForm pay={pay} />
    </Card>
  );
}

/** The heading, with the choice of a condition where there is one. */
function Card(props: { readonly pay?: Pay; readonly children: ComponentChildren }) {
  const { pay, children } = props;
  return (
    <section class="card" id="pay">
      <div class="heading">
        <h2>What should I pay?</h2>
        {pay?.kind === 'set' && (
          <nav class="choices" aria-label="Condition">
            {(['sealed', 'used'] as const).map((condition) => (
              <a
                key={condition}
                class={condition === pay.condition ? 'choice chosen' : 'choice'}
                href={payPath(pay, { condition })}
                aria-current={condition === pay.condition ? 'true' : undefined}
              >
                {condition === 'sealed' ? 'Sealed' : 'Used'}
              </a>
            ))}
          </nav>
        )}
      </div>
      {children}
    </section>
  );
}

/** The address of the same question with something changed. */
function payPath(
  pay: Pay,
  changed: { readonly condition?: Condition; readonly modeled?: string },
): string {
  const { condition = pay.condition, modeled = pay.withModeled ? '1' : '' } = changed;
  const typed = Object.fromEntries(termNames.map((name) => [name, pay.typed.values[name] ?? '']));
  const asked = { ...typed, condition: condition === 'sealed' ? '' : condition, modeled };
  return `${withQuery(itemPath(pay.kind, pay.number), asked)}#pay`;
}

function Answer({ pay }: { readonly pay: Pay }) {
  const { figures, terms, answer, rate } = pay;
  return (
    <>
      <div class="worths">
        {figures.map(({ share, answer: { maxBuyCents, best } }) => (
          <Figure
            key={share}
            name={`At ${percent(share)} confidence`}
            value={moneyText(maxBuyCents)}
            more={best && `Best channel: ${channelName(best.channel)}`}
          />
        ))}
      </div>
      <p>
        {'Max buy price per unit. Confidence is the share of sales expected to leave your margin ' +
          `of ${shareText(terms.marginBasisPoints)} or more after fees and shipping.`}
      </p>
      <p>{paceText(answer, rate)}</p>
    </>
  );
}

function percent(share: number): string {
  return shareText(Math.round(share * 10_000));
}

/** How often it sells, from how many sales that is known, and how long it takes. */
function paceText({ salesPerMonth, best }: WhatToPay, rate: SalesRate | null): string {
  if (salesPerMonth === null || rate === null) return 'Sales per month: not known yet.';
  const { sales, days } = rate;
  const seen = `${countText(sales)} ${sales === 1 ? 'sale' : 'sales'}`;
  const pace = salesPerMonth < 0.1 ? 'less than 0.1' : `about ${salesPerMonth.toFixed(1)}`;
  const wait = best?.waitDays ?? null;
  return (
    `Sales per month: ${pace}, based on ${seen} in ${countText(Math.round(days))} days and ` +
    `on similar items.${best && wait !== null ? ` ${waitSentence(best.channel, wait)}` : ''}`
  );
}

function waitSentence(channel: SellingChannel, days: number): string {
  return `Median time to sell on ${channelName(channel)}: ${waitText(days)}.`;
}

function NoAnswer({ pay, reason }: { readonly pay: Pay; readonly reason: NoBuyReason }) {
  return (
    <>
      <p>{reasonText(pay, reason)}</p>
      {reason === 'modeled_value' && (
        <p>
          <a class="button plain" href={payPath(pay, { modeled: '1' })}>
            Show anyway
          </a>
        </p>
      )}
    </>
  );
}

function reasonText({ kind, condition, terms }: Pay, reason: NoBuyReason): string {
  const thing = kind === 'minifig' ? 'minifig' : `${condition} set`;
  const texts: Readonly<Record<NoBuyReason, string>> = {
    no_value: `No max buy price: this ${thing} has no value yet.`,
    modeled_value:
      'No max buy price: too few sales support this value. ' +
      'It is mostly estimated from similar items.',
    unknown_box: 'No max buy price: the size of the box is not known.',
    nothing_left:
      'No max buy price: after fees and shipping, no channel with known prices leaves a margin ' +
      `of ${shareText(terms.marginBasisPoints)} at ${percent(terms.share)} confidence.`,
  };
  return texts[reason];
}

const numbers = ['Price', 'Fees', 'Shipping', 'Net', 'Max buy price', 'Time to sell'];

/** Channels whose prices are assumed are folded away, unless there are no others. */
function Channels({ pay }: { readonly pay: Pay }) {
  const { quotes } = pay.answer;
  const known = quotes.filter(({ isAssumed }) => !isAssumed);
  const assumed = quotes.filter(({ isAssumed }) => isAssumed);
  return (
    <>
      {known.length > 0 && <ChannelTable pay={pay} quotes={known} />}
      <AmazonAskNote askCents={pay.amazonAskCents} prices={quotes.map(({ sum }) => sum)} />
      {quotes.every(({ channel }) => channel !== 'fba') && (
        <p class="quiet">{`${channelName('fba')} is missing: the package size is not known.`}</p>
      )}
      {assumed.length > 0 && (
        <details open={known.length === 0}>
          <summary>Other channels, with assumed prices</summary>
          <ChannelTable pay={pay} quotes={assumed} />
          <AssumedNote />
        </details>
      )}
    </>
  );
}

function ChannelTable({ pay, quotes }: { readonly pay: Pay; readonly quotes: readonly Quote[] }) {
  const { answer, terms } = pay;
  return (
    <div class="scroll">
      <table class="cards">
        <caption>{`By channel, at ${percent(terms.share)} confidence`}</caption>
        <TableHead columns={['Channel', ...numbers]} numbers={numbers} />
        <tbody>
          {quotes.map((quote) => (
            <ChannelRow
              key={quote.channel}
              quote={quote}
              isBest={quote.channel === answer.best?.channel}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ChannelRow({ quote, isBest }: { readonly quote: Quote; readonly isBest: boolean }) {
  const { channel, isAssumed, sum, maxBuyCents, waitDays } = quote;
  return (
    <tr>
      <td data-name="Channel">
        <ChannelCell channel={channel} isAssumed={isAssumed} isBest={isBest} />
      </td>
      <td data-name="Price" class="number">
        {moneyText(sum.priceCents)}
      </td>
      <td data-name="Fees" class="number">
        {moneyText(feesOf(sum))}
      </td>
      <td data-name="Shipping" class="number">
        {moneyText(sum.postageCents)}
        {sum.isPostageGuessed && ' (estimated)'}
      </td>
      <td data-name="Net" class="number">
        {moneyText(sum.netCents)}
      </td>
      <td data-name="Max buy price" class="number">
        {moneyText(maxBuyCents)}
      </td>
      <td data-name="Time to sell" class="number">
        {waitText(waitDays)}
      </td>
    </tr>
  );
}

/** Every line of every sum. */
function Sums({ pay }: { readonly pay: Pay }) {
  return (
    <details>
      <summary>How it adds up</summary>
      <div class="grid">
        {pay.answer.quotes.map((quote) => (
          <Sum key={quote.channel} quote={quote} terms={pay.terms} />
        ))}
      </div>
    </details>
  );
}

function Sum({ quote, terms }: { readonly quote: Quote; readonly terms: BuyTerms }) {
  return (
    <div>
      <h3>{channelName(quote.channel)}</h3>
      <table class="sum">
        <tbody>
          {sumLines(quote, terms).map(({ name, cents }) => (
            <tr key={name} class={name === 'net' || name === 'max_buy' ? 'total' : undefined}>
              <td>{lineText(name, quote, terms)}</td>
              <td class="number">{moneyText(cents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {quote.maxBuyCents === null && <p>The net does not cover your margin at any price.</p>}
    </div>
  );
}

function lineText(name: SumLineName, { channel, sum }: Quote, terms: BuyTerms): string {
  const { taxBasisPoints, cashbackBasisPoints } = terms.costs;
  const texts: Readonly<Record<SumLineName, string>> = {
    price: `Price (${percent(terms.share)} of sales are higher)`,
    platform_fees: channel === 'fba' ? 'Amazon referral fee' : `${channelName(channel)} fees`,
    payment_fees: 'Payment processing',
    fulfillment: 'FBA fulfillment',
    storage: 'FBA storage',
    postage: sum.isPostageGuessed ? 'Shipping and packing (estimated)' : 'Shipping and packing',
    net: 'Net',
    money: `Cost of capital (${shareText(terms.moneyBasisPoints)} per year)`,
    margin: `Margin (${shareText(terms.marginBasisPoints)} of cost)`,
    inbound: 'Inbound shipping',
    tax: `Sales tax (${shareText(taxBasisPoints)})`,
    cashback: `Cashback (${shareText(cashbackBasisPoints)})`,
    max_buy: 'Max buy price',
  };
  return texts[name];
}

/** Whoever changed the terms finds them open. */
function TermsForm({ pay }: { readonly pay: Pay }) {
  const { kind, number, condition, typed, terms, withModeled } = pay;
  return (
    <details open={termNames.some((name) => typed.values[name] !== undefined)}>
      <summary>Change the terms</summary>
      <form class="stack" action={`${itemPath(kind, number)}#pay`}>
        <div class="form-grid">
          <BuyTermsFields typed={typed} terms={terms} />
        </div>
        {condition === 'used' && kind === 'set' && (
          <input type="hidden" name="condition" value="used" />
        )}
        {withModeled && <input type="hidden" name="modeled" value="1" />}
        <div class="row">
          <button class="plain" type="submit">
            Calculate
          </button>
          <a class="button plain" href="/account/buying">
            Buying settings
          </a>
        </div>
      </form>
    </details>
  );
}
