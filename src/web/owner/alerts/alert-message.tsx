/** The message of an alert that fired. */
import type { Notification } from '../../../domain/alerts/notification.ts';
import { inDollars } from '../../kit/format.ts';
import { itemPath } from '../../kit/links.tsx';

/** The message with its item as a link; before the message if that does not name the item. */
export function AlertMessage(props: {
  readonly row: Pick<Notification, 'itemKind' | 'number' | 'title' | 'reason'>;
}) {
  const { itemKind, number, title } = props.row;
  const reason = inDollars(props.row.reason);
  const item = `${number} ${title}`;
  const [before = '', ...after] = reason.split(item);
  const link = <a href={itemPath(itemKind, number)}>{item}</a>;
  return (
    <span>
      {after.length > 0 && before}
      {link}
      {after.length > 0 ? after.join(item) : `: ${reason}`}
    </span>
  );
}
