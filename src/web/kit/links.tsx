/** Links and addresses that many pages have. */
import type { ItemKind } from '../../catalog/items/numbers.ts';

export function itemPath(kind: ItemKind, number: string): string {
  return `/${kind}s/${encodeURIComponent(number)}`;
}

export function themePath(theme: string): string {
  return `/themes/${encodeURIComponent(theme)}`;
}

/** A link to another site, named by its host. */
export function OutsideLink({ href }: { readonly href: string }) {
  return (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank">
      {new URL(href).host}
    </a>
  );
}
