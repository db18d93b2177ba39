/**
 * Grades of condition, as collectors use them, and what each does to the value of its condition.
 * Published values are for a sealed set in a good box, and a used one that is complete with box and
 * instructions, so grades only lower them.
 */
import type { Condition } from '../source-rows/source-rows.ts';

export const sealedGrades = ['perfect', 'light_wear', 'damaged_box'] as const;

/** `incomplete` has an optional percentage, as in `incomplete_85`. */
export const usedGrades = ['complete_boxed', 'complete', 'incomplete', 'parts'] as const;

export type PlainGrade = (typeof sealedGrades)[number] | (typeof usedGrades)[number];
export type Grade = PlainGrade | `incomplete_${number}`;

/** All grades without their percentages, best first within a condition. */
export const plainGrades: readonly PlainGrade[] = [...sealedGrades, ...usedGrades];

export const percentMin = 1;
export const percentMax = 99;

/** `complete_boxed`, `incomplete_85` */
export const gradeLengthMax = 14;

export function parseGrade(text: string): Grade | null {
  const plain = plainGrades.find((grade) => grade === text);
  if (plain) return plain;
  const [, digits = ''] = /^incomplete_([1-9]\d?)$/.exec(text) ?? [];
  return digits === '' ? null : incompleteGrade(Number(digits));
}

export function incompleteGrade(percent: number): Grade {
  return `incomplete_${percent}`;
}

/** The grade without its percentage. */
export function plainGrade(grade: Grade): PlainGrade {
  return plainGrades.find((each) => each === grade) ?? 'incomplete';
}

/** How much of an incomplete unit is there; null if that is not known, or for other grades. */
export function gradePercent(grade: Grade): number | null {
  return grade.startsWith('incomplete_') ? Number(grade.slice('incomplete_'.length)) : null;
}

/** Higher for worse grades: sealed before used, and more complete ones first. */
export function gradeRank(grade: Grade): number {
  return plainGrades.indexOf(plainGrade(grade)) - (gradePercent(grade) ?? 0) / 100;
}

export function conditionOfGrade(grade: Grade): Condition {
  return sealedGrades.some((each) => each === grade) ? 'sealed' : 'used';
}

/** Effects that sales can show, by what a sold unit lacked. */
export const gradeEffectNames = ['damaged_box', 'complete', 'incomplete'] as const;
export type GradeEffectName = (typeof gradeEffectNames)[number];

/** A share of the value of the condition. */
export interface GradeEffect {
  readonly share: number;
  /** The sales it was learned from; 0 if it is assumed. */
  readonly sales: number;
}

export type GradeEffects = Readonly<Record<GradeEffectName, GradeEffect>>;

/**
 * Used until sales say otherwise. The first two are the differences that the engine assumes when it
 * compares sales: 10% for a damaged box, 5% for a missing box or instructions.
 */
export const assumedEffects: GradeEffects = {
  damaged_box: { share: 0.9, sales: 0 },
  complete: { share: 0.95, sales: 0 },
  incomplete: { share: 0.65, sales: 0 },
};

/** Light wear costs this part of what a damaged box costs. */
const lightWearPart = 0.4;

/** An incomplete unit of unknown percentage is taken to be this complete. */
export const usualPercent = 80;

/** The value of a set's parts, as a share of the complete used set. */
const partsShare = 0.3;

/** The effect of a grade on a value. */
export interface GradeShare {
  readonly share: number;
  readonly isAssumed: boolean;
  /** Whether the value is only a model: assumed, and far from what sales support. */
  readonly isModeled: boolean;
  /** The sales that the share was learned from. */
  readonly sales: number;
}

/** How the effect of a grade is known; `none` if it has no effect. */
export const gradeBases = ['learned', 'assumed', 'none'] as const;
export type GradeBasis = (typeof gradeBases)[number];

export function gradeBasis({ share, isAssumed }: GradeShare): GradeBasis {
  if (isAssumed) return 'assumed';
  return share === 1 ? 'none' : 'learned';
}

/** Of units without a grade, or of the best one. */
export const wholeShare: GradeShare = { share: 1, isAssumed: false, isModeled: false, sales: 0 };

/** A better grade never has a lower share than a worse one of the same condition. */
export function gradeShare(grade: Grade | null, effects: GradeEffects): GradeShare {
  if (grade === null) return wholeShare;
  const percent = gradePercent(grade);
  if (percent !== null) return modeled(incompleteShare(percent, effects));
  switch (plainGrade(grade)) {
    case 'perfect':
    case 'complete_boxed':
      return wholeShare;
    case 'light_wear':
      return assumed(1 - lightWearPart * (1 - effects.damaged_box.share));
    case 'damaged_box':
      return learned(effects.damaged_box) ?? assumed(effects.damaged_box.share);
    case 'complete':
      return learned(effects.complete) ?? assumed(effects.complete.share);
    case 'incomplete':
      return learned(effects.incomplete) ?? modeled(effects.incomplete.share);
    case 'parts':
      return modeled(partsOf(effects));
  }
}

function learned({ share, sales }: GradeEffect): GradeShare | null {
  return sales > 0 ? { share, isAssumed: false, isModeled: false, sales } : null;
}

function assumed(share: number): GradeShare {
  return { share, isAssumed: true, isModeled: false, sales: 0 };
}

function modeled(share: number): GradeShare {
  return { share, isAssumed: true, isModeled: true, sales: 0 };
}

/** Straight lines from parts (0%) over the usual incomplete unit to the complete one (100%). */
function incompleteShare(percent: number, effects: GradeEffects): number {
  const [parts, middle, whole] = [
    partsOf(effects),
    effects.incomplete.share,
    effects.complete.share,
  ];
  return percent <= usualPercent
    ? parts + ((middle - parts) * percent) / usualPercent
    : middle + ((whole - middle) * (percent - usualPercent)) / (100 - usualPercent);
}

function partsOf({ incomplete }: GradeEffects): number {
  return Math.min(partsShare, incomplete.share);
}

/** Limits learned shares so that the order of grades holds. */
export function orderedEffects(effects: GradeEffects): GradeEffects {
  const atMost = (effect: GradeEffect, max: number): GradeEffect =>
    effect.share > max ? { ...effect, share: max } : effect;
  const complete = atMost(effects.complete, 1);
  return {
    damaged_box: atMost(effects.damaged_box, 1),
    complete,
    incomplete: atMost(effects.incomplete, complete.share),
  };
}

/** The value of a unit of a grade, in whole cents; null if there is no value. */
export function gradedCents(cents: number | null, { share }: GradeShare): number | null {
  return cents === null || share === 1 ? cents : Math.round(cents * share);
}
