/** The import options of a file, which are in the query of its preview. */

import {
  type ColumnMapping,
  type ColumnRole,
  columnRoles,
} from '../../../ingest/own-files/column-guess.ts';
import type { OwnAnswers } from '../../../ingest/runner/format.work.ts';
import type { DayOrder } from '../../../ingest/runner/loose.ts';
import type { OwnImport } from '../../../ingest/runner/own-import.work.ts';
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import type { Typed } from '../../kit/fields.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { readBrickfolio } from '../inventory/lot-form.ts';

/** Lots without a purchase date: left out of returns, at release, or all on one day. */
const dateChoices = ['unknown', 'release', 'day'] as const;

/** Lots without a price: at list price, at one price, or skipped. */
const priceChoices = ['list', 'amount', 'skip'] as const;

/** Prices far from the market value: left out or imported. */
const farChoices = ['skip', 'import'] as const;

/** Numbers beside a name that fits another set: left out or imported. */
const namedChoices = ['skip', 'import'] as const;

/** The order of day and month in ambiguous dates. */
const orders: Readonly<Record<string, DayOrder>> = { day: 'day first', month: 'month first' };

export interface Answered {
  readonly settings: OwnImport['settings'];
  readonly answers: OwnAnswers;
  /** Whether prices far from the market value are right. */
  readonly arePricesConfirmed: boolean;
  /** Whether numbers beside a name that fits another set are right. */
  readonly areNumbersConfirmed: boolean;
}

export const columnField = (role: ColumnRole) => `col_${role}`;

export function readAnswers(fields: FormReader, brickfolios: readonly Brickfolio[]): Answered {
  const date = fields.wordOrNull('date', dateChoices) ?? 'unknown';
  const price = fields.wordOrNull('price', priceChoices) ?? 'list';
  const day = date === 'day' ? fields.pastDay('day') : null;
  const cents = price === 'amount' ? fields.cents('amount') : null;
  const far = fields.wordOrNull('far', farChoices) ?? 'skip';
  const named = fields.wordOrNull('named', namedChoices) ?? 'skip';
  const to = fields.isBlank('to') ? null : readBrickfolio(fields, 'to', brickfolios);
  return {
    settings: {
      brickfolio: to?.name ?? null,
      missingPrice: price === 'skip' ? 'reject' : 'msrp',
      missingDate: date === 'release' ? 'release' : 'unknown',
    },
    answers: {
      columns: readColumns(fields),
      dayOrder: orders[fields.form.text('order')] ?? null,
      purchaseDate: fields.isGood ? day : null,
      priceCents: fields.isGood ? cents : null,
    },
    arePricesConfirmed: far === 'import',
    areNumbersConfirmed: named === 'import',
  };
}

function readColumns({ form }: FormReader): ColumnMapping | null {
  const named = columnRoles.flatMap((role) => {
    const text = form.text(columnField(role));
    return /^\d{1,3}$/.test(text) ? [[role, Number(text)] as const] : [];
  });
  return named.length === 0 ? null : Object.fromEntries(named);
}

const names = [
  'to',
  'date',
  'day',
  'price',
  'amount',
  'order',
  'far',
  'named',
  ...columnRoles.map(columnField),
];

/** The options as a query, without empty ones. */
export function answersQuery({ values }: Typed): string {
  const given = names.flatMap((name) => (values[name] ? [[name, values[name]]] : []));
  return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`;
}

/** The options that decide which rows are imported, and so the number on the button. */
export function rowAnswers(answered: Answered, columns = answered.answers.columns): string {
  const { settings, answers, arePricesConfirmed, areNumbersConfirmed } = answered;
  const places = columnRoles.map((role) => columns?.[role] ?? '');
  const isOnePrice = answers.priceCents !== null;
  const choices = [settings.missingPrice, isOnePrice, arePricesConfirmed, areNumbersConfirmed];
  return [...choices, ...places].join(',');
}
