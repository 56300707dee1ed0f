import { localTimeOf } from './zoned-time.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

interface LabelContext {
  language: string;
  timeZone: string;
  /** Milliseconds between labels. */
  stepMs: number;
}

/** The labels of a time axis: a time of day, with the date below where a day begins; or only dates. */
export function timeLabels(times: readonly number[], context: LabelContext): string[] {
  const { language, timeZone, stepMs } = context;
  const date = new Intl.DateTimeFormat(language, { timeZone, month: 'short', day: 'numeric' });
  if (stepMs >= dayMs) return times.map((time) => date.format(time));
  const clock = new Intl.DateTimeFormat(language, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(stepMs < minuteMs && { second: '2-digit' }),
  });
  let lastDay = '';
  return times.map((time) => {
    const day = localTimeOf(time, timeZone).slice(0, 10);
    const isNew = day !== lastDay;
    lastDay = day;
    return isNew ? `${clock.format(time)}\n${date.format(time)}` : clock.format(time);
  });
}

/** A time with all that a reader needs: date, time, and the zone's name. */
export function fullTime(time: number, language: string, timeZone: string): string {
  return new Intl.DateTimeFormat(language, {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'long',
    hourCycle: 'h23',
  }).format(time);
}

/** A date and a time of day, without the zone, for tables that name it in their heading. */
export function shortTime(time: number, language: string, timeZone: string): string {
  return new Intl.DateTimeFormat(language, {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
  }).format(time);
}
