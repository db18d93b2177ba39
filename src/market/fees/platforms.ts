/** The platforms on which people sell. */

export const platforms = [
  'ebay',
  'bricklink',
  'brick_owl',
  'amazon',
  'walmart',
  'facebook',
  'mercari',
  'whatnot',
  'local',
  'other',
] as const;
export type Platform = (typeof platforms)[number];

export const platformNames: Readonly<Record<Platform, string>> = {
  ebay: 'eBay',
  bricklink: 'BrickLink',
  brick_owl: 'Brick Owl',
  amazon: 'Amazon',
  walmart: 'Walmart',
  facebook: 'Facebook Marketplace',
  mercari: 'Mercari',
  whatnot: 'Whatnot',
  local: 'Local pickup',
  other: 'Other',
};
