/** Search facts of an item: names and themes of all its sources, and its interest. */

import { minifigInterest, setInterest } from '../catalog/interest/interest.ts';
import { type MinifigFacts, releaseYear, type SetFacts } from '../catalog/items/catalog.ts';
import type { MinifigRecords, SetRecords } from '../catalog/items/merge.ts';
import type { SearchFacts } from '../catalog/search/search-entry.ts';
import { searchWords } from '../catalog/search/search-words.ts';
import { dayMs } from '../kernel/time.ts';
import type { MinifigValuation } from '../market/values/estimator.ts';
import type { LearningInputs } from '../market/values/learning-inputs.ts';

/** The interest in an item depends on its sales in this many days. */
const soldDays = 365;

export function setSearchFacts(inputs: LearningInputs, facts: SetFacts, at: number): SearchFacts {
  const records = inputs.records as SetRecords;
  const { title, theme, subtheme, msrpCents, pieces } = facts;
  const year = releaseYear(facts);
  return {
    otherNames: others(
      title,
      records.map((record) => record.facts.title),
    ),
    subthemes: distinct([subtheme, ...records.map((record) => record.facts.subtheme)]),
    year,
    themes: distinct([theme, ...records.map((record) => record.facts.theme)]),
    interest: setInterest({ sold: countSold(inputs, at), msrpCents, pieces, year }),
  };
}

export function minifigSearchFacts(
  inputs: LearningInputs,
  details: {
    readonly facts: MinifigFacts;
    readonly value: MinifigValuation['value'];
    readonly at: number;
  },
): SearchFacts {
  const { facts, value, at } = details;
  const records = inputs.records as MinifigRecords;
  return {
    otherNames: others(
      facts.name,
      records.map((record) => record.facts.name),
    ),
    subthemes: distinct(records.map((record) => record.facts.category)),
    themes: [],
    year: facts.yearReleased,
    interest: minifigInterest({
      sold: countSold(inputs, at),
      valueCents: value?.valueCents ?? null,
      sets: inputs.related.length,
      year: facts.yearReleased,
    }),
  };
}

function countSold({ sales }: LearningInputs, at: number): number {
  const since = at - soldDays * dayMs;
  let sold = 0;
  for (const sale of sales) {
    if (sale.retractedAt === null && sale.soldAt > since && sale.soldAt <= at) sold++;
  }
  return sold;
}

function others(name: string, names: readonly (string | null)[]): string[] {
  return distinct([name, ...names]).filter((text) => text !== name);
}

/** Texts that differ for search, each in its first spelling. */
function distinct(texts: readonly (string | null)[]): string[] {
  const byWords = new Map<string, string>();
  for (const text of texts) {
    const words = searchWords(text ?? '').join(' ');
    if (text !== null && words !== '') byWords.getOrInsert(words, text);
  }
  return [...byWords.values()];
}
