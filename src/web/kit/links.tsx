/** Links and addresses that many pages have. */
import type { ItemKind } from '../../domain/catalog/numbers.ts';

export function itemPath(kind: ItemKind, number: string): string {
  return `/${kind}s/${encodeURIComponent(number)}`;
}

export function themePath(theme: string): string {
  return `/themes/${encodeURIComponent(theme)}`;
}
