/** The fields of a lot besides its set: how pages enter, read, show and compare them. */
import type { ComponentChildren } from 'preact';
import { dayOf } from '../../../kernel/time.ts';
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import { type FieldValue, factsOf, nameIn, rowsFirst } from '../../../portfolio/lots/fields.ts';
import { daysListed, ownValues, tagsOf } from '../../../portfolio/lots/lot-details.ts';
import {
  detailFields,
  fixedDetails,
  type LotField,
  lotTermFields,
} from '../../../portfolio/lots/lot-fields.ts';
import {
  type GivenLot,
  type InventoryLot,
  type LotFacts,
  lotFacts,
  type OwnLot,
  writtenLot,
} from '../../../portfolio/lots/lots.ts';
import { withQuery } from '../../kit/address.ts';
import { OutsideLink } from '../../kit/buttons.tsx';
import { Badge, type Fact } from '../../kit/card.tsx';
import { Choice } from '../../kit/fields.tsx';
import { type FormReader, versionOf } from '../../kit/form-reader.ts';
import { countText, dayText, moneyText } from '../../kit/format.ts';
import { FieldInput, fieldText, type InputProps, readInput } from '../field-kinds.tsx';
import { brickfolioOptions, type DatedLot, purchaseDayText } from './lot-form.ts';

/** The purchase as pages show it. */
const shownRows = rowsFirst(lotTermFields, ['quantity', 'condition', 'priceCents', 'purchaseDate']);

const formRows = rowsFirst(shownRows, ['quantity', 'priceCents']);

/** Names of inputs that are not those of files. */
const inputNames = { priceCents: 'price' } as const;

/** The values of the inputs; the price is null if it was left empty. */
export type LotTerms = ReturnType<typeof readLotTerms>;

export function LotFields(props: {
  readonly quantityLabel: string;
  /** An empty price or date is optional in the form. */
  readonly lot: LotTerms & { readonly brickfolioId: number | null };
  /** If there are none, the field is left out. */
  readonly brickfolios: readonly Brickfolio[];
}) {
  const { quantityLabel, lot, brickfolios } = props;
  const special: Special<InputProps> = {
    quantity: { label: quantityLabel },
    priceCents: { label: 'Price per unit', isRequired: lot.priceCents !== null },
    purchaseDate:
      lot.purchaseDate === ''
        ? { isRequired: false, hint: 'Unknown. Leave empty to keep it that way.' }
        : {},
  };
  return (
    <div class="form-grid lot-grid">
      {formRows.map((row) =>
        row.field === 'brickfolio' ? (
          // A choice of the account's collections, by their IDs.
          brickfolios.length > 0 && (
            <Choice
              name={row.wire}
              label={row.name}
              options={brickfolioOptions(brickfolios)}
              value={String(lot.brickfolioId)}
            />
          )
        ) : (
          <FieldInput
            row={row}
            name={nameIn(inputNames, row)}
            value={lot[row.field]}
            {...special[row.field]}
          />
        ),
      )}
    </div>
  );
}

/** An empty price may become the list price. */
const readRows = lotTermFields
  .filter((row) => row.field !== 'brickfolio')
  .map((row) => (row.field === 'priceCents' ? { ...row, default: null } : row));

/** Reads the inputs, except the collection. An unknown purchase date may be left empty. */
export function readLotTerms(fields: FormReader, lot?: DatedLot) {
  const isKept = lot?.dateBasis === 'unknown' && fields.isBlank('purchase_date');
  return factsOf(readRows, (row) =>
    row.field === 'purchaseDate' && isKept
      ? lot.purchaseDate
      : readInput(fields, row, nameIn(inputNames, row)),
  );
}

/** Of all facts, so that no change elsewhere is overwritten. */
export function lotVersion(lot: LotFacts): string {
  return versionOf(Object.values(lotFacts(lot)));
}

/** The fields as the page of a lot shows them, without empty ones. */
export function shownFields(lot: OwnLot, at: number): readonly Fact[] {
  const inventory = withQuery('/inventory', { collection: lot.brickfolioId });
  const special: Special<ComponentChildren> = {
    quantity: `${countText(lot.quantity - lot.sold)} of ${countText(lot.quantity)} left`,
    priceCents: <PurchasePrice lot={lot} />,
    purchaseDate: <PurchaseDate lot={lot} />,
    brickfolio: <a href={inventory}>{lot.brickfolio}</a>,
    status: <LotStatus lot={lot} />,
  };
  const facts = [...shownRows, ...fixedDetails]
    .filter(({ field }) => lot[field] !== null)
    .map((row): Fact => [row.name, special[row.field] ?? fieldFact(row, lot[row.field])]);
  const listed = daysListed(lot, dayOf(at));
  const days: readonly Fact[] = listed === null ? [] : [['Days listed', countText(listed)]];
  return [...facts, ...days, ...Object.entries(ownValues(lot.ownFields))];
}

/** What differs from other fields of a kind. */
type Special<What> = Readonly<Partial<Record<LotField['field'], What>>>;

function fieldFact(row: LotField, value: FieldValue): ComponentChildren {
  const text = fieldText(row, value);
  switch (row.kind) {
    case 'url':
      return <OutsideLink href={text} />;
    case 'tags':
      return tagsOf(text).map((tag) => (
        <a key={tag} href={withQuery('/inventory', { tag })}>
          <Badge>{tag}</Badge>
        </a>
      ));
    case 'place':
      return <a href={withQuery('/inventory', { place: text })}>{text}</a>;
    case 'lines':
      return <span class="lines-kept">{text}</span>;
    default:
      return text;
  }
}

function PurchasePrice({ lot }: { readonly lot: OwnLot }) {
  const used = lot.priceCents === 0 ? 'it counts as 0' : 'the list price is used';
  const title = `No price was entered, so ${used}.`;
  return (
    <>
      {moneyText(lot.priceCents)} each {lot.isEstimated && <Badge title={title}>Estimated</Badge>}
    </>
  );
}

function PurchaseDate({ lot }: { readonly lot: OwnLot }) {
  if (lot.dateBasis === 'unknown') {
    return <Badge title="This lot is left out of returns.">Unknown</Badge>;
  }
  return (
    <>
      {dayText(lot.purchaseDate)}{' '}
      {lot.dateBasis === 'assumed' && (
        <Badge title="No date was entered, so the release date is used.">Assumed</Badge>
      )}
    </>
  );
}

export function LotStatus({ lot }: { readonly lot: InventoryLot }) {
  if (lot.sold === lot.quantity) return 'Sold out';
  return lot.status === 'listed' ? <Badge>Listed</Badge> : 'Owned';
}

/** Further facts of a new lot in an import preview, which has columns for the others. */
export function newLotText(lot: GivenLot): string {
  const shown = ['quantity', 'priceCents', 'purchaseDate'];
  return [...shownRows, ...detailFields]
    .filter((row) => !shown.includes(row.field))
    .filter((row) => !('default' in row && lot[row.field] === row.default))
    .map((row) => fieldText(row, lot[row.field] ?? null))
    .filter(Boolean)
    .join(' · ');
}

/** The fields of a lot that an import changes, before and after. */
export function lotChangeText(old: LotFacts, given: GivenLot): string {
  const before = lotWords(old);
  return lotWords(writtenLot(given, old))
    .flatMap((words, index) => (words === before[index] ? [] : [`${before[index]} → ${words}`]))
    .join(', ');
}

function lotWords(lot: LotFacts): string[] {
  const special: Special<string> = {
    quantity: `${lot.quantity} ${lot.condition}`,
    // It is next to the quantity.
    condition: '',
    priceCents: `${moneyText(lot.priceCents)}${lot.isEstimated ? ' (estimated)' : ''}`,
    purchaseDate: lot.dateBasis === 'unknown' ? 'date unknown' : purchaseDayText(lot),
    brickfolio: lot.brickfolio,
    status: lot.status,
  };
  return [...shownRows, ...detailFields].map(
    (row) => special[row.field] ?? `${row.name}: ${fieldText(row, lot[row.field]) || 'none'}`,
  );
}
