/** The message of an alert that fired. */
import type { Notification } from '../../../alerts/conditions/notification.ts';
import { itemPath } from '../../kit/address.ts';
import { inDollars } from '../../kit/format.ts';

/** The message with its item as a link; before the message if that does not name the item. */
export function AlertMessage(props: {
  readonly row: Pick<Notification, 'itemKind' | 'number' | 'title' | 'reason'>;
}) {
  const { itemKind, number, title } = props.row;
  const item = `${number} ${title}`;
  const [before = '', ...after] = props.row.reason.split(item).map(inDollars);
  const link = <a href={itemPath(itemKind, number)}>{item}</a>;
  return (
    <span>
      {after.length > 0 && before}
      {link}
      {after.length > 0 ? after.join(item) : `: ${before}`}
    </span>
  );
}
