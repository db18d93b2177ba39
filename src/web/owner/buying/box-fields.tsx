/** The rows of a box or a purchase in a form: their inputs, and how they are read. */

import { boxUnitsMax } from '../../../buying/boxes/box-worth.ts';
import type { EvaluatedRow } from '../../../buying/boxes/evaluate-rows.work.ts';
import { type BoxRow, boxLimits } from '../../../buying/boxes/saved-box.ts';
import { foldText } from '../../../kernel/text.ts';
import {
  conditionOfGrade,
  type Grade,
  parseGrade,
  sealedGrades,
  usedGrades,
} from '../../../market/grades/grades.ts';
import { type Condition, conditions } from '../../../market/source-rows/source-rows.ts';
import { numberColumn, wideColumn } from '../../kit/columns.tsx';
import { CellChoice, CellField, type ChoiceOptions } from '../../kit/fields.tsx';
import { amountText, type FormReader } from '../../kit/form-reader.ts';
import { conditionNames } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Money } from '../../kit/money.tsx';
import { choiceText, choiceValue, type SuggestedItem } from '../../kit/set-picker.tsx';
import { gradeName, gradeText } from '../inventory/detail-text.ts';

type Stated = Pick<BoxRow, 'condition' | 'grade'>;

export function stateText({ condition, grade }: Stated): string {
  if (condition === null) return 'Choose';
  return grade === null ? conditionNames[condition] : gradedState(grade);
}

/** Perfect boxes are what values are for, so that grade is not offered. */
const offeredGrades: readonly Grade[] = [...sealedGrades, ...usedGrades].filter(
  (grade) => grade !== 'perfect',
);

function gradedState(grade: Grade): string {
  const name = grade === 'complete' ? 'complete, no box' : gradeName(grade).toLowerCase();
  return `${conditionNames[conditionOfGrade(grade)]}, ${name}`;
}

function stateOptions({ condition, grade }: Stated): ChoiceOptions {
  const offered = conditions.flatMap((each) => [
    [each, conditionNames[each]] as const,
    ...offeredGrades
      .filter((one) => conditionOfGrade(one) === each)
      .map((one) => [one, gradedState(one)] as const),
  ]);
  const isOffered = grade === null || offered.some(([value]) => value === grade);
  return [
    ...(condition === null ? [['', 'Choose'] as const] : []),
    ...offered,
    ...(isOffered ? [] : [[grade, gradedState(grade)] as const]),
  ];
}

/** Fields of a row are named by its position. */
const names = {
  state: (index: number) => `condition-${index}`,
  quantity: (index: number) => `quantity-${index}`,
  price: (index: number) => `price-${index}`,
};

/** The columns that boxes and purchases have. */
export const rowColumns = {
  condition: wideColumn<EvaluatedRow>('Condition', (each) => (
    <CellChoice
      name={names.state(each.index)}
      label={`Condition of ${rowName(each)}`}
      options={stateOptions(each.row)}
      value={each.row.grade ?? each.row.condition ?? ''}
    />
  )),
  quantity: numberColumn<EvaluatedRow>('Quantity', (each) => (
    <CellField
      name={names.quantity(each.index)}
      label={`Quantity of ${rowName(each)}`}
      value={String(each.row.quantity)}
      inputmode="numeric"
      maxlength={7}
    />
  )),
  value: numberColumn<EvaluatedRow>('Value each', ({ unitValueCents, tier }) => (
    <Money cents={unitValueCents} tier={tier} />
  )),
  price: numberColumn<EvaluatedRow>('Price each ($)', (each) => (
    <CellField
      name={names.price(each.index)}
      label={`Price of ${rowName(each)}`}
      value={amountText(each.row.priceCents)}
      inputmode="decimal"
    />
  )),
};

export const priceName = names.price;
export const stateName = names.state;

export function hasRow({ form }: FormReader, index: number): boolean {
  return form.text(names.quantity(index)) !== '' || form.text(names.state(index)) !== '';
}

export function readRowFields(fields: FormReader, index: number) {
  return {
    ...readState(fields, names.state(index)),
    quantity: fields.whole(names.quantity(index), { min: 1, max: boxUnitsMax }),
    priceCents: fields.centsOrNull(names.price(index)),
  };
}

function readState(fields: FormReader, name: string): Stated {
  const grade = parseGrade(fields.form.text(name));
  if (grade) return { condition: conditionOfGrade(grade), grade };
  return { condition: fields.wordOrNull<Condition>(name, conditions), grade: null };
}

/** The name of a row for screen readers. */
export const rowName = ({ row, item }: EvaluatedRow) => item?.title ?? row.text;

/** The item of a row, or the inputs that mend it. */
export function RowItem(props: {
  readonly each: EvaluatedRow;
  readonly suggestions: readonly SuggestedItem[];
}) {
  const { each, suggestions } = props;
  const { row, item, index, gradeEffect, unitValueCents } = each;
  if (item) {
    const ignored = unusedWords(row.ignored, item.title);
    const effect =
      unitValueCents === null ? null : gradeEffect && gradeText(row.grade, gradeEffect);
    const notes = [effect, ignored && `Not used: “${ignored}”`].filter(Boolean);
    return (
      <>
        <ItemCell kind={item.kind} number={item.number} name={item.title} />
        {notes.length > 0 && <small class="quiet">{notes.join('. ')}</small>}
      </>
    );
  }
  return (
    <div class="mend">
      <CellField
        name={`line-${index}`}
        label={`Line: ${row.text}`}
        value={row.text}
        maxlength={boxLimits.line}
      />
      <small class="warning">{row.problem ?? `${row.number} is not in the catalog.`}</small>
      {suggestions.length > 0 && (
        <CellChoice
          name={`choice-${index}`}
          label={`What is meant by ${row.text}`}
          options={[
            ['', 'Did you mean…'],
            ...suggestions.map((each) => [choiceValue(each), choiceText(each)] as const),
          ]}
          value=""
        />
      )}
    </div>
  );
}

/** Words that are not in the name of the item. */
function unusedWords(ignored: string, title: string): string {
  const known = new Set(foldText(title).split(/[^a-z0-9]+/));
  const words = ignored.split(' ').filter((word) => {
    return foldText(word)
      .split(/[^a-z0-9]+/)
      .some((part) => part !== '' && !known.has(part));
  });
  return words.join(' ');
}
