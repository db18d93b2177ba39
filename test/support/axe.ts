/** Runs axe on pages in a real browser, and finds content that overflows the window. */
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axeScript = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Narrow first: a layout for a narrow window fits into a wide one, but not the other way around.
 */
const looks = [
  { name: 'dark, on a phone', colorScheme: 'dark', size: { width: 390, height: 844 }, rules: null },
  {
    name: 'light, on a desk',
    colorScheme: 'light',
    size: { width: 1200, height: 720 },
    // The elements are the same; only rules about appearance can have other results.
    rules: ['color-contrast', 'scrollable-region-focusable'],
  },
] as const;

/**
 * Serious faults in both looks. The page is loaded once and then resized, so axe is compiled once.
 */
export async function findFaultsInLooks(
  page: Page,
  show: () => Promise<unknown>,
): Promise<string[]> {
  const found: string[] = [];
  for (const { name, colorScheme, size, rules } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    if (name === looks[0].name) await show();
    for (const fault of await findFaults(page, rules)) found.push(`${name}: ${fault}`);
  }
  return found;
}

async function findFaults(page: Page, rules: readonly string[] | null): Promise<string[]> {
  // The content security policy blocks injected scripts, but not `evaluate`.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) await page.evaluate(axeScript);
  const { violations, passes, isWide } = await page.evaluate(async (runOnly) => {
    const { axe, document } = globalThis as unknown as InPage;
    // Listing every element that passes would take longer than checking it.
    const resultTypes = ['violations'];
    // Leaves out rules that can only have minor or moderate faults.
    const slight = axe._audit.rules.filter(({ impact }) => /minor|moderate/.test(impact ?? ''));
    const rules = Object.fromEntries(slight.map(({ id }) => [id, { enabled: false }]));
    const options = runOnly === null ? { resultTypes, rules } : { resultTypes, runOnly };
    const { violations, passes } = await axe.run(options);
    const { scrollWidth, clientWidth } = document.documentElement;
    return { violations, passes: passes.length, isWide: scrollWidth > clientWidth };
  }, rules);
  // Fails if axe checked nothing.
  expect(passes).toBeGreaterThan(rules === null ? 10 : 0);
  const serious = violations.filter(({ impact }) => /serious|critical/.test(impact ?? ''));
  const faults = serious.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
  if (isWide) faults.push('wider than the window');
  return [...faults, ...(await findMenusOutside(page))];
}

/** Open menus that extend beyond the window. */
function findMenusOutside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as InPage;
    const { clientWidth } = document.documentElement;
    const outside: string[] = [];
    for (const menu of document.querySelectorAll('details.menu:not(details:not([open]) *)')) {
      menu.open = true;
      const items = menu.querySelector('.menu-items')?.getBoundingClientRect();
      menu.open = false;
      if (items && (items.left < 0 || items.right > clientWidth)) {
        outside.push(`menu outside of the window: ${menu.textContent.slice(0, 40)}`);
      }
    }
    return outside;
  });
}

interface AxeViolation {
  readonly id: string;
  readonly impact?: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

interface Menu {
  open: boolean;
  readonly textContent: string;
  querySelector(selector: string): {
    getBoundingClientRect(): { readonly left: number; readonly right: number };
  } | null;
}

/** The globals of a page that are used here. */
interface InPage {
  readonly axe: {
    readonly _audit: {
      readonly rules: readonly { readonly id: string; readonly impact: string | null }[];
    };
    run(options: {
      readonly resultTypes: readonly string[];
      readonly runOnly?: readonly string[];
      readonly rules?: Readonly<Record<string, { readonly enabled: boolean }>>;
    }): Promise<{ readonly violations: AxeViolation[]; readonly passes: readonly unknown[] }>;
  };
  readonly document: {
    readonly documentElement: { readonly scrollWidth: number; readonly clientWidth: number };
    querySelectorAll(selector: string): readonly Menu[];
  };
}
