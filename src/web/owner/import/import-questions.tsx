/** Questions about a file, where it is ambiguous or incomplete. */
import type { ComponentChildren } from 'preact';
import { type ColumnRole, columnRoles } from '../../../ingest/own-files/column-guess.ts';
import type { Recognized } from '../../../ingest/runner/format.work.ts';
import { looseDay } from '../../../ingest/runner/loose.ts';
import type { FileGaps } from '../../../ingest/runner/own-import.work.ts';
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { Choice, Fault, faultyProps, useTyped } from '../../kit/fields.tsx';
import { dayText, nounText } from '../../kit/format.ts';
import { brickfolioOptions } from '../inventory/lot-form.ts';
import { columnField } from './answers.ts';

interface QuestionProps {
  readonly recognized: Recognized;
  readonly gaps: FileGaps;
  readonly brickfolios: readonly Brickfolio[];
}

export function hasQuestions(props: QuestionProps): boolean {
  const { gaps, recognized } = props;
  const { withoutDate, withoutPrice, farPrices, otherNames } = gaps;
  const isOpen =
    gaps.unclearDay !== null || withoutDate + withoutPrice + farPrices + otherNames > 0;
  return isOpen || recognized.columns !== undefined || mayChooseCollection(props);
}

export function Questions(props: QuestionProps) {
  const { gaps, brickfolios } = props;
  return (
    <div class="questions">
      {gaps.unclearDay !== null && <DayOrderQuestion example={gaps.unclearDay} />}
      {gaps.withoutDate > 0 && (
        <Question
          name="date"
          title={`${rowsHave(gaps.withoutDate)} no purchase date`}
          choices={[
            ['unknown', 'Leave them out of returns'],
            ['release', 'Use the release date, marked as assumed'],
            ['day', 'Use one date for all', <OneField key="day" {...oneDay} />],
          ]}
        />
      )}
      {gaps.withoutPrice > 0 && (
        <Question
          name="price"
          title={`${rowsHave(gaps.withoutPrice)} no purchase price`}
          choices={[
            ['list', 'Use the list price, marked as estimated'],
            ['amount', 'Use one price for all', <OneField key="amount" {...onePrice} />],
            ['skip', 'Skip these rows'],
          ]}
        />
      )}
      {gaps.otherNames > 0 && (
        <Question
          name="named"
          title={otherNamesText(gaps.otherNames)}
          choices={[
            ['skip', 'No, leave these rows out'],
            ['import', 'Yes, import them by their numbers'],
          ]}
        />
      )}
      {gaps.farPrices > 0 && (
        <Question
          name="far"
          title={farPricesText(gaps.farPrices)}
          choices={[
            ['skip', 'No, leave these rows out'],
            ['import', 'Yes, import them'],
          ]}
        />
      )}
      {mayChooseCollection(props) && (
        <Choice
          name="to"
          label="Add to collection"
          options={[
            ['', `${brickfolios.find(({ isDefault }) => isDefault)?.name ?? 'Default'} (default)`],
            ...brickfolioOptions(brickfolios.filter(({ isDefault }) => !isDefault)),
          ]}
        />
      )}
    </div>
  );
}

/** Whether the collection can be chosen: not if the file names it for each lot. */
function mayChooseCollection({ brickfolios, recognized }: QuestionProps): boolean {
  const { name, columns } = recognized;
  const isNamed = name.startsWith('Brickmark') || columns?.mapping.collection !== undefined;
  return brickfolios.length > 1 && !isNamed;
}

function otherNamesText(count: number): string {
  const names = nounText(count, 'name');
  return count === 1
    ? `${names} fits another set than the number beside it. Is the number right?`
    : `${names} fit other sets than the numbers beside them. Are the numbers right?`;
}

function farPricesText(count: number): string {
  const prices = nounText(count, 'price');
  return count === 1
    ? `${prices} is far from the market value. Is it right?`
    : `${prices} are far from the market value. Are they right?`;
}

function rowsHave(count: number): string {
  return `${nounText(count, 'row')} ${count === 1 ? 'has' : 'have'}`;
}

const oneDay = { name: 'day', type: 'date', label: 'Purchase date' } as const;
const onePrice = { name: 'amount', type: 'text', label: 'Price per unit in US dollars' } as const;

/** The field of a choice, such as the date to use for all rows. */
function OneField(props: {
  readonly name: string;
  readonly type: 'date' | 'text';
  readonly label: string;
}) {
  const { name, type, label } = props;
  const typed = useTyped();
  return (
    <>
      <input
        name={name}
        {...({ type } as { type: 'text' })}
        value={typed.values[name]}
        aria-label={label}
        inputmode={type === 'text' ? 'decimal' : undefined}
        placeholder={type === 'text' ? '119.99' : undefined}
        {...faultyProps(typed, name)}
      />
      <Fault typed={typed} name={name} />
    </>
  );
}

/** A question; the first choice is the default. */
function Question(props: {
  readonly name: string;
  readonly title: string;
  readonly choices: readonly (readonly [value: string, text: string, more?: ComponentChildren])[];
}) {
  const { name, title, choices } = props;
  const chosen = useTyped().values[name] || choices[0]?.[0];
  return (
    <fieldset class="options question">
      <legend>{title}</legend>
      {choices.map(([value, text, more]) => (
        <div class="option" key={value}>
          <label class="tick">
            <input type="radio" name={name} value={value} checked={value === chosen} />
            {text}
          </label>
          {more}
        </div>
      ))}
    </fieldset>
  );
}

function DayOrderQuestion({ example }: { readonly example: string }) {
  const read = (order: 'day first' | 'month first') => dayText(looseDay(example, order) ?? '');
  return (
    <Question
      name="order"
      title={`How are dates like ${example} written?`}
      choices={[
        ['day', `Day first: ${read('day first')}`],
        ['month', `Month first: ${read('month first')}`],
      ]}
    />
  );
}

const roleNames: Readonly<Record<ColumnRole, string>> = {
  number: 'Set number',
  name: 'Name',
  quantity: 'Quantity',
  condition: 'Condition',
  price: 'Price paid, per unit',
  total: 'Price paid, in total',
  date: 'Purchase date',
  collection: 'Collection',
  status: 'Status',
  notes: 'Notes',
  tags: 'Tags',
  place: 'Place',
  shop: 'Bought at',
  asking: 'Asking price',
  listed: 'Listed on',
  link: 'Listing link',
};

/** Matches columns of a spreadsheet to roles, below its first rows. */
export function ColumnQuestions({ recognized }: Pick<QuestionProps, 'recognized'>) {
  const { columns } = recognized;
  if (!columns) return null;
  const { header, rows, mapping } = columns;
  const options = header.map(
    (name, index) => [String(index), name || `Column ${index + 1}`] as const,
  );
  return (
    <div class="columns">
      <DataTable
        label="The first rows of the file"
        rows={rows.map((cells) => ({ cells }))}
        columns={header.slice(0, columnsShown).map((name, at) => ({
          key: String(at),
          name: name || `Column ${at + 1}`,
          isUnplaced: true,
          cell: (row: { readonly cells: readonly string[] }) => row.cells[at] ?? '',
        }))}
      />
      <div class="form-grid">
        {columnRoles.map((role) => (
          <Choice
            key={role}
            name={columnField(role)}
            label={roleNames[role]}
            value={String(mapping[role] ?? '')}
            options={[['', role === 'number' ? 'Choose a column' : 'Not in this file'], ...options]}
          />
        ))}
      </div>
    </div>
  );
}

const columnsShown = 10;
