/** Topics of ntfy, on ntfy.sh or another server. */
import { cutText } from '../../../kernel/text.ts';
import type { Posted, PostedRow } from './delivery-channel-row.ts';

const messageBytesMax = 4_096;
const titleLengthMax = 100;

const fits = (text: string) => Buffer.byteLength(text) <= messageBytesMax;

export const ntfy: PostedRow = {
  sentBy: 'http',
  title: 'ntfy',
  word: 'ntfy',
  plural: 'ntfy',
  max: 5,
  isForPrograms: false,
  address: { example: 'https://ntfy.sh/your-topic', path: /\/[\w-]{1,64}$/ },
  testBody: (text) => ({ title: 'Brickmark', message: text }),
  alertBody: (alerts) => ({
    title: cutText(alerts.title, titleLengthMax),
    message: alerts.text({ isShared: true, fits }),
    click: alerts.url,
  }),
  request: topicRequest,
};

/**
 * As JSON posted to the root with the topic inside, because ntfy's headers cannot hold all of
 * Unicode.
 */
function topicRequest({ address, body }: Posted): Posted | { readonly problem: string } {
  const url = URL.parse(address);
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  const topic = path.slice(path.lastIndexOf('/') + 1);
  if (url === null || topic === '') return { problem: 'The address has no topic.' };
  url.pathname = path.slice(0, path.lastIndexOf('/') + 1);
  return { address: url.href, body: JSON.stringify({ topic, ...JSON.parse(body) }) };
}
