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
  const { theme = null } = deciders.get('theme')?.facts ?? {};
  if (theme === null || canonicalTheme(theme) !== collectibleTheme) return false;
  // Catalogs use some numbers for different things, so only the title that is shown counts.
  const { title = null } = deciders.get('title')?.facts ?? {};
  if (severalOrRandom.test(title ?? '')) return false;
  const { minifigs = null } = deciders.get('minifigs')?.facts ?? {};
  return minifigs?.length === 1 && records.every(({ facts }) => (facts.minifigsCount ?? 1) === 1);
}

/** "Series 20 - Sealed Box", "(Box of 60)", "{Random bag}", "Series 20 - Complete". */
const severalOrRandom = /\b(boxe[ds]|box|random|complete series|collection|packs?)\b|- complete\b/i;
