/** Sets as cards show them. */
import type { MinifigSearchResult, SetSearchResult } from '../../contract/catalog.ts';
import type { LinkedItem } from './item-links.tsx';

/** What goes with the number of a set: its year, and whether it can still be bought. */
export function aboutSet({ year, retired }: SetSearchResult): string {
  return [year, retired ? 'retired' : null].filter((part) => part !== null).join(', ');
}

/** A set that was found. */
export function setCard(row: string): LinkedItem {
  const set: SetSearchResult = JSON.parse(row);
  return { number: set.set_number, name: set.title, about: aboutSet(set) };
}

/** A minifig that was found. */
export function minifigCard(row: string): LinkedItem {
  const { minifig_number: number, name, year_released }: MinifigSearchResult = JSON.parse(row);
  return { number, name, about: year_released === null ? null : String(year_released) };
}
