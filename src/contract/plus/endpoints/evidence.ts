/** Why a value is what it is. */
import * as catalog from '../../catalog.ts';
import type { Endpoint } from '../../endpoint.ts';
import { minifigNumber, setNumber } from '../../endpoint-parts.ts';
import * as batches from '../batches.ts';
import * as evidence from '../evidence.ts';
import { shared } from './usual.ts';

const row = { ...shared, tag: 'Evidence' } as const;

export const evidenceEndpoints = {
  getSetEvidence: {
    ...row,
    path: '/set/{number}/evidence',
    summary: "Get the evidence for a set's values",
    description:
      'Returns counts, reasons, and the terms of prices, never individual sales. The same for ' +
      'every caller.',
    docs: "counts, reasons and terms behind a set's values",
    params: setNumber,
    answer: evidence.ItemEvidence,
    example: evidence.evidenceExample,
    mayMiss: true,
  },
  getMinifigEvidence: {
    ...row,
    path: '/minifig/{number}/evidence',
    summary: "Get the evidence for a minifigure's value",
    description:
      'Returns counts, reasons, and the terms of prices, never individual sales. The same for ' +
      'every caller.',
    docs: "counts, reasons and terms behind a minifigure's value",
    params: minifigNumber,
    answer: evidence.ItemEvidence,
    example: {
      ...evidence.evidenceExample,
      item_type: 'minifig',
      number: 'coa0007',
      title: 'Lighthouse Keeper, Yellow Raincoat',
    },
    mayMiss: true,
  },
  getEvidenceBatch: {
    ...row,
    cost: 'per item',
    method: 'POST',
    path: '/evidence/batch',
    summary: 'Get the evidence for the values of up to 100 items',
    description:
      'Returns counts and reasons of each item, never individual sales. An item that does not ' +
      'exist has `found: false`, and costs a call too. The same for every caller.',
    docs: 'counts and reasons behind the values of up to 100 sets and minifigures',
    body: catalog.BatchBody,
    answer: batches.EvidenceBatch,
    example: batches.evidenceBatchExample,
    bodyExample: { sets: ['10482-1', '99999'], minifigs: ['coa9999'] },
  },
} as const satisfies Record<string, Endpoint>;
