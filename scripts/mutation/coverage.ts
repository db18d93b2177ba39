/**
 * Which lines suites have run, as they said when they passed: a suite that does not run a line
 * cannot notice a mistake in it. It is kept from one run to the next.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A line of a file, and the suite that may have run it. */
interface RunLine {
  readonly suite: string;
  readonly file: string;
  readonly line: number;
}

/** What a suite told of a file: its lines in order, negative where they were not run. */
interface FileLines {
  /** What the suite and the file were then; of others it says nothing. */
  readonly suiteHash: string;
  readonly fileHash: string;
  readonly lines: readonly number[];
}

/** What is known of each suite; nothing, until it has passed once. */
export class Coverage {
  /** By suites, with their engines before them, and by files. */
  private readonly known: Record<string, Record<string, FileLines>>;
  private readonly hashes = new Map<string, string>();

  /** `root` is the tree as it is; what is known is kept at `path`. */
  constructor(
    private readonly root: string,
    private readonly path: string,
  ) {
    this.known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  }

  /** Takes in what a suite wrote, in the format of lcov; `except` is a file it is wrong about. */
  learn(suite: string, report: string, except: string | null): void {
    const files: Record<string, FileLines> = { ...this.known[suite] };
    const suiteHash = this.hashOf(pathOf(suite));
    for (const record of report.split('end_of_record')) {
      const file = /^SF:(src\/.+)$/m.exec(record)?.[1];
      if (file === undefined || file === except) continue;
      const lines = [...record.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, count]) =>
        Number(count) > 0 ? Number(line) : -Number(line),
      );
      files[file] = { suiteHash, fileHash: this.hashOf(file), lines };
    }
    this.known[suite] = files;
  }

  /**
   * Whether a suite runs a line; null when nobody knows. A line of which nothing is said belongs
   * to the one before it.
   */
  runs({ suite, file, line }: RunLine): boolean | null {
    const told = this.known[suite]?.[file];
    if (told?.fileHash !== this.hashOf(file)) return null;
    if (told.suiteHash !== this.hashOf(pathOf(suite))) return null;
    const last = told.lines.findLast((each) => Math.abs(each) <= line);
    return last === undefined ? null : last > 0;
  }

  /** Whether a suite runs one of some lines; null when nobody knows. */
  runsAny({ suite, file, lines }: Omit<RunLine, 'line'> & { readonly lines: readonly number[] }) {
    const all = lines.map((line) => this.runs({ suite, file, line }));
    return all.includes(true) ? true : all.includes(null) ? null : false;
  }

  /** Keeps what is known for the next run. */
  save(): void {
    mkdirSync(dirname(this.path), { recursive: true });
    // Whoever reads it meanwhile has the old one or the new one, whole.
    const written = `${this.path}.${process.pid}`;
    writeFileSync(written, JSON.stringify(this.known));
    renameSync(written, this.path);
  }

  private hashOf(file: string): string {
    const known = this.hashes.get(file);
    if (known !== undefined) return known;
    const path = join(this.root, file);
    const hash = existsSync(path) ? Bun.hash(readFileSync(path)).toString(36) : '';
    this.hashes.set(file, hash);
    return hash;
  }
}

/** The path of a suite that has its engine before it. */
function pathOf(suite: string): string {
  return suite.slice(suite.indexOf(' ') + 1);
}
