/** Notification settings: channels, time zone and quiet hours. */

import type { AlertSettings } from '../../../alerts/conditions/alert-rule.ts';
import { clockText } from '../../../kernel/time.ts';
import { recordAudit } from '../../audit.ts';
import { Card } from '../../kit/card.tsx';
import { Field, PostForm } from '../../kit/fields.tsx';
import { formPage } from '../../kit/form-page.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { Layout, watchlistTabs } from '../../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { TimeZoneChoice, timeZones } from '../../session/time-zone-choice.tsx';
import { findTest, TestOutcome } from './alert-channels.tsx';
import { AddChannelForm, DeliveryChannels } from './channel-list.tsx';
import { checkInbox } from './email-channel.ts';

export const settingsPath = '/alerts/settings';

export const alertSettingsRoutes = routes('own', {
  [settingsPath]: formPage({
    show: showSettings,
    read: async ({ sent, fields }) => readSettings(fields, sent.timeZone),
    save: async ({ deps, sent: { who, at } }, settings) => {
      await deps.accounts.saveAlertSettings(who.accountId, settings);
      await recordAudit(deps, { who, at }, { action: 'settings.changed', detail: 'notifications' });
      return { goTo: `${settingsPath}?did=saved` };
    },
  }),
});

export async function showSettings(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { accountId } = request.who;
  const [settings, channels] = await Promise.all([
    deps.accounts.findAlertSettings(accountId),
    deps.accounts.listDeliveryChannels(accountId),
  ]);
  return (
    <Layout title="Notifications" request={request} done={doneTexts} tabs={watchlistTabs}>
      <TestOutcome shown={await findTest(deps, request, channels)} />
      <Card title="Channels" actions={<a href="/webhooks">Webhooks</a>}>
        <DeliveryChannels
          deps={deps}
          request={request}
          channels={channels}
          timeZone={settings.timeZone}
        />
      </Card>
      <div class="grid halves">
        <Card title="Add a channel">
          <AddChannelForm deps={deps} />
        </Card>
        <Card title="Quiet hours and digests">
          <TimeForm request={request} settings={settings} />
        </Card>
      </div>
    </Layout>
  );
}

const doneTexts = {
  saved: 'Saved.',
  added: 'Channel added. Send a test to see whether it works.',
  confirm: `We sent you a link. ${checkInbox}`,
  deleted: 'Channel deleted.',
} as const;

function readSettings(fields: FormReader, current: string): AlertSettings {
  const timeZone = fields.word('time_zone', [...timeZones, current]);
  if (fields.isBlank('quiet_from') && fields.isBlank('quiet_until')) {
    return { timeZone, quiet: null };
  }
  const quiet = {
    from: readMinutes(fields, 'quiet_from'),
    until: readMinutes(fields, 'quiet_until'),
  };
  if (fields.isGood && quiet.from === quiet.until) {
    fields.fail('quiet_until', 'Quiet hours cannot begin and end at the same time.');
  }
  return { timeZone, quiet };
}

/** Reads a time of day as minutes since midnight. */
function readMinutes(fields: FormReader, name: string): number {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)(?::00)?$/.exec(fields.form.text(name));
  if (!parts) fields.fail(name, 'Enter a time like 22:00, or leave both empty.');
  return Number(parts?.[1] ?? 0) * 60 + Number(parts?.[2] ?? 0);
}

function TimeForm(props: { readonly request: OwnRequest; readonly settings: AlertSettings }) {
  const { quiet } = props.settings;
  return (
    <PostForm action={settingsPath}>
      <TimeZoneChoice value={props.request.timeZone} />
      <div class="form-grid">
        <Field
          name="quiet_from"
          label="Quiet from"
          type="time"
          value={quiet ? clockText(quiet.from) : ''}
        />
        <Field
          name="quiet_until"
          label="Quiet until"
          type="time"
          value={quiet ? clockText(quiet.until) : ''}
        />
      </div>
      <p class="quiet small flush">Alerts wait until quiet hours end. Digests are sent at 08:00.</p>
      <button type="submit">Save changes</button>
    </PostForm>
  );
}
