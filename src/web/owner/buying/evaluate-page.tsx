/** The page to evaluate a box: the form, and the boxes that were saved. */

import type { BuyTerms } from '../../../buying/boxes/quotes.ts';
import { boxLimits, type ListedBox } from '../../../buying/boxes/saved-box.ts';
import { formatDay } from '../../../kernel/time.ts';
import { PlainLink } from '../../kit/buttons.tsx';
import { Badge, Card } from '../../kit/card.tsx';
import { dayColumn, mainColumn, moneyColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import {
  Checkbox,
  Choice,
  Field,
  FileField,
  PostForm,
  TextArea,
  type Typed,
} from '../../kit/fields.tsx';
import { dayText } from '../../kit/format.ts';
import { Layout, marketTabs } from '../../kit/layout.tsx';
import type { OwnRequest } from '../../page.ts';
import { conditionChoices } from '../inventory/lot-form.ts';
import { BuyTermsFields, termNames } from './buy-terms.tsx';

const fileSources = 'BrickEconomy, Brickset, Rebrickable, BrickStore, Brickmark';

interface EvaluateProps {
  readonly request: OwnRequest;
  readonly boxes: readonly ListedBox[];
  /** The initial terms of the form. */
  readonly terms: BuyTerms;
  /** The initial input of the form. */
  readonly typed: Typed;
  /** Whether to offer an example. */
  readonly hasExample: boolean;
}

export function EvaluatePage(props: EvaluateProps) {
  const { request, boxes, hasExample } = props;
  return (
    <Layout
      title="Evaluate"
      request={request}
      tabs={marketTabs}
      done={{ deleted: 'Box deleted.' }}
      actions={hasExample && <PlainLink href="/evaluate?example=1">Try an example</PlainLink>}
    >
      <p class="quiet">Find out what a box of sets is worth and how much to bid for it.</p>
      <BoxForm {...props} />
      {boxes.length > 0 && (
        <Card title="Saved boxes">
          <DataTable label="Saved boxes" columns={boxColumns} rows={boxes} />
        </Card>
      )}
    </Layout>
  );
}

const boxColumns: readonly Column<ListedBox>[] = [
  mainColumn('Box', ({ id, name, boughtAs }) => (
    <>
      <a href={`/evaluate/${id}`}>{name}</a>{' '}
      {boughtAs !== null && <Badge kind="good">Bought</Badge>}
    </>
  )),
  dayColumn('Saved', ({ changedAt }) => dayText(formatDay(changedAt))),
  moneyColumn('Asking price', ({ askCents }) => askCents, { missing: 'None entered' }),
  moneyColumn('Market value', ({ valueCents }) => valueCents),
  moneyColumn('Max bid', ({ maxCents }) => maxCents, { missing: 'No bid' }),
];

function BoxForm({ request, typed, terms }: EvaluateProps) {
  const faults = request.rejected?.faults ?? {};
  const hasFaults = termNames.some((name) => faults[name] !== undefined);
  return (
    <Card>
      <PostForm action="/evaluate" typed={typed} isUpload>
        <div class="form-grid wide">
          <TextArea
            name="items"
            label="Set numbers, minifig numbers or barcodes"
            hint="One per line, as sellers write: 75192 sealed, 10179 x2 (no box) $450, sw0001a"
            rows={8}
            maxlength={boxLimits.text}
          />
          <div class="form-column">
            <FileField label={`Or a file (${fileSources})`} />
            <Field
              name="cost"
              label="Asking price for the whole box ($)"
              hint="Optional. Include tax and shipping."
            />
            <Choice
              name="condition"
              label="Where a line does not say the condition"
              options={[['', 'Ask me'], ...conditionChoices]}
            />
          </div>
        </div>
        <details open={hasFaults}>
          <summary>Buying terms</summary>
          <div class="form-grid">
            <BuyTermsFields terms={terms} inboundHint="For the whole box." />
          </div>
          <Checkbox name="with_modeled" label="Include estimated values in the bid" />
        </details>
        <button type="submit">Evaluate box</button>
      </PostForm>
    </Card>
  );
}
