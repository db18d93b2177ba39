/** The buying settings of accounts. */

import { accountMethods, raiseVersion } from '../../accounts/people/account-methods.store.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, fieldsOf, tables } from '../../store/sql/tables.ts';
import { type BuyingSettings, type OwnRate, usualSettings } from './buying-settings.ts';

/** `ownRates` is stored as JSON. */
type SettingsRow = Omit<BuyingSettings, 'ownRates'> & { readonly ownRates: string };

const fields = fieldsOf(tables.buyingSettings, ['accountId']);

export function buyingSettingsStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { findBuyingSettings }),
    ...accountMethods(engine, { saveBuyingSettings, saveOwnRate }),
  };
}

/** The default settings if the account never saved any. */
function* findBuyingSettings(accountId: number): db.Reading<BuyingSettings> {
  const row = yield* db.findRow<SettingsRow>(tables.buyingSettings, { accountId }, fields);
  return row ? toSettings(row) : usualSettings;
}

function toSettings(row: SettingsRow): BuyingSettings {
  return { ...row, ownRates: JSON.parse(row.ownRates) };
}

export function* findAllSettings(
  accountIds: readonly number[],
): db.Reading<Map<number, BuyingSettings>> {
  const rows = yield* db.query<SettingsRow & { readonly accountId: number }>(
    `SELECT ${columnsOf(tables.buyingSettings, 's')} FROM private.buying_settings s
     WHERE s.account_id = ANY($1::bigint[])`,
    [accountIds],
  );
  const known = new Map(rows.map(({ accountId, ...row }) => [accountId, toSettings(row)]));
  return new Map(accountIds.map((id) => [id, known.get(id) ?? usualSettings]));
}

/** Also makes cached responses of the account stale. False if there is no such account. */
function* saveBuyingSettings(accountId: number, settings: BuyingSettings): db.Operation<boolean> {
  if (!(yield* raiseVersion(accountId))) return false;
  const row = { ...settings, accountId, ownRates: JSON.stringify(settings.ownRates) };
  yield* db.saveRows(tables.buyingSettings, [row]);
  return true;
}

/** Sets the rate of one platform; all else stays. */
function* saveOwnRate(accountId: number, rate: OwnRate): db.Operation<boolean> {
  const settings = yield* findBuyingSettings(accountId);
  const others = settings.ownRates.filter(({ platform }) => platform !== rate.platform);
  return yield* saveBuyingSettings(accountId, { ...settings, ownRates: [...others, rate] });
}
