/** The table of alert channels, and the form to add one. */

import {
  channelNameLengthMax,
  type DeliveryChannel,
} from '../../../alerts/channels/delivery-channel.ts';
import {
  type AddressedKind,
  addedKinds,
  addressedKinds,
  deliveryTable,
  hasAddress,
} from '../../../alerts/channels/delivery-channel-kinds.ts';
import { andList, orList } from '../../../kernel/text.ts';
import { ButtonForm, SwitchForm } from '../../kit/buttons.tsx';
import { actionColumn, mainColumn, wideColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Choice, Field, PostForm } from '../../kit/fields.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import {
  AddressField,
  type ChannelOf,
  DeliveryChannelStatus,
  NoSecretFile,
  shownAddress,
} from './alert-channels.tsx';

export function channelTitle({ kind, name }: Pick<DeliveryChannel, 'kind' | 'name'>): string {
  const { title } = deliveryTable[kind];
  return hasAddress(kind) ? `${title}: ${name}` : title;
}

/** `email` is the row of the email channel before it exists. */
type Row = DeliveryChannel | 'email';

export function DeliveryChannels(props: {
  readonly deps: WebDeps;
  readonly request: OwnRequest;
  readonly channels: readonly DeliveryChannel[];
  readonly timeZone: string;
}) {
  const { deps, request, channels, timeZone } = props;
  const email = channels.find(({ kind }) => !hasAddress(kind)) ?? 'email';
  const others = channels.filter(({ kind }) => addedKinds.some((added) => added === kind));
  const columns: readonly Column<Row>[] = [
    mainColumn('Channel', (row) =>
      row === 'email' ? deliveryTable.email.title : channelTitle(row),
    ),
    wideColumn('Address', (row) =>
      isAddressed(row) ? <code>{shownAddress(deps, row)}</code> : request.who.email,
    ),
    wideColumn('Status', (row) => {
      if (!isAddressed(row) && !deps.sendMail)
        return 'Off: no mail server is configured. The operator sets BRICKMARK_SMTP_URL.';
      if (row === 'email') return 'Off: confirm your email address.';
      return <DeliveryChannelStatus channel={row} timeZone={timeZone} />;
    }),
    { ...actionColumn((row) => <Actions deps={deps} row={row} />), isWide: true },
  ];
  return <DataTable label="Channels" columns={columns} rows={[email, ...others]} />;
}

const isAddressed = (row: Row): row is ChannelOf<AddressedKind> =>
  row !== 'email' && hasAddress(row.kind);

function Actions({ deps, row }: { readonly deps: WebDeps; readonly row: Row }) {
  if (!isAddressed(row) && !deps.sendMail) return null;
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
      {isAddressed(row) && (
        <>
          <a href={`${base}/edit`}>Edit{named}</a>
          <a href={`${base}/delete`}>Delete{named}</a>
        </>
      )}
    </div>
  );
}

export function AddChannelForm(props: { readonly deps: WebDeps }) {
  if (!props.deps.secrets.encrypter) return <AddressesOff />;
  return (
    <PostForm action="/alerts/channels">
      <div class="form-grid">
        <Choice
          name="kind"
          label="Service"
          options={addedKinds.map((kind) => [kind, deliveryTable[kind].title])}
        />
        <Field name="name" label="Name (optional)" maxlength={channelNameLengthMax} />
      </div>
      <AddressField kept={null} hint={orList.format(addedKinds.map(hintOf))} />
      <button type="submit">Add channel</button>
    </PostForm>
  );
}

function hintOf(kind: AddressedKind): string {
  const { example, whereToFind } = deliveryTable[kind].address;
  return whereToFind ? `${example} (${whereToFind})` : example;
}

/** Explains that no channel with an address works, the kinds that are added here first. */
export function AddressesOff() {
  const kinds = [...new Set([...addedKinds, ...addressedKinds])];
  const services = andList.format(kinds.map((kind) => deliveryTable[kind].plural));
  return <NoSecretFile what={`${services} are`} />;
}
