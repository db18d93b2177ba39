/** Comparing the value of an item with that of another, or with the index of a theme. */
import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import { foldText } from '../../kernel/text.ts';
import { dayMs, dayOf, formatDay } from '../../kernel/time.ts';
import {
  type Comparable,
  comparableItem,
  comparableTheme,
} from '../../market/history/comparison.ts';
import { noFilters } from '../../market/lists/market-filters.ts';
import { type Condition, usualCondition } from '../../market/source-rows/source-rows.ts';
import { changedAddress } from '../kit/address.ts';
import { PlainButton, PlainLink } from '../kit/buttons.tsx';
import type { ChartColumn, ChartProps } from '../kit/chart-data.ts';
import { isGood, QueryForm, type Typed, untyped } from '../kit/fields.tsx';
import { FormReader } from '../kit/form-reader.ts';
import { conditionNames, decimalText } from '../kit/format.ts';
import { SetPicker, type SuggestedItem } from '../kit/set-picker.tsx';
import type { PageRequest, WebDeps } from '../page.ts';
import { conditionOf } from './item-worth.ts';
import { readSetPicker } from './pick-item.ts';

export interface Comparison {
  /** The theme of the item; null if it has none. */
  readonly theme: string | null;
  readonly typed: Typed;
  readonly choices: readonly SuggestedItem[];
  /** Null without a comparison. */
  readonly other: Other | null;
}

interface Other {
  readonly name: string;
  readonly own: Comparable;
  readonly with: Comparable;
  readonly ownNumber: string;
}

interface ComparedItem {
  readonly kind: ItemKind;
  readonly number: string;
  readonly theme: string | null;
}

/** The theme of the address, or else the item that the address names. */
export async function readComparison(
  deps: WebDeps,
  request: PageRequest,
  item: ComparedItem,
): Promise<Comparison> {
  const { theme } = item;
  const themeText = request.query.get('compare')?.trim() ?? '';
  if (themeText === '' || request.who === null) {
    return { theme, typed: untyped, choices: [], other: null };
  }
  const fields = FormReader.ofQuery(request.query, request.today);
  const { themes } = await deps.cache.findMarket();
  const found = themes.find((each) => foldText(each.theme) === foldText(themeText));
  const picked = found
    ? { item: null, choices: [] }
    : await readSetPicker(deps, fields, { name: 'compare', kind: 'any' });
  const { typed } = fields;
  const condition = conditionOf(item.kind, request.query);
  const named = found
    ? { name: indexName(found.theme), with: await readTheme(deps, request, found.theme) }
    : picked.item && {
        name: `${picked.item.number} ${picked.item.title}`,
        with: await readItem(deps, request, {
          ...picked.item,
          // Sealed means something else for minifigs.
          condition: picked.item.kind === item.kind ? condition : usualCondition(picked.item.kind),
        }),
      };
  if (!named) return { theme, typed, choices: picked.choices, other: null };
  const own = await readItem(deps, request, { ...item, condition });
  return { theme, typed, choices: [], other: { ...named, own, ownNumber: item.number } };
}

/** In one condition. */
async function readItem(
  { portfolio: { market } }: WebDeps,
  { at }: PageRequest,
  item: { readonly kind: ItemKind; readonly number: string; readonly condition: Condition },
): Promise<Comparable> {
  const { kind, number, condition } = item;
  const key = itemKey(kind, number);
  const [[months], [values]] = await Promise.all([
    market.findMonthValues([{ kind, key, condition }]),
    market.findItemValues(kind, [key]),
  ]);
  const liveCents = (condition === 'sealed' ? values?.newCents : values?.usedCents) ?? null;
  const early = values?.early[condition] ?? [];
  return comparableItem({ months: months ?? null, early, liveCents }, dayOf(at));
}

/** The most sets of a theme that are compared, the most traded ones. */
const themeSetsMax = 500;

/** As in the index of a theme, estimated values are left out. */
async function readTheme(
  { portfolio: { market }, cache }: WebDeps,
  { at }: PageRequest,
  theme: string,
): Promise<Comparable> {
  const { rows } = (await cache.findMarket()).find({
    kind: 'set',
    matches: null,
    filters: { ...noFilters, theme },
    sort: 'relevance',
    isDescending: false,
    limit: themeSetsMax,
    offset: 0,
  });
  const sets = rows.filter(({ tier }) => tier !== 'modeled');
  const months = await market.findMonthValues(
    sets.map(({ key }) => ({ kind: 'set', key, condition: 'sealed' })),
  );
  return comparableTheme(
    sets.map(({ valueCents }, index) => ({
      months: months[index] ?? null,
      early: [],
      liveCents: valueCents,
    })),
    dayOf(at),
  );
}

/** Both lines from the first day that both have, or from a later instant. */
export function compareRows(
  { name, own, with: other, ownNumber }: Other,
  { condition, from }: { readonly condition: Condition; readonly from: number },
): Pick<ChartProps, 'columns' | 'rows'> {
  const isKnown = own.firstDay !== null && other.firstDay !== null;
  const start = Math.max(own.firstDay ?? 0, other.firstDay ?? 0, dayOf(from));
  const lines = isKnown ? [own.indexFrom(start), other.indexFrom(start)] : [];
  const names = [`${ownNumber} ${conditionNames[condition].toLowerCase()}`, name];
  const columns = lines.map(
    (points, index): ChartColumn => ({
      key: index === 0 ? 'own' : 'other',
      name: names[index] ?? '',
      look: index === 0 ? 'line' : 'dashed',
      tone: index === 0 ? 'series-1' : 'series-2',
      points: points.map((point) => ({ at: point.day * dayMs, value: point.index })),
      show: (value) => decimalText(value, 1),
    }),
  );
  const days = [...new Set(lines.flat().map(({ day }) => day))].sort((a, b) => a - b);
  const rows = days.map((day) => ({
    at: formatDay(day * dayMs),
    values: lines.map((points) => points.findLast((point) => point.day <= day)?.index ?? null),
  }));
  return { columns, rows };
}

function indexName(theme: string): string {
  return `${theme} index`;
}

export function CompareForm(props: {
  readonly request: PageRequest;
  readonly comparison: Comparison;
}) {
  const { request, comparison } = props;
  const { theme, typed, choices, other } = comparison;
  const kept = [...request.query].filter(([name]) => !name.startsWith('compare'));
  return (
    <details open={other !== null || !isGood(typed)}>
      <summary>Compare</summary>
      <QueryForm class="row" action={request.path} typed={typed} label="Compare">
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <SetPicker
          name="compare"
          label="Set, minifig or theme"
          kind="any"
          choices={choices}
          value={request.query.get('compare') ?? ''}
        />
        <PlainButton>Compare</PlainButton>
        {theme !== null && other?.name !== indexName(theme) && (
          <PlainLink href={changedAddress(request, { compare: theme })}>
            {indexName(theme)}
          </PlainLink>
        )}
        {other !== null && (
          <PlainLink href={changedAddress(request, { compare: null })}>Stop comparing</PlainLink>
        )}
      </QueryForm>
      {other !== null && (
        <p class="quiet small flush">
          Both are 100 on the first day that both have a value. The index of a theme is the median
          change of its sets.
        </p>
      )}
    </details>
  );
}
