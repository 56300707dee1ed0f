const reports = 'aggregates|readings|corrections|history|fields';
const apiPath = new RegExp(`^/v1/(?<api>\\w+)(?:/[^/?]+/(?<report>${reports})\\b)?`);

/**
 * The kind of a violation: its sentence without names, numbers, times and bodies. Two worlds failed
 * in the same way if they have a kind in common. For example, `a reading is lost: device6 published
 * 2026-01-01T12:00:01.101Z {"power":2}` has the kind `a reading is lost: … published …`. Only the
 * problem type of an error body is kept.
 */
export function kindOfViolation(sentence: string): string {
  const words = sentence
    .replaceAll(/"[^"]*"/g, (text) => problemIn(text) ?? '…')
    .replace(/[{[].*[}\]]/s, (text) => problemIn(text) ?? '…')
    .split(/\s+/);
  return words
    .map((word) => shapeOf(word))
    .join(' ')
    .replaceAll(/…(?:[\s,;]*…)+/g, '…');
}

function problemIn(text: string): string | undefined {
  return /\/?problems\/[a-z-]+/.exec(text)?.[0];
}

/** Keeps a plain word, a problem type or the API of a path; replaces all other words by `…`. */
function shapeOf(word: string): string {
  if (problemIn(word) !== undefined) return word;
  const { api, report } = apiPath.exec(word)?.groups ?? {};
  if (api !== undefined) return `/v1/${api}/…${report === undefined ? '' : `/${report}`}`;
  if (/^(?:a|[A-Za-z]{2,})[.,:;]?$/.test(word)) return word;
  return `…${/[:;,]$/.exec(word)?.[0] ?? ''}`;
}
