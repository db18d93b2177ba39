/** Merges the descriptions of several sources into one, by the tables in `precedence.ts`. */
import type { Box, MinifigFacts, SetDescription, SetFacts } from './catalog.ts';
import { classOf } from './item-class.ts';
import {
  countsMinifigs,
  inPrecedence,
  type MinifigField,
  minifigPrecedence,
  type PrecedenceRule,
  type SetField,
  setPrecedence,
  shopSources,
} from './precedence.ts';
import { isEarlyRetirement } from './status.ts';
import { canonicalTheme } from './themes.ts';

export interface SourceRecord<Facts> {
  readonly source: string;
  readonly facts: Facts;
}

export type SetRecords = readonly SourceRecord<SetDescription>[];

/** The records of a minifig, under all of its numbers. */
export type MinifigRecords = readonly SourceRecord<MinifigFacts>[];

/** The record that each field is taken from; fields that no source knows are absent. */
export type Deciders<Field extends string, Facts> = ReadonlyMap<Field, SourceRecord<Facts>>;

export function mergeSet(records: SetRecords): SetFacts {
  const [first, ...others] = records;
  if (!first) throw new Error('An item has no record to be made from.');
  const merged = others.length === 0 ? first.facts : { ...first.facts, ...setFields(records) };
  const { title, theme } = merged;
  if (title === null || theme === null) {
    throw new Error(`No source names the set ${merged.number}.`);
  }
  const itemClass = merged.itemClass ?? classOf(merged) ?? 'set';
  const counter = minifigCounter(records, merged.minifigs);
  const minifigsCount = counter?.facts.minifigsCount ?? merged.minifigs?.length ?? null;
  return { ...merged, title, theme: canonicalTheme(theme), minifigsCount, itemClass };
}

/** The aliases of all sources are combined. */
export function mergeMinifig(records: MinifigRecords): MinifigFacts {
  const [first, ...others] = records;
  if (!first) throw new Error('An item has no record to be made from.');
  if (others.length === 0) return first.facts;
  const deciders = minifigDeciders(records);
  const merged: Record<string, unknown> = { ...first.facts };
  for (const field of fieldsOf(minifigPrecedence)) {
    merged[field] = deciders.get(field)?.facts[field] ?? null;
  }
  merged.aliases = [...new Set(records.flatMap(({ facts }) => facts.aliases))];
  return merged as unknown as MinifigFacts;
}

export function setDeciders(records: SetRecords): Deciders<SetField, SetDescription> {
  const deciders = new Map(decidersOf(setPrecedence, records, setValue));
  settleRetirement(records, deciders);
  const counter = minifigCounter(records, deciders.get('minifigs')?.facts.minifigs ?? null);
  if (counter) deciders.set('minifigsCount', counter);
  else deciders.delete('minifigsCount');
  return deciders;
}

/** The record with the number of minifigs; null: the length of the list, if there is one. */
function minifigCounter(
  records: SetRecords,
  minifigs: SetDescription['minifigs'],
): SourceRecord<SetDescription> | null {
  const ranked = inPrecedence(records, sourcesFor('minifigsCount'));
  return ranked.find((record) => countsMinifigs(record, minifigs?.length ?? 0)) ?? null;
}

/** A set is on sale or retired: the higher-ranked source decides, unless retirement is early. */
function settleRetirement(
  records: SetRecords,
  deciders: Map<SetField, SourceRecord<SetDescription>>,
): void {
  const retirement = deciders.get('retireDate');
  const onSale = deciders.get('isOnSale');
  if (onSale && retirement) {
    const [first] = inPrecedence([onSale, retirement], sourcesFor('retireDate'));
    const isStillSold = first === onSale || isEarly(deciders);
    deciders.delete(isStillSold ? 'retireDate' : 'isOnSale');
  }
  if (retirement && deciders.has('retireDate')) {
    // LEGO's own shop was observed; other sources may report plans, so they count only if early.
    const isShop = ({ source }: SourceRecord<SetDescription>) => shopSources.includes(source);
    const candidates = isEarly(deciders) ? records : records.filter(isShop);
    deciders.set('retireDate', latestRetirement(candidates, retirement));
  }
}

function sourcesFor(field: SetField): readonly string[] {
  return setPrecedence.find(({ fields }) => fields.includes(field))?.sources ?? [];
}

/**
 * Whether the chosen retirement is so soon after the release that it may be a plan, or the end of a
 * first batch. It then yields to any source with a later one.
 */
function isEarly(deciders: Deciders<SetField, SetDescription>): boolean {
  return isEarlyRetirement({
    retireDate: deciders.get('retireDate')?.facts.retireDate ?? null,
    releaseDate: deciders.get('releaseDate')?.facts.releaseDate ?? null,
    year: deciders.get('year')?.facts.year ?? null,
  });
}

/** The decider's own record if none has a later date. */
function latestRetirement(
  records: SetRecords,
  decider: SourceRecord<SetDescription>,
): SourceRecord<SetDescription> {
  const dateOf = ({ facts }: SourceRecord<SetDescription>) => facts.retireDate ?? '';
  return records.reduce((a, b) => (dateOf(b) > dateOf(a) ? b : a), decider);
}

export function minifigDeciders(records: MinifigRecords): Deciders<MinifigField, MinifigFacts> {
  return decidersOf(minifigPrecedence, records, (facts, field) => facts[field]);
}

/** The source of the set's list of minifigs; null if no source has one. */
export function minifigLister(records: SetRecords): string | null {
  const ranked = inPrecedence(records, sourcesFor('minifigs'));
  return ranked.find(({ facts }) => facts.minifigs !== null)?.source ?? null;
}

export function setValue(facts: SetDescription, field: SetField): unknown {
  return (isBoxField(field) ? facts.box?.[boxPart(field)] : facts[field]) ?? null;
}

/** In the order of the table. */
export function fieldsOf<Field extends string>(rules: readonly PrecedenceRule<Field>[]): Field[] {
  return rules.flatMap(({ fields }) => fields);
}

function decidersOf<Field extends string, Facts>(
  rules: readonly PrecedenceRule<Field>[],
  records: readonly SourceRecord<Facts>[],
  valueIn: (facts: Facts, field: Field) => unknown,
): Deciders<Field, Facts> {
  const deciders = new Map<Field, SourceRecord<Facts>>();
  for (const { fields, together, sources } of rules) {
    const ranked = inPrecedence(records, sources);
    const knows = (record: SourceRecord<Facts>, field: Field) =>
      valueIn(record.facts, field) !== null;
    const whole =
      together.length > 0 && ranked.find((record) => together.every((f) => knows(record, f)));
    for (const field of fields) {
      const decider = whole || ranked.find((record) => knows(record, field));
      if (decider && knows(decider, field)) deciders.set(field, decider);
    }
  }
  return deciders;
}

function setFields(records: SetRecords): Omit<SetDescription, 'number'> {
  const deciders = setDeciders(records);
  const merged: Record<string, unknown> = {};
  const box: Record<string, unknown> = {};
  let hasBox = false;
  for (const field of fieldsOf(setPrecedence)) {
    const decider = deciders.get(field);
    const value = decider ? setValue(decider.facts, field) : null;
    if (!isBoxField(field)) merged[field] = value;
    else {
      box[boxPart(field)] = value;
      hasBox ||= value !== null;
    }
  }
  merged.box = hasBox ? box : null;
  return merged as unknown as Omit<SetDescription, 'number'>;
}

type BoxField = Extract<SetField, `box.${string}`>;

function isBoxField(field: SetField): field is BoxField {
  return field.startsWith('box.');
}

function boxPart(field: BoxField): keyof Box {
  return field.slice('box.'.length) as keyof Box;
}
