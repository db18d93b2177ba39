/** What owners answer about a file before it is imported. The answers are part of the address. */
import type { Brickfolio } from '../../../domain/portfolio/brickfolio-store.ts';
import type { OwnAnswers } from '../../../ingest/format.ts';
import type { DayOrder } from '../../../ingest/loose.ts';
import type { OwnImport } from '../../../ingest/own-import.ts';
import {
  type ColumnMapping,
  type ColumnRole,
  columnRoles,
} from '../../../ingest/private/column-guess.ts';
import type { Typed } from '../../kit/fields.tsx';
import type { TypedFields } from '../../kit/typed-fields.ts';
import { readBrickfolio } from '../inventory/lot-form.ts';

/** Lots without a day of purchase: left out of returns, bought at release, or all on one day. */
const dateChoices = ['unknown', 'release', 'day'] as const;

/** Lots without a price: at their list price, at one price, or skipped. */
const priceChoices = ['list', 'amount', 'skip'] as const;

/** Days that can be read both ways. */
const orders: Readonly<Record<string, DayOrder>> = { day: 'day first', month: 'month first' };

/** How an import goes on, by what was answered. */
export interface Answered {
  readonly settings: OwnImport['settings'];
  readonly answers: OwnAnswers;
}

/** The field of a form that names the column of a role. */
export const columnField = (role: ColumnRole) => `col_${role}`;

/** Reads answers from an address or a form; what was not answered has its usual answer. */
export function readAnswers(fields: TypedFields, brickfolios: readonly Brickfolio[]): Answered {
  const date = fields.wordOrNull('date', dateChoices) ?? 'unknown';
  const price = fields.wordOrNull('price', priceChoices) ?? 'list';
  const day = date === 'day' ? fields.pastDay('day') : null;
  const cents = price === 'amount' ? fields.cents('amount') : null;
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
  };
}

function readColumns({ form }: TypedFields): ColumnMapping | null {
  const named = columnRoles.flatMap((role) => {
    const text = form.text(columnField(role));
    return /^\d{1,3}$/.test(text) ? [[role, Number(text)] as const] : [];
  });
  return named.length === 0 ? null : Object.fromEntries(named);
}

const names = ['to', 'date', 'day', 'price', 'amount', 'order', ...columnRoles.map(columnField)];

/** The answers as an address has them; those that say nothing are left out. */
export function answersQuery({ values }: Typed): string {
  const said = names.flatMap((name) => (values[name] ? [[name, values[name]]] : []));
  return said.length === 0 ? '' : `?${new URLSearchParams(said as [string, string][])}`;
}
