/** Views of the inventory that somebody has saved: a name for what is in the address. */

/** How many views an account can save, and how long their names and queries can be. */
export const viewLimits = { views: 20, name: 40, query: 1_000 } as const;

/** A saved view. */
export interface SavedView {
  readonly id: number;
  readonly name: string;
  /** The query of its address, without the question mark. */
  readonly query: string;
  /** Whether the inventory opens with it. */
  readonly isDefault: boolean;
}

/** Saved views. Ids of others are as good as none. */
export interface SavedViewStore {
  /** In the order in which they were saved. */
  listSavedViews(accountId: number): Promise<SavedView[]>;
  /** Saves a view, in place of one that has the same name. */
  saveView(
    accountId: number,
    view: { readonly name: string; readonly query: string },
    at: number,
  ): Promise<'done' | 'too many' | 'no account'>;
  /** Makes a view the one that the inventory opens with; null: none. */
  setDefaultView(accountId: number, viewId: number | null): Promise<boolean>;
  removeView(accountId: number, viewId: number): Promise<boolean>;
}
