/** What the handlers of private endpoints share. */
import type { PortfolioData } from '../accounts/portfolio-data.ts';
import type { Clock } from '../domain/kernel/time.ts';
import type { Answer, Work } from './handler.ts';
import type { PrivateAnswers, Question } from './private-answers.ts';

/** Where private answers come from and are kept, and what time it is. */
export interface PrivateDeps {
  readonly portfolio: PortfolioData;
  readonly answers: PrivateAnswers;
  readonly clock: Clock;
}

/** Work whose answer depends on the caller's data and the published values alone, and is kept. */
export function keptWork(
  { answers }: PrivateDeps,
  question: Question,
  make: (accountId: number) => Promise<Answer>,
): Work {
  return {
    cost: 1,
    isDear: true,
    read: (caller) => answers.find(caller, question, () => make(caller.accountId)),
  };
}
