/** Links and addresses that many pages have. */
import type { ItemKind } from '../../domain/catalog/numbers.ts';

/** The address of an item. */
export function itemPath(kind: ItemKind, number: string): string {
  return `/${kind}s/${encodeURIComponent(number)}`;
}

/** The address of a theme. */
export function themePath(theme: string): string {
  return `/themes/${encodeURIComponent(theme)}`;
}

/** The way to a list without its filters, beside what applies them. */
export function ClearFilters({ href }: { readonly href: string }) {
  return (
    <a class="clear" href={href}>
      Clear filters
    </a>
  );
}
