/**
 * Pictures of items, fetched here so that no browser of ours asks another host for anything. Only
 * from hosts that are listed, only over https, only images, bounded in size, time and number.
 */
import { BoundedMap } from '../../domain/kernel/bounded-map.ts';
import { readBounded } from '../../http/bounded-body.ts';

/** A picture with its type. */
export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** Asks another host. */
export type FetchOutside = (url: string, init: RequestInit) => Promise<Response>;

/** What pictures are fetched with. */
export interface PictureSettings {
  /** Hosts, with their port where it is not the usual one. */
  readonly hosts: readonly string[];
  readonly fetchOutside: FetchOutside;
  readonly now: () => number;
}

/** Finds the picture at an address; null when there is none that may be shown. */
export type FindPicture = (url: string) => Promise<Picture | null>;

/** A picture may be so large. */
const pictureBytesMax = 2 * 1024 * 1024;

/** All that are kept together, with their addresses, those without a picture among them. */
const keptBytesMax = 32 * 1024 * 1024;

const patienceMs = 5_000;
const redirectsMax = 3;

/** An address that had no picture is left alone for this long. */
const againMs = 10 * 60_000;

/** More are not fetched at once. Whoever comes then sees the drawing, and the picture next time. */
const fetchingMax = 8;

/** Makes what finds pictures. */
export function pictureFinder(settings: PictureSettings): FindPicture {
  const kept = new KeptPictures(settings.now);
  const fetching = new Map<string, Promise<Picture | null>>();
  return async (url) => {
    if (!isAllowed(url, settings.hosts)) return null;
    const known = kept.find(url);
    if (known !== undefined) return known;
    const pending = fetching.get(url);
    if (pending) return pending;
    if (fetching.size >= fetchingMax) return null;
    const fetched = fetchPicture(url, settings)
      .catch(() => null)
      .then((picture) => kept.add(url, picture))
      .finally(() => fetching.delete(url));
    fetching.set(url, fetched);
    return fetched;
  };
}

/** Whether an address may be asked at all. */
function isAllowed(text: string, hosts: readonly string[]): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
  return hosts.includes(url.host);
}

async function fetchPicture(
  start: string,
  { hosts, fetchOutside }: PictureSettings,
): Promise<Picture | null> {
  const signal = AbortSignal.timeout(patienceMs);
  const headers = { Accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif' };
  let url = start;
  for (let hops = 0; hops <= redirectsMax; hops++) {
    const response = await fetchOutside(url, { redirect: 'manual', signal, headers });
    const next = response.headers.get('Location');
    if (response.status >= 300 && response.status < 400 && next !== null) {
      await response.body?.cancel();
      url = URL.parse(next, url)?.href ?? '';
      if (!isAllowed(url, hosts)) return null;
      continue;
    }
    const bytes = response.status === 200 ? await readPicture(response) : null;
    const type = bytes && imageType(bytes);
    return bytes && type ? { bytes, type } : null;
  }
  return null;
}

async function readPicture(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  return readBounded(response, { bytesMax: pictureBytesMax }).catch(async () => {
    await response.body?.cancel().catch(() => {});
    return null;
  });
}

/** How files of each type begin. What is anything else, such as SVG, is not passed on. */
const signatures: readonly (readonly [type: string, beginning: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
  ['image/avif', /^[\s\S]{4}ftypavi[fs]/],
];

/** The type that the content has, whatever the other side says it is. */
function imageType(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return signatures.find(([, beginning]) => beginning.test(start))?.[0] ?? null;
}

/** What came of fetching an address, and when. */
interface Kept {
  readonly picture: Picture | null;
  readonly at: number;
}

/** Pictures that were fetched, and addresses that had none; the least lately used go first. */
class KeptPictures {
  private readonly kept = new BoundedMap<Kept>(
    keptBytesMax,
    ({ picture }) => picture?.bytes.length ?? 0,
  );

  constructor(private readonly now: () => number) {}

  find(url: string): Picture | null | undefined {
    const found = this.kept.get(url);
    if (!found) return undefined;
    this.kept.delete(url);
    if (found.picture === null && this.now() - found.at >= againMs) return undefined;
    this.kept.set(url, found);
    return found.picture;
  }

  add(url: string, picture: Picture | null): Picture | null {
    this.kept.set(url, { picture, at: this.now() });
    return picture;
  }
}
