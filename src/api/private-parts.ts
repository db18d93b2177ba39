/** What the handlers of private endpoints share. */
import type { Sources } from '../accounts/collection.ts';
import type { Clock } from '../domain/time.ts';
import type { PrivateAnswers } from './private-answers.ts';

/** Where private answers come from and are kept, and what time it is. */
export interface PrivateParts {
  readonly sources: Sources;
  readonly answers: PrivateAnswers;
  readonly clock: Clock;
}
