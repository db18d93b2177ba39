/** Turns sold orders into sales and purchased orders into lots. */

import { unitCosts } from '../../buying/boxes/split-cost.ts';
import { at } from '../../kernel/at.ts';
import { shareOut } from '../../kernel/money.ts';
import { hiddenCharacterProblem } from '../../kernel/text.ts';
import type { Platform } from '../../market/fees/platforms.ts';
import { toUsdCents } from '../../market/rates/exchange.ts';
import { numberFields } from '../../portfolio/lots/lots.ts';
import { splitAmounts, sumAmounts } from '../../portfolio/sales/ledger.ts';
import { feedLedgerSale } from '../feed/feed-private.ts';
import { Fields, MissingError, RowError } from '../runner/fields.ts';
import type { ReadOptions } from '../runner/format.work.ts';
import {
  type LocatedRow,
  type Rejection,
  readLocated,
  type SourceItem,
} from '../runner/located-row.ts';
import { RunningNumbers } from '../runner/running-numbers.ts';
import type { Owner } from './account.work.ts';
import { findSets } from './find-set.work.ts';
import type { LotDraft, LotWriter } from './lot-writer.work.ts';
import type { Amounts, Order, OrderItem } from './order.ts';
import { findRates } from './rates.work.ts';

interface SettledItem {
  readonly order: Order;
  readonly item: OrderItem;
  /** Unique in the file. */
  readonly sourceId: string;
  /** Including its share of the order's amounts. */
  readonly amounts: Amounts;
  readonly number: string | RowError;
  readonly rate: number | RowError;
}

export class OrderWriter {
  constructor(
    private readonly options: ReadOptions,
    private readonly owner: Owner,
    private readonly lots: LotWriter,
  ) {}

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
        sourceId: at(ids, index),
        amounts: at(amounts, index),
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
      number: at(numbers, index),
      rate: at(rates, index),
    }));
  }

  private async lotDrafts(bought: readonly SettledItem[]): Promise<(LotDraft | Rejection)[]> {
    // Names with control characters cannot be looked up in every store, and are rejected later.
    const names = bought
      .map(({ sourceId }) => sourceId)
      .filter((sourceId) => !hiddenCharacterProblem(sourceId))
      .flatMap((sourceId) => [sourceId, secondLotId(sourceId)]);
    const stored = await this.options.store.accounts.findLotsBySourceIds(this.owner.id, names);
    return bought.flatMap((each) => {
      const { sourceId } = each;
      return lotDrafts(each, stored.has(sourceId) && !stored.has(secondLotId(sourceId)));
    });
  }

  private saleOf(each: SettledItem): LocatedRow {
    const { item } = each;
    return readLocated(item, () => {
      const { number, rate } = checked(each);
      const { amounts, order, sourceId } = each;
      const usd = (cents: number) => toUsdCents(cents, rate) / 100;
      if (amounts.grossCents < 0) throw new RowError('the refund is more than was paid');
      const record = {
        account: this.owner.email,
        source_id: sourceId,
        ...numberFields({ kind: item.kind, number }),
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
      const row = feedLedgerSale.read(new Fields(record, this.options.clock()));
      return { row, gaps: { ...noGaps, name: item.name ?? null } };
    });
  }
}

/** Sales are complete. */
const noGaps = { hasNoDate: false, hasNoPrice: false, unclearDay: null };

function secondLotId(sourceId: string): string {
  return `${sourceId}/2`;
}

/**
 * Splits the total over units. If that is not possible to the cent, there are two lots that add up;
 * but an item stored as one lot stays one, since units of it may be sold.
 */
function lotDrafts(each: SettledItem, isOneLot: boolean): readonly (LotDraft | Rejection)[] {
  const { item, order, amounts, sourceId } = each;
  const { quantity } = item;
  try {
    const { number, rate } = checked(each);
    const paidCents = toUsdCents(amounts.grossCents, rate);
    const mean = { quantity, unitCents: Math.round(paidCents / quantity) };
    const lots = isOneLot ? [mean] : unitCosts(paidCents, quantity);
    return lots.map(
      (lot, index): LotDraft => ({
        where: item.where,
        text: item.text,
        id: { own: index === 0 ? sourceId : secondLotId(sourceId) },
        kind: item.kind,
        number,
        name: item.name ?? null,
        quantity: lot.quantity,
        condition: item.condition,
        date: order.date,
        price: { cents: lot.unitCents, currency: 'USD' },
        retailCents: null,
        ...(item.details && { details: item.details }),
        newNotes: item.newNotes ?? null,
      }),
    );
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    const { where, text } = item;
    return [{ where, text, reason: error.message, isMissing: error instanceof MissingError }];
  }
}

/** Throws the first problem of the item or its order. */
function checked({ order, item, number, rate }: SettledItem): { number: string; rate: number } {
  const problem = item.problem ?? order.problem;
  if (problem !== null) throw new RowError(problem);
  if (number instanceof RowError) throw number;
  if (rate instanceof RowError) throw rate;
  return { number, rate };
}

/** Own amounts plus the share of the order's amounts, by weight. */
export function itemAmounts({ items, shared }: Order): Amounts[] {
  const weights = items.map(({ weight }) => weight);
  const shareOf = splitAmounts((field) => shareOut(shared[field] ?? 0, weights));
  return items.map(({ own }, index) => {
    const share = shareOf(index);
    const costCents = own.costCents ?? (shared.costCents === null ? null : share.costCents);
    return { ...sumAmounts([{ ...own, costCents: 0 }, share]), costCents };
  });
}

/** Prefixes of source IDs that differ from the platform. */
const sourceNames: Readonly<Partial<Record<Platform, string>>> = { brick_owl: 'brickowl' };

/** Items with the same ID in an order get a running number. */
function sourceIds({ platform, id, items }: Order): string[] {
  const numbers = new RunningNumbers();
  return items.map((item) => {
    const count = numbers.next(item.id);
    const name = `${sourceNames[platform] ?? platform}/${id}/${item.id}`;
    return count === 1 ? name : `${name}#${count}`;
  });
}
