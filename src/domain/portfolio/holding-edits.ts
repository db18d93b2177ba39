/** What an account's owner does to collections, lots and sales besides recording them. */

/** What becomes of the lots of a collection that is removed. */
export interface RemovalOptions {
  /** Move all of them, or remove those from which nothing was sold and move the others. */
  readonly lots: 'move' | 'remove';
  /** The collection that lots are moved to. */
  readonly to: number | null;
}

/**
 * Changes by the owner. Ids of others are as good as none. Every change makes what was answered
 * before stale.
 */
export interface HoldingEdits {
  /** Names and describes a collection anew; a name is taken when another collection has it. */
  changeBrickfolio(
    accountId: number,
    brickfolioId: number,
    facts: { readonly name: string; readonly description: string | null },
  ): Promise<'done' | 'missing' | 'taken'>;
  /** Makes a collection the default in place of the one that was. */
  setDefault(accountId: number, brickfolioId: number): Promise<boolean>;
  /**
   * Removes a collection. Lots from which units were sold are never removed with it, because their
   * sales would be left without what they sold: without a collection to move them to, nothing is
   * done. If it was the default, the one that lots are moved to is, else the oldest.
   */
  removeBrickfolio(
    accountId: number,
    brickfolioId: number,
    options: RemovalOptions,
  ): Promise<'done' | 'missing' | 'lots left'>;
  /** Removes a lot, unless units were sold from it: sales stay with what they took. */
  removeLot(accountId: number, lotId: number): Promise<'done' | 'missing' | 'sold'>;
  /** Removes a sale; its units are in their lots again. */
  removeSale(accountId: number, saleId: number): Promise<boolean>;
  /** The same for several in one go; how many there were. */
  removeSales(accountId: number, saleIds: readonly number[]): Promise<number>;
  /**
   * Removes sales and then lots, by their source ids; lots from which something is still sold stay.
   * How many were removed.
   */
  removeRecorded(
    accountId: number,
    sourceIds: { readonly sales: readonly string[]; readonly lots: readonly string[] },
  ): Promise<{ readonly sales: number; readonly lots: number }>;
}
