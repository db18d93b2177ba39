/** A folder with a file per answer, in which what differs between runs is masked. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Seen, Visitor } from '../test/support/site.ts';

const stampMask = '<stamp>';

/** Random values and real times, with their masks. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, '<uuid>'],
  [/\bbmk_[\da-f]{4,}/g, '<key>'],
  [/((?:name="(?:token|once)" value|^set-cookie: \w+)=)"?[\w-]{43,}"?/gm, '$1<random>'],
  // A lot that was added on a page, and the version of its values, which is a hash.
  [/\bweb:[\w-]{43}/g, 'web:<random>'],
  [/(name="seen" value=)"[\w-]{16}"/g, '$1<version>'],
  [/("token":)"[\da-f]{64}"/g, '$1<random>'],
  [/(\/(?:s|shared\/invitations|alerts\/end)\/)[\w-]{43}/g, '$1<random>'],
  [/(\/csv\/)[\w-]{22}\.[\w-]{22}/g, '$1<random>'],
  [/("?commit"?[:=])"[\da-f]+"/g, '$1<commit>'],
  // When a publication was committed, by the clock of the system.
  [/\b1[78]\d{11}(?=-\w+\b)/g, stampMask],
];

/** Of the connection, and of the time of the response. Some pages are sent in parts, or not. */
const leftOutHeaders = ['date', 'connection', 'content-length', 'keep-alive', 'transfer-encoding'];

const nameLengthMax = 180;

interface Answer {
  /** The request, which names the file. */
  readonly first: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export class Recording {
  private readonly files = new Map<string, string>();

  /** The words, such as a key, are masked wherever they are. */
  constructor(
    private readonly folder: string,
    private readonly words: Readonly<Record<string, string>>,
  ) {
    // Throws if it exists: older files would count as answers.
    mkdirSync(folder);
  }

  get size(): number {
    return this.files.size;
  }

  /** Of all names and contents, whatever the order of the answers. */
  get digest(): string {
    const hash = createHash('sha256');
    for (const pair of [...this.files].sort()) hash.update(pair.join('\0'));
    return hash.digest('hex');
  }

  add(group: string, { first, status, headers, body }: Answer): void {
    const masked = this.masked(inLines(body));
    // The tag is a hash of what is masked.
    const left = masked.includes(stampMask) ? [...leftOutHeaders, 'etag'] : leftOutHeaders;
    const lines = [...headers]
      .filter(([name]) => !left.includes(name))
      .map(([name, value]) => `${name}: ${value}`);
    const head = this.masked([first, status, ...lines.sort()].join('\n'));
    this.write(group, this.masked(first), `${head}\n\n${masked}\n`);
  }

  private write(group: string, request: string, text: string): void {
    const long = encodeURIComponent(request).replaceAll('%2F', '+').replaceAll('%20', ',');
    const short = `${long.slice(0, nameLengthMax)}~${Bun.hash(long).toString(36)}`;
    const name = join(group, long.length > nameLengthMax ? short : long);
    mkdirSync(join(this.folder, group), { recursive: true });
    writeFileSync(join(this.folder, name), text);
    this.files.set(name, text);
  }

  private masked(text: string): string {
    let plain = text;
    for (const [name, word] of Object.entries(this.words)) {
      plain = plain.replaceAll(word, `<${name}>`);
    }
    return masks.reduce((left, [form, name]) => left.replace(form, name), plain);
  }
}

/** Records every page that it gets. */
export class RecordedVisitor extends Visitor {
  constructor(
    private readonly origin: string,
    private readonly place: { readonly name: string; readonly recording: Recording },
  ) {
    super(origin);
  }

  override async get(path: string): Promise<Seen> {
    const seen = await super.get(path);
    // Sent with a delay: more pages are requested than by a person.
    if (seen.status === 429) return this.get(path);
    const { name, recording } = this.place;
    const isPacked = seen.headers.get('content-type') === 'application/gzip';
    const body = isPacked ? await this.unpack(path) : seen.html;
    recording.add(`pages/${name}`, { first: `GET ${path}`, ...seen, body });
    return seen;
  }

  /** Random values can only be masked in its text. */
  private async unpack(path: string): Promise<string> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(this.origin + path, { headers: { Cookie: cookie } });
    // A few downloads at a time are allowed.
    if (response.status === 429) return this.unpack(path);
    return new TextDecoder().decode(Bun.gunzipSync(await response.bytes()));
  }
}

/** HTML and JSON with line breaks between parts, without other changes. */
function inLines(body: string): string {
  return body.replace(/></g, '>\n<').replace(/([,[{])(?=["[{])/g, '$1\n');
}
