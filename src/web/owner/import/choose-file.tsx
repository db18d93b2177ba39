/** The page to choose a file or paste text. */
import { ownRowsMax } from '../../../ingest/runner/own-import.work.ts';
import { Card } from '../../kit/card.tsx';
import { Facts } from '../../kit/facts.tsx';
import { FileField, PostForm, TextArea } from '../../kit/fields.tsx';
import { countText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest } from '../../page.ts';
import { pastedLengthMax, uploadBytesMax } from './uploaded.ts';

const megabytesMax = uploadBytesMax / 1024 / 1024;

const sources = [
  ['Collections', 'BrickEconomy, Brickset, Rebrickable set lists, BrickStore (.bsx)'],
  ['Orders', 'BrickLink, eBay, Amazon, Brick Owl (choose the files of orders and items together)'],
  ['Spreadsheets', 'Any CSV with a column of set numbers; you match the other columns'],
  ['Brickmark', 'Exports from this site, and feed files'],
  ['Size', `Up to ${megabytesMax} MB and ${countText(ownRowsMax)} rows. .gz and .zip work, too.`],
] as const;

export function ChooseFilePage({ request }: { readonly request: OwnRequest }) {
  return (
    <Layout title="Import a file" request={request} isNarrow>
      <PostForm action="/inventory/import" class="stack drop" isUpload>
        <FileField label="Choose files or drop them here" isMultiple />
        <details open={Boolean(request.rejected?.values.text)}>
          <summary>Paste text instead</summary>
          <TextArea
            name="text"
            label="Rows copied from a spreadsheet, or set numbers, one per line"
            hint="The first row can be column names."
            rows={8}
            maxlength={pastedLengthMax}
          />
        </details>
        <button type="submit">Continue</button>
      </PostForm>
      <Card title="What you can import">
        <Facts facts={sources} />
      </Card>
    </Layout>
  );
}
