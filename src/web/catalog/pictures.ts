/**
 * Pictures of items, fetched here so that no browser of ours asks another host for anything. Only
 * from hosts that are listed, only over https, only images, bounded in size, time and number. Who
 * asks waits a moment for them and no longer: a host that is silent holds nobody up.
 */
import { BoundedMap } from '../../domain/kernel/bounded-map.ts';
import { minuteMs } from '../../domain/kernel/time.ts';
import { readBounded } from '../../http/bounded-body.ts';
import type { PictureSize } from '../kit/item-picture.tsx';
import { PictureFiles, type PictureFolder } from './picture-files.ts';
import {
  makeSizes,
  type Picture,
  pictureSizes,
  readPicture,
  type SizedPictures,
} from './picture-sizes.ts';

/** Asks another host. */
export type FetchOutside = (url: string, init: RequestInit) => Promise<Response>;

/** What pictures are fetched with. */
export interface PictureSettings {
  /** Hosts, with their port where it is not the usual one. */
  readonly hosts: readonly string[];
  readonly fetchOutside: FetchOutside;
  readonly now: () => number;
  /** Where they are kept over restarts; null: in memory alone. */
  readonly folder?: PictureFolder | null;
}

/** What there is at an address: null when nothing may be shown, pending while it is fetched. */
export type FoundPicture = Picture | null | 'pending';

/** Finds the picture at an address. */
export type FindPicture = (url: string, size: PictureSize) => Promise<FoundPicture>;

/** A picture may be so large. */
const pictureBytesMax = 2 * 1024 * 1024;

/** All that are kept in memory, with their addresses, those without a picture among them. */
const keptBytesMax = 32 * 1024 * 1024;

/** A browser has six connections to us: so long one of them waits for a picture. */
const waitingMs = 300;

const patienceMs = 5_000;
const redirectsMax = 3;

/** An address that had no picture is left alone for this long. */
const againMs = 10 * minuteMs;

/** A host that did not answer at all is left alone for this long. */
const silenceMs = minuteMs;

/** More are not fetched at once; others wait for their turn, with nobody waiting for them. */
const fetchingMax = 8;
const queueMax = 256;

/** Makes what finds pictures. */
export function pictureFinder(settings: PictureSettings): FindPicture {
  const finder = new PictureFinder(settings);
  return (url, size) => finder.find(url, size);
}

/** The same for all sizes. */
type Loaded = SizedPictures | null | 'pending';

class PictureFinder {
  private readonly kept: KeptPictures;
  private readonly hosts: SilentHosts;
  /** What those who asked for an address being fetched are told. */
  private readonly fetching = new Map<string, Promise<Loaded>>();
  private readonly queue = new Set<string>();
  /** Pictures are unpacked one after the other: each may take much memory. */
  private lastMade: Promise<unknown> = Promise.resolve();

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

  /** Begins to fetch, or has it wait for its turn. */
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
    const late = Bun.sleep(waitingMs).then(() => 'pending' as const);
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

  /** Fetches a picture and keeps it in every size, or that there is none. */
  private async load(url: string): Promise<Loaded> {
    const original = await this.fetch(url).catch(() => null);
    // What a host has that does not answer is not known.
    if (original === null && this.hosts.isSilent(url)) return 'pending';
    const made = this.lastMade.then(() => (original ? makeSizes(original) : null));
    this.lastMade = made;
    const pictures = await made;
    await this.kept.add(url, pictures);
    return pictures;
  }

  private async fetch(url: string): Promise<Picture | null> {
    const fetchOutside: FetchOutside = async (place, init) => {
      const askedAt = this.settings.now();
      try {
        const response = await this.settings.fetchOutside(place, init);
        this.hosts.noteAnswer(place);
        return response;
      } catch (error) {
        this.hosts.noteSilence(place, askedAt);
        throw error;
      }
    };
    return fetchPicture(url, { ...this.settings, fetchOutside });
  }
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

/** Hosts that do not answer, so that not every picture of theirs has to find out. */
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

  /** One address that fails says nothing of a host that answered others meanwhile. */
  noteSilence(url: string, askedAt: number): void {
    const { host } = new URL(url);
    const heardAt = this.heardAt.get(host) ?? Number.NEGATIVE_INFINITY;
    if (heardAt < askedAt) this.silentUntil.set(host, this.now() + silenceMs);
  }
}

/** What came of fetching an address, and when. */
interface Kept {
  readonly picture: Picture | null;
  readonly at: number;
}

/**
 * Pictures that were fetched, and addresses that had none; the least lately used go first. In
 * memory, and pictures on disk, too, where there is a folder for them.
 */
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

  /** All sizes of a picture, or that an address has none. */
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

  /** What is kept under a name, which is then the one that was used last. */
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
