/** The response of `/status.json`: the status of the service. */
import { phaseOf } from '../accounts/notices/notice.ts';
import { formatInstant, formatInstantOrNull } from '../kernel/time.ts';
import type { ServiceStatus } from '../sync/service-status.ts';

export const statusPath = '/status.json';

export function statusRecord(status: ServiceStatus) {
  const { at } = status;
  return {
    status: status.state,
    checked_at: formatInstant(at),
    publication: {
      status: status.isPublishingLate ? 'delayed' : 'operational',
      last_published_at: formatInstantOrNull(status.publishedAt),
    },
    data: status.data.map(({ data, isDelayed, updatedAt }) => ({
      name: data,
      status: isDelayed ? 'delayed' : 'operational',
      updated_at: formatInstantOrNull(updatedAt),
    })),
    notices: status.notices.map((notice) => ({
      id: notice.id,
      severity: notice.severity,
      title: notice.title,
      text: notice.text,
      planned: phaseOf(notice, at) === 'planned',
      from: formatInstant(notice.fromAt),
      until: formatInstantOrNull(notice.untilAt),
    })),
  };
}
