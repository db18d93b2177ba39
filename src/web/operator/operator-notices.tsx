/** Notices on the status page, for operators: publish, list and remove them. */
import {
  type NoticePhase,
  noticeLimits,
  noticeProblem,
  phaseOf,
  type StatusNotice,
  severities,
  tooManyNotices,
} from '../../accounts/notices/notice.ts';
import { parseInstant } from '../../kernel/time.ts';
import { recordAudit } from '../audit.ts';
import { spanText } from '../catalog/status.tsx';
import { Badge, Card, EmptyState } from '../kit/card.tsx';
import { actionColumn, column, mainColumn, wideColumn } from '../kit/columns.tsx';
import { deletionPage } from '../kit/confirm-delete.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Choice, Field, PostForm, TextArea } from '../kit/fields.tsx';
import { applyForm, formPage } from '../kit/form-page.tsx';
import type { FormReader } from '../kit/form-reader.ts';
import { Layout, operatorTabs } from '../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../page.ts';
import { byId, routes } from '../page-table.ts';

const path = '/operator/notices';

export const operatorNoticeRoutes = routes('operator', {
  [path]: formPage({
    show: showNotices,
    read: ({ fields, sent }) => ({
      severity: fields.word('severity', severities),
      title: fields.text('title', noticeLimits.titleLength),
      text: fields.form.text('text').slice(0, noticeLimits.textLength + 1),
      fromAt: instantOf(fields, 'from') ?? sent.at,
      untilAt: instantOf(fields, 'until'),
    }),
    save: async ({ deps, sent }, notice) => {
      const problem = noticeProblem(notice);
      if (problem !== null) return { refused: problem };
      const id = await applyForm(deps, sent, (accounts) => accounts.addNotice(notice));
      if (id === 'sent before') return id;
      if (id === 'too many') return { refused: tooManyNotices };
      const detail = `notice ${id}, ${notice.severity}`;
      await recordAudit(deps, sent, { action: 'notice.added', accountId: null, detail });
      return { goTo: `${path}?did=added` };
    },
    sentBefore: 'This notice was already published.',
  }),
  [`${path}/{id}/delete`]: deletionPage({
    find: byId<StatusNotice>(({ accounts }) => accounts.listNotices()),
    noun: 'notice',
    describe: ({ title }) => ({
      name: title,
      outcome: 'It is no longer on the status page.',
      cancel: path,
    }),
    remove: ({ accounts }, _, { id }) => accounts.removeNotice(id),
    removed: (deps, sent, { id }) => {
      const done = { accountId: null, detail: `notice ${id}` };
      return recordAudit(deps, sent, { action: 'notice.removed', ...done });
    },
    goTo: `${path}?did=removed`,
  }),
});

const doneTexts = { added: 'Notice published.', removed: 'Notice removed.' };

/** A UTC time such as `2026-11-15 12:00`; null if the field is empty. */
function instantOf(fields: FormReader, name: string): number | null {
  const text = fields.form.text(name);
  if (text === '') return null;
  const at = parseInstant(`${text.replace(/\s*(UTC|Z)$/i, '').replace(/\s+/, 'T')}Z`);
  if (at === null) fields.fail(name, `'${text}' is not a time like 2026-11-15 12:00.`);
  return at;
}

async function showNotices(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { at } = request;
  const notices = (await deps.accounts.listNotices()).map((notice) => ({ ...notice, at }));
  return (
    <Layout title="Notices" request={request} done={doneTexts} tabs={operatorTabs(request)}>
      <Card title="New notice">
        <PostForm action={path}>
          <Field name="title" label="Title" isRequired maxlength={noticeLimits.titleLength} />
          <TextArea name="text" label="Text" rows={3} maxlength={noticeLimits.textLength} />
          <Choice name="severity" label="Severity" options={severityOptions} value="info" />
          <Field name="from" label="From (UTC)" hint="Such as 2026-11-15 12:00. Empty: now." />
          <Field name="until" label="Until (UTC)" hint="Empty: until you remove it." />
          <button type="submit">Publish notice</button>
        </PostForm>
      </Card>
      <Card title="Notices">
        {notices.length === 0 ? (
          <EmptyState title="No notices">
            Notices are shown on the <a href="/status">status page</a>.
          </EmptyState>
        ) : (
          <DataTable label="Notices" columns={columns} rows={notices} />
        )}
      </Card>
    </Layout>
  );
}

const severityOptions = [
  ['info', 'Info'],
  ['warning', 'Warning'],
  ['critical', 'Critical: the service is disrupted'],
] as const;

const phases: Readonly<Record<NoticePhase, { readonly kind?: 'good'; readonly text: string }>> = {
  planned: { text: 'Planned' },
  current: { kind: 'good', text: 'Shown' },
  past: { text: 'Past' },
};

const columns: readonly Column<StatusNotice & { readonly at: number }>[] = [
  mainColumn('Title', ({ title }) => title),
  column('Status', (notice) => {
    const { text, ...look } = phases[phaseOf(notice, notice.at)];
    return <Badge {...look}>{text}</Badge>;
  }),
  column('Severity', ({ severity }) => severity),
  wideColumn('When', (notice) => spanText(notice, notice.at)),
  actionColumn(({ id }) => <a href={`${path}/${id}/delete`}>Remove</a>),
];
