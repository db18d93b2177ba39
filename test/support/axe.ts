/** What axe finds in a page of a real browser, and whether the page is wider than its window. */
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axeScript = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The serious faults of the page that is open, each with the place it has on it. */
export async function findFaults(page: Page): Promise<string[]> {
  // The policy of contents keeps scripts out of pages; the browser's own tools are not bound.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) await page.evaluate(axeScript);
  const { violations, passes, isWide } = await page.evaluate(async () => {
    const { axe, document } = globalThis as unknown as InPage;
    // Naming every element that passes would take longer than looking at it.
    const { violations, passes } = await axe.run({ resultTypes: ['violations'] });
    const { scrollWidth, clientWidth } = document.documentElement;
    return { violations, passes: passes.length, isWide: scrollWidth > clientWidth };
  });
  // Otherwise it has looked at nothing.
  expect(passes).toBeGreaterThan(10);
  const serious = violations.filter(({ impact }) => /serious|critical/.test(impact ?? ''));
  const faults = serious.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
  return isWide ? [...faults, 'wider than the window'] : faults;
}

interface Finding {
  readonly id: string;
  readonly impact?: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** What a page has, as far as tests ask for it. */
interface InPage {
  readonly axe: {
    run(options: {
      readonly resultTypes: readonly string[];
    }): Promise<{ readonly violations: Finding[]; readonly passes: readonly unknown[] }>;
  };
  readonly document: {
    readonly documentElement: { readonly scrollWidth: number; readonly clientWidth: number };
  };
}
