/**
 * Fetches pictures of items, so that browsers make no requests to other hosts: only from listed
 * hosts, only over https, only images, limited in size, time and number. Pages wait for a picture
 * only for a moment, so that a host that does not respond delays no page.
 */

import { readBounded } from '../../http/bounded-body.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { minuteMs } from '../../kernel/time.ts';
import type { PictureSize } from '../kit/item-picture.tsx';
import { PictureFiles, type PictureFolder } from './picture-files.ts';
import {
  makeSizes,
  type Picture,
  pictureSizes,
  readPicture,
  type SizedPictures,
} from './picture-sizes.ts';

export type FetchOutside = (url: string, init: RequestInit) => Promise<Response>;

export interface PictureSettings {
  /** Allowed hosts, with their port unless it is the default. */
  readonly hosts: readonly string[];
  readonly fetchOutside: FetchOutside;
  readonly now: () => number;
  /** Where pictures are cached across restarts; null: only in memory. */
  readonly folder?: PictureFolder | null;
  /** Replaced in tests. */
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** A picture; null if there is none, `pending` while it is being fetched. */
export type FoundPicture = Picture | null | 'pending';

export type FindPicture = (url: string, size: PictureSize) => Promise<FoundPicture>;

const pictureBytesMax = 2 * 1024 * 1024;

/** The maximum size of the cache in memory, including URLs without a picture. */
const keptBytesMax = 32 * 1024 * 1024;

/** How long a request waits for a picture: it blocks one of a browser's six connections. */
const waitingMs = 300;

const patienceMs = 5_000;
const redirectsMax = 3;

/** How long a URL without a picture is not fetched again. */
const againMs = 10 * minuteMs;

/** How long a host that did not respond is not called again. */
const silenceMs = minuteMs;

/** The maximum number of concurrent fetches, and of waiting ones. */
const fetchingMax = 8;
const queueMax = 256;

export function pictureFinder(settings: PictureSettings): FindPicture {
  const finder = new PictureFinder(settings);
  return (url, size) => finder.find(url, size);
}

type Loaded = SizedPictures | null | 'pending';

class PictureFinder {
  private readonly kept: KeptPictures;
  private readonly hosts: SilentHosts;
  /** The results of URLs being fetched. */
  private readonly fetching = new Map<string, Promise<Loaded>>();
  private readonly queue = new Set<string>();
  /** Pictures are resized one at a time, as each may take much memory. */
  private lastResized: Promise<unknown> = Promise.resolve();

  constructor(private readonly settings: PictureSettings) {
    this.kept = new KeptPictures(settings);
    this.hosts = new SilentHosts(settings.now);
  }

  async find(url: string, size: PictureSize): Promise<FoundPicture> {
    if (!isAllowed(url, this.settings.hosts)) return null;
    const known = await this.kept.find(url, size);
    if (known !== undefined) return known;
    const found = await (this.fetching.get(url) ?? this.start(url));
    return found === null || found === 'pending' ? found : found[size];
  }

  private start(url: string): Promise<Loaded> | 'pending' {
    if (this.hosts.isSilent(url)) return 'pending';
    if (this.fetching.size >= fetchingMax) {
      if (this.queue.size < queueMax) this.queue.add(url);
      return 'pending';
    }
    this.queue.delete(url);
    const done = this.load(url).finally(() => {
      this.fetching.delete(url);
      this.startNext();
    });
    const { sleep = Bun.sleep } = this.settings;
    const late = sleep(waitingMs).then(() => 'pending' as const);
    const answer = Promise.race([done, late]);
    this.fetching.set(url, answer);
    return answer;
  }

  private startNext(): void {
    for (const url of this.queue) {
      if (this.fetching.size >= fetchingMax) return;
      this.queue.delete(url);
      this.start(url);
    }
  }

  /** Fetches a picture and caches it in all sizes, or caches that there is none. */
  private async load(url: string): Promise<Loaded> {
    const original = await this.fetch(url).catch(() => null);
    // The host did not respond, so whether it has a picture is unknown.
    if (original === null && this.hosts.isSilent(url)) return 'pending';
    const resized = this.lastResized.then(() => (original ? makeSizes(original) : null));
    this.lastResized = resized;
    const pictures = await resized;
    await this.kept.add(url, pictures);
    return pictures;
  }

  private async fetch(url: string): Promise<Picture | null> {
    const fetchOutside: FetchOutside = async (url, init) => {
      const askedAt = this.settings.now();
      try {
        const response = await this.settings.fetchOutside(url, init);
        this.hosts.noteAnswer(url);
        return response;
      } catch (error) {
        this.hosts.noteSilence(url, askedAt);
        throw error;
      }
    };
    return fetchPicture(url, { ...this.settings, fetchOutside });
  }
}

function isAllowed(text: string, hosts: readonly string[]): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
  return hosts.includes(url.host);
}

async function fetchPicture(start: string, { hosts, fetchOutside }: PictureSettings) {
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
    const bytes = response.status === 200 ? await readBody(response) : null;
    return bytes && readPicture(bytes);
  }
  return null;
}

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  return readBounded(response, { bytesMax: pictureBytesMax }).catch(async () => {
    await response.body?.cancel().catch(() => {});
    return null;
  });
}

/** Remembers hosts that do not respond, so that other pictures do not wait for them. */
class SilentHosts {
  private readonly heardAt = new Map<string, number>();
  private readonly silentUntil = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  isSilent(url: string): boolean {
    return this.now() < (this.silentUntil.get(new URL(url).host) ?? 0);
  }

  noteAnswer(url: string): void {
    this.heardAt.set(new URL(url).host, this.now());
  }

  /** A failure does not count if the host responded to another request in the meantime. */
  noteSilence(url: string, askedAt: number): void {
    const { host } = new URL(url);
    const heardAt = this.heardAt.get(host) ?? Number.NEGATIVE_INFINITY;
    if (heardAt < askedAt) this.silentUntil.set(host, this.now() + silenceMs);
  }
}

/** A cached picture, or null if there is none, and when it was fetched. */
interface Kept {
  readonly picture: Picture | null;
  readonly at: number;
}

/** The cache: in memory, least recently used dropped first, and on disk if there is a folder. */
class KeptPictures {
  private readonly kept = new BoundedMap<Kept>(
    keptBytesMax,
    ({ picture }) => picture?.bytes.length ?? 0,
  );
  private readonly files: PictureFiles | null;

  constructor(private readonly settings: PictureSettings) {
    const { folder, now } = settings;
    this.files = folder ? new PictureFiles(folder, now) : null;
  }

  async find(url: string, size: PictureSize): Promise<Picture | null | undefined> {
    const found = this.take(nameOf(url, size)) ?? this.take(url);
    if (found) return found.picture;
    const onDisk = await this.files?.find(nameOf(url, size));
    if (onDisk) this.keep(nameOf(url, size), onDisk);
    return onDisk ?? undefined;
  }

  /** Adds all sizes of a picture; null if there is none. */
  async add(url: string, pictures: SizedPictures | null): Promise<void> {
    if (pictures === null) this.keep(url, null);
    for (const size of pictures ? pictureSizes : []) {
      const picture = pictures?.[size];
      if (!picture) continue;
      this.keep(nameOf(url, size), picture);
      await this.files?.save(nameOf(url, size), picture);
    }
  }

  private keep(name: string, picture: Picture | null): void {
    this.kept.set(name, { picture, at: this.settings.now() });
  }

  /** Finds an entry and makes it the most recently used one. */
  private take(name: string): Kept | null {
    const found = this.kept.get(name);
    if (!found) return null;
    this.kept.delete(name);
    if (found.picture === null && this.settings.now() - found.at >= againMs) return null;
    this.kept.set(name, found);
    return found;
  }
}

function nameOf(url: string, size: PictureSize): string {
  return `${size} ${url}`;
}
