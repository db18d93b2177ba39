/**
 * Two accounts in two networks send form after form of ten pictures that take long to decode, while
 * another account imports, adds a photo, and visitors open a page.
 */
import { lotIds } from '../../test/support/owner-pages.ts';
import { costlyPng, plainPng } from '../../test/support/png.ts';
import { helperOf } from '../../test/support/processes.ts';
import { type Ground, network, onGround, say, seconds, tally } from './ground.ts';
import { lotOf, soldSet } from './lots.ts';
import { sendFiles, uploader } from './uploads.ts';

const attackMs = 180_000;

/** As many pixels as a picture may have, and the most that are decoded in spite of their depth. */
const sides = [7_200, 5_100];

export async function photos(): Promise<void> {
  const emails = ['a@example.com', 'b@example.com', 'new@example.com'];
  const accounts = emails.map((email) => ({ email }));
  const lines = [soldSet, ...emails.flatMap(lotOf)];
  await onGround({ accounts, lines }, (ground) => attack(ground, emails));
}

async function attack({ server, signIn }: Ground, emails: readonly string[]): Promise<void> {
  const cookies: string[] = [];
  for (const email of emails) cookies.push(await signIn(email));
  const [newcomer = ''] = cookies.splice(-1);
  const upload = await uploader(server.url, newcomer);
  const addPlain = await photoSender(server.url, newcomer, network(98));
  let isOver = false;
  const pictures = sides.map((side) => costlyPng({ width: side, height: side }));
  const sent: number[] = [];
  const attackers = cookies.map(async (cookie, index) => {
    const send = await photoSender(server.url, cookie, network(index));
    for (let form = index; !isOver; form++) {
      const picture = pictures[form % pictures.length] ?? new Uint8Array();
      sent.push(await send(Array.from({ length: 10 }, () => picture)).catch(() => 0));
    }
  });
  const start = performance.now();
  const seen = { imports: [] as number[], photos: [] as number[], pages: [] as number[] };
  const times = { imports: [] as number[], photos: [] as number[], pages: [] as number[] };
  const pageProcesses = new Set<number | null>();
  const timed = async (what: keyof typeof seen, ask: () => Promise<number>) => {
    const asked = performance.now();
    seen[what].push(await ask().catch(() => 0));
    times[what].push(performance.now() - asked);
  };
  const repeat = async (what: keyof typeof seen, pauseMs: number, ask: () => Promise<number>) => {
    while (performance.now() - start < attackMs) {
      await Bun.sleep(pauseMs);
      await timed(what, ask);
      pageProcesses.add(helperOf(server.pid, 'pages'));
    }
  };
  // The same one again, because a lot has only so many photos.
  const plain = [plainPng({ width: 10, height: 10 })];
  await Promise.all([
    repeat('imports', 3_000, upload),
    repeat('photos', 5_000, () => addPlain(plain)),
    repeat('pages', 1_000, async () => (await fetch(`${server.url}/sign-in`)).status),
  ]);
  isOver = true;
  pageProcesses.delete(null);
  say('Forms of the attackers', tally(sent));
  for (const what of ['imports', 'photos', 'pages'] as const) {
    say(`${what} of others meanwhile`, tally(seen[what]));
    say('Slowest of them', seconds(Math.max(...times[what])));
  }
  say('Page processes', pageProcesses.size);
  await Promise.race([Promise.all(attackers), Bun.sleep(90_000)]);
}

/** Makes a function that adds photos to the lot of an account; it returns the status. */
async function photoSender(url: string, cookie: string, from: string) {
  const headers = { Cookie: cookie, 'X-Forwarded-For': from, Origin: url };
  const [lot] = lotIds(await (await fetch(`${url}/inventory`, { headers })).text());
  const page = await (await fetch(`${url}/lots/${lot}`, { headers })).text();
  return (pictures: readonly Uint8Array<ArrayBuffer>[]): Promise<number> => {
    const files = pictures.map((picture) => new File([picture], 'a.png'));
    return sendFiles(`${url}/lots/${lot}/photos`, { page, headers, files });
  };
}
