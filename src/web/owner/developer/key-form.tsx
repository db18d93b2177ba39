/** The form of a new API key, and how the terms of keys are shown. */
import type { ApiKey, KeyAccess } from '../../../accounts/keys/keys.ts';
import {
  allScopes,
  hasScope,
  type Scope,
  scopeBits,
  scopeNames,
  scopes,
  scopeTexts,
} from '../../../accounts/keys/scopes.ts';
import { readNetworks } from '../../../accounts/people/network.ts';
import { dayMs, dayOf, formatDay, parseDay } from '../../../kernel/time.ts';
import { Checkbox, Choice, Field, TextArea, useTyped } from '../../kit/fields.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { dayText } from '../../kit/format.ts';

/** Choices of scopes; most keys need one of the first two. */
const accessTexts = {
  all: 'Everything',
  market: 'Market data only – safe for a browser app',
  selected: 'Selected scopes',
} as const;

type Access = keyof typeof accessTexts;

const accesses = Object.keys(accessTexts) as Access[];

/** The scopes of each choice; null: those that are selected. */
const accessBits: Readonly<Record<Access, number | null>> = {
  all: allScopes,
  market: scopeBits(['market']),
  selected: null,
};

/** About ten years: a later date is probably a typo. */
const expiryDaysMax = 3653;

/** Room for twenty networks of IPv6. */
const networksLengthMax = 1_000;

const networksHint =
  'One per line, such as 203.0.113.0/24 or 2001:db8::/48. From elsewhere, the key returns 401.';

export function readKeyTerms(fields: FormReader, at: number) {
  return {
    ...readAccess(fields),
    isTest: fields.form.isTicked('test'),
    expiresAt: readExpiry(fields, at),
  };
}

export function readAccess(fields: FormReader): KeyAccess {
  return { scopes: readScopes(fields), networks: readNetworkField(fields) };
}

function readScopes(fields: FormReader): number {
  const access = fields.wordOrNull('access', accesses) ?? 'all';
  const bits = accessBits[access];
  if (bits !== null) return bits;
  const selected = scopes.filter((name) => fields.form.isTicked(scopeField(name)));
  if (selected.length === 0) fields.fail('access', 'Select at least one scope below.');
  return scopeBits(selected);
}

function readNetworkField(fields: FormReader): string | null {
  const read = readNetworks(fields.form.text('networks'));
  if ('networks' in read) return read.networks;
  fields.fail('networks', read.problem);
  return null;
}

/** Reads when a key expires: at the end of the chosen day; null for never. */
export function readExpiry(fields: FormReader, at: number): number | null {
  const text = fields.form.text('expires');
  if (text === '') return null;
  const day = parseDay(text);
  if (day === null) fields.fail('expires', 'Enter a date like 2027-01-31.');
  else if (dayOf(day) < dayOf(at)) fields.fail('expires', 'This date has passed.');
  else if (dayOf(day) > dayOf(at) + expiryDaysMax) {
    fields.fail('expires', 'Enter a date within ten years, or leave it empty for no expiration.');
  }
  return (day ?? at) + dayMs;
}

/** Reads when a rolled key expires: not after the day that an operator set. */
export function readRolledExpiry(
  fields: FormReader,
  { isLimited, expiresAt }: Pick<ApiKey, 'isLimited' | 'expiresAt'>,
  at: number,
): number | null {
  const chosen = readExpiry(fields, at);
  if (!isLimited || expiresAt === null) return chosen;
  if (expiryValue(chosen) === expiryValue(expiresAt)) return expiresAt;
  if (chosen !== null && chosen < expiresAt) return chosen;
  const day = expiryText(expiresAt);
  fields.fail('expires', `An operator set this key to expire on ${day}. Choose no later date.`);
  return expiresAt;
}

/** The last day of a key, as the value of its field. */
export function expiryValue(expiresAt: number | null): string {
  return expiresAt === null ? '' : formatDay(expiresAt - 1);
}

export function expiryText(expiresAt: number | null): string {
  return expiresAt === null ? 'Never' : dayText(expiryValue(expiresAt));
}

function scopeField(name: Scope): string {
  return `scope_${name}`;
}

export function accessText(bits: number): string {
  return bits === allScopes ? 'Everything' : scopeNames(bits).join(', ');
}

function AccessChoice({ scopes: bits = allScopes }: Partial<KeyAccess>) {
  return (
    <Choice
      name="access"
      label="Access"
      options={Object.entries(accessTexts)}
      value={accesses.find((access) => accessBits[access] === bits) ?? 'selected'}
    />
  );
}

function AccessDetails({ scopes: bits = 0, networks = null }: Partial<KeyAccess>) {
  return (
    <>
      <fieldset class="options">
        <legend>{`Scopes, if Access is “${accessTexts.selected}”`}</legend>
        {scopes.map((name) => (
          <Checkbox
            key={name}
            name={scopeField(name)}
            label={`${name}: ${scopeTexts[name]}`}
            isTicked={hasScope(bits, name)}
          />
        ))}
      </fieldset>
      <TextArea
        name="networks"
        label="Allowed networks (optional)"
        hint={networksHint}
        rows={3}
        maxlength={networksLengthMax}
        value={networks?.split(' ').join('\n') ?? ''}
      />
    </>
  );
}

export function AccessFields({ scopes: bits, networks }: KeyAccess) {
  return (
    <>
      <AccessChoice scopes={bits} />
      <AccessDetails scopes={bits} networks={networks} />
    </>
  );
}

export function KeyFields() {
  const { values, faults } = useTyped();
  const isOpen =
    values.access === 'selected' || Boolean(values.networks) || faults.networks !== undefined;
  return (
    <>
      <div class="form-grid">
        <Field name="name" label="Name (optional)" maxlength={100} />
        <AccessChoice />
        <Field name="expires" label="Expires (optional)" type="date" />
      </div>
      <details open={isOpen}>
        <summary>More options</summary>
        <div class="stack">
          <AccessDetails />
          <Checkbox
            name="test"
            label="Test key: fixed data at no cost, and numbers that force errors"
          />
        </div>
      </details>
    </>
  );
}
