/** Email to the account's own address. */
import { cutText } from '../../../kernel/text.ts';
import type { MailedRow } from './delivery-channel-row.ts';

/** Mail clients show less than this. */
const subjectLengthMax = 150;

export const email: MailedRow = {
  sentBy: 'mail',
  title: 'Email',
  word: 'email',
  max: 1,
  isForPrograms: false,
  testBody: (text) => ({ subject: 'Test message from Brickmark', text, unsubscribeUrl: null }),
  alertBody: (alerts) => ({
    subject: cutText(alerts.subject, subjectLengthMax),
    text: alerts.text({ isShared: false }),
    unsubscribeUrl: alerts.unsubscribeUrl,
  }),
};
