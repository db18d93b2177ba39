/** The page where a file is chosen, or its content pasted. */
import { countText } from '../../../domain/kernel/format.ts';
import { ownRowsMax } from '../../../ingest/own-import.ts';
import { Card } from '../../kit/card.tsx';
import { FileField, PostForm, TextArea, type Typed } from '../../kit/fields.tsx';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest } from '../../page.ts';
import { pastedLengthMax, uploadBytesMax } from './uploaded.ts';

/** What can be imported, by where it comes from. */
const sources = [
  ['Collections', 'BrickEconomy, Brickset, Rebrickable set lists, BrickStore (.bsx)'],
  ['Orders', 'BrickLink, eBay, Amazon, Brick Owl'],
  ['Spreadsheets', 'Any CSV with a column of set numbers; you choose what the others mean'],
  ['Brickmark', 'Exports of this site, and the feed'],
] as const;

/** The page. */
export function ChooseFilePage(props: { readonly request: OwnRequest; readonly typed: Typed }) {
  const { request, typed } = props;
  return (
    <Layout title="Import a file" request={request} isNarrow>
      <PostForm request={request} action="/inventory/import" class="stack drop" isUpload>
        <FileField typed={typed} label="Choose a file or drop it here" />
        <details open={Boolean(typed.values.text)}>
          <summary>Paste text instead</summary>
          <TextArea
            name="text"
            label="Rows copied from a spreadsheet, or set numbers, one per line"
            hint="The first row can hold the names of the columns."
            typed={typed}
            rows={8}
            maxlength={pastedLengthMax}
          />
        </details>
        <button type="submit">Continue</button>
      </PostForm>
      <Card title="What you can import">
        <dl class="facts">
          {sources.map(([name, what]) => (
            <>
              <dt key={name}>{name}</dt>
              <dd>{what}</dd>
            </>
          ))}
          <dt>Size</dt>
          <dd>
            {`Up to ${uploadBytesMax / 1024 / 1024} MB and ${countText(ownRowsMax)} rows. `}
            .gz and .zip work, too.
          </dd>
        </dl>
      </Card>
    </Layout>
  );
}
