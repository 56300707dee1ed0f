import { formatAge, formatDateTime } from '../i18n/format.ts';

/** How long ago something was; the tooltip has the date, the time and the zone. @param time ISO 8601 */
export function Age({ time }: { time: string }) {
  const date = new Date(time);
  return (
    <time class="age" dateTime={time} title={formatDateTime(date)}>
      {formatAge(date)}
    </time>
  );
}
