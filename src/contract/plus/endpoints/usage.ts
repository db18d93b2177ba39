/** How much of its allowance the caller's key has used. */
import type { Endpoint } from '../../endpoint.ts';
import * as usage from '../usage.ts';
import { usual } from './usual.ts';

export const usageEndpoints = {
  getUsage: {
    ...usual,
    scope: 'caller',
    needs: [],
    cost: 'free',
    path: '/usage',
    tag: 'Usage',
    summary: "Get your key's usage",
    description: 'Returns the calls your key has used today and on each of the last 30 days.',
    docs: 'calls your key has used today and on each of the last 30 days',
    answer: usage.Usage,
    example: usage.usageExample,
  },
} as const satisfies Record<string, Endpoint>;
