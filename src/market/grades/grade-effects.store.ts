/** The effects of grades on values, learned from sales. */

import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import { nextStamp } from '../published/meta.store.ts';
import {
  assumedEffects,
  type GradeEffect,
  type GradeEffectName,
  type GradeEffects,
  gradeEffectNames,
} from './grades.ts';

export interface GradeReading extends db.Methods<{ findGradeEffects: typeof findGradeEffects }> {}

type EffectRow = GradeEffect & { readonly name: GradeEffectName };

/** Effects that were not learned are assumed. */
export function* findGradeEffects(): db.Reading<GradeEffects> {
  const rows = yield* db.query<EffectRow>(
    `SELECT ${columnsOf(tables.gradeEffect, 'e')} FROM published.grade_effect e`,
  );
  const learned = rows.map(({ name, ...effect }) => [name, effect] as const);
  return { ...assumedEffects, ...Object.fromEntries(learned) };
}

/** A change is a publication, because values of holdings change with it. */
export function* saveGradeEffects(effects: GradeEffects): db.Operation<void> {
  const before = yield* findGradeEffects();
  if (Bun.deepEquals(before, effects)) return;
  const rows = gradeEffectNames
    .map((name): EffectRow => ({ name, ...effects[name] }))
    .filter(({ sales }) => sales > 0);
  yield* db.run('DELETE FROM published.grade_effect');
  yield* db.insertRows(tables.gradeEffect, rows);
  yield* nextStamp();
}
