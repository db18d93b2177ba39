/**
 * Collectible minifigs: a bag or box with one minifig is a set, and its minifig has a number of its
 * own. Both are the same thing to a collector.
 */
import { type SetRecords, setDeciders } from './merge.ts';
import { canonicalTheme } from './themes.ts';

const collectibleTheme = 'Collectible Minifigures';

/** Whether a set is one collectible minifig; a series, a box or a random bag is not. */
export function isCollectible(records: SetRecords): boolean {
  const deciders = setDeciders(records);
  const theme = deciders.get('theme')?.facts.theme ?? null;
  const count = deciders.get('minifigsCount')?.facts.minifigsCount ?? 1;
  return theme !== null && canonicalTheme(theme) === collectibleTheme && count === 1;
}
