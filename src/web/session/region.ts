/** The formats of amounts, numbers and dates for a visitor. */
import type { SignedIn } from '../../accounts/sign-in/session.ts';
import { type Exchange, Formats, usLocale } from '../../kernel/formats.ts';
import { formatDay } from '../../kernel/time.ts';
import { oldestRateDay } from '../../market/rates/exchange.ts';
import type { MarketReading } from '../../publish/reading.store.ts';

/** A chosen currency whose rate is too old to convert amounts. */
export interface MissingRate {
  readonly currency: string;
  /** The day of its latest rate; null if there is none. */
  readonly date: string | null;
}

type RateSource = Pick<MarketReading, 'findLatestRates'>;

export async function findRegion(market: RateSource, { who, languages, at }: Asking) {
  const locale = who?.locale ?? readLocale(languages) ?? usLocale;
  const currency = who?.currency ?? null;
  if (currency === null) return { formats: new Formats(locale), missingRate: null };
  const found = await findExchange(market, currency, at);
  const isKnown = 'perUsd' in found;
  return {
    formats: new Formats(locale, isKnown ? found : null),
    missingRate: isKnown ? null : found,
  };
}

/** A visitor, with the languages of the browser. */
interface Asking {
  readonly who: Pick<SignedIn, 'locale' | 'currency'> | null;
  /** The header Accept-Language; null if there is none. */
  readonly languages: string | null;
  readonly at: number;
}

async function findExchange(
  market: RateSource,
  currency: string,
  at: number,
): Promise<Exchange | MissingRate> {
  const today = formatDay(at);
  const [rate] = await market.findLatestRates([currency], today);
  if (!rate || rate.date < oldestRateDay(today)) return { currency, date: rate?.date ?? null };
  return { currency, perUsd: 1 / rate.usdPerUnit, date: rate.date };
}

/** Countries where bricks are traded, by their usual locale. */
export const locales: readonly string[] = [
  ...'en-US en-AU en-CA en-GB en-IE en-IN en-NZ cs-CZ da-DK de-AT de-CH de-DE es-ES'.split(' '),
  ...'es-MX fi-FI fr-BE fr-CA fr-CH fr-FR hu-HU it-IT ja-JP ko-KR nb-NO nl-BE nl-NL'.split(' '),
  ...'pl-PL pt-BR pt-PT sv-SE tr-TR uk-UA zh-CN zh-TW'.split(' '),
];

const languagesLengthMax = 200;

/** The first language of the browser that Intl has formats for; null if there is none. */
export function readLocale(languages: string | null): string | null {
  const listed = (languages ?? '').slice(0, languagesLengthMax).split(',');
  const weighted = listed.map((part) => {
    const [tag = '', ...params] = part.split(';').map((word) => word.trim());
    const weight = params.find((param) => param.startsWith('q='))?.slice(2);
    return { tag, weight: Number(weight ?? 1) };
  });
  const accepted = weighted.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  for (const { tag } of accepted) {
    const locale = knownLocale(tag);
    if (locale !== null) return locale;
  }
  return null;
}

/**
 * One of `locales`, or else the language alone; null if Intl has no formats for it. Intl also takes
 * made-up countries, whose formatters would fill the memory.
 */
function knownLocale(tag: string): string | null {
  try {
    const { language, region } = new Intl.Locale(tag);
    const name = `${language}-${region}`;
    if (locales.includes(name)) return name;
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? null;
  } catch {
    return null;
  }
}
