/** The table of alert channels, and the form to add one. */

import { addressExamples, addressLengthMax } from '../../../domain/delivery/channel-address.ts';
import {
  channelNameLengthMax,
  type DeliveryChannel,
} from '../../../domain/delivery/delivery-channel.ts';
import type { WebDeps } from '../../deps.ts';
import { ButtonForm, SwitchForm } from '../../kit/buttons.tsx';
import { actionColumn, mainColumn, wideColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Choice, Field, PostForm } from '../../kit/fields.tsx';
import type { OwnRequest } from '../../page.ts';
import { ChannelState, NoSecretFile, shownAddress } from './alert-channels.tsx';
import { channelKindNames } from './alert-text.ts';

/** The kinds that can be added here; webhooks have their own pages. */
export const addedKinds = ['ntfy', 'discord'] as const;

export function channelTitle({ kind, name }: Pick<DeliveryChannel, 'kind' | 'name'>): string {
  return kind === 'email' ? channelKindNames.email : `${channelKindNames[kind]}: ${name}`;
}

/** `email` is the row of the email channel before it exists. */
type Row = DeliveryChannel | 'email';

export function ChannelTable(props: {
  readonly deps: WebDeps;
  readonly request: OwnRequest;
  readonly channels: readonly DeliveryChannel[];
  readonly timeZone: string;
}) {
  const { deps, request, channels, timeZone } = props;
  const email = channels.find(({ kind }) => kind === 'email') ?? 'email';
  const others = channels.filter(({ kind }) => addedKinds.some((added) => added === kind));
  const columns: readonly Column<Row>[] = [
    mainColumn('Channel', (row) => (row === 'email' ? channelKindNames.email : channelTitle(row))),
    wideColumn('Address', (row) =>
      isEmail(row) ? request.who.email : <code>{shownAddress(deps, row)}</code>,
    ),
    wideColumn('Status', (row) => {
      if (isEmail(row) && !deps.sendMail) return noMailServer;
      if (row === 'email') return 'Off: confirm your email address.';
      return <ChannelState channel={row} timeZone={timeZone} />;
    }),
    { ...actionColumn((row) => <Actions deps={deps} row={row} />), isWide: true },
  ];
  return <DataTable label="Channels" columns={columns} rows={[email, ...others]} />;
}

const noMailServer = 'Off: no mail server is configured. The operator sets BRICKMARK_SMTP_URL.';

function isEmail(row: Row): row is Row & ('email' | { readonly kind: 'email' }) {
  return row === 'email' || row.kind === 'email';
}

function Actions({ deps, row }: { readonly deps: WebDeps; readonly row: Row }) {
  if (isEmail(row) && !deps.sendMail) return null;
  if (row === 'email' || row.isUnconfirmed) {
    return (
      <div class="row actions">
        <ButtonForm action="/alerts/channels/email/test" look="link">
          Send confirmation link
        </ButtonForm>
      </div>
    );
  }
  const base = `/alerts/channels/${row.id}`;
  const named = <span class="visually-hidden">{` ${row.name}`}</span>;
  const button = { look: 'link', of: row.name } as const;
  return (
    <div class="row actions">
      <ButtonForm {...button} action={`${base}/test`}>
        Send test
      </ButtonForm>
      <SwitchForm {...button} action={`${base}/switch`} isOn={row.state !== 'off'} />
      {row.kind !== 'email' && (
        <>
          <a href={`${base}/edit`}>Edit{named}</a>
          <a href={`${base}/delete`}>Delete{named}</a>
        </>
      )}
    </div>
  );
}

export function AddChannelForm(props: { readonly deps: WebDeps }) {
  const { deps } = props;
  if (!deps.encrypter) return <NoSecretFile what="ntfy, Discord and webhooks are" />;
  return (
    <PostForm action="/alerts/channels">
      <div class="form-grid">
        <Choice
          name="kind"
          label="Service"
          options={addedKinds.map((kind) => [kind, channelKindNames[kind]])}
        />
        <Field name="name" label="Name (optional)" maxlength={channelNameLengthMax} />
      </div>
      <Field
        name="address"
        label="URL"
        type="url"
        isRequired
        maxlength={addressLengthMax}
        hint={
          `${addressExamples.ntfy} or ${addressExamples.discord} (Discord: Edit channel, ` +
          'Integrations, Webhooks). Stored encrypted, and not shown again.'
        }
      />
      <button type="submit">Add channel</button>
    </PostForm>
  );
}
