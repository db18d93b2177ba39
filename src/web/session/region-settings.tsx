/** The regional settings of the account page: time zone, currency, and number and date format. */
import type { Region } from '../../accounts/people/region.ts';
import { currencyName, Formats } from '../../kernel/formats.ts';
import { formatDay } from '../../kernel/time.ts';
import { oldestRateDay } from '../../market/rates/exchange.ts';
import { recordAudit } from '../audit.ts';
import { Choice, type ChoiceOptions, PostForm } from '../kit/fields.tsx';
import type { Sent } from '../kit/form-page.tsx';
import type { OwnRequest, PageRequest, WebDeps } from '../page.ts';
import { locales } from './region.ts';
import { TimeZoneChoice, timeZones } from './time-zone-choice.tsx';

export const regionPath = '/account/region';

const localeNames = new Intl.DisplayNames(['en-US'], { type: 'region' });

type OwnSent = Sent<OwnRequest, unknown>;

/** Reads the form; an empty field is what the browser has, or dollars. */
export async function readRegion({ deps, sent, fields }: OwnSent): Promise<Region> {
  const { who } = sent;
  const currencies = await listCurrencies(deps, sent);
  const chosen = (name: string, words: readonly string[], current: string | null) =>
    fields.wordOrNull(name, current === null ? words : [...words, current]);
  return {
    timeZone: chosen('time_zone', timeZones, who.timeZone),
    currency: chosen('currency', currencies, who.currency),
    locale: chosen('locale', locales, who.locale),
  };
}

export async function saveRegion({ deps, sent }: OwnSent, region: Region) {
  const { who, at } = sent;
  const done = await deps.accounts.saveRegion(who.accountId, region);
  if (done === 'needs zone') return { refused: quietNeedsZone, field: 'time_zone' };
  await recordAudit(deps, { who, at }, { action: 'settings.changed', detail: 'region' });
  return { goTo: '/account?did=region' };
}

const quietNeedsZone =
  'Your quiet hours need a time zone. Choose one, or remove your quiet hours under Notifications.';

/** Currencies with a rate that is not too old, in alphabetical order. */
export async function listCurrencies(
  { market }: Pick<WebDeps, 'market'>,
  { at }: Pick<PageRequest, 'at'>,
): Promise<string[]> {
  const today = formatDay(at);
  const rates = await market.findLatestRates(Intl.supportedValuesOf('currency'), today);
  const oldest = oldestRateDay(today);
  return rates.filter(({ date }) => date >= oldest).map(({ currency }) => currency);
}

export function RegionForm(props: {
  readonly request: OwnRequest;
  readonly currencies: readonly string[];
}) {
  const { request, currencies } = props;
  const { timeZone, currency, locale } = request.who;
  const ofBrowser = 'As in your browser';
  return (
    <PostForm action={regionPath}>
      <TimeZoneChoice value={timeZone ?? ''} first={[['', ofBrowser]]} />
      <Choice
        name="currency"
        label="Currency"
        value={currency ?? ''}
        options={currencyOptions(currencies, currency)}
      />
      <Choice
        name="locale"
        label="Numbers and dates"
        value={locale ?? ''}
        options={[['', ofBrowser], ...localeOptions(request)]}
      />
      <p class="quiet small flush">
        Amounts are converted for you to read. What you enter, your files, emails and the API stay
        in US dollars.
      </p>
      <button type="submit">Save changes</button>
    </PostForm>
  );
}

function currencyOptions(currencies: readonly string[], current: string | null): ChoiceOptions {
  const isListed = current === null || currencies.includes(current);
  const others = isListed ? currencies : [...currencies, current];
  return [
    ['', 'USD: US dollars'],
    ...others.map((code) => [code, `${code}: ${currencyName(code)}`] as const),
  ];
}

/** Each country with an example. */
function localeOptions({ today }: Pick<PageRequest, 'today'>): ChoiceOptions {
  return locales.map((locale) => {
    const formats = new Formats(locale);
    const example = `${formats.decimal(1234.56, 2)}, ${formats.day(today)}`;
    return [locale, `${regionName(locale)}: ${example}`] as const;
  });
}

/** The country, with the language where it has several. */
function regionName(locale: string): string {
  const { language, region = '' } = new Intl.Locale(locale);
  const isOneOfMany = locales.filter((each) => each.endsWith(region)).length > 1;
  const place = localeNames.of(region) ?? region;
  return isOneOfMany ? `${place} (${languageNames.of(language)})` : place;
}

const languageNames = new Intl.DisplayNames(['en-US'], { type: 'language' });
