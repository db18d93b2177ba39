/** `notice …`: what operators say on the status page. */
import {
  noticeProblem,
  phaseOf,
  type StatusNotice,
  severities,
  tooManyNotices,
} from '../accounts/notices/notice.ts';
import { momentText } from '../kernel/format.ts';
import { formatInstant, formatInstantOrNull } from '../kernel/time.ts';
import { CommandError, command } from './command.ts';
import { recordDone } from './command-rules.ts';
import { readInstant, UsageError } from './row.ts';
import { tableOf } from './table.ts';

export const noticeCommands = [
  command({
    name: 'notice add',
    operands: { title: { label: 'TITLE' } },
    summary: 'Publish a notice on the status page',
    flags: {
      text: { help: 'More than the title says', value: 'TEXT' },
      severity: {
        help: 'info (default), warning or critical',
        value: 'HOW',
        choices: severities,
        default: 'info',
      },
      from: {
        help: 'ISO time when it starts to apply (default now)',
        value: 'TIME',
        read: readInstant,
      },
      until: {
        help: 'ISO time when it ends (default: until it is removed)',
        value: 'TIME',
        read: readInstant,
      },
    },
    needs: 'existing store',
    run: async ({ title, text, severity, from, until }, context) => {
      const fromAt = from ?? context.config.clock();
      const notice = { severity, title, text: text ?? '', fromAt, untilAt: until };
      const problem = noticeProblem(notice);
      if (problem !== null) throw new UsageError(problem);
      const id = await context.store.accounts.addNotice(notice);
      if (id === 'too many') throw new CommandError(tooManyNotices);
      const detail = `notice ${id}, ${severity}`;
      await recordDone(context, { action: 'notice.added', detail });
      context.result({ notice_id: id }, `Notice ${id} is on the status page (/status).`);
    },
  }),
  command({
    name: 'notice list',
    summary: 'List the notices of the status page, also past ones',
    needs: 'store to read',
    run: async (_, { store, config, result }) => {
      const notices = await store.accounts.listNotices();
      const at = config.clock();
      result(
        { notices: notices.map((notice) => noticeRecord(notice, at)) },
        notices.length === 0 ? 'No notices.' : noticeTable(notices, at),
      );
    },
  }),
  command({
    name: 'notice remove',
    operands: { id: { label: 'ID', integer: { min: 1, max: 1_000_000_000 } } },
    summary: 'Remove a notice from the status page',
    needs: 'existing store',
    run: async ({ id }, context) => {
      if (!(await context.store.accounts.removeNotice(id))) {
        throw new CommandError(`There is no notice ${id}. Run 'brickmark notice list' to see all.`);
      }
      await recordDone(context, { action: 'notice.removed', detail: `notice ${id}` });
      context.result({ notice_id: id, removed: true }, `Notice ${id} is removed.`);
    },
  }),
];

function noticeRecord(notice: StatusNotice, at: number) {
  const { id, severity, title, text, fromAt, untilAt } = notice;
  return {
    notice_id: id,
    severity,
    title,
    text,
    from: formatInstant(fromAt),
    until: formatInstantOrNull(untilAt),
    phase: phaseOf(notice, at),
  };
}

function noticeTable(notices: readonly StatusNotice[], at: number): string {
  return tableOf(notices, {
    ID: ({ id }) => id,
    PHASE: (notice) => phaseOf(notice, at),
    SEVERITY: ({ severity }) => severity,
    FROM: ({ fromAt }) => momentText(fromAt),
    UNTIL: ({ untilAt }) => (untilAt === null ? 'removed' : momentText(untilAt)),
    TITLE: ({ title }) => title,
  });
}
