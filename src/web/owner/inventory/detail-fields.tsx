/** Inputs for what is known about units, and how they are read. */

import { plainGrade, sealedGrades, usedGrades } from '../../../market/grades/grades.ts';
import type { Condition } from '../../../market/source-rows/source-rows.ts';
import { factsOf } from '../../../portfolio/lots/fields.ts';
import {
  detailLimits,
  type OwnField,
  ownText,
  ownValues,
} from '../../../portfolio/lots/lot-details.ts';
import type { DetailChange } from '../../../portfolio/lots/lot-edits.ts';
import { detailFields, fixedDetails, type LotDetails } from '../../../portfolio/lots/lot-fields.ts';
import { Checkbox, Field, useTyped } from '../../kit/fields.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { FieldInput, percentName, readInput } from '../field-kinds.tsx';

interface DetailProps {
  readonly details: LotDetails;
  readonly ownFields: readonly OwnField[];
}

/** The inputs are folded away, unless some have a value or an error. */
export function DetailFields({ details, ownFields }: DetailProps) {
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

export function DetailInputs({ details, ownFields }: DetailProps) {
  const values = ownValues(details.ownFields);
  return (
    <div class="form-grid lot-grid">
      {fixedDetails.map((row) => (
        <FieldInput key={row.wire} row={row} value={details[row.field]} />
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

/** Reads all inputs; an empty one means that nothing is known. */
export function readDetailInputs(
  fields: FormReader,
  about: {
    readonly condition: Condition;
    readonly ownFields: readonly OwnField[];
    /** Own fields of the lot, of which those without an input stay. */
    readonly stored?: string | null;
  },
): LotDetails {
  const { condition, ownFields, stored = null } = about;
  const details = factsOf(fixedDetails, (row) => readInput(fields, row));
  const { grade } = details;
  if (grade !== null && !gradesOf(condition).some((each) => each === plainGrade(grade))) {
    fields.fail('grade', `Choose a grade for ${condition} units, or change the condition.`);
  }
  return { ...details, ownFields: readOwnInputs(fields, ownFields, stored) };
}

function gradesOf(condition: Condition): readonly string[] {
  return condition === 'sealed' ? sealedGrades : usedGrades;
}

function readOwnInputs(fields: FormReader, ownFields: readonly OwnField[], stored: string | null) {
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
export function readDetailChange(fields: FormReader, ownFields: readonly OwnField[]): DetailChange {
  const isRemoved = (name: string) => fields.form.isTicked(removeName(name));
  const details = fixedDetails
    .filter(({ wire }) => !fields.isBlank(wire) || isRemoved(wire))
    .map((row) => [row.field, readInput(fields, row)]);
  const own = ownFields
    .filter((field) => !fields.isBlank(ownInput(field)) || isRemoved(ownInput(field)))
    .map(
      (field) => [field.name, fields.textOrNull(ownInput(field), detailLimits.ownValue)] as const,
    );
  return { details: Object.fromEntries(details), own };
}
