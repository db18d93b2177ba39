/** How values are shown to people on pages; what terminals show, too, is in the kernel. */
import { percentText } from '../../domain/kernel/format.ts';
import type { Gain } from '../../domain/portfolio/holdings.ts';

/** A gain in whole percent, with its sign. */
export function roundPercentText(percent: number): string {
  const whole = Math.round(percent);
  return `${whole > 0 ? '+' : ''}${whole + 0}%`;
}

/** A gain in percent of the cost; of what cost nothing there is none. */
export function gainPercentText(worth: Pick<Gain, 'costCents' | 'gainPct'>): string {
  return percentText(worth.costCents === 0 ? null : worth.gainPct);
}

/** A share that is given in hundredths of a percent. */
export function shareText(basisPoints: number): string {
  return `${basisPoints / 100}%`;
}
