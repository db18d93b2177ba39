/**
 * Simulates Brickset's API, version 3: pages of at most 500 sets, a daily limit that counts only
 * `getSets`, and errors with status 200.
 */
import type { SetFacts } from '../../src/catalog/items/catalog.ts';
import { asObject, type JsonObject } from '../../src/kernel/json.ts';
import { toUsd } from '../../src/kernel/money.ts';
import { formatInstant, parseDay } from '../../src/kernel/time.ts';
import { DailyCalls, type SimulatedServer, type SimulatedWorld } from './source-market.ts';

export interface BricksetRules {
  readonly key: string;
  readonly callsPerDay: number;
  /** The last change of a set, which is not listed before that. */
  readonly updatedAt?: (set: SetFacts) => number;
}

const pageSizeMax = 500;
const pageSizeDefault = 20;

const orders = ['Number', 'YearFrom', 'Pieces', 'Name', 'Theme'];

export function simulateBrickset(world: SimulatedWorld, rules: BricksetRules): SimulatedServer {
  const calls = new DailyCalls(rules.callsPerDay);
  const { compare } = new Intl.Collator('en', { numeric: true });
  const sets = world.market.whole.sets.toSorted((a, b) => compare(a.number, b.number));
  return async (request) => {
    const url = new URL(request.url);
    const method = url.pathname.split('/').at(-1) ?? '';
    const fields =
      request.method === 'POST' ? new URLSearchParams(await request.text()) : url.searchParams;
    if (fields.get('apiKey') !== rules.key) return failed('Invalid API key');
    if (method === 'checkKey') return Response.json({ status: 'success' });
    if (method === 'getKeyUsageStats') {
      const apiKeyUsage = calls
        .list()
        .map(([day, count]) => ({ dateStamp: `${day}T00:00:00Z`, count }));
      return Response.json({ status: 'success', matches: apiKeyUsage.length, apiKeyUsage });
    }
    if (method !== 'getSets') return new Response('Not found', { status: 404 });
    const params = readParams(fields.get('params'));
    if (params === null) return failed('Parameter error: params is not valid JSON');
    if (!calls.take(world.clock())) return failed('API limit exceeded');
    return listSets(params, sets, { updatedAt: defaultUpdate, ...rules, now: world.clock() });
  };
}

function readParams(text: string | null): JsonObject | null {
  try {
    return asObject(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

function listSets(
  params: JsonObject,
  inOrder: readonly SetFacts[],
  { updatedAt, now }: Required<Pick<BricksetRules, 'updatedAt'>> & { readonly now: number },
): Response {
  const { year, updatedSince, setNumber, orderBy = 'Number' } = params;
  if (year === undefined && updatedSince === undefined && setNumber === undefined) {
    return failed('No valid parameters');
  }
  if (!orders.includes(String(orderBy))) return failed('Invalid orderBy');
  const years = year === undefined ? null : new Set(String(year).split(',').map(Number));
  const since = updatedSince === undefined ? 0 : (parseDay(String(updatedSince)) ?? 0);
  const found = inOrder
    .filter((set) => years === null || years.has(set.year ?? 0))
    .filter((set) => setNumber === undefined || numberOf(set).join('-') === setNumber)
    .filter((set) => updatedAt(set) >= since && updatedAt(set) <= now);
  const size = Math.min(pageSizeMax, Number(params.pageSize ?? pageSizeDefault));
  const start = (Number(params.pageNumber ?? 1) - 1) * size;
  const sets = found.slice(start, start + size).map((set) => setObject(set, updatedAt(set)));
  return Response.json({ status: 'success', matches: found.length, sets });
}

function defaultUpdate({ releaseDate }: SetFacts): number {
  return (releaseDate && parseDay(releaseDate)) || Date.UTC(2012, 0, 1);
}

function numberOf({ number }: SetFacts): [number: string, variant: number] {
  const [, bare = number, variant = '1'] = /^(.+)-([1-9]\d?)$/.exec(number) ?? [];
  return [bare, Number(variant)];
}

const [cmPerInch, kgPerPound] = [2.54, 0.453_592_37];

function scaled(value: number | null | undefined, factor: number): number | undefined {
  return value == null ? undefined : Math.round(value * factor * 100) / 100;
}

function setObject(set: SetFacts, updatedAt: number): JsonObject {
  const [number, numberVariant] = numberOf(set);
  const { box, msrpCents, releaseDate, retireDate } = set;
  return {
    number,
    numberVariant,
    name: set.title,
    year: set.year,
    theme: set.theme,
    subtheme: set.subtheme ?? undefined,
    category: 'Normal',
    released: true,
    pieces: set.pieces ?? undefined,
    minifigs: set.minifigsCount ?? undefined,
    image: set.imageUrl === null ? {} : { imageURL: set.imageUrl },
    LEGOCom: {
      US: msrpCents === null ? {} : { retailPrice: toUsd(msrpCents) },
      UK: {},
      CA: {},
      DE: {},
    },
    packagingType: 'Box',
    availability: 'Retail',
    dimensions: {
      width: scaled(box?.widthIn, cmPerInch),
      height: scaled(box?.heightIn, cmPerInch),
      depth: scaled(box?.depthIn, cmPerInch),
      weight: scaled(box?.weightLbs, kgPerPound),
    },
    barcode: { EAN: set.ean ?? undefined, UPC: set.upc ?? undefined },
    extendedData: { tags: [] },
    launchDate: releaseDate === null ? undefined : `${releaseDate}T00:00:00Z`,
    exitDate: retireDate === null ? undefined : `${retireDate}T00:00:00Z`,
    lastUpdated: formatInstant(updatedAt),
  };
}

/** Errors have status 200, too. */
function failed(message: string): Response {
  return Response.json({ status: 'error', message });
}
