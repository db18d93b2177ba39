/** Notices that operators write for everyone: maintenance, delays, outages. */

/** `critical`: the service does not work as it should. */
export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

export const noticeLimits = { titleLength: 120, textLength: 2_000, count: 50 } as const;

export interface NewNotice {
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  readonly fromAt: number;
  /** Null: until it is removed. */
  readonly untilAt: number | null;
}

export interface StatusNotice extends NewNotice {
  readonly id: number;
}

export type NoticePhase = 'planned' | 'current' | 'past';

export function phaseOf({ fromAt, untilAt }: StatusNotice, at: number): NoticePhase {
  if (at < fromAt) return 'planned';
  return untilAt === null || at < untilAt ? 'current' : 'past';
}

/** Why a notice cannot be saved; null if it can. */
export function noticeProblem({ title, text, fromAt, untilAt }: NewNotice): string | null {
  const { titleLength, textLength } = noticeLimits;
  if (title.trim() === '') return 'The notice needs a title.';
  if ([...title].length > titleLength) return `The title has more than ${titleLength} characters.`;
  if ([...text].length > textLength) return `The text has more than ${textLength} characters.`;
  if (untilAt !== null && untilAt <= fromAt)
    return 'The end of the notice must be after its start.';
  return null;
}

export const tooManyNotices: string = [
  `There are ${noticeLimits.count} notices, which is the most.`,
  'Remove one first.',
].join(' ');
