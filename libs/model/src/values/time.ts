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
  if (typeof time === 'string') return parseUtc(time) ?? parseIso(time);
  const magnitude = Math.abs(time);
  if (!(magnitude <= lastMilliseconds)) return undefined;
  return Math.round(magnitude < firstMilliseconds ? time * 1000 : time);
}

const codeOf = { '.': 46, ':': 58, T: 84, Z: 90 } as const;
const zero = 48;
const [perHour, perMinute, perSecond] = [3_600_000, 60_000, 1000];

/** The last date, as the readings of a stream share it. */
let date: { text: string; start: number | undefined } = { text: '', start: undefined };

/**
 * `2026-11-20T08:30:00Z` or `2026-11-20T08:30:00.000Z`, as most senders write: a tenth of the time of a pattern and
 * `Date.parse`. Undefined for other input, also valid one.
 */
function parseUtc(text: string): number | undefined {
  const hasFraction = text.length === 24;
  if (!hasFraction && text.length !== 20) return undefined;
  const separators =
    text.charCodeAt(10) === codeOf.T &&
    text.charCodeAt(13) === codeOf[':'] &&
    text.charCodeAt(16) === codeOf[':'] &&
    text.charCodeAt(text.length - 1) === codeOf.Z &&
    (!hasFraction || text.charCodeAt(19) === codeOf['.']);
  if (!separators) return undefined;
  const [hours, minutes, seconds] = [
    digits(text, 11, 13),
    digits(text, 14, 16),
    digits(text, 17, 19),
  ];
  const fraction = hasFraction ? digits(text, 20, 23) : 0;
  // NaN is not within either.
  if (!(hours < 24 && minutes < 60 && seconds < 60 && fraction < perSecond)) return undefined;
  const day = text.slice(0, 10);
  if (date.text !== day) date = { text: day, start: parseIso(`${day}T00:00:00Z`) };
  if (date.start === undefined) return undefined;
  return date.start + hours * perHour + minutes * perMinute + seconds * perSecond + fraction;
}

/** The number that these characters write; NaN where one is no digit. */
function digits(text: string, start: number, end: number): number {
  let number = 0;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - zero;
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : NaN;
  }
  return number;
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
