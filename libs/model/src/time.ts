/** Numbers below this are epoch seconds, others milliseconds: 5138-11-16 in seconds, 1973-03-03 in milliseconds. */
const firstMilliseconds = 1e11;
/** Numbers above this are microseconds or nanoseconds, which are invalid. */
const lastMilliseconds = 1e14;

/** Days that every month has. */
const shortestMonth = 28;

const isoInstant = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;

/**
 * Epoch milliseconds of a moment given as ISO 8601 with an offset, or as epoch seconds or milliseconds; undefined for
 * other input. Fractions of a millisecond are truncated in a text and rounded in a number.
 */
export function parseTime(time: string | number): number | undefined {
  if (typeof time === 'string') return parseIso(time);
  const magnitude = Math.abs(time);
  if (!(magnitude <= lastMilliseconds)) return undefined;
  return Math.round(magnitude < firstMilliseconds ? time * 1000 : time);
}

function parseIso(text: string): number | undefined {
  const day = isoInstant.exec(text)?.[1];
  const milliseconds = Date.parse(text.includes(',') ? text.replace(',', '.') : text);
  if (day === undefined || Number.isNaN(milliseconds)) return undefined;
  if (Number(day) <= shortestMonth) return milliseconds;
  // Date.parse accepts 30 February as 2 March.
  const written = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return written.getUTCDate() === Number(day) ? milliseconds : undefined;
}
