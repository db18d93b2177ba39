/** A real Chromium for tests: the machine's own, installed where that is possible. */
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

/** Chromium without the parts that only a window needs takes a third of the time. */
const shells = ['/usr/bin/chromium-headless-shell'];

const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

let found: string | null = null;

/** Where a Chromium is; installs Debian's where there is none and we may; null for none. */
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
 * One process for everything but the pages: starting and asking others takes a quarter more. No
 * page is open for so long that the optimizing compilers save what they cost.
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

/** How long the browser may take for anything on a busy machine. */
const timeout = 150_000;

/**
 * Starts a browser. One that does not draw lays pages out in half the time, which is enough to look
 * at them with scripts; nobody can click in it.
 */
export function launchBrowser(
  executablePath: string,
  { isDrawing = true }: { readonly isDrawing?: boolean } = {},
): Promise<Browser> {
  const args = isDrawing ? flags : [...flags, '--disable-threaded-compositing'];
  return chromium.launch({ executablePath, args, timeout });
}

/** Opens a window of its own, with its own cookies. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(timeout);
  return context;
}

/** What pages asked for, and what went wrong in them. */
export class PageLog {
  /** Errors of scripts, and what the policy of contents refused. */
  readonly complaints: string[] = [];
  /** The hosts that something was asked of. */
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

/** Takes the session of a visitor into a browser. */
export function enterAs(context: BrowserContext, { cookies }: Visitor, url: string): Promise<void> {
  return context.addCookies(Array.from(cookies, ([name, value]) => ({ name, value, url })));
}

/**
 * Suites of a real browser. Where none is found they are skipped under a title that says so, or
 * fail where one is required, as in CI.
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
