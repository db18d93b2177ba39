/** Buying settings: the terms and fee rates of an account. */

import {
  type BuyingSettings,
  type OwnRate,
  ratedPlatforms,
  termsOf,
} from '../../../buying/prices/buying-settings.ts';
import { type FeeTable, feesOn } from '../../../market/fees/fee-table.ts';
import { feeText } from '../../../market/fees/fee-text.ts';
import { type Platform, platformNames } from '../../../market/fees/platforms.ts';
import { recordAudit } from '../../audit.ts';
import { Card } from '../../kit/card.tsx';
import { mainColumn, numberColumn, wideColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { CellField, Field, PostForm } from '../../kit/fields.tsx';
import { formPage } from '../../kit/form-page.tsx';
import { amountText, type FormReader } from '../../kit/form-reader.ts';
import { inDollars } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { BuyTermsFields, percentField, termLimits } from './buy-terms.tsx';

export const buyingSettingsRoutes = routes('own', {
  '/account/buying': formPage({
    show: showSettings,
    read: ({ fields }) => readSettings(fields),
    save: async ({ deps, sent: { who, at } }, settings) => {
      await deps.accounts.saveBuyingSettings(who.accountId, settings);
      await recordAudit(deps, { who, at }, { action: 'settings.changed', detail: 'buying' });
      return { goTo: '/account/buying?did=saved' };
    },
  }),
});

/** In percent, and in days. */
const todayLimits = { roi: { min: 0, max: 1_000 }, wait: { min: 1, max: 3_650 } } as const;

/** In seconds. */
const workLimits = { lot: { min: 0, max: 600 }, piece: { min: 0, max: 60 } } as const;

/** In percent. */
const rateLimits = { min: 0, max: 100 };

async function showSettings(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const settings = await deps.accounts.findBuyingSettings(request.who.accountId);
  return (
    <Layout title="Buying settings" request={request} done={{ saved: 'Saved.' }}>
      <PostForm action="/account/buying" class="form-column">
        <Card title="Buying terms">
          <div class="form-grid">
            <BuyTermsFields terms={termsOf(settings)} />
          </div>
        </Card>
        <Card title="Deals on Today" id="today">
          <p class="quiet">
            Today shows only deals within these limits. Deals, alerts and the API show all.
          </p>
          <div class="form-grid">
            <Field
              name="today_profit"
              label="Profit at least ($)"
              value={amountText(settings.todayMinProfitCents)}
            />
            <Field
              name="today_roi"
              label="Profit on cost at least (%)"
              inputmode="numeric"
              value={String(settings.todayMinRoiPercent)}
            />
            <Field
              name="today_wait"
              label="Time to sell at most (days)"
              inputmode="numeric"
              value={String(settings.todayMaxWaitDays)}
            />
          </div>
        </Card>
        <WorkCard settings={settings} />
        <Card title="Your fee rates" actions={<a href="/sales/fees-paid">Fees you paid</a>}>
          <p class="quiet">
            Leave empty to use published fees. Your rate replaces all platform and payment fees: a
            percentage of the item price plus shipping, and an amount per order. FBA fulfillment and
            storage always use Amazon’s published fees.
          </p>
          <DataTable
            label="Fee rates"
            columns={columnsOf(settings, deps.site.tables.fees, request.today)}
            rows={ratedPlatforms}
          />
        </Card>
        <p class="flush">
          <button type="submit">Save changes</button>
        </p>
      </PostForm>
    </Layout>
  );
}

function WorkCard({ settings }: { readonly settings: BuyingSettings }) {
  return (
    <Card title="Your work" id="work">
      <p class="quiet">For ways to sell a set: listing each lot, and sorting each piece.</p>
      <div class="form-grid">
        <Field name="hour" label="Cost per hour ($)" value={amountText(settings.hourCents)} />
        <Field
          name="seconds_per_lot"
          label="Seconds per lot"
          inputmode="numeric"
          value={String(settings.secondsPerLot)}
        />
        <Field
          name="seconds_per_piece"
          label="Seconds per piece"
          inputmode="numeric"
          value={String(settings.secondsPerPiece)}
        />
      </div>
    </Card>
  );
}

function readSettings(fields: FormReader): BuyingSettings {
  return {
    share: fields.basisPoints('share', termLimits.share) / 10_000,
    marginBasisPoints: fields.basisPoints('margin', termLimits.margin),
    taxBasisPoints: fields.basisPoints('tax', termLimits.tax),
    cashbackBasisPoints: fields.basisPoints('cashback', termLimits.cashback),
    inboundCents: fields.centsOrNull('inbound') ?? 0,
    moneyBasisPoints: fields.basisPoints('money', termLimits.money),
    ownRates: ratedPlatforms.flatMap((platform) => readRate(fields, platform) ?? []),
    todayMinProfitCents: fields.centsOrNull('today_profit') ?? 0,
    todayMinRoiPercent: fields.wholeOrNull('today_roi', todayLimits.roi) ?? 0,
    todayMaxWaitDays: fields.wholeOrNull('today_wait', todayLimits.wait) ?? todayLimits.wait.max,
    hourCents: fields.centsOrNull('hour') ?? 0,
    secondsPerLot: fields.wholeOrNull('seconds_per_lot', workLimits.lot) ?? 0,
    secondsPerPiece: fields.wholeOrNull('seconds_per_piece', workLimits.piece) ?? 0,
  };
}

/** Reads the rate of a platform; null if both fields are empty. */
function readRate(fields: FormReader, platform: Platform): OwnRate | null {
  const [percent, order] = [`${platform}_percent`, `${platform}_order`];
  if (fields.isBlank(percent) && fields.isBlank(order)) return null;
  return {
    platform,
    basisPoints: fields.basisPointsOrNull(percent, rateLimits) ?? 0,
    feeCents: fields.centsOrNull(order) ?? 0,
  };
}

function columnsOf(
  { ownRates }: BuyingSettings,
  fees: FeeTable,
  day: string,
): readonly Column<Platform>[] {
  const rateOf = (platform: Platform) =>
    ownRates.find((rate) => rate.platform === platform) ?? null;
  return [
    mainColumn('Platform', (platform) => platformNames[platform]),
    wideColumn('Published fees', (platform) => (
      <span class="quiet">{inDollars(feeText(feesOn(fees, platform, day)))}</span>
    )),
    numberColumn('Your rate (%)', (platform) => {
      const rate = rateOf(platform);
      return (
        <CellField
          name={`${platform}_percent`}
          label={`${platformNames[platform]} rate (%)`}
          inputmode="decimal"
          value={rate ? percentField(rate.basisPoints) : ''}
        />
      );
    }),
    numberColumn('Per order ($)', (platform) => {
      const rate = rateOf(platform);
      return (
        <CellField
          name={`${platform}_order`}
          label={`${platformNames[platform]} per order ($)`}
          value={rate ? amountText(rate.feeCents) : ''}
        />
      );
    }),
  ];
}
