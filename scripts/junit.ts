/** Reads test results by suite from a JUnit report of Bun. */

export interface SuiteReport {
  readonly passed: number;
  /** Names of skipped tests. */
  readonly skipped: readonly string[];
  /** Names of failed tests. */
  readonly failed: readonly string[];
}

/** Results by the path of the suite. */
export type Report = ReadonlyMap<string, SuiteReport>;

type Mutable<T> = {
  -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K];
};

export function readReport(xml: string): Report {
  const suites = new Map<string, Mutable<SuiteReport>>();
  const cases = /<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs;
  for (const [, attributes = '', inside = ''] of xml.matchAll(cases)) {
    const path = attribute(attributes, 'file');
    const suite = suites.get(path) ?? { passed: 0, skipped: [], failed: [] };
    suites.set(path, suite);
    const name = attribute(attributes, 'name');
    if (inside.includes('<skipped')) suite.skipped.push(name);
    else if (inside.includes('<failure') || inside.includes('<error')) suite.failed.push(name);
    else suite.passed++;
  }
  return suites;
}

export function totalsOf(report: Report) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of report.values()) {
    totals.passed += passed;
    totals.failed += failed.length;
    totals.skipped += skipped.length;
  }
  return totals;
}

/** The suites with different numbers of tests on the engines. */
export function differences(sqlite: Report, postgres: Report): string[] {
  const all = (suite: SuiteReport | undefined) =>
    suite === undefined ? 0 : suite.passed + suite.failed.length + suite.skipped.length;
  return [...new Set([...sqlite.keys(), ...postgres.keys()])].sort().flatMap((path) => {
    const [onSqlite, onPostgres] = [all(sqlite.get(path)), all(postgres.get(path))];
    return onSqlite === onPostgres
      ? []
      : [`${path}: ${onSqlite} tests on SQLite, ${onPostgres} on PostgreSQL`];
  });
}

function attribute(attributes: string, name: string): string {
  return unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}

function unescaped(text: string): string {
  const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => signs[name] ?? '');
}
