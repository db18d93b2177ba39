/** What is not there, or is somebody else's: both look the same. */
import { idOf } from '../lot-form.ts';
import type { PageRequest } from '../page-request.ts';
import type { PageAnswer } from '../respond.ts';
import { FaultPage } from './fault.tsx';

/** The answer for something that whoever asks does not have. */
export function missingPage(request: PageRequest): PageAnswer {
  const message = 'There is no such page.';
  return { page: <FaultPage request={request} status={404} message={message} />, status: 404 };
}

/** Leads to the page of what a path names; what cannot be an id leads nowhere. */
export function goToItem(request: PageRequest, pathOf: (id: number) => string): PageAnswer {
  const id = idOf(request.params.id);
  return id === null ? missingPage(request) : { goTo: pathOf(id) };
}
