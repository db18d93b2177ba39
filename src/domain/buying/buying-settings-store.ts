/** How a store keeps the buying settings of accounts. */
import type { BuyingSettings } from './buying-settings.ts';

/** Buying settings. */
export interface BuyingSettingsStore {
  /** What an account said; the usual settings when it never did. */
  findBuyingSettings(accountId: number): Promise<BuyingSettings>;
  /**
   * Keeps what an account says. Its answers of before are stale. False when there is no such
   * account.
   */
  saveBuyingSettings(accountId: number, settings: BuyingSettings): Promise<boolean>;
}
