/** Reads how many tests of each file ran from the report of a run. */

/** What became of the tests of one file. */
export interface FileCount {
  readonly ran: number;
  /** The names of those that were skipped. */
  readonly skipped: readonly string[];
}

/** Counts the tests of each file in a report in JUnit's format, as Bun writes it. */
export function countTests(report: string): Map<string, FileCount> {
  const counts = new Map<string, { ran: number; skipped: string[] }>();
  const cases = /<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs;
  for (const [, attributes = '', inside = ''] of report.matchAll(cases)) {
    const read = (name: string) =>
      plain(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
    const file = read('file');
    const count = counts.get(file) ?? { ran: 0, skipped: [] };
    counts.set(file, count);
    if (inside.includes('<skipped')) count.skipped.push(read('name'));
    else count.ran++;
  }
  return counts;
}

/** Adds up the tests that ran. */
export function totalOf(counts: ReadonlyMap<string, FileCount>): number {
  return [...counts.values()].reduce((sum, { ran }) => sum + ran, 0);
}

/** The files whose tests are not the same number on both engines, with both numbers. */
export function differences(
  sqlite: ReadonlyMap<string, FileCount>,
  postgres: ReadonlyMap<string, FileCount>,
): string[] {
  const files = [...new Set([...sqlite.keys(), ...postgres.keys()])].sort();
  const all = (count: FileCount | undefined) => (count?.ran ?? 0) + (count?.skipped.length ?? 0);
  return files.flatMap((file) => {
    const [on, beside] = [all(sqlite.get(file)), all(postgres.get(file))];
    return on === beside ? [] : [`${file}: ${on} tests on SQLite, ${beside} on PostgreSQL`];
  });
}

function plain(text: string): string {
  const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => signs[name] ?? '');
}
