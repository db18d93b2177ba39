/** The color theme of this browser: light, dark, or the system's. */
import type { PageTheme } from '../page.ts';
import { routes } from '../page-table.ts';
import { setCookie } from '../server/cookies.ts';
import { safeNext } from './sign-in.tsx';

const cookieName = 'brickmark_theme';
const cookieSeconds = 365 * 24 * 60 * 60;

/** Reads the theme from the cookie; null for the system's. */
export function readTheme(cookies: string | null): PageTheme | null {
  const found = /(?:^|;\s*)brickmark_theme=(light|dark)(?:;|$)/.exec(cookies ?? '')?.[1];
  return (found as PageTheme | undefined) ?? null;
}

export const themeRoutes = routes('open', {
  '/theme': {
    post: (_, { names: { isSecure }, form }) => {
      const chosen = form.text('theme');
      const theme = chosen === 'light' || chosen === 'dark' ? chosen : null;
      const cookie = setCookie(cookieName, theme, { isSecure, seconds: cookieSeconds });
      return { goTo: safeNext(form.text('next')), cookies: [cookie] };
    },
  },
});
