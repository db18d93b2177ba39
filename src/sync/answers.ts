/**
 * Answers on disk, packed: `<source>/<instant>/<format>/….gz`. What is fetched together is a
 * group, with a journal that says what its files answer. A group whose import did not come to its
 * end is found again, so that nobody has to be asked twice.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { asObject, type JsonValue } from '../domain/kernel/json.ts';
import { formatInstant, parseInstant } from '../domain/kernel/time.ts';
import type { Question } from '../domain/sync/sync-store.ts';
import type { Answer, AnswerFile } from './connector.ts';

/** Hidden, so that importing the folder leaves it out. */
const journalName = '.journal';

/** An answer as the journal has it. */
export interface KeptAnswer {
  readonly at: number;
  readonly files: readonly KeptFile[];
  readonly known: readonly Question[];
  readonly unknown: readonly Question[];
  /** Left out: the bookmark stays. */
  readonly cursor?: JsonValue;
}

/** A file of an answer. */
interface KeptFile extends Pick<AnswerFile, 'format' | 'mapping'> {
  /** Below the folder of the group. */
  readonly path: string;
  /** As it is on disk. */
  readonly bytes: number;
}

/** Files that are imported together. */
export interface ImportGroup extends Pick<AnswerFile, 'format' | 'mapping'> {
  readonly paths: readonly string[];
}

/** What a group is begun with. */
interface GroupStart {
  readonly at: number;
  /** Where the source was when it was asked. */
  readonly cursor: JsonValue;
}

/** How the journal of a group ends. */
type GroupEnd = { readonly done: number } | { readonly refused: string };

/** What is kept of answers. */
interface KeepRules {
  /** Nothing that was fetched before this instant. */
  readonly before: number;
  /** No more than this of what is finished; the oldest goes first. */
  readonly bytesMax: number;
  /** The sources that are turned on: what is not finished of them stays. */
  readonly sources: readonly string[];
}

/** The answers of all sources, in one folder. */
export class AnswerFolders {
  /** How much each finished group takes, by its folder: it does not change any more. */
  readonly #finished = new Map<string, number>();

  constructor(readonly folder: string) {}

  /** A new group of a source. Nothing is written before its first answer. */
  begin(source: string, start: GroupStart): AnswerGroup {
    return new AnswerGroup(source, this.newFolder(source, start.at), start);
  }

  /** The groups of a source that were not imported to their end, oldest first. */
  listUnfinished(source: string): AnswerGroup[] {
    return this.listGroups(source).flatMap((path) => {
      const group = readGroup(source, path);
      return group === null ? [] : [group];
    });
  }

  /** Removes what is too old or takes too much room. */
  prune({ before, bytesMax, sources }: KeepRules): void {
    const kept: { path: string; at: number; bytes: number }[] = [];
    for (const source of listFolders(this.folder)) {
      for (const path of this.listGroups(source)) {
        const at = instantOf(path);
        if (at === null) continue;
        const bytes = this.finishedBytes(source, path);
        if (at < before && (bytes !== null || !sources.includes(source))) this.remove(path);
        else if (bytes !== null) kept.push({ path, at, bytes });
      }
    }
    let total = kept.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { path, bytes } of kept.sort((a, b) => a.at - b.at)) {
      if (total <= bytesMax) return;
      this.remove(path);
      total -= bytes;
    }
  }

  /** How much a group takes; null when it is not finished. */
  private finishedBytes(source: string, path: string): number | null {
    const known = this.#finished.get(path);
    if (known !== undefined) return known;
    if (readGroup(source, path) !== null) return null;
    const bytes = folderBytes(path);
    this.#finished.set(path, bytes);
    return bytes;
  }

  private remove(path: string): void {
    rmSync(path, { recursive: true });
    this.#finished.delete(path);
  }

  /** A group by its place below the folder of all answers, for people. */
  nameOf(group: AnswerGroup): string {
    return join('answers', relative(this.folder, group.folder));
  }

  private listGroups(source: string): string[] {
    const folder = join(this.folder, source);
    return listFolders(folder)
      .sort()
      .map((name) => join(folder, name));
  }

  private newFolder(source: string, at: number): string {
    checkName(source);
    const name = formatInstant(at).replaceAll(':', '-');
    const path = join(this.folder, source, name);
    for (let count = 2; ; count++) {
      const free = count === 2 ? path : `${path}-${count - 1}`;
      if (!existsSync(free)) return free;
    }
  }
}

/** What was fetched together. */
export class AnswerGroup {
  readonly answers: KeptAnswer[] = [];
  /** How many processes took it up after the one that fetched it. */
  takenUp = 0;

  constructor(
    readonly source: string,
    readonly folder: string,
    readonly start: GroupStart,
  ) {}

  /** Keeps an answer: first its files, then the line that tells of them. */
  add(answer: Answer, asked: { readonly questions: readonly Question[]; readonly at: number }) {
    if (this.answers.length === 0) {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      this.write({ at: this.start.at, cursor: this.start.cursor });
    }
    const { unknown = [], cursor } = answer;
    const isUnknown = (question: Question) => unknown.some((other) => isSame(question, other));
    const kept: KeptAnswer = {
      at: asked.at,
      files: answer.files.map((file) => this.keep(file)),
      known: asked.questions.filter((question) => !isUnknown(question)),
      unknown,
      ...(cursor !== undefined && { cursor }),
    };
    this.write(kept);
    this.answers.push(kept);
  }

  /** The files by how they are imported, in the order in which they came. */
  imports(): ImportGroup[] {
    const groups = new Map<string, ImportGroup & { readonly paths: string[] }>();
    for (const { path, format, mapping } of this.answers.flatMap(({ files }) => files)) {
      const name = JSON.stringify([format, mapping]);
      const group = groups.get(name) ?? {
        format,
        ...(mapping !== undefined && { mapping }),
        paths: [],
      };
      group.paths.push(join(this.folder, path));
      groups.set(name, group);
    }
    return [...groups.values()];
  }

  /** When the last answer came. */
  get endedAt(): number {
    return this.answers.at(-1)?.at ?? this.start.at;
  }

  /** Notes that it is imported once more, so that it is known should the process die of it. */
  noteTakenUp(at: number): void {
    this.write({ takenUp: at });
    this.takenUp++;
  }

  /** Notes that everything is in the store, or why it never will be. */
  end(end: GroupEnd): void {
    this.write(end);
  }

  private keep({ name, bytes, format, mapping }: AnswerFile): KeptFile {
    checkName(name);
    checkName(format);
    const folder = join(this.folder, format);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const isPacked = /\.(gz|zip)$/i.test(name);
    const free = freeName(folder, isPacked ? name : `${name}.gz`);
    const packed = isPacked ? bytes : gzipSync(bytes);
    writeFileSync(join(folder, free), packed, { mode: 0o600 });
    const path = join(format, free);
    const kept = { path, bytes: packed.length, format };
    return mapping === undefined ? kept : { ...kept, mapping };
  }

  private write(line: object): void {
    const path = join(this.folder, journalName);
    appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }
}

/** A group that was begun and not ended; null when it is none. */
function readGroup(source: string, folder: string): AnswerGroup | null {
  const path = join(folder, journalName);
  if (!existsSync(path)) return null;
  const lines = readFileSync(path, 'utf8').split('\n');
  const [start, ...rest] = lines.flatMap((line) => readLine(line));
  if (!start || rest.some((line) => 'done' in line || 'refused' in line)) return null;
  const group = new AnswerGroup(source, folder, start as unknown as GroupStart);
  const answers = rest.filter((line) => 'files' in line) as unknown as KeptAnswer[];
  group.takenUp = rest.filter((line) => 'takenUp' in line).length;
  // What was cut short is asked for again.
  group.answers.push(...answers.filter((answer) => answer.files.every(isWhole(folder))));
  return group;
}

/** The last line may have been cut short; then it says nothing. */
function readLine(line: string): Readonly<Record<string, unknown>>[] {
  try {
    const value = asObject(JSON.parse(line));
    return value === null ? [] : [value];
  } catch {
    return [];
  }
}

function isWhole(folder: string): (file: KeptFile) => boolean {
  return ({ path, bytes }) =>
    statSync(join(folder, path), { throwIfNoEntry: false })?.size === bytes;
}

function isSame(a: Question, b: Question): boolean {
  return a.kind === b.kind && a.key === b.key && a.topic === b.topic;
}

function listFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

/** The instant in the name of a group's folder; null when it is none of ours. */
function instantOf(path: string): number | null {
  const [, day, hour, minute, rest] =
    /([\d-]{10}T)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)(?:-\d+)?$/.exec(path) ?? [];
  return day === undefined ? null : parseInstant(`${day}${hour}:${minute}:${rest}`);
}

/** Names come from settings and sources: they stay in the folder that they are meant for. */
function checkName(name: string): void {
  if (/^[\w-][\w.+-]{0,199}$/.test(name)) return;
  throw new Error(`'${name}' cannot be the name of a file.`);
}

function freeName(folder: string, name: string): string {
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${count}-${name}`;
    if (!existsSync(join(folder, free))) return free;
  }
}
