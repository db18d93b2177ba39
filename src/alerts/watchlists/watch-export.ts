/** Exports watch lists as CSV and as a BrickLink wanted list. Both can be imported again. */

import { variantBase } from '../../catalog/items/numbers.ts';
import { guardCell, quoteCell, usdCell } from '../../kernel/csv-cell.ts';
import { formatInstant } from '../../kernel/time.ts';
import type { ItemName } from '../../market/published/published-records.ts';
import type { WatchedItem } from './watch-list.ts';

/** An item with its current title; null: not published. */
export interface NamedItem {
  readonly item: WatchedItem;
  readonly named: ItemName | null;
}

export function watchListCsv(items: readonly NamedItem[]): string {
  const lines = items.map(({ item, named }) => {
    const { kind, targetCents, note, addedAt } = item;
    return [
      kind,
      textCell(numberOf({ item, named })),
      textCell(named?.name ?? ''),
      usdCell(targetCents),
      textCell(note),
      formatInstant(addedAt),
    ].join(',');
  });
  return `${['item_type,number,name,target_usd,note,added_at', ...lines].join('\r\n')}\r\n`;
}

function numberOf({ item, named }: NamedItem): string {
  return named?.number ?? item.number;
}

function textCell(text: string): string {
  return text === '' ? '' : quoteCell(guardCell(text));
}

/** BrickLink does not accept an XML declaration. */
export function watchListXml(items: readonly NamedItem[]): string {
  const lines = items.map(({ item, named }) => {
    const { kind, targetCents, note } = item;
    const fields = [
      ['ITEMTYPE', kind === 'set' ? 'S' : 'M'],
      ['ITEMID', brickLinkNumber(kind, numberOf({ item, named }))],
      ['MAXPRICE', usdCell(targetCents)],
      ['REMARKS', note],
    ] as const;
    const given = fields.filter(([, text]) => text !== '');
    const elements = given.map(([name, text]) => `<${name}>${escapeXml(text)}</${name}>`);
    return `<ITEM>${elements.join('')}</ITEM>`;
  });
  return `${['<INVENTORY>', ...lines, '</INVENTORY>'].join('\n')}\n`;
}

/** BrickLink's set numbers include the variant. */
function brickLinkNumber(kind: WatchedItem['kind'], number: string): string {
  return kind === 'set' && variantBase(number) === number ? `${number}-1` : number;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
