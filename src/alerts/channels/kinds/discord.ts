/** Discord, by a webhook of one of its channels. */
import { dayMs, secondMs } from '../../../kernel/time.ts';
import type { PostedRow, TextStyle } from './delivery-channel-row.ts';

const contentLengthMax = 2_000;

/** Escapes formatting and mentions in names, and suppresses link previews. */
const style: TextStyle = {
  isShared: true,
  escape: (text) => text.replace(/[\\*_~`|>#[\]()<@:-]/g, '\\$&'),
  link: (url) => `<${url}>`,
  fits: ({ length }) => length <= contentLengthMax,
};

export const discord: PostedRow = {
  sentBy: 'http',
  title: 'Discord',
  word: 'Discord',
  plural: 'Discord',
  max: 5,
  isForPrograms: false,
  address: {
    example: 'https://discord.com/api/webhooks/…',
    whereToFind: 'Discord: Edit channel, Integrations, Webhooks',
    path: /^\/api(?:\/v\d+)?\/webhooks\/\d+\/[\w-]+$/,
  },
  testBody: bodyOf,
  alertBody: (alerts) => bodyOf(alerts.text(style)),
  request: (message) => message,
  gone: {
    status: 404,
    text: (status) =>
      `Discord answered ${status}: this webhook was deleted in Discord. Create a new one and ` +
      'enter its address here.',
  },
  pauseMs: (response) => {
    const seconds = /"retry_after":\s*(\d+(?:\.\d+)?)/.exec(response)?.[1];
    return seconds ? Math.min(Math.ceil(Number(seconds) * secondMs), dayMs) : null;
  },
};

/** Mentions nobody. */
function bodyOf(content: string): object {
  return { content, allowed_mentions: { parse: [] } };
}
