/** Limits are those that the documentation promises. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sheetLinksMax } from '../src/accounts/sheet-links/sheet-link.ts';
import { alertLimits, usualDailyCap } from '../src/alerts/conditions/alert-rule.ts';
import { notificationsKeptDays } from '../src/alerts/conditions/notification.ts';
import { deliveriesKeptDays, deliveriesKeptMax } from '../src/alerts/delivery/delivery.ts';
import { oldSecretMs } from '../src/alerts/delivery/signature.ts';
import { boxUnitsMax } from '../src/buying/boxes/box-worth.ts';
import { predictedDaysMax } from '../src/buying/prices/prediction.ts';
import { undoableMs } from '../src/ingest/runner/journal.ts';
import { countText } from '../src/kernel/format.ts';
import { dayMs, hourMs } from '../src/kernel/time.ts';
import { eventsKeptMs } from '../src/market/events/events.ts';
import { clearedTarget, judgedSalesMin } from '../src/market/published/deal-scorecard.ts';
import { gradedMs } from '../src/market/published/deals.ts';
import { tierRules } from '../src/market/values/tiers.ts';
import { editLotsMax, editsKept } from '../src/portfolio/lots/lot-edits.ts';
import { shareInvitationDays, shareLimits } from '../src/portfolio/sharing/share.ts';

const { high, medium, low } = tierRules;
const { rules, nameLength, capMax, repeatDaysMax, matches } = alertLimits;

test.each([
  ['alerts', `An account can have ${rules} alerts.`],
  ['alerts', `Names have at most ${nameLength} characters`],
  ['alerts', `repeats are at most ${repeatDaysMax} days apart`],
  ['alerts', `${usualDailyCap} by default, ${capMax} at most, per alert and day`],
  ['alerts', `is listed under **Watchlist → Fired** for ${notificationsKeptDays} days`],
  ['alerts', `For ${deliveriesKeptDays} days, the list also shows the delivery status`],
  ['account-area', `more than ${countText(matches)} matches is refused`],
  ['account-area', `You can undo the latest ${editsKept} bulk changes`],
  ['account-area', `rows and ${countText(boxUnitsMax)} units`],
  ['account-area', `can have ${shareLimits.given} shares, and accept ${shareLimits.accepted}`],
  ['account-area', `works once, for ${shareInvitationDays} days; they sign in`],
  [
    'events',
    `The latest ${countText(deliveriesKeptMax)} are listed for ${deliveriesKeptDays} days`,
  ],
  ['buying', `within ${predictedDaysMax} days of buying it keeps its prediction`],
  ['buying', `sales of the set over the next ${gradedMs / dayMs} days`],
  ['buying', `the share that kept the margin (${100 * clearedTarget}% is predicted)`],
  ['buying', `Below ${judgedSalesMin} sales, only the number of sales is shown`],
  ['events', `For ${oldSecretMs / hourMs} hours, messages are signed with both`],
  ['events', `Events are kept for ${eventsKeptMs / dayMs} days.`],
  ['run', `of at most ${countText(editLotsMax)} lots each`],
  ['run', `keeps what it replaced for ${undoableMs / dayMs} days`],
  ['valuation', `at least ${high.sales} [effective sales](#effective-sales) in new condition`],
  ['valuation', `in new condition within ${high.days} days`],
  ['valuation', `deviation of the log value of at most ${high.spread} |`],
  ['valuation', `${medium.sales} within ${medium.days} days, at most ${medium.spread} |`],
  ['valuation', `in any condition, at most ${low.spread} |`],
  ['spreadsheets', `An account can have up to ${sheetLinksMax} links.`],
])('docs/%s.md says: %s', (page, text) => {
  const docs = readFileSync(join(import.meta.dir, '../docs', `${page}.md`), 'utf8');
  expect(docs.replaceAll(/\s+/g, ' ')).toContain(text);
});
