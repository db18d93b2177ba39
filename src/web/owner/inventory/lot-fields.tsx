/** The fields of a lot besides its set: how pages enter, read, show and compare them. */
import type { ComponentChildren } from 'preact';
import { dayOf } from '../../../domain/kernel/time.ts';
import { conditions } from '../../../domain/market/source-rows.ts';
import type { Brickfolio } from '../../../domain/portfolio/brickfolios.ts';
import { type FieldKind, type FieldValue, quantityMax } from '../../../domain/portfolio/fields.ts';
import { daysListed, ownValues, tagsOf } from '../../../domain/portfolio/lot-details.ts';
import {
  detailFields,
  fixedDetails,
  holdingStatuses,
} from '../../../domain/portfolio/lot-fields.ts';
import {
  type GivenLot,
  type InventoryLot,
  type LotFacts,
  lotFacts,
  type OwnLot,
  writtenLot,
} from '../../../domain/portfolio/lots.ts';
import { withQuery } from '../../kit/address.ts';
import { Badge } from '../../kit/card.tsx';
import { versionOf } from '../../kit/edit-version.tsx';
import type { Fact } from '../../kit/facts.tsx';
import { Choice, Field } from '../../kit/fields.tsx';
import { conditionNames, countText, dayText, moneyText } from '../../kit/format.ts';
import { OutsideLink } from '../../kit/links.tsx';
import { amountText, type TypedFields } from '../../kit/typed-fields.ts';
import { detailText } from './detail-text.ts';
import { brickfolioOptions, conditionChoices, type DatedLot, purchaseDayText } from './lot-form.ts';

/** The values of the inputs; the price is null if it was left empty. */
export type LotTerms = ReturnType<typeof readLotTerms>;

/** The inputs, with their initial values. */
export function LotFields(props: {
  readonly quantityLabel: string;
  /** An empty price or date is optional in the form. */
  readonly lot: LotTerms & { readonly brickfolioId: number | null };
  /** If there are none, the field is left out. */
  readonly brickfolios: readonly Brickfolio[];
}) {
  const { quantityLabel, lot, brickfolios } = props;
  const { quantity, priceCents, condition, purchaseDate, brickfolioId, status } = lot;
  return (
    <div class="form-grid lot-grid">
      <Field
        name="quantity"
        label={quantityLabel}
        value={String(quantity)}
        inputmode="numeric"
        isRequired
      />
      <Field
        name="price"
        label="Price per unit ($)"
        value={amountText(priceCents)}
        isRequired={priceCents !== null}
      />
      <Choice name="condition" label="Condition" options={conditionChoices} value={condition} />
      <Field
        name="purchase_date"
        label="Purchase date"
        type="date"
        value={purchaseDate}
        isRequired={purchaseDate !== ''}
        {...(purchaseDate === '' && { hint: 'Unknown. Leave empty to keep it that way.' })}
      />
      {brickfolios.length > 0 && (
        <Choice
          name="brickfolio"
          label="Collection"
          options={brickfolioOptions(brickfolios)}
          value={String(brickfolioId)}
        />
      )}
      <Choice name="status" label="Status" options={statusChoices} value={status} />
    </div>
  );
}

const statusChoices = [
  ['owned', 'Owned'],
  ['listed', 'Listed for sale'],
] as const;

/** Reads the inputs, except the collection. An unknown purchase date may be left empty. */
export function readLotTerms(fields: TypedFields, lot?: DatedLot) {
  const isKept = lot?.dateBasis === 'unknown' && fields.isBlank('purchase_date');
  return {
    quantity: fields.whole('quantity', { min: 1, max: quantityMax }),
    condition: fields.word('condition', conditions),
    priceCents: fields.centsOrNull('price'),
    purchaseDate: isKept ? lot.purchaseDate : fields.pastDay('purchase_date'),
    status: fields.word('status', holdingStatuses),
  };
}

/** Of all facts, so that no change elsewhere is overwritten. */
export function lotVersion(lot: LotFacts): string {
  return versionOf(Object.values(lotFacts(lot)));
}

/** The fields as the page of a lot shows them. */
export function shownFields(lot: OwnLot, at: number): readonly Fact[] {
  const inventory = withQuery('/inventory', { collection: lot.brickfolioId });
  return [
    ['Quantity', `${countText(lot.quantity - lot.sold)} of ${countText(lot.quantity)} left`],
    ['Condition', conditionNames[lot.condition]],
    ['Purchase price', <PurchasePrice lot={lot} />],
    ['Purchase date', <PurchaseDate lot={lot} />],
    ['Collection', <a href={inventory}>{lot.brickfolio}</a>],
    ['Status', <LotStatus lot={lot} />],
    ...detailFacts(lot, at),
  ];
}

/** Details of the units, without empty ones. */
function detailFacts(lot: OwnLot, at: number): readonly Fact[] {
  const listed = daysListed(lot, dayOf(at));
  const facts = fixedDetails
    .filter(({ field }) => lot[field] !== null)
    .map(({ field, name, kind }): Fact => [name, detailFact(kind, lot[field])]);
  const days: readonly Fact[] = listed === null ? [] : [['Days listed', countText(listed)]];
  return [...facts, ...days, ...Object.entries(ownValues(lot.ownFields))];
}

function detailFact(kind: FieldKind, value: FieldValue): ComponentChildren {
  const text = detailText(kind, value);
  switch (kind) {
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

/** Further facts of a new lot in an import preview. */
export function newLotText(lot: GivenLot): string {
  const { condition, brickfolio, status } = lot;
  const details = detailFields.map(({ field, kind }) => detailText(kind, lot[field] ?? null));
  const listed = status === 'listed' && 'Listed for sale';
  return [conditionNames[condition], brickfolio, listed, ...details].filter(Boolean).join(' · ');
}

/** The fields of a lot that an import changes, before and after. */
export function lotChangeText(old: LotFacts, given: GivenLot): string {
  const before = lotWords(old);
  return lotWords(writtenLot(given, old))
    .flatMap((words, index) => (words === before[index] ? [] : [`${before[index]} → ${words}`]))
    .join(', ');
}

function lotWords(lot: LotFacts): string[] {
  return [
    `${lot.quantity} ${lot.condition}`,
    `${moneyText(lot.priceCents)}${lot.isEstimated ? ' (estimated)' : ''}`,
    lot.dateBasis === 'unknown' ? 'date unknown' : purchaseDayText(lot),
    lot.brickfolio,
    lot.status,
    ...detailFields.map(
      ({ field, name, kind }) => `${name}: ${detailText(kind, lot[field]) || 'none'}`,
    ),
  ];
}
