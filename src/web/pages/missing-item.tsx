/** What is shown for a number that nobody has. */
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { shortText } from '../../domain/kernel/text.ts';
import type { PageRequest } from '../page-request.ts';
import type { PageAnswer } from '../respond.ts';
import { FaultPage } from './fault.tsx';

/** The answer for an item that is not there, or not published yet. */
export function missingItem(request: PageRequest, kind: ItemKind, number: string): PageAnswer {
  const message = `There is no ${kind} '${shortText(number)}'. Search for it by its name above.`;
  return { page: <FaultPage request={request} status={404} message={message} />, status: 404 };
}
