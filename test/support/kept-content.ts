/**
 * What the store of a release contains, for `npm run store-of-release`: a small market with a
 * sealed history, and accounts that used everything, made by the commands, pages and steps of
 * processes that make it in production.
 */
import { demoCollection, demoMarket, makeDemoWorld } from '../../simulator/market/demo-world.ts';
import { makeWatchLists } from '../../simulator/market/watch-lists.ts';
import { createKey } from '../../src/accounts/keys/api-keys.work.ts';
import type { TokenHash } from '../../src/accounts/sign-in/session.ts';
import { totpCode, totpStep } from '../../src/accounts/sign-in/totp.ts';
import { type AlertDeps, alertStep } from '../../src/alerts/conditions/alerts.work.ts';
import { toItem } from '../../src/buying/prices/resale-item.work.ts';
import { sheetFiles } from '../../src/contract/sheet-files.ts';
import { dayMs, dayOf, hourMs, parseInstant } from '../../src/kernel/time.ts';
import { positionBefore } from '../../src/market/events/events.ts';
import { valueEngine } from '../../src/market/values/engine.ts';
import { countHolders } from '../../src/portfolio/interest/interest.work.ts';
import { makePublisher } from '../../src/publish/publisher.work.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Store } from '../../src/store/store.ts';
import { afterSuccess } from '../../src/sync/state-changes.ts';
import { AlertOwner } from './alerts.ts';
import { fromBase32 } from './base32.ts';
import { anUnusualLot } from './builders.ts';
import type { Workplace } from './cli.ts';
import { feedOf } from './full-place.ts';
import { bargains, castle, smallCollection, smallMarket } from './market.ts';
import { hiddenFields, lotIds } from './owner-pages.ts';
import { addAccountWithPassword, password } from './passwords.ts';
import { plainPng } from './png.ts';
import { publishSettings } from './publish-settings.ts';
import { testEncrypter } from './server-settings.ts';
import { addLink, addMember, invite } from './sharing.ts';
import { type Fields, type Site, sendFile, startSite, type Visitor } from './site.ts';
import { onTables } from './tables.ts';
import type { FeedLine } from './world.ts';

/** The time of the last row, at which the answers are recorded and compared. */
export const keptNow = '2026-11-15T12:00:00Z';

const sealedNow = '2026-10-20T12:00:00Z';

/** Ann has most; Bob signs in in other ways, and Ann shares with him; Cleo owns nothing. */
export const owner = 'ann@example.com';
const member = 'bob@example.com';
const newcomer = 'cleo@example.com';
export const accountsWithKey: readonly string[] = [owner, member, newcomer];
/** Closes the account. */
const leaver = 'dan@example.com';

/** API keys by account, and addresses that no page leads to. */
export interface KeptAccess {
  readonly madeUpKeys: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
}

const demo = makeDemoWorld({
  seed: 3,
  today: dayOf(parseInstant(keptNow) ?? 0) * dayMs,
  size: { sets: 12, minifigs: 8, years: 2, salesPerSet: 25 },
});

/** Fills the store in the data folder of a place. */
export async function fillKeptStore(place: Workplace): Promise<KeptAccess> {
  await importMarket(place);
  await importOwn(place);
  const open = async () => openSqliteStore(place.data);
  const site = await startSite({ sendMail: async () => {} }, valueEngine, open);
  try {
    const madeUpKeys = await addKeys(site.world.store, site.world.now);
    const ann = await signIn(site, owner);
    await useAsOwner(site, ann);
    const shared = await addShared(site, ann);
    const sheets = await addSheets(ann);
    await signInInOtherWays(site);
    await runSteps(site);
    await callOften(site, madeUpKeys[owner] ?? '');
    await addByHand(place.data);
    return { madeUpKeys, paths: [...shared, ...sheets] };
  } finally {
    await site.close();
  }
}

/** Half of the market is imported before history is sealed, half after a month became final. */
async function importMarket(place: Workplace): Promise<void> {
  const market = [...demoMarket(demo)] as FeedLine[];
  const isLater = ({ kind, sold_at, observed_at, date }: FeedLine) =>
    kind === 'retract' || /^2026-1[01]/.test(String(sold_at ?? observed_at ?? date));
  const load = (lines: readonly FeedLine[], now: string) =>
    place.json(['import', 'feed', '-', '--strict'], { stdin: feedOf(lines), now });
  await load(
    market.filter((line) => !isLater(line)),
    sealedNow,
  );
  await place.json(['history', 'seal'], { now: sealedNow });
  await load([...market.filter(isLater), ...smallMarket, ...bargains], keptNow);
  const restated = ['history', 'restate', '--from', '2026-10', '--reason', 'Wrong prices'];
  await place.json(restated);
  const waiting = { kind: 'sale', source: 'shop', source_id: 'dirhams', item_type: 'set' };
  const sale = { ...waiting, item: castle, condition: 'used', price: 400, currency: 'AED' };
  await load([{ ...sale, sold_at: '2026-11-10T10:00:00Z' }], keptNow);
  await place.json(['minifigs', 'part', 'cas001', 'cas002']);
  const notice = ['notice', 'add', 'Planned work', '--text', 'Pages may be slow.'];
  await place.json([...notice, '--until', '2026-11-20T12:00:00Z']);
}

async function importOwn(place: Workplace): Promise<void> {
  const { accounts, close } = openSqliteStore(place.data);
  const at = parseInstant(keptNow) ?? 0;
  for (const email of accountsWithKey) {
    const plan = email === newcomer ? 'free' : 'reseller';
    await addAccountWithPassword(accounts, { email, plan, isOperator: email === owner, at });
  }
  await close();
  await place.json(['account', 'add', leaver]);
  await place.json(['account', 'remove', leaver, '--yes']);
  const roll = await place.json<{ key_id: number }>(['key', 'add', owner, '--name', 'Rolled']);
  await place.json(['key', 'roll', `${roll.key_id}`]);
  const revoked = await place.json<{ key_id: number }>(['key', 'add', owner, '--name', 'Revoked']);
  await place.json(['key', 'revoke', `${revoked.key_id}`]);
  await place.json(['account', 'password', newcomer, '--link']);
  await place.json(['account', 'invite', '--plan', 'reseller']);
  const lines = [...demoCollection(demo, owner), ...smallCollection(member)] as FeedLine[];
  await place.json(['import', 'feed', '-', '--strict'], { stdin: feedOf(lines) });
}

/** Fixed bytes instead of random ones, so that a key is the same each time. */
async function addKeys(store: Store, at: number): Promise<Record<string, string>> {
  const keys: Record<string, string> = {};
  for (const [index, email] of accountsWithKey.entries()) {
    const terms = { name: 'Made up', allowance: 1_000_000, expiresAt: null, at };
    const bytes = (count: number) => new Uint8Array(count).fill(index + 1);
    const made = await createKey(store.accounts, { email, ...terms }, bytes);
    if ('refusal' in made) throw new Error(made.refusal);
    keys[email] = made.key;
  }
  return keys;
}

async function signIn(site: Site, email: string): Promise<Visitor> {
  const visitor = site.visitor();
  await send(visitor, '/sign-in', '/sign-in', { email, password });
  return visitor;
}

/** Submits a form of a page; throws if it is refused. */
async function send(
  visitor: Visitor,
  page: string,
  action = page,
  typed: Readonly<Record<string, string>> = {},
) {
  const sent = await visitor.submit(await visitor.get(page), action, typed);
  if (sent.status === 303 || sent.status === 200) return sent;
  throw new Error(`${action} was answered with ${sent.status}: ${sent.html.slice(0, 2_000)}`);
}

async function useAsOwner(site: Site, ann: Visitor): Promise<void> {
  const { store, now } = site.world;
  const { accounts } = store;
  const id = await site.addAccount(owner);
  for (const { name, items } of makeWatchLists(demo.world, demo.catalog)) {
    const list = await accounts.addWatchList(id, { name, at: now });
    if (typeof list === 'string') throw new Error(list);
    await accounts.saveWatchedItems(id, list.id, { items, at: now });
  }
  const set = { set: castle, quantity: '2', condition: 'sealed', status: 'owned', price: '100' };
  await send(ann, '/inventory/add', '/inventory/add', set);
  await send(ann, '/account/buying', '/account/buying', { margin: '35' });
  await send(ann, '/deals', '/deals/skip');
  await send(ann, '/evaluate', '/evaluate', { items: `${castle} sealed\n8101 used`, cost: '20' });
  const receipt = { items: `${castle} used $20\n8101 sealed $30`, store: 'Flea market' };
  await send(ann, '/purchases/new', '/purchases/new', receipt);
  await send(ann, '/scan/barcodes/5702000000022', '/scan/barcodes/5702000000022', { set: '8101' });
  const tokens = hiddenFields((await ann.get('/inventory/import')).html);
  await ann.post('/inventory/views?condition=used&sort=-value', { ...tokens, name: 'Used' });
  const file = new File([feedOf([{ kind: 'brickfolio', name: 'Loft' }])], 'mine.ndjson');
  await sendFile(site, { visitor: ann, action: '/inventory/import', fields: tokens, file });
  await editLots(site, ann);
}

/** Two lots with photos: one gets every detail, the other is deleted, which can be undone. */
async function editLots(site: Site, ann: Visitor): Promise<void> {
  const [first = 0, second = 0] = lotIds((await ann.get('/inventory?view=all')).html);
  for (const [index, lot] of [first, second].entries()) {
    const file = new File([plainPng({ width: 30 + index, height: 20 })], 'box.png');
    const fields = hiddenFields((await ann.get('/inventory/import')).html);
    await sendFile(site, { visitor: ann, action: `/lots/${lot}/photos`, fields, file });
  }
  const { notes, tags, place, boughtAt, listedAt, listingUrl } = anUnusualLot();
  const told = { notes, tags, place, bought_at: boughtAt, grade: 'damaged_box' };
  const listed = { status: 'listed', listed_at: listedAt, listing_url: listingUrl };
  const details = { ...told, ...listed, asking_price_usd: '19.99', own_1: '=1, "quoted"' };
  await send(ann, `/lots/${first}/edit`, `/lots/${first}/edit`, details as Fields);
  await send(ann, `/inventory/delete?lots=${second}`);
}

/** Uses up a small allowance, which is noticed, and has the server write to each file. */
async function callOften({ world }: Site, key: string): Promise<void> {
  const small = await world.addKey(owner, { name: 'Small', allowance: 1 });
  await world.call(`/set/${castle}`, small);
  await world.call('/api/plus/v1/notices', key);
  await fetch(`${world.url}/readyz`);
}

/** Links to a collection and to a box, and a collection that Bob accepted. */
async function addShared(site: Site, ann: Visitor): Promise<string[]> {
  const [collection = ''] =
    /\/collections\/\d+/.exec((await ann.get('/inventory/collections')).html) ?? [];
  const lots = await addLink(ann, collection, { costs: true, expires: '2027-12-31' });
  await invite(ann, collection, { email: newcomer });
  const box = await addLink(ann, '/evaluate/1');
  await addMember(ann, await signIn(site, member), collection);
  return [lots, `${lots}/sales`, box];
}

/** A spreadsheet link to each file; returns their paths. */
async function addSheets(ann: Visitor): Promise<string[]> {
  const address = '/keys/spreadsheets';
  const paths: string[] = [];
  for (const content of Object.keys(sheetFiles)) {
    const { goTo } = await send(ann, address, address, { name: content, content });
    const [path = ''] = /\/csv\/[^/]+\/[\w-]+\.csv/.exec((await ann.get(`${goTo}`)).html) ?? [];
    paths.push(content === 'values' ? `${path}?sets=${castle},8101&minifigs=cas001` : path);
  }
  return paths;
}

/** Bob's authenticator app and what waits for its code, a passkey, and an identity. */
async function signInInOtherWays(site: Site): Promise<void> {
  const { accounts } = site.world.store;
  const at = site.world.now;
  const id = await site.addAccount(member);
  const bob = await signIn(site, member);
  const page = '/account/authenticator';
  await send(bob, page, `${page}/start`, { password });
  const shown = await bob.get(page);
  const secret = fromBase32(/id="key">([^<]+)</.exec(shown.html)?.[1] ?? '');
  await bob.submit(shown, `${page}/confirm`, { code: totpCode(secret, totpStep(at)) });
  await signIn(site, member);
  const wrong = site.visitor();
  await wrong.submit(await wrong.get('/sign-in'), '/sign-in', { email: owner, password: 'wrong' });
  const key = { publicKey: new Uint8Array(77).fill(1), counter: 1, createdAt: at } as const;
  await accounts.addPasskey(id, { name: 'Phone', credentialId: 'made-up', ...key });
  const hash = new Uint8Array(32).fill(2) as TokenHash;
  await accounts.addChallenge({ hash, accountId: id, expiresAt: at + hourMs });
  await accounts.linkIdentity(id, { issuer: 'https://id.example.com', subject: 'bob', at });
}

/** What helper processes do: alerts, webhooks, bulk files, counts, checkpoints, and a source. */
async function runSteps({ world }: Site): Promise<void> {
  const { market, accounts, sync } = world.store;
  const { id } = (await accounts.findAccount(owner, world.now)) ?? { id: 0 };
  world.now -= hourMs;
  await addAlerts(world.store, { id, at: world.now });
  world.now += hourMs;
  const at = world.now;
  const bargain = bargains.find(({ kind, set_number: set }) => kind === 'offer' && set === '8101');
  await world.load([{ ...bargain, observed_at: new Date(at).toISOString(), price: 30 }]);
  const deps: AlertDeps = {
    market,
    accounts,
    clock: () => at,
    baseUrl: 'https://brickmark.example.com',
    makeToken: () => ({ token: 'made-up', hash: new Uint8Array(32) as TokenHash }),
    readResale: (record) => toItem('set', record).resale.sealed,
    ...publishSettings,
  };
  while (await alertStep(deps));
  const settings = { engine: valueEngine, ...publishSettings, checkpointRowsMin: 5 };
  await makePublisher(market, settings, () => at).publishAll();
  await world.makeBulkFiles();
  await market.addLookUps([{ kind: 'set', key: castle, times: 3 }], dayOf(at));
  await countHolders({ market, accounts, clock: () => at }, async () => {});
  const [key] = (await accounts.listKeys(owner, at)) ?? [];
  const used = { accountId: id, keyId: key?.id ?? 0, endpoint: 'getSet' };
  await accounts.addEndpointUses([{ ...used, calls: 3, cost: 3, errors: 1 }], dayOf(at));
  const question = { kind: 'set', key: castle, topic: 'sold' } as const;
  const success = { at, nextAt: at + dayMs, cursor: '2026-11-15' };
  await sync.changeSource('ebay', (before) => afterSuccess(before, success));
  await sync.saveAnswers('ebay', { at, known: [question], unknown: [] });
  await market.saveBulkExport({
    target: '/srv/bulk',
    edition: null,
    exportedAt: null,
    failures: 1,
    failedAt: at,
    error: 'The disk is full.',
  });
  const lease = { holder: 'a process that ended', at, until: at + 1 };
  await market.takeLease({ name: 'upkeep', ...lease });
  await accounts.takeLease({ name: 'delivery', ...lease });
}

/** Rules with a channel, and a webhook that was tried once. */
async function addAlerts({ accounts }: Store, { id, at }: { id: number; at: number }) {
  const own = new AlertOwner(accounts, id, at);
  const email = await own.email();
  await own.rule({ name: 'Any price', channelIds: [email], digest: 'weekly', repeatDays: 7 });
  const listId = await own.list('Wanted', { 8101: 35_00, [castle]: null });
  await own.rule({ name: 'Theme', scope: { kind: 'theme', theme: 'Harbors' } });
  await own.rule({ name: 'Flip', condition: { kind: 'flip', to: 'retailer' } });
  await own.rule({ name: 'Rise', condition: { kind: 'value_up', percent: 10.5 } });
  const atTarget = {
    scope: { kind: 'list', listId },
    condition: { kind: 'price_target' },
  } as const;
  await own.rule({ name: 'At my target', channelIds: [email], ...atTarget }, [
    { itemKind: 'set', itemKey: castle, retailer: 'retailer_a', baseCents: null },
  ]);
  await accounts.saveRegion(id, { timeZone: 'Europe/Berlin', currency: 'EUR', locale: 'de-DE' });
  await accounts.saveAlertSettings(id, {
    timeZone: 'Europe/Berlin',
    quiet: { from: 22 * 60, until: 7 * 60 },
  });
  const seal = (text: string, purpose: 'address' | 'secret') =>
    testEncrypter.encrypt(text, { accountId: id, purpose });
  const webhook = await accounts.addDeliveryChannel(id, {
    kind: 'webhook',
    name: 'Shop',
    address: seal('https://hooks.example.com/made-up', 'address'),
    secret: seal('whsec_bWFkZSB1cA==', 'secret'),
    subscription: { kinds: ['deal.open', 'retail.price'], scope: 'all' },
    position: positionBefore(at),
    notices: ['quota.reached'],
    at,
  });
  if (typeof webhook === 'string') throw new Error(webhook);
  const delivery = await accounts.addTest(id, webhook.id, at);
  if (typeof delivery !== 'number') throw new Error(delivery);
  const tried = { triesBefore: 0, state: 'done', tries: 1, dueAt: at, triedAt: at } as const;
  const works = { stateReason: null, failingSince: null, failures: 0, retryAt: null };
  const channel = {
    id: webhook.id,
    kind: 'webhook',
    stateBefore: 'active',
    state: 'active',
  } as const;
  const answered = { id: delivery, ...tried, answerStatus: 200, answer: 'OK' };
  await accounts.saveTried([{ ...channel, ...works, deliveries: [answered] }]);
}

/**
 * Rows that take months of sales, or a failure, to appear: what damage costs, how deals ended, a
 * document that was withdrawn, and a copy of the bulk files.
 */
async function addByHand(data: string): Promise<void> {
  const rows = [
    "grade_effect VALUES ('damaged_box', 0.8123, 60)",
    "deal_score SELECT max(week), 'high', 100, 3, 2, 1 FROM score",
    "removed_document SELECT 'retail', 'withdrawn', max(stamp), 1 FROM bulk_file",
  ];
  for (const row of rows) await onTables(data, `INSERT INTO ${row}`);
}
