/** Below this a number is epoch seconds, from here on milliseconds: 5138-11-16 as the one, 1973-03-03 as the other. */
const firstMilliseconds = 1e11;
/** Above this it is neither, but micro- or nanoseconds. */
const lastMilliseconds = 1e14;

const isoInstant = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;

/**
 * Epoch milliseconds of a moment given as ISO-8601 with an offset, or as epoch seconds or
 * milliseconds; undefined where it is none of these. What is finer than a millisecond is cut off a
 * text and rounded off a number.
 */
export function parseTime(time: string | number): number | undefined {
  if (typeof time === 'string') return parseIso(time);
  const magnitude = Math.abs(time);
  if (!(magnitude <= lastMilliseconds)) return undefined;
  return Math.round(magnitude < firstMilliseconds ? time * 1000 : time);
}

function parseIso(text: string): number | undefined {
  const day = isoInstant.exec(text)?.[1];
  const milliseconds = Date.parse(text.replace(',', '.'));
  if (day === undefined || Number.isNaN(milliseconds)) return undefined;
  // Date.parse makes 2 March of 30 February.
  const written = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return written.getUTCDate() === Number(day) ? milliseconds : undefined;
}
