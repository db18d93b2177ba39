/** Formats details of units. */

import {
  type Grade,
  type GradeShare,
  gradePercent,
  plainGrade,
} from '../../../market/grades/grades.ts';
import { ownValues } from '../../../portfolio/lots/lot-details.ts';
import { nounText } from '../../kit/format.ts';

export const gradeNames: Readonly<Record<ReturnType<typeof plainGrade>, string>> = {
  perfect: 'Perfect box',
  light_wear: 'Light box wear',
  damaged_box: 'Damaged box',
  complete_boxed: 'Complete with box and instructions',
  complete: 'Complete',
  incomplete: 'Incomplete',
  parts: 'Parts',
};

export function gradeName(grade: Grade): string {
  const percent = gradePercent(grade);
  const name = gradeNames[plainGrade(grade)];
  return percent === null ? name : `${name} (${percent}%)`;
}

/** How a grade changes the value: "90% for a damaged box (assumed)"; null if it does not. */
export function gradeText(grade: Grade | null, share: GradeShare): string | null {
  if (grade === null || share.share === 1) return null;
  const basis = share.isAssumed ? 'assumed' : `from ${nounText(share.sales, 'sale')}`;
  return `${gradeName(grade)}: ${Math.round(share.share * 100)}% of the value (${basis})`;
}

export function ownFieldsText(stored: string | null): string {
  return Object.entries(ownValues(stored))
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ');
}
