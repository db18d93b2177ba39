/**
 * Answers calls with test keys. Input is validated as for other keys, and costs are the same, but
 * are not charged. Calls take turns, so that free answers are limited.
 */

import type { Caller } from '../../accounts/keys/quota.ts';
import type { EndpointName } from '../../contract/all-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { ApiError, allErrors, busyCodes } from '../../contract/errors.ts';
import { pools } from '../../http/pools.ts';
import { Slots } from '../../http/slots.ts';
import { secondMs } from '../../kernel/time.ts';
import type { Handlers, Work } from '../handler.ts';
import { type ParsedUrl, type ParseUrl, urlParser } from '../parsed-url.ts';
import { secondsUntilReset } from '../respond.ts';
import { compileRoutes } from '../router.ts';
import { testAnswerOf } from './test-handlers.ts';
import { forcedBy, slowMs } from './test-items.ts';

const { perAccount, waitingEach, heldMsMin } = pools.testKeys;

/** The time in which a full queue of an account is answered. */
const queueSeconds = Math.ceil((waitingEach * heldMsMin) / perAccount / secondMs);

export class TestKeys {
  private readonly parseUrl: ParseUrl;
  private readonly slots = new Slots(pools.testKeys);

  /** `handlers` validate what no schema can check. */
  constructor(
    handlers: Handlers,
    private readonly sleep: (ms: number) => Promise<void>,
  ) {
    this.parseUrl = urlParser(compileRoutes(this.withFixedData(handlers)));
  }

  /** The same request, with fixed data. */
  parse(url: string): ParsedUrl {
    const parsed = this.parseUrl(url);
    if (!parsed) throw new Error('A path of the API is none for test keys.');
    return parsed;
  }

  async inTurn<T>(
    { accountId, network = '' }: Caller,
    { prefix }: Endpoint,
    work: () => Promise<T>,
  ): Promise<T> {
    const done = await this.slots.take({ account: accountId, network }, async () => ({
      value: await work(),
    }));
    if (done) return done.value;
    const message = 'Too many calls with test keys are waiting. ';
    throw new ApiError(
      busyCodes[prefix],
      `${message}Try again in ${queueSeconds} seconds.`,
      queueSeconds,
    );
  }

  private withFixedData(handlers: Handlers): Handlers {
    const fixed = Object.entries(handlers).map(([name, handler]) => {
      const answer = testAnswerOf(name as EndpointName);
      const prepare = (input: never): Work => {
        // Refuses what is not valid, as for other keys.
        handler(input);
        return {
          read: async ({ allowance }, spent, source) => {
            await this.force(input, spent.at);
            return answer(input, { ...spent, allowance, source });
          },
        };
      };
      return [name, prepare];
    });
    return Object.fromEntries(fixed);
  }

  /** Throws or waits if the input has a number for that. */
  private async force(input: unknown, at: number): Promise<void> {
    const forced = forcedBy(input);
    if (forced === 'quota') {
      const { example } = allErrors.QuotaExceeded;
      throw new ApiError('QuotaExceeded', example, secondsUntilReset(at));
    }
    if (forced === 'failure') throw new ApiError('InternalError');
    if (forced === 'slow') await this.sleep(slowMs);
  }
}
