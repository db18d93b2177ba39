/** The buying settings of accounts: one row for each that has some. */
import { type BuyingSettings, usualSettings } from '../../domain/buying/buying-settings.ts';
import type { BuyingSettingsStore } from '../../domain/buying/buying-settings-store.ts';
import { type Engine, first, type Operation, query, saveRows } from '../sql/operation.ts';
import { columnsOf, fieldsOf, tables } from '../sql/tables.ts';
import { raiseVersion } from './holding-edits.ts';

/** Settings as they are stored: rates of platforms are JSON. */
type SettingsRow = Omit<BuyingSettings, 'ownRates'> & { readonly ownRates: string };

const fields = fieldsOf(tables.buyingSettings, ['accountId']);

/** Reading and keeping buying settings. */
export function buyingSettingsStore(engine: Engine): BuyingSettingsStore {
  return {
    findBuyingSettings: (accountId) => engine.run(() => findSettings(accountId)),
    saveBuyingSettings: (accountId, settings) =>
      engine.transaction(() => saveSettings(accountId, settings)),
  };
}

function* findSettings(accountId: number): Operation<BuyingSettings> {
  const row = yield* first<SettingsRow>(
    `SELECT ${columnsOf(tables.buyingSettings, 's', fields)} FROM private.buying_settings s
     WHERE account_id = $1::bigint`,
    [accountId],
  );
  return row ? toSettings(row) : usualSettings;
}

function toSettings(row: SettingsRow): BuyingSettings {
  return { ...row, ownRates: JSON.parse(row.ownRates) };
}

/** The settings of several accounts; one that never said anything has the usual ones. */
export function* findAllSettings(
  accountIds: readonly number[],
): Operation<Map<number, BuyingSettings>> {
  const rows = yield* query<SettingsRow & { readonly accountId: number }>(
    `SELECT ${columnsOf(tables.buyingSettings, 's')} FROM private.buying_settings s
     WHERE s.account_id = ANY($1::bigint[])`,
    [accountIds],
  );
  const known = new Map(rows.map(({ accountId, ...row }) => [accountId, toSettings(row)]));
  return new Map(accountIds.map((id) => [id, known.get(id) ?? usualSettings]));
}

function* saveSettings(accountId: number, settings: BuyingSettings): Operation<boolean> {
  const [owner] = yield* raiseVersion([accountId]);
  if (!owner) return false;
  const row = { ...settings, accountId, ownRates: JSON.stringify(settings.ownRates) };
  yield* saveRows(tables.buyingSettings, Object.keys(row) as (keyof typeof row)[], [row]);
  return true;
}
