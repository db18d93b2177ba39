/** Themes as links, each with how many sets it has. */
import type { ThemeList } from '../../contract/catalog.ts';
import { countText } from '../../domain/kernel/format.ts';
import { themePath } from '../kit/links.tsx';

/** A list of themes. */
export function ThemeLinks({ themes }: { readonly themes: ThemeList['themes'] }) {
  return (
    <ul class="themes">
      {themes.map(({ theme, set_count }) => (
        <li key={theme}>
          <a href={themePath(theme)}>
            <span class="item-name">{theme}</span>
            <span class="quiet">{setsText(set_count)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** How many sets there are, in words. */
export function setsText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'set' : 'sets'}`;
}
