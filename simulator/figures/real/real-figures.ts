/** The tables about real prices in docs/valuation.md, from docs/backtest-real.json. */
import type { Condition } from '../../../src/market/source-rows/source-rows.ts';
import { asWritten, markdownTable, percent } from '../markdown.ts';
import type { RealFigures, RealGroup, RealReport } from './real-report.ts';

/** By the names of their markers. */
export const realSections: Readonly<Record<string, (reports: readonly RealReport[]) => string>> = {
  'real-goals': goals,
  'real-new': (reports) => groupTables(reports, 'sealed', generalGroups),
  'real-used': (reports) => groupTables(reports, 'used', ['all', 'retail price', 'before 2000']),
  'real-themes': (reports) => groupTables(reports, 'sealed', ['theme']),
  'real-warm': warm,
};

const generalGroups = ['all', 'retail price', 'era', 'before 2000', 'class', 'worth', 'minifigs'];

interface RealGoal {
  readonly name: string;
  readonly by: string;
  readonly group: string;
  readonly figure: 'error' | 'farOff';
  readonly bound: number;
}

const realGoals: readonly RealGoal[] = [
  { name: 'with a retail price', by: 'retail price', group: 'known', figure: 'error', bound: 0.25 },
  { name: 'without one', by: 'retail price', group: 'not known', figure: 'error', bound: 0.45 },
  { name: 'before 2000', by: 'before 2000', group: 'all', figure: 'error', bound: 0.6 },
  {
    name: 'off by more than a factor of three',
    by: 'all',
    group: 'all',
    figure: 'farOff',
    bound: 0.04,
  },
];

function goals(reports: readonly RealReport[]): string {
  const columns = reports.flatMap((report) =>
    (['sealed', 'used'] as const).map((condition) => ({ report, condition })),
  );
  const cell = ({ by, group, figure, bound }: RealGoal, of: (typeof columns)[number]) => {
    const found = of.report.cold[of.condition].find((one) => one.by === by && one.group === group);
    const measured = found?.[figure] ?? null;
    if (found === undefined || measured === null) return 'none';
    const text = percent(measured);
    const shown = measured <= bound ? text : `**${text}**`;
    return `${shown} (${percent(found.nulls / found.sets, 0)} no value)`;
  };
  return markdownTable(
    [
      'goal',
      'at most',
      ...columns.map(({ report, condition }) => `${report.name}, ${nameOf(condition)}`),
    ],
    realGoals.map((goal) => [
      goal.name,
      percent(goal.bound, 0),
      ...columns.map((column) => cell(goal, column)),
    ]),
  );
}

function nameOf(condition: Condition): string {
  return condition === 'sealed' ? 'new' : 'used';
}

function groupTables(
  reports: readonly RealReport[],
  condition: Condition,
  kinds: readonly string[],
): string {
  return reports
    .map((report) => {
      const groups = report.cold[condition].filter(({ by }) => kinds.includes(by));
      const ordered = kinds.flatMap((kind) => groups.filter(({ by }) => by === kind));
      return figuresTable(`${report.name}, ${nameOf(condition)}`, ordered, groupName);
    })
    .join('\n\n');
}

function groupName({ by, group }: RealGroup): string {
  if (by === group || by === 'era' || by === 'theme') return group;
  return asWritten(`${by}: ${group}`);
}

function warm(reports: readonly RealReport[]): string {
  return reports
    .map((report) => {
      const groups = (['sealed', 'used'] as const).flatMap((condition) =>
        report.warm[condition].map((group) => ({ ...group, by: nameOf(condition) })),
      );
      return figuresTable(report.name, groups, warmName);
    })
    .join('\n\n');
}

function warmName({ by, group }: RealGroup): string {
  return `${by}, after ${group} ${group === '1' ? 'sale' : 'sales'}`;
}

function figuresTable(
  title: string,
  groups: readonly RealGroup[],
  nameOfGroup: (group: RealGroup) => string,
): string {
  return markdownTable(
    [title, 'sets', 'no value', 'error', 'bias', 'over 3 ×', 'in range', 'width'],
    groups.map((group) => [nameOfGroup(group), ...cellsOf(group)]),
  );
}

function cellsOf(of: RealFigures): string[] {
  return [
    of.sets.toLocaleString('en'),
    of.nulls.toLocaleString('en'),
    percent(of.error),
    percent(of.bias),
    percent(of.farOff),
    percent(of.inRange),
    of.width === null ? '' : `× ${of.width.toFixed(1)}`,
  ];
}
