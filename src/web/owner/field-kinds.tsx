/** What pages do with the kinds of fields of lots and sales: inputs, how they are read, texts. */
import type { ComponentProps } from 'preact';
import { platformNames } from '../../market/fees/platforms.ts';
import {
  type Grade,
  gradePercent,
  incompleteGrade,
  parseGrade,
  percentMax,
  percentMin,
  plainGrade,
  sealedGrades,
  usedGrades,
} from '../../market/grades/grades.ts';
import {
  type FieldKind,
  type FieldRow,
  type FieldValue,
  quantityMax,
} from '../../portfolio/lots/fields.ts';
import { readDetail } from '../../portfolio/lots/lot-details.ts';
import type { LotField } from '../../portfolio/lots/lot-fields.ts';
import type { SaleField } from '../../portfolio/sales/sale-fields.ts';
import { Choice, type ChoiceOptions, Field, TextArea } from '../kit/fields.tsx';
import { amountText, type FormReader } from '../kit/form-reader.ts';
import { conditionNames, countText, dayText, moneyText } from '../kit/format.ts';
import { gradeName, gradeNames, ownFieldsText } from './inventory/detail-text.ts';

type AnyField = LotField | SaleField;
type ChoiceField = Extract<AnyField, { readonly kind: 'choice' }>['field'];

type EnteredField = Exclude<AnyField, { readonly kind: 'itemKind' | 'number' | 'flag' | 'own' }>;

export const choiceTexts = {
  condition: conditionNames,
  status: { owned: 'Owned', listed: 'Listed for sale' },
  dateBasis: { known: 'Known', assumed: 'Assumed', unknown: 'Unknown' },
  platform: platformNames,
} as const satisfies Readonly<Record<ChoiceField, Readonly<Record<string, string>>>>;

/** The percentage of an incomplete unit, next to its grade. */
export const percentName = 'grade_percent';

const gradeGroups: readonly { readonly label: string; readonly options: ChoiceOptions }[] = [
  { label: 'Sealed', options: sealedGrades.map((grade) => [grade, gradeNames[grade]] as const) },
  { label: 'Used', options: usedGrades.map((grade) => [grade, gradeNames[grade]] as const) },
];

/** What differs from other fields of a kind. */
export type InputProps = Partial<Omit<ComponentProps<typeof Field>, 'value'>>;

const textInputs = {
  text: {},
  count: { inputmode: 'numeric' },
  day: { type: 'date' },
  url: { type: 'url' },
  tags: { hint: 'Separated by commas' },
  place: { hint: 'Such as Shelf A › Bin 3' },
} as const;

export function FieldInput(
  props: InputProps & { readonly row: EnteredField; readonly value: FieldValue },
) {
  const { row, value: given, ...special } = props;
  const { wire: name, name: label } = row;
  const value = inputText(row.kind, given);
  const about = { name, label, isRequired: !('default' in row), ...special, value };
  switch (row.kind) {
    case 'grade':
      return <GradeInput name={about.name} grade={parseGrade(value)} />;
    case 'lines':
      return <TextArea {...about} rows={3} maxlength={row.lengthMax} />;
    case 'choice':
      return <Choice {...about} options={Object.entries(choiceTexts[row.field])} />;
    case 'money':
      return <Field {...about} label={`${about.label} ($)`} />;
    default:
      return <Field {...textInputs[row.kind]} {...about} />;
  }
}

function GradeInput({ name, grade }: { readonly name: string; readonly grade: Grade | null }) {
  return (
    <>
      <Choice
        name={name}
        label="Grade"
        options={[['', 'Not specified']]}
        groups={gradeGroups}
        value={grade ? plainGrade(grade) : ''}
      />
      <Field
        name={percentName}
        label="Percent complete"
        value={String((grade && gradePercent(grade)) ?? '')}
        inputmode="numeric"
        hint="Only if incomplete"
      />
    </>
  );
}

/** A value as the value of its input; empty if there is none. A text is one already. */
export function inputText(kind: FieldKind, value: FieldValue): string {
  return kind === 'money' && typeof value === 'number' ? amountText(value) : String(value ?? '');
}

/** Reads an input; an empty one has the default of the field. A choice is never empty. */
export function readInput(
  fields: FormReader,
  row: EnteredField,
  name: string = row.wire,
): FieldValue {
  if (row.kind !== 'choice' && 'default' in row && fields.isBlank(name)) return row.default;
  switch (row.kind) {
    case 'choice':
      return fields.word<string>(name, row.choices);
    case 'count':
      return fields.whole(name, { min: 1, max: quantityMax });
    case 'money':
      return fields.cents(name);
    case 'day':
      return fields.pastDay(name);
    default: {
      const reading = readDetail(row, fields.form.text(name), fields.today);
      if ('value' in reading) {
        return row.kind === 'grade' ? withPercent(fields, reading.value) : reading.value;
      }
      fields.fail(name, `${row.name} ${reading.problem}.`);
      return null;
    }
  }
}

function withPercent(fields: FormReader, grade: FieldValue): FieldValue {
  const percent = fields.wholeOrNull(percentName, { min: percentMin, max: percentMax });
  if (percent === null) return grade;
  if (grade === 'incomplete') return incompleteGrade(percent);
  fields.fail(percentName, 'Leave this empty, or choose the grade Incomplete.');
  return grade;
}

/** A stored value; empty if nothing is known. */
export function fieldText(row: AnyField, value: FieldValue): string {
  if (value === null) return '';
  switch (row.kind) {
    case 'choice': {
      const texts: Readonly<Record<string, string>> = choiceTexts[row.field];
      return texts[String(value)] ?? '';
    }
    case 'grade': {
      const grade = parseGrade(String(value));
      return grade ? gradeName(grade) : String(value);
    }
    case 'money':
      return moneyText(Number(value));
    case 'count':
      return countText(Number(value));
    case 'day':
      return dayText(String(value));
    case 'own':
      return ownFieldsText(String(value));
    default:
      return String(value);
  }
}

/** The look of a column in a list; small screens leave out fields that may be missing. */
export function listColumn({ name, kind, ...row }: FieldRow) {
  const isDay = kind === 'day';
  const isNumber = kind === 'money' || kind === 'count';
  return { name, isMinor: 'default' in row, isNumber, isDay, isOneLine: isDay };
}
