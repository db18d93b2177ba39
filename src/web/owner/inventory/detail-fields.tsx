/** Inputs for what is known about units, and how they are read. */
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
} from '../../../domain/market/grades.ts';
import type { Condition } from '../../../domain/market/source-rows.ts';
import { type FieldValue, factsOf } from '../../../domain/portfolio/fields.ts';
import {
  detailLimits,
  type OwnField,
  ownText,
  ownValues,
  readDetail,
} from '../../../domain/portfolio/lot-details.ts';
import type { DetailChange } from '../../../domain/portfolio/lot-edits.ts';
import {
  type DetailField,
  detailFields,
  fixedDetails,
  type LotDetails,
} from '../../../domain/portfolio/lot-fields.ts';
import { Checkbox, Choice, Field, type Options, TextArea, useTyped } from '../../kit/fields.tsx';
import { amountText, type TypedFields } from '../../kit/typed-fields.ts';
import { gradeNames } from './detail-text.ts';

/** The percentage of an incomplete unit, next to its grade. */
const percentName = 'grade_percent';

/** The inputs are folded away, unless some have a value or an error. */
export function DetailFields(props: {
  readonly details: LotDetails;
  readonly ownFields: readonly OwnField[];
}) {
  const { details, ownFields } = props;
  const { values, faults } = useTyped();
  const names = [...detailFields.map(({ wire }) => wire), ...ownFields.map(ownInput), percentName];
  const isOpen =
    detailFields.some(({ field }) => details[field] !== null) ||
    names.some((name) => values[name] || faults[name]);
  return (
    <details class="lot-details" open={isOpen}>
      <summary>Grade, notes, place and listing</summary>
      <DetailInputs details={details} ownFields={ownFields} />
    </details>
  );
}

export function DetailInputs(props: {
  readonly details: LotDetails;
  readonly ownFields: readonly OwnField[];
}) {
  const { details, ownFields } = props;
  const values = ownValues(details.ownFields);
  return (
    <div class="form-grid lot-grid">
      {detailFields.map((field) => (
        <DetailInput key={field.wire} field={field} value={details[field.field]} />
      ))}
      {ownFields.map((own) => (
        <Field
          key={own.id}
          name={ownInput(own)}
          label={own.name}
          isTypedLabel
          value={values[own.name] ?? ''}
          maxlength={detailLimits.ownValue}
        />
      ))}
    </div>
  );
}

const ownInput = ({ id }: OwnField) => `own_${id}`;

const gradeGroups: readonly { readonly label: string; readonly options: Options }[] = [
  { label: 'Sealed', options: sealedGrades.map((grade) => [grade, gradeNames[grade]] as const) },
  { label: 'Used', options: usedGrades.map((grade) => [grade, gradeNames[grade]] as const) },
];

function DetailInput(props: { readonly field: DetailField; readonly value: FieldValue }) {
  const { field: row, value } = props;
  const { wire: name, name: label } = row;
  const text = String(value ?? '');
  switch (row.kind) {
    case 'own':
      return null;
    case 'grade':
      return <GradeInput name={name} grade={parseGrade(text)} />;
    case 'lines':
      return <TextArea name={name} label={label} value={text} rows={3} maxlength={row.lengthMax} />;
    case 'money': {
      const amount = value === null ? '' : amountText(Number(value));
      return <Field name={name} label={`${label} ($)`} value={amount} />;
    }
    case 'day':
      return <Field name={name} label={label} type="date" value={text} />;
    case 'url':
      return <Field name={name} label={label} type="url" value={text} />;
    case 'tags':
      return <Field name={name} label={label} value={text} hint="Separated by commas" />;
    case 'place':
      return <Field name={name} label={label} value={text} hint="Such as Shelf A › Bin 3" />;
    case 'text':
      return <Field name={name} label={label} value={text} />;
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

/** Reads all inputs; an empty one means that nothing is known. */
export function readDetailInputs(
  fields: TypedFields,
  about: {
    readonly at: number;
    readonly condition: Condition;
    readonly ownFields: readonly OwnField[];
    /** Own fields of the lot, of which those without an input stay. */
    readonly stored?: string | null;
  },
): LotDetails {
  const { at, condition, ownFields, stored = null } = about;
  const details = factsOf(detailFields, (row) => readDetailInput(fields, row, at));
  const { grade } = details;
  if (grade !== null && !gradesOf(condition).some((each) => each === plainGrade(grade))) {
    fields.fail('grade', `Choose a grade for ${condition} units, or change the condition.`);
  }
  return { ...details, ownFields: readOwnInputs(fields, ownFields, stored) };
}

export function gradesOf(condition: Condition): readonly string[] {
  return condition === 'sealed' ? sealedGrades : usedGrades;
}

/** A value as it is stored; null if the input is empty. */
function readDetailInput(fields: TypedFields, row: DetailField, at: number): FieldValue {
  const { wire, name, kind } = row;
  if (kind === 'own' || fields.isBlank(wire)) return null;
  if (kind === 'money') return fields.cents(wire);
  if (kind === 'day') return fields.pastDay(wire);
  const reading = readDetail(row, fields.form.text(wire), at);
  if ('problem' in reading) {
    fields.fail(wire, `${name} ${reading.problem}.`);
    return null;
  }
  return kind === 'grade' ? withPercent(fields, reading.value) : reading.value;
}

function withPercent(fields: TypedFields, grade: FieldValue): FieldValue {
  const percent = fields.wholeOrNull(percentName, { min: percentMin, max: percentMax });
  if (percent === null) return grade;
  if (grade === 'incomplete') return incompleteGrade(percent);
  fields.fail(percentName, 'Leave this empty, or choose the grade Incomplete.');
  return grade;
}

function readOwnInputs(
  fields: TypedFields,
  ownFields: readonly OwnField[],
  stored: string | null,
): string | null {
  const values = { ...ownValues(stored) };
  for (const own of ownFields) {
    const value = fields.textOrNull(ownInput(own), detailLimits.ownValue);
    if (value === null) delete values[own.name];
    else values[own.name] = value;
  }
  return ownText(Object.entries(values));
}

/** Checkboxes to remove what is known, for a change of many lots. */
export function RemovedFields({ ownFields }: { readonly ownFields: readonly OwnField[] }) {
  const boxes = [
    ...fixedDetails.map(({ wire, name }) => [removeName(wire), name] as const),
    ...ownFields.map((own) => [removeName(ownInput(own)), own.name] as const),
  ];
  return (
    <details class="lot-details">
      <summary>Remove what is known</summary>
      <fieldset class="options">
        <legend>Empty these fields</legend>
        {boxes.map(([name, label]) => (
          <Checkbox key={name} name={name} label={label} />
        ))}
      </fieldset>
    </details>
  );
}

const removeName = (name: string) => `remove_${name}`;

/** The fields that were filled in or removed, for a change of many lots. */
export function readDetailChange(
  fields: TypedFields,
  at: number,
  ownFields: readonly OwnField[],
): DetailChange {
  const isRemoved = (name: string) => fields.form.isTicked(removeName(name));
  const details = fixedDetails
    .filter(({ wire }) => !fields.isBlank(wire) || isRemoved(wire))
    .map((field) => [field.field, readDetailInput(fields, field, at)]);
  const own = ownFields
    .filter((field) => !fields.isBlank(ownInput(field)) || isRemoved(ownInput(field)))
    .map(
      (field) => [field.name, fields.textOrNull(ownInput(field), detailLimits.ownValue)] as const,
    );
  return { details: Object.fromEntries(details), own };
}
