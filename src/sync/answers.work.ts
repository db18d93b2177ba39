/**
 * Stored responses: `<source>/<instant>/<format>/….gz`. Responses fetched together form a group,
 * with a journal of what they answer. A group whose import was interrupted is found again, so that
 * nothing has to be requested twice.
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
import { asObject, type JsonValue } from '../kernel/json.ts';
import { formatInstant, parseInstant } from '../kernel/time.ts';
import type { Answer, AnswerFile } from './connector.work.ts';
import type { Question } from './source-state.ts';

/** Hidden, so that it is not imported with the folder. */
const journalName = '.journal';

/** A journal entry. */
export interface KeptAnswer {
  readonly at: number;
  readonly files: readonly KeptFile[];
  readonly known: readonly Question[];
  readonly unknown: readonly Question[];
  /** Absent: the cursor stays. */
  readonly cursor?: JsonValue;
}

/** A format may be unknown if another version wrote the journal. */
type KeptFormat = Pick<AnswerFile, 'mapping'> & { readonly format: string };

interface KeptFile extends KeptFormat {
  /** Relative to the folder of the group. */
  readonly path: string;
  /** Size on disk. */
  readonly bytes: number;
}

export interface ImportGroup extends KeptFormat {
  readonly paths: readonly string[];
}

interface GroupStart {
  readonly at: number;
  /** The cursor of the source when the group was started. */
  readonly cursor: JsonValue;
}

/** The last journal entry of a group. */
type GroupEnd = { readonly done: number } | { readonly refused: string };

interface KeepRules {
  /** Older groups are removed. */
  readonly before: number;
  /** Total size of finished groups; the oldest are removed first. */
  readonly bytesMax: number;
  /** Enabled sources, whose unfinished groups are kept. */
  readonly sources: readonly string[];
}

export class AnswerFolders {
  /** Sizes of finished groups by folder, which no longer change. */
  private readonly known = new Map<string, number>();

  constructor(readonly folder: string) {}

  /** Nothing is written before the first response. */
  begin(source: string, start: GroupStart): AnswerGroup {
    return new AnswerGroup(source, this.newFolder(source, start.at), start);
  }

  /** Groups whose import was interrupted, oldest first. */
  listUnfinished(source: string): AnswerGroup[] {
    return this.listGroups(source).flatMap((path) => {
      const group = readGroup(source, path);
      return group === null ? [] : [group];
    });
  }

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

  /** Null if the group is unfinished. */
  private finishedBytes(source: string, path: string): number | null {
    const known = this.known.get(path);
    if (known !== undefined) return known;
    if (readGroup(source, path) !== null) return null;
    const bytes = folderBytes(path);
    this.known.set(path, bytes);
    return bytes;
  }

  private remove(path: string): void {
    rmSync(path, { recursive: true });
    this.known.delete(path);
  }

  /** The path shown to operators. */
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

export class AnswerGroup {
  readonly answers: KeptAnswer[] = [];
  /** How often another process resumed the import. */
  resumes = 0;

  constructor(
    readonly source: string,
    readonly folder: string,
    readonly start: GroupStart,
  ) {}

  /** Writes the files first, then the journal entry. */
  add(answer: Answer, call: { readonly questions: readonly Question[]; readonly at: number }) {
    if (this.answers.length === 0) {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      this.write({ at: this.start.at, cursor: this.start.cursor });
    }
    const { unknown = [], cursor } = answer;
    const isUnknown = (question: Question) => unknown.some((other) => isSame(question, other));
    const kept: KeptAnswer = {
      at: call.at,
      files: answer.files.map((file) => this.keep(file)),
      known: call.questions.filter((question) => !isUnknown(question)),
      unknown,
      ...(cursor !== undefined && { cursor }),
    };
    this.write(kept);
    this.answers.push(kept);
  }

  /** Files grouped by format and mapping, in order. */
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

  /** Time of the last response. */
  get endedAt(): number {
    return this.answers.at(-1)?.at ?? this.start.at;
  }

  /** Recorded before importing again, in case the import kills the process. */
  noteResumed(at: number): void {
    this.write({ takenUp: at });
    this.resumes++;
  }

  /** Records that everything is in the store, or why it never will be. */
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

/** Null if the group is finished, or not a group. */
function readGroup(source: string, folder: string): AnswerGroup | null {
  const path = join(folder, journalName);
  if (!existsSync(path)) return null;
  const lines = readFileSync(path, 'utf8').split('\n');
  const [start, ...rest] = lines.flatMap((line) => readLine(line));
  if (!start || rest.some((line) => 'done' in line || 'refused' in line)) return null;
  const group = new AnswerGroup(source, folder, start as unknown as GroupStart);
  const answers = rest.filter((line) => 'files' in line) as unknown as KeptAnswer[];
  group.resumes = rest.filter((line) => 'takenUp' in line).length;
  // Incomplete files are requested again.
  group.answers.push(...answers.filter((answer) => answer.files.every(isWhole(folder))));
  return group;
}

/** The last line may be incomplete, and is ignored. */
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

/** The instant in a folder name; null if it is not a group. */
function instantOf(path: string): number | null {
  const [, day, hour, minute, rest] =
    /([\d-]{10}T)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)(?:-\d+)?$/.exec(path) ?? [];
  return day === undefined ? null : parseInstant(`${day}${hour}:${minute}:${rest}`);
}

/** Names come from settings and sources, and must not leave their folder. */
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
