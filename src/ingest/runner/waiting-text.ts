/** Describes rows that wait for exchange rates, for operators. */
import { dayText, nounText } from '../../kernel/format.ts';
import type { WaitingRows } from '../../market/source-rows/market-ingest.ts';

export function waitingCount(waiting: readonly WaitingRows[]): number {
  return waiting.reduce((sum, { count }) => sum + count, 0);
}

/** A sentence with the currencies and days, and another on what to do. */
export function waitingText(waiting: readonly WaitingRows[]): string {
  const rates = waiting.map(({ currency, firstDate, lastDate }) =>
    firstDate === lastDate
      ? `${currency} of ${dayText(firstDate)}`
      : `${currency} of ${dayText(firstDate)} to ${dayText(lastDate)}`,
  );
  const total = waitingCount(waiting);
  const [wait, them] = total === 1 ? ['waits', 'it'] : ['wait', 'them'];
  return (
    `${nounText(total, 'row')} ${wait} for exchange rates: ${rates.join(', ')}. ` +
    `Importing the rates brings ${them} in.`
  );
}
