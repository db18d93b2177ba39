/** What handlers work with. */
import type { Clock } from '../domain/kernel/time.ts';
import type { MarketCache } from './market-cache.ts';
import type { PrivateAnswers } from './private-answers.ts';

/** What is published, where private answers are kept, and what time it is. */
export interface HandlerDeps {
  readonly market: MarketCache;
  readonly answers: PrivateAnswers;
  readonly clock: Clock;
}
