import { stringify } from 'csv-stringify/sync';

/**
 * What makes a spreadsheet take a cell for a formula, also in its full-width form (OWASP, "CSV Injection"). Names and
 * texts come from devices, so somebody else may have chosen them.
 */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

/** A text of our own that is no formula, whatever it begins with: it has to come back as it was given. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Lines of CSV (RFC 4180, section 2). */
export function csvLines(records: readonly (readonly unknown[])[]): string {
  return stringify(
    records.map((cells) => cells.map(cellText)),
    // The library itself looks for its own line end only, and a lone one ends a line for many readers.
    { record_delimiter: '\r\n', quoted_match: /[\r\n]/ },
  );
}

/**
 * A text that would be a formula gets an apostrophe in front, which spreadsheets read as "this is text". Numbers stay as
 * they are, to the digit; lists and objects are their JSON.
 */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Verbatim) return value.text;
  if (typeof value !== 'string') return jsonCell(JSON.stringify(value));
  return formulaStart.test(value) ? `'${value}` : value;
}

/** What JSON makes a text of (a Date) is written as that text. */
function jsonCell(json: string): string {
  return json.startsWith('"') ? cellText(JSON.parse(json)) : json;
}
