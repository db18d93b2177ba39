/** Saved views: named queries of the inventory. */

export const viewLimits = { views: 20, name: 40, query: 1_000 } as const;

export interface SavedView {
  readonly id: number;
  readonly name: string;
  /** The query string, without the question mark. */
  readonly query: string;
  /** Whether the inventory opens with it. */
  readonly isDefault: boolean;
}
