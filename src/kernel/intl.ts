/** The cache of Intl formatters: creating one takes longer than using it many times. */

/** The kinds of numbers, all with Latin digits. */
const numberKinds = {
  money: { style: 'currency' },
  /** With its sign; what rounds to 0 has none. */
  gain: { style: 'currency', signDisplay: 'exceptZero' },
  currencyName: { style: 'currency', currencyDisplay: 'name', maximumFractionDigits: 0 },
  count: {},
  signedTenths: {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  },
  short: { maximumSignificantDigits: 3 },
  rate: { maximumSignificantDigits: 5 },
} satisfies Record<string, Intl.NumberFormatOptions>;

const clock = {
  year: 'numeric',
  day: 'numeric',
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
} as const;

const dateKinds = {
  /** All parts as numbers, to compute with. */
  wall: {
    ...clock,
    month: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    era: 'short',
  },
  moment: { ...clock, month: 'short', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  /** For the order of day, month and year. */
  day: { ...clock, month: 'numeric' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Locales and time zones may be spelled in any number of ways, so the caches have a limit. */
const formattersMax = 2_000;

class Formatters<Formatter> {
  private readonly made = new Map<string, Formatter>();

  find(key: string, make: () => Formatter): Formatter {
    const known = this.made.get(key);
    if (known) return known;
    const created = make();
    if (this.made.size >= formattersMax) this.made.clear();
    this.made.set(key, created);
    return created;
  }
}

const numbers = new Formatters<Intl.NumberFormat>();
const dates = new Formatters<Intl.DateTimeFormat>();

export function numberFormat(
  kind: keyof typeof numberKinds,
  locale: string,
  currency = 'USD',
): Intl.NumberFormat {
  const make = () =>
    new Intl.NumberFormat(locale, { ...numberKinds[kind], numberingSystem: 'latn', currency });
  return numbers.find(`${kind} ${locale} ${currency}`, make);
}

/** The case of time zones does not matter. */
export function dateFormat(
  kind: keyof typeof dateKinds,
  locale: string,
  timeZone = 'UTC',
): Intl.DateTimeFormat {
  const make = () => new Intl.DateTimeFormat(locale, { ...dateKinds[kind], timeZone });
  return dates.find(`${kind} ${locale} ${timeZone.toLowerCase()}`, make);
}
