/** Chromium for tests: the installed one, or Debian's package where it can be installed. */
import { describe, test } from 'bun:test';
import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { installPackages } from './apt.ts';
import type { Visitor } from './site.ts';

/** Headless shell takes a third of the time of full Chromium. */
const shells = ['/usr/bin/chromium-headless-shell'];

const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

let found: string | null = null;

/** The path of Chromium, installed if necessary and possible; null if there is none. */
function findChromium(): string | null {
  found ??=
    findFile(shells) ??
    installed('chromium-headless-shell', shells) ??
    findFile(browsers) ??
    installed('chromium', browsers);
  return found;
}

function findFile(paths: readonly string[]): string | null {
  return paths.find((path) => existsSync(path)) ?? null;
}

function installed(name: string, paths: readonly string[]): string | null {
  installPackages(name);
  return findFile(paths);
}

/**
 * Running GPU and network in the browser process is faster by a quarter. Pages are open too briefly
 * for the optimizing compilers to pay off.
 */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--in-process-gpu',
  '--disable-software-rasterizer',
  '--enable-features=NetworkServiceInProcess2',
  '--js-flags=--no-opt --no-maglev',
];

/** Long enough for a busy machine. */
const timeout = 150_000;

/**
 * Starts a browser. Without drawing, pages load in half the time and scripts can inspect them, but
 * clicks do not work.
 */
export function launchBrowser(
  executablePath: string,
  options: { readonly isDrawing?: boolean; readonly moreFlags?: readonly string[] } = {},
): Promise<Browser> {
  const { isDrawing = true, moreFlags = [] } = options;
  const args = [...flags, ...(isDrawing ? [] : ['--disable-threaded-compositing']), ...moreFlags];
  return chromium.launch({ executablePath, args, timeout });
}

/** Opens a window with its own cookies. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(timeout);
  return context;
}

/** Collects the errors and the request origins of pages. */
export class PageLog {
  /** Script errors and violations of the content security policy. */
  readonly complaints: string[] = [];
  readonly origins = new Set<string>();

  follow(page: Page): void {
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (said) => {
      if (said.type() === 'error' && !/status of 40[04]/.test(said.text())) {
        this.complaints.push(said.text());
      }
    });
    page.on('request', (request) => this.origins.add(new URL(request.url()).origin));
  }
}

/** Copies a visitor's session cookies into a browser. */
export function enterAs(context: BrowserContext, { cookies }: Visitor, url: string): Promise<void> {
  return context.addCookies(Array.from(cookies, ([name, value]) => ({ name, value, url })));
}

/**
 * Suites in a real browser. Without one they are skipped under a title that says so, or fail if
 * BRICKMARK_TEST_BROWSER is "required", as in CI.
 */
export function describeInBrowser(title: string, suites: (chromium: string) => void): void {
  const chromium = findChromium();
  if (chromium !== null) {
    describe(title, () => suites(chromium));
    return;
  }
  test.skipIf(process.env.BRICKMARK_TEST_BROWSER !== 'required')(
    `NOT RUN, since no Chromium was found: ${title}`,
    () => {
      throw new Error('A browser is required here, and none could be installed.');
    },
  );
}
