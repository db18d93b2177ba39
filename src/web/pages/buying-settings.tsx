/** Buying settings: on what terms an account buys, and the fees that it really pays. */

import {
  type BuyingSettings,
  type OwnRate,
  ratedPlatforms,
} from '../../domain/buying/buying-settings.ts';
import { type FeeTable, feesOn } from '../../domain/fees/fee-table.ts';
import { feeText } from '../../domain/fees/fee-text.ts';
import { type Platform, platformNames } from '../../domain/fees/platforms.ts';
import { formatDay } from '../../domain/kernel/time.ts';
import type { WebDeps } from '../deps.ts';
import { Field, Notice, PostForm, type Typed, untyped } from '../fields.tsx';
import { Layout } from '../layout.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../page.ts';
import { amountText, TypedFields } from '../typed-fields.ts';

/** The page of buying settings. */
export function buyingSettingsRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/account/buying',
      get: (request) => showSettings(deps, request, untyped),
      post: (sent) => postSettings(deps, sent),
    },
  ];
}

/** What may be typed, in percent. */
const limits = {
  share: { min: 50, max: 95 },
  margin: { min: 0, max: 500 },
  tax: { min: 0, max: 30 },
  cashback: { min: 0, max: 90 },
  money: { min: 0, max: 100 },
  fee: { min: 0, max: 100 },
} as const;

async function showSettings(deps: WebDeps, request: OwnRequest, typed: Typed): Promise<PageAnswer> {
  const settings = await deps.accounts.findBuyingSettings(request.who.accountId);
  const props = { request, settings, typed, fees: deps.tables.fees };
  const isGood = Object.keys(typed.faults).length === 0;
  return { page: <SettingsPage {...props} />, status: isGood ? 200 : 400 };
}

async function postSettings(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const settings = readSettings(fields);
  if (!fields.isGood) return showSettings(deps, sent, fields.typed);
  await deps.accounts.saveBuyingSettings(sent.who.accountId, settings);
  return { goTo: '/account/buying?saved=1' };
}

function readSettings(fields: TypedFields): BuyingSettings {
  return {
    share: fields.basisPoints('share', limits.share) / 10_000,
    marginBasisPoints: fields.basisPoints('margin', limits.margin),
    taxBasisPoints: fields.basisPoints('tax', limits.tax),
    cashbackBasisPoints: fields.basisPoints('cashback', limits.cashback),
    inboundCents: fields.centsOrNull('inbound') ?? 0,
    moneyBasisPoints: fields.basisPoints('money', limits.money),
    ownRates: ratedPlatforms.flatMap((platform) => readRate(fields, platform) ?? []),
  };
}

/** A platform's own rate; null where both of its fields are empty. */
function readRate(fields: TypedFields, platform: Platform): OwnRate | null {
  const [percent, order] = [`${platform}_percent`, `${platform}_order`];
  if (fields.isBlank(percent) && fields.isBlank(order)) return null;
  return {
    platform,
    basisPoints: fields.isBlank(percent) ? 0 : fields.basisPoints(percent, limits.fee),
    feeCents: fields.centsOrNull(order) ?? 0,
  };
}

interface SettingsProps {
  readonly request: OwnRequest;
  readonly settings: BuyingSettings;
  readonly typed: Typed;
  readonly fees: FeeTable;
}

function SettingsPage(props: SettingsProps) {
  const { request } = props;
  return (
    <Layout title="Buying settings" request={request}>
      {request.query.has('saved') && <Notice>Saved.</Notice>}
      <p class="row">
        <a href="/account">Account</a>
      </p>
      <PostForm request={request} action="/account/buying">
        <Terms {...props} />
        <Rates {...props} />
        <button type="submit">Save</button>
      </PostForm>
    </Layout>
  );
}

function Terms({ settings, typed }: SettingsProps) {
  const common = { typed, inputmode: 'decimal' as const };
  return (
    <section class="card">
      <h2>What a purchase has to bring</h2>
      <div class="form-grid">
        <Field
          {...common}
          name="share"
          label="Confidence, %"
          value={percentField(Math.round(settings.share * 10_000))}
          hint="How many sales out of 100 should leave you the margin or more; 50 to 95."
        />
        <Field
          {...common}
          name="margin"
          label="Margin on cost, %"
          value={percentField(settings.marginBasisPoints)}
          hint="25 is a profit of $25 on a cost of $100."
        />
        <Field
          {...common}
          name="tax"
          label="Sales tax you pay, %"
          value={percentField(settings.taxBasisPoints)}
          hint="0 with a resale certificate."
        />
        <Field
          {...common}
          name="cashback"
          label="Cashback, %"
          value={percentField(settings.cashbackBasisPoints)}
          hint="What you get back from cards and portals, of the price without tax."
        />
        <Field
          {...common}
          name="inbound"
          label="Inbound shipping per unit, $"
          value={amountText(settings.inboundCents)}
          hint="What it costs you to get one unit in."
        />
        <Field
          {...common}
          name="money"
          label="Cost of money, % a year"
          value={percentField(settings.moneyBasisPoints)}
          hint="Charged on the cost until the expected sale. 0 if you use your own."
        />
      </div>
    </section>
  );
}

function Rates({ request, settings, typed, fees }: SettingsProps) {
  const day = formatDay(request.at);
  const owns = new Map(settings.ownRates.map((rate) => [rate.platform, rate]));
  return (
    <section class="card">
      <h2>Your fee rates</h2>
      <p>
        Leave these empty to use the price lists. A rate of your own replaces everything that the
        platform and the payment take: a share of what the buyer pays, with shipping and without
        tax, plus an amount per order. Fulfillment by Amazon always goes by Amazon’s price list.
      </p>
      {ratedPlatforms.map((platform) => (
        <RateFields
          key={platform}
          platform={platform}
          rate={owns.get(platform) ?? null}
          typed={typed}
          listed={feeText(feesOn(fees, platform, day))}
        />
      ))}
    </section>
  );
}

function RateFields(props: {
  readonly platform: Platform;
  readonly rate: OwnRate | null;
  readonly typed: Typed;
  /** What the price list says. */
  readonly listed: string;
}) {
  const { platform, rate, typed, listed } = props;
  const name = platformNames[platform];
  return (
    <>
      <h3>{name}</h3>
      <p class="quiet">Price list: {listed}.</p>
      <div class="form-grid">
        <Field
          name={`${platform}_percent`}
          label={`${name}: share, %`}
          typed={typed}
          inputmode="decimal"
          value={rate ? percentField(rate.basisPoints) : ''}
        />
        <Field
          name={`${platform}_order`}
          label={`${name}: per order, $`}
          typed={typed}
          inputmode="decimal"
          value={rate ? amountText(rate.feeCents) : ''}
        />
      </div>
    </>
  );
}

/** A share as it stands in a field. */
function percentField(basisPoints: number): string {
  return String(basisPoints / 100);
}
