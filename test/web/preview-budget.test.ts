/** Previews and imports have a budget of CPU time per account. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { hiddenFields } from '../support/owner-pages.ts';
import { type Site, sendFile, startSite, textOf } from '../support/site.ts';

let site: Site;

beforeAll(async () => {
  // Any work uses it up, and nearly nothing grows back.
  site = await startSite({
    site: { previewBudget: { burstMs: 0.001, perSecondMs: 0.001, accounts: 9 } },
  });
});

afterAll(() => site.close());

test('an account that has used it waits, while others preview', async () => {
  const path = '/inventory/import';
  const upload = async (email: string) => {
    const visitor = await site.signedIn(email);
    const fields = hiddenFields((await visitor.get(path)).html);
    const file = new File(['set_number\n1000\n'], 'lots.csv');
    return sendFile(site, { visitor, action: path, fields, file });
  };
  expect((await upload('ann@example.com')).status).toBe(303);
  const refused = await upload('ann@example.com');
  expect(refused.status).toBe(429);
  expect(textOf(refused.html)).toMatch(/very much in a short time. Try again in \d+ minutes/);
  expect((await upload('bob@example.com')).status).toBe(303);
});
