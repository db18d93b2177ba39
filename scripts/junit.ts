/** Reads what became of the tests of each file from the report of a run. */

/** What became of the tests of one file. */
export interface FileReport {
  /** How many ran, those that failed among them. */
  readonly ran: number;
  /** The names of those that were skipped. */
  readonly skipped: readonly string[];
  /** The names of those that failed. */
  readonly failed: readonly string[];
  /** How long the file took, with everything before and after its tests. */
  readonly seconds: number;
}

/** What became of each file, by its path. */
export type Report = ReadonlyMap<string, FileReport>;

/** Reads a report in JUnit's format, as Bun writes it. */
export function readReport(xml: string): Report {
  const files = new Map<string, Mutable<FileReport>>();
  const fileAt = (path: string) => {
    const file = files.get(path) ?? { ran: 0, skipped: [], failed: [], seconds: 0 };
    files.set(path, file);
    return file;
  };
  for (const [, attributes = ''] of xml.matchAll(/<testsuite ([^>]*)>/g)) {
    // A group of tests inside a file has the file's path too, but a name of its own.
    const [name, path] = [attribute(attributes, 'name'), attribute(attributes, 'file')];
    if (path && name === path) fileAt(path).seconds += Number(attribute(attributes, 'time'));
  }
  const cases = /<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs;
  for (const [, attributes = '', inside = ''] of xml.matchAll(cases)) {
    const file = fileAt(attribute(attributes, 'file'));
    const name = attribute(attributes, 'name');
    if (inside.includes('<skipped')) {
      file.skipped.push(name);
      continue;
    }
    file.ran++;
    if (inside.includes('<failure') || inside.includes('<error')) file.failed.push(name);
  }
  return files;
}

type Mutable<T> = {
  -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K];
};

/** Joins the reports of runs on one engine; no file is in two of them. */
export function joinReports(reports: readonly Report[]): Report {
  return new Map(reports.flatMap((report) => [...report]));
}

/** Adds up the tests that ran. */
export function totalOf(report: Report): number {
  return [...report.values()].reduce((sum, { ran }) => sum + ran, 0);
}

/**
 * What failed in a run of suites: tests by their names, and suites that reported none, which could
 * not be read. Where every suite reported and no test failed, it may be any of them.
 */
export function listFailed(suites: readonly string[], report: Report): string[] {
  const tests = [...report].flatMap(([path, { failed }]) =>
    failed.map((name) => `: ${path}: ${name}`),
  );
  const silent = suites.filter((suite) => !report.has(suite));
  const outside = tests.length + silent.length === 0 ? suites : silent;
  if (outside.length === 0) return tests;
  return [...tests, ` outside of a test; see above: ${outside.join(', ')}`];
}

/** The files whose tests are not the same number on both engines, with both numbers. */
export function differences(sqlite: Report, postgres: Report): string[] {
  const files = [...new Set([...sqlite.keys(), ...postgres.keys()])].sort();
  const all = (file: FileReport | undefined) => (file?.ran ?? 0) + (file?.skipped.length ?? 0);
  return files.flatMap((file) => {
    const [onSqlite, onPostgres] = [all(sqlite.get(file)), all(postgres.get(file))];
    return onSqlite === onPostgres
      ? []
      : [`${file}: ${onSqlite} tests on SQLite, ${onPostgres} on PostgreSQL`];
  });
}

function attribute(attributes: string, name: string): string {
  return unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}

function unescaped(text: string): string {
  const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => signs[name] ?? '');
}
