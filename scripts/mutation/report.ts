/** The result of mutation testing: the score of each folder, and the survivors. */
import { folderOf } from './mutants.ts';
import type { Tried } from './trial.ts';

/** The minimum share of mutants that tests must detect. */
const scoreMin = 0.9;

/** Folders with fewer mutants count only in the total. */
const judgedMin = 10;

type Score = Readonly<{ folder: string; killed: number; survived: number }>;

/** The scores of the folders, and of all at the end. */
export function scoresOf(all: readonly Tried[]): Score[] {
  const folders = Map.groupBy(all, ({ mutant }) => folderOf(mutant.file));
  return [...folders, ['all', all] as const].map(([folder, own]) => ({
    folder,
    killed: own.filter(({ fate }) => fate === 'killed').length,
    survived: own.filter(({ fate }) => fate === 'survived').length,
  }));
}

/** Whether the score is high enough, in total and in every folder with enough mutants. */
export function isEnough(scores: readonly Score[]): boolean {
  return scores.every(({ folder, killed, survived }) => {
    const judged = killed + survived;
    return (folder !== 'all' && judged < judgedMin) || killed >= scoreMin * judged;
  });
}

export function tableOf(scores: readonly Score[]): string[] {
  const rows = scores.map(({ folder, killed, survived }) => {
    const judged = killed + survived;
    const percent = judged === 0 ? '-' : `${Math.floor((killed / judged) * 100)}%`;
    return [folder, judged, killed, survived, percent];
  });
  return [['folder', 'mutants', 'killed', 'survived', 'score'], ...rows].map(([name, ...cells]) =>
    [String(name).padEnd(14), ...cells.map((cell) => String(cell).padStart(9))].join(''),
  );
}

/** The survivors with their changes. */
export function survivorsOf(all: readonly Tried[]): string[] {
  return all
    .filter(({ fate }) => fate === 'survived')
    .map(({ mutant: { file, line, operator, before, after }, by }) =>
      [`  ${file}:${line}  ${operator}, after ${by}`, `- ${before}`, `+ ${after}`].join('\n    '),
    );
}
