/** Makes recorded sales of orders that were sold, and lots of those that were bought. */

import { unitCosts } from '../../domain/buying/split-cost.ts';
import type { Platform } from '../../domain/fees/platforms.ts';
import { hiddenCharacterProblem } from '../../domain/kernel/text.ts';
import { feedLedgerSale } from '../feed/feed-private.ts';
import { Fields, RowError } from '../fields.ts';
import type { ReadOptions } from '../format.ts';
import { type LocatedRow, type Rejection, readLocated, type SourceItem } from '../located-row.ts';
import { RunningNumbers } from '../running-numbers.ts';
import type { Owner } from './account.ts';
import { findSets } from './find-set.ts';
import type { LotDraft, LotWriter } from './lot-writer.ts';
import type { Amounts, Order, OrderItem } from './order.ts';
import { findRates } from './rates.ts';
import { splitByWeight } from './shares.ts';

/** An item with all that is known of it. */
interface SettledItem {
  readonly order: Order;
  readonly item: OrderItem;
  /** Unlike any other item of the file. */
  readonly sourceId: string;
  /** Its own, and its share of what belongs to the order. */
  readonly amounts: Amounts;
  readonly number: string | RowError;
  readonly rate: number | RowError;
}

/** Turns orders into rows, a group at a time. */
export class OrderWriter {
  constructor(
    private readonly options: ReadOptions,
    private readonly owner: Owner,
    private readonly lots: LotWriter,
  ) {}

  /** The rows of some orders, one for each item. */
  async toRows(orders: readonly Order[]): Promise<SourceItem[]> {
    const settled = await this.settle(orders);
    const bought = settled.filter(({ order }) => order.kind === 'purchase');
    const sold = settled.filter(({ order }) => order.kind === 'sale');
    const lots = await this.lots.toRows(await this.lotDrafts(bought));
    return [...lots, ...sold.map((each) => this.saleOf(each))];
  }

  private async settle(orders: readonly Order[]): Promise<SettledItem[]> {
    const { market } = this.options.store;
    const items = orders.flatMap((order) => {
      const amounts = itemAmounts(order);
      const ids = sourceIds(order);
      return order.items.map((item, index) => ({
        order,
        item,
        sourceId: ids[index] ?? '',
        amounts: amounts[index] ?? item.own,
      }));
    });
    const numbers = await findSets(
      market,
      items.map(({ item }) => item.set),
    );
    const rates = await findRates(
      market,
      items.map(({ order }) => order),
    );
    return items.map((each, index) => ({
      ...each,
      number: numbers[index] ?? new RowError('there is no set number'),
      rate: rates[index] ?? new RowError('there is no exchange rate'),
    }));
  }

  private async lotDrafts(bought: readonly SettledItem[]): Promise<(LotDraft | Rejection)[]> {
    // Not every store takes any text; such names are refused later.
    const names = bought
      .map(({ sourceId }) => sourceId)
      .filter((sourceId) => !hiddenCharacterProblem(sourceId))
      .flatMap((sourceId) => [sourceId, otherLot(sourceId)]);
    const stored = await this.options.store.accounts.findLots(this.owner.id, names);
    return bought.flatMap((each) => {
      const { sourceId } = each;
      return lotDrafts(each, stored.has(sourceId) && !stored.has(otherLot(sourceId)));
    });
  }

  private saleOf(each: SettledItem): LocatedRow {
    const { item } = each;
    return readLocated(item, () => {
      const { number, rate } = checked(each);
      const { amounts, order, sourceId } = each;
      const usd = (cents: number) => Math.round(cents * rate) / 100;
      if (amounts.grossCents < 0) throw new RowError('the refund is more than was paid');
      const record = {
        account: this.owner.email,
        source_id: sourceId,
        set_number: number,
        platform: order.platform,
        sale_date: order.date,
        quantity: item.quantity,
        gross_proceeds_usd: usd(amounts.grossCents),
        platform_fees_usd: usd(amounts.platformFeesCents),
        payment_fees_usd: usd(amounts.paymentFeesCents),
        shipping_cost_usd: usd(amounts.shippingCents),
        condition: item.condition,
        cost_basis_usd: amounts.costCents === null ? null : usd(amounts.costCents),
      };
      return { row: feedLedgerSale.read(new Fields(record, this.options.clock())) };
    });
  }
}

/** What the second lot of an item is called. */
function otherLot(sourceId: string): string {
  return `${sourceId}/2`;
}

/**
 * What was bought: a unit cost its part of all that was paid for the order. Where that cannot be
 * divided by the units, they are two lots, so that they add up to it; but what is stored as one lot
 * stays one, because units of it may be sold.
 */
function lotDrafts(each: SettledItem, isOneLot: boolean): readonly (LotDraft | Rejection)[] {
  const { item, order, amounts, sourceId } = each;
  const { quantity } = item;
  try {
    const { number, rate } = checked(each);
    const paidCents = Math.round(amounts.grossCents * rate);
    const mean = { quantity, unitCents: Math.round(paidCents / quantity) };
    const lots = isOneLot ? [mean] : unitCosts(paidCents, quantity);
    return lots.map(
      (lot, index): LotDraft => ({
        where: item.where,
        text: item.text,
        id: { own: index === 0 ? sourceId : otherLot(sourceId) },
        number,
        quantity: lot.quantity,
        condition: item.condition,
        date: order.date,
        price: { cents: lot.unitCents, currency: 'USD' },
        retailCents: null,
      }),
    );
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    const { where, text, condition, minifig: number } = item;
    const isMinifig = number !== undefined && order.problem === null;
    const minifig = isMinifig ? { number, quantity, condition } : undefined;
    return [{ where, text, reason: error.message, ...(minifig && { minifig }) }];
  }
}

/** Throws the first thing that keeps an item from being recorded. */
function checked({ order, item, number, rate }: SettledItem): { number: string; rate: number } {
  const problem = item.problem ?? order.problem;
  if (problem !== null) throw new RowError(problem);
  if (number instanceof RowError) throw number;
  if (rate instanceof RowError) throw rate;
  return { number, rate };
}

/** What each item brought: its own, and its share of the order's. */
export function itemAmounts({ items, shared }: Order): Amounts[] {
  const weights = items.map(({ weight }) => weight);
  const split = (amount: number) => splitByWeight(amount, weights);
  const gross = split(shared.grossCents);
  const platformFees = split(shared.platformFeesCents);
  const paymentFees = split(shared.paymentFeesCents);
  const shipping = split(shared.shippingCents);
  const cost = shared.costCents === null ? null : split(shared.costCents);
  return items.map(({ own }, index) => ({
    grossCents: own.grossCents + (gross[index] ?? 0),
    platformFeesCents: own.platformFeesCents + (platformFees[index] ?? 0),
    paymentFeesCents: own.paymentFeesCents + (paymentFees[index] ?? 0),
    shippingCents: own.shippingCents + (shipping[index] ?? 0),
    costCents: own.costCents ?? cost?.[index] ?? null,
  }));
}

/** Marketplaces by the word that source ids begin with. */
const sourceNames: Readonly<Partial<Record<Platform, string>>> = { brick_owl: 'brickowl' };

/** Order and item; the second item of one name in an order gets a running number. */
function sourceIds({ platform, id, items }: Order): string[] {
  const numbers = new RunningNumbers();
  return items.map((item) => {
    const count = numbers.next(item.id);
    const name = `${sourceNames[platform] ?? platform}/${id}/${item.id}`;
    return count === 1 ? name : `${name}#${count}`;
  });
}
