/** Both endpoint tables as one: what is served, counted and tested alike. */
import type { Static, TObject } from 'typebox';
import { endpoints } from './endpoints.ts';
import { plusEndpoints } from './plus/endpoints.ts';

/** All endpoints, those of the contract first. No name is in both tables. */
export const allEndpoints = { ...endpoints, ...plusEndpoints } as const;

/** The name of an operation, such as `getSet`. */
export type EndpointName = keyof typeof allEndpoints;

type Row<N extends EndpointName> = (typeof allEndpoints)[N];

/** What a handler of one endpoint is given, validated. */
export interface EndpointInput<N extends EndpointName> {
  readonly params: Static<Row<N>['params']>;
  readonly query: Static<Row<N>['query']>;
  readonly body: Row<N>['body'] extends TObject ? Static<Row<N>['body']> : null;
}
