import { stringify } from 'csv-stringify/sync';

/**
 * First characters that make a spreadsheet evaluate a cell as a formula, also in full-width form
 * (OWASP, "CSV Injection"). Names and texts come from devices, so they may be chosen by an
 * attacker.
 */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A text of this service, such as a cursor, that is written unchanged: clients must send it back as it is. */
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
    // The library quotes its own line end only, but many readers end a line at a lone CR or LF.
    { record_delimiter: '\r\n', quoted_match: /[\r\n]/ },
  );
}

/**
 * The text of a cell. A text that would be a formula is prefixed with an apostrophe, which
 * spreadsheets read as "this is text". Numbers keep all digits; arrays and objects are written as
 * JSON.
 */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Verbatim) return value.text;
  if (typeof value !== 'string') return jsonCell(JSON.stringify(value));
  return formulaStart.test(value) ? `'${value}` : value;
}

/** A value that JSON serializes as a string (a Date) is written as that string. */
function jsonCell(json: string): string {
  return json.startsWith('"') ? cellText(JSON.parse(json)) : json;
}
