/** A box to be ticked. */
import { Fault, faultyProps, type Typed, untyped } from './fields.tsx';

/** A box with its label, and what is wrong with leaving it empty. */
export function Tick(props: {
  readonly name: string;
  readonly label: string;
  readonly typed?: Typed;
}) {
  const { name, label, typed = untyped } = props;
  const fault = typed.faults[name];
  const id = `field-${name}`;
  return (
    <div class="field">
      <label class="tick" for={id}>
        <input
          id={id}
          name={name}
          type="checkbox"
          value="yes"
          checked={Boolean(typed.values[name])}
          {...faultyProps(typed, name)}
          aria-describedby={fault ? `${id}-fault` : undefined}
        />
        {label}
      </label>
      <Fault typed={typed} name={name} />
    </div>
  );
}
