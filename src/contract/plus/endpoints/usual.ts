/** The fields that most rows of the Plus API have; a row sets those that differ. */
import { usualEndpoint } from '../../endpoint-parts.ts';
import { plusPrefix } from '../../limits.ts';

export const usual = { ...usualEndpoint, prefix: plusPrefix } as const;

/** Published data. */
export const shared = { ...usual, scope: 'shared', needs: ['market'] } as const;
