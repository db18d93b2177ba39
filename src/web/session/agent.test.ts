/** Short names of user agents. */
import { expect, test } from 'bun:test';
import { agentName } from './agent.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox on Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0`,
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (Linux; Android 16; K) ${webkit} Chrome/141.0 Mobile Safari/537.36`,
    'Chrome on Android',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/141.0 Safari/537.36`, 'Chrome on Linux'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} Version/19 Safari/604.1`,
    'Safari on iOS',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/19 Safari/605.1`,
    'Safari on macOS',
  ],
  ['curl/8.14.1', 'curl'],
  ['<b>', 'unknown'],
  ['', 'unknown'],
])("names browser and system of '%s', or neither", (agent, name) => {
  expect(agentName(agent)).toBe(name);
});
