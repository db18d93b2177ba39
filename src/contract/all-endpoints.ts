/** Both endpoint tables combined. */
import type { Static, TObject } from 'typebox';
import { endpoints } from './endpoints.ts';
import { plusEndpoints } from './plus/endpoints.ts';

/** Names are unique across both tables. */
export const allEndpoints = { ...endpoints, ...plusEndpoints } as const;

/** The name of an operation, such as `getSet`. */
export type EndpointName = keyof typeof allEndpoints;

type Row<N extends EndpointName> = (typeof allEndpoints)[N];

/** The validated input of a handler. */
export interface EndpointInput<N extends EndpointName> {
  readonly params: Static<Row<N>['params']>;
  readonly query: Static<Row<N>['query']>;
  readonly body: Row<N>['body'] extends TObject ? Static<Row<N>['body']> : null;
}
