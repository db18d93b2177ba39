/** Formats details of units. */
import {
  type Grade,
  type GradeShare,
  gradePercent,
  parseGrade,
  plainGrade,
} from '../../../domain/market/grades.ts';
import type { FieldKind, FieldValue } from '../../../domain/portfolio/fields.ts';
import { ownValues } from '../../../domain/portfolio/lot-details.ts';
import { dayText, moneyText, nounText } from '../../kit/format.ts';

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

/** A stored value; empty if nothing is known. */
export function detailText(kind: FieldKind, value: FieldValue): string {
  if (value === null) return '';
  switch (kind) {
    case 'grade': {
      const grade = parseGrade(String(value));
      return grade ? gradeName(grade) : String(value);
    }
    case 'money':
      return moneyText(Number(value));
    case 'day':
      return dayText(String(value));
    case 'own':
      return Object.entries(ownValues(String(value)))
        .map(([name, text]) => `${name}: ${text}`)
        .join(', ');
    default:
      return String(value);
  }
}
