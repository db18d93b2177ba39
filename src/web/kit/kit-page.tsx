/** A page with every component of the kit, for developers. */

import { at } from '../../kernel/at.ts';
import { formatDay } from '../../kernel/time.ts';
import { routes } from '../page-table.ts';
import { ButtonLink } from './buttons.tsx';
import { Badge, Card, EmptyState, Figures } from './card.tsx';
import { Chart } from './chart.tsx';
import { countColumn, mainColumn, moneyColumn, numberColumn } from './columns.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { Checkbox, Choice, Field, Notice, PostForm, TextArea } from './fields.tsx';
import { ItemCell } from './item-picture.tsx';
import { Layout } from './layout.tsx';
import { Pager } from './list.tsx';
import { Dialog, Menu } from './menu.tsx';
import { ConfidenceDot, confidenceNames, Delta, Money } from './money.tsx';
import { RangeBar } from './range-bar.tsx';
import { Segments, Tabs } from './segments.tsx';
import { SetPicker } from './set-picker.tsx';
import { Sparkline } from './sparkline.tsx';
import { Toast } from './toast.tsx';

export const kitRoutes = routes('open', {
  '/kit': {
    get: (_, request) => (
      <Layout
        title="Kit"
        request={request}
        actions={
          <>
            <Menu label="More" look="button plain">
              <a href="/kit">Split</a>
              <hr />
              <button type="button" class="danger">
                Delete
              </button>
            </Menu>
            <ButtonLink href="/kit">Primary action</ButtonLink>
          </>
        }
      >
        <Tabs label="Tabs" choices={choicesOf(['Search', 'Themes', 'Deals'])} />
        <Numbers />
        <Tables />
        <Charts />
        <Forms />

        <Notice>Something to know.</Notice>
        <Notice kind="warn">Something to look at.</Notice>
        <Notice kind="bad">Something went wrong.</Notice>
        <Toast undo={{ action: '/kit' }}>59 prices changed.</Toast>
      </Layout>
    ),
  },
});

function choicesOf(texts: readonly string[]) {
  return texts.map((text, index) => ({ href: '/kit', text, isCurrent: index === 0 }));
}

const tiers = ['high', 'medium', 'low', 'modeled'] as const;

function Numbers() {
  return (
    <Card
      title="Numbers"
      actions={<Segments label="Range" choices={choicesOf(['30D', '1Y', 'All'])} />}
    >
      <div class="hero-value">
        <Money cents={758_718} />
      </div>
      <p class="row">
        <Delta cents={127_738} percent={20.24} />
        <Delta cents={-5_781} />
        <Delta percent={0} />
        <Delta cents={null} />
        <Money cents={null} />
      </p>
      <Figures
        figures={[
          ['Cost basis', <Money cents={630_980} />],
          ['Unrealized gain', <Delta cents={127_738} />, 'Since purchase'],
          ['XIRR', <Delta percent={11.4} />],
        ]}
      />
      <p>
        {tiers.map((tier) => (
          <span key={tier}>
            <ConfidenceDot tier={tier} /> {confidenceNames[tier]}{' '}
          </span>
        ))}
        <Badge>Listed</Badge> <Badge kind="warn">Estimated</Badge>{' '}
        <Badge kind="good">All-time low</Badge>
      </p>
      <RangeBar
        lowCents={5_356}
        valueCents={6_443}
        highCents={7_750}
        marks={[{ cents: 4_999, name: 'List price' }]}
      />
    </Card>
  );
}

const rows = [
  { number: '10497', name: 'Galaxy Explorer', quantity: 2, cents: 9_999, values: [90, 92, 95, 99] },
  { number: '21327', name: 'Typewriter', quantity: 1, cents: 24_999, values: [280, 270, 255, 249] },
];

const columns: readonly Column<(typeof rows)[number]>[] = [
  mainColumn('Set', ({ number, name }) => <ItemCell kind="set" number={number} name={name} />, {
    sort: 'set',
  }),
  moneyColumn('Value', ({ cents }) => cents, { sort: 'value' }),
  countColumn('Qty', ({ quantity }) => quantity),
  numberColumn('90 days', ({ values, name }) => (
    <Sparkline values={values} label={`${name}, 90 days`} />
  )),
];

function Tables() {
  return (
    <Card title="Tables">
      <DataTable
        label="Lots"
        rows={rows}
        sort={{ key: 'value', isDescending: true, href: () => '/kit' }}
        select={{ name: 'lot', value: ({ number }) => number }}
        columns={columns}
      />
      <Pager shown="1–50 of 1,234" previous={null} next="/kit" />
      <EmptyState title="No lots yet" actions={[['/kit', 'Add a set']]}>
        Add what you own to see what it is worth.
      </EmptyState>
    </Card>
  );
}

const firstDay = Date.UTC(2026, 0, 1);
const weekMs = 7 * 24 * 60 * 60 * 1000;
const series = Array.from({ length: 40 }, (_, index) => ({
  at: formatDay(firstDay + index * weekMs),
  values: [100 + index * 2 + Math.sin(index) * 8, 90 + index],
  note: index === 20 ? 'Retired' : null,
}));

function Charts() {
  return (
    <Card title="Charts">
      <Chart
        id="kit-chart"
        caption="Value and cost basis"
        unit="usd"
        columns={[
          { name: 'Value', look: 'line', show: (value) => value.toFixed(2) },
          {
            name: 'Cost basis',
            look: 'dashed',
            tone: 'series-2',
            show: (value) => value.toFixed(2),
          },
        ]}
        levels={[
          { key: 'list', name: 'List price', tone: 'level-1', value: 120, text: '120.00' },
          { key: 'max_buy', name: 'Max buy today', tone: 'level-2', value: 95, text: '95.00' },
        ]}
        rows={series}
        marks={[
          { at: at(series, 5).at, kind: 'purchase', text: 'Bought 2' },
          { at: at(series, 30).at, kind: 'sale', text: 'Sold 1' },
        ]}
      />
      <Chart
        id="kit-bars"
        caption="Profit by month"
        unit="usd"
        columns={[{ name: 'Profit', look: 'bar', show: (value) => value.toFixed(2) }]}
        rows={series.slice(0, 12).map((row, index) => ({ ...row, values: [index * 7 - 20] }))}
      />
      <Chart id="kit-none" caption="Nothing" unit="usd" columns={[]} rows={[]} />
    </Card>
  );
}

function Forms() {
  const typed = { values: { price: 'abc' }, faults: { price: 'Enter an amount like 119.99.' } };
  return (
    <Card title="Forms">
      <PostForm action="/kit" typed={typed}>
        <SetPicker name="set" label="Set" />
        <div class="form-grid">
          <Field name="price" label="Purchase price" hint="Per unit, in US dollars" />
          <Choice
            name="condition"
            label="Condition"
            options={[
              ['sealed', 'Sealed'],
              ['used', 'Used'],
            ]}
          />
          <Field name="date" label="Purchase date" type="date" />
        </div>
        <Checkbox name="listed" label="Listed for sale" />
        <TextArea name="notes" label="Sets" hint="One per line" rows={3} maxlength={500} />
        <div class="row">
          <button type="button">Save changes</button>
          <button type="button" class="plain">
            Cancel
          </button>
          <button type="button" class="danger">
            Delete lot
          </button>
          <Dialog id="kit-dialog" title="Delete this lot?" trigger="Open dialog">
            <p>Its sales stay.</p>
          </Dialog>
        </div>
      </PostForm>
    </Card>
  );
}
