/** The way between the pages about alerts. */
import type { PageRequest } from '../../page.ts';

const pages = [
  ['/alerts', 'Alerts'],
  ['/alerts/sent', 'Sent'],
  ['/alerts/settings', 'Settings'],
] as const;

/** Links to the pages about alerts. */
export function AlertsNav({ path }: Pick<PageRequest, 'path'>) {
  return (
    <nav class="choices actions" aria-label="Alerts">
      {pages.map(([href, name]) => (
        <a
          key={href}
          class={path === href ? 'choice chosen' : 'choice'}
          href={href}
          aria-current={path === href ? 'page' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
