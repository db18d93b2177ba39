/** A whole store: the market for everyone, and what is private to accounts. */
import type { AccountStore } from './account-store.ts';
import type { MarketStore } from './market-store.ts';

/** Both sides of a store. */
export interface Store {
  readonly market: MarketStore;
  readonly accounts: AccountStore;
  /** A throw-away copy to rehearse an import on; closing it deletes it. */
  rehearsal(): Promise<Store>;
  close(): void;
}
