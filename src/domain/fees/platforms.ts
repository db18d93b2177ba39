/** The platforms on which people sell. */

/** Where a sale may have happened. */
export const platforms = [
  'ebay',
  'bricklink',
  'brick_owl',
  'amazon',
  'facebook',
  'mercari',
  'whatnot',
  'local',
  'other',
] as const;
export type Platform = (typeof platforms)[number];

/** What platforms are called. */
export const platformNames: Readonly<Record<Platform, string>> = {
  ebay: 'eBay',
  bricklink: 'BrickLink',
  brick_owl: 'Brick Owl',
  amazon: 'Amazon',
  facebook: 'Facebook Marketplace',
  mercari: 'Mercari',
  whatnot: 'Whatnot',
  local: 'Local pickup',
  other: 'Other',
};

/** Platforms with their names, to choose from. */
export const platformChoices = platforms.map((platform) => {
  return [platform, platformNames[platform]] as const;
});
