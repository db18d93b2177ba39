/** Barcodes that no set had when they were scanned: attaching them to a set, discarding them. */
import { printedBarcode, readBarcode } from '../../../catalog/barcodes/barcode.ts';
import { itemKey } from '../../../catalog/items/numbers.ts';
import { formatDay } from '../../../kernel/time.ts';
import { type OwnBarcode, ownBarcodesMax } from '../../../portfolio/barcodes/own-barcodes.ts';
import { readSetPicker } from '../../catalog/pick-item.ts';
import { itemPath } from '../../kit/address.ts';
import { ButtonForm, PlainLink } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { actionColumn, column, dayColumn, mainColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { FormPage, foundForm } from '../../kit/form-page.tsx';
import { countText, dayText } from '../../kit/format.ts';
import { SetPicker } from '../../kit/set-picker.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { page, routes } from '../../page-table.ts';
import { barcodePath } from './scanned-item.tsx';

/** A barcode in a path; null if its check digit is wrong. */
async function findCode(_: WebDeps, { params }: OwnRequest): Promise<string | null> {
  return readBarcode(params.code ?? '');
}

export const ownBarcodeRoutes = routes('own', {
  '/scan/barcodes/{code}': foundForm({
    find: findCode,
    read: ({ deps, fields }) => readSetPicker(deps, fields, { name: 'set' }),
    show: (_, request, code, input) => (
      <FormPage
        request={request}
        title={`Barcode ${printedBarcode(code)}`}
        above={<p>Choose the set that has this barcode. Only your own searches will find it.</p>}
        button="Attach"
        cancel="/scan"
      >
        <SetPicker name="set" label="Set" choices={input?.choices ?? []} hasFocus={!input} />
      </FormPage>
    ),
    save: async ({ deps: { accounts }, sent: { who, at }, found: code }, { item }) => {
      const set = { setKey: itemKey('set', item?.number ?? ''), at };
      const kept = await accounts.attachBarcode(who.accountId, code, set);
      if (kept === 'too many') return { refused: tooMany, field: 'set' };
      return { goTo: '/scan?did=attached' };
    },
  }),
  '/scan/barcodes/{code}/discard': page({
    find: findCode,
    post: async ({ accounts }, { who }, code) => {
      await accounts.removeOwnBarcode(who.accountId, code);
      return { goTo: '/scan?did=discarded' };
    },
  }),
});

export const barcodesDone = {
  attached: 'Barcode attached. Your scans and searches find the set now.',
  discarded: 'Barcode discarded.',
};

const tooMany = `You have ${countText(ownBarcodesMax)} barcodes. Discard one first.`;

type ListedBarcode = Awaited<ReturnType<typeof listBarcodes>>[number];

/** A barcode with its sets: the attached one, or those of the catalog, if it has some by now. */
export async function listBarcodes({ accounts, market }: WebDeps, accountId: number) {
  const barcodes = await accounts.listOwnBarcodes(accountId);
  const known = await market.findBarcodeSets(barcodes.map(({ code }) => code));
  const keysOf = ({ code }: OwnBarcode) => known.get(code) ?? [];
  const names = await market.findNames('set', [...new Set(barcodes.flatMap(keysOf))]);
  return barcodes.map((barcode) => ({
    ...barcode,
    sets: keysOf(barcode).map((key) => names.get(key) ?? { number: key, name: '' }),
  }));
}

export function BarcodeCard({ barcodes }: { readonly barcodes: readonly ListedBarcode[] }) {
  if (barcodes.length === 0) return null;
  return (
    <Card title="Your barcodes">
      <p class="quiet">No set in the catalog had them when you scanned them.</p>
      <DataTable label="Your barcodes" columns={columns} rows={barcodes} />
    </Card>
  );
}

const columns: readonly Column<ListedBarcode>[] = [
  mainColumn('Barcode', ({ code }) => printedBarcode(code)),
  column('Set', ({ sets }) =>
    sets.length === 0
      ? 'None'
      : sets.map(({ number, name }) => (
          <a key={number} href={itemPath('set', number)}>
            {[number, name].filter(Boolean).join(' ')}
          </a>
        )),
  ),
  dayColumn('Last scanned', ({ lastScannedAt }) => dayText(formatDay(lastScannedAt))),
  actionColumn(({ code, setKey }) => (
    <div class="row">
      <PlainLink href={barcodePath(code)}>
        {setKey === null ? 'Attach' : 'Change'}
        <span class="visually-hidden">{` ${printedBarcode(code)}`}</span>
      </PlainLink>
      <ButtonForm action={`${barcodePath(code)}/discard`} look="plain" of={printedBarcode(code)}>
        Discard
      </ButtonForm>
    </div>
  )),
];
