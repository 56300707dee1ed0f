/** Divides a text that arrives in parts into its records. */
export class RecordSplitter {
  readonly #lineEnd: string;
  readonly #hasQuotes: boolean;
  #rest = '';

  /** @param type in CSV, a line end within quotes is part of a cell (RFC 4180, section 2) */
  constructor(type: 'CSV' | 'NDJSON') {
    this.#lineEnd = type === 'CSV' ? '\r\n' : '\n';
    this.#hasQuotes = type === 'CSV';
  }

  /** Whether the text has ended with a whole record. */
  get isComplete(): boolean {
    return this.#rest === '';
  }

  /** @returns the records that are complete, without their line ends */
  push(text: string): string[] {
    const lines = (this.#rest + text).split(this.#lineEnd);
    this.#rest = lines.pop() ?? '';
    if (!this.#hasQuotes) return lines;
    const records: string[] = [];
    let open: string | undefined;
    for (const line of lines) {
      const record: string = open === undefined ? line : open + this.#lineEnd + line;
      open = hasOpenQuote(record) ? record : undefined;
      if (open === undefined) records.push(record);
    }
    if (open !== undefined) this.#rest = open + this.#lineEnd + this.#rest;
    return records;
  }
}

function hasOpenQuote(record: string): boolean {
  return record.includes('"') && record.split('"').length % 2 === 0;
}

/** The cells of a record as they are written, with their quotes: a number keeps all its digits. */
export function rawCells(record: string): string[] {
  if (!record.includes('"')) return record.split(',');
  const cells: string[] = [];
  let open: string | undefined;
  for (const part of record.split(',')) {
    const cell: string = open === undefined ? part : `${open},${part}`;
    open = hasOpenQuote(cell) ? cell : undefined;
    if (open === undefined) cells.push(cell);
  }
  return cells;
}

/** A spreadsheet runs such a text as a formula; the services write an apostrophe before it (docs/http.md, Exports). */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A text as the services write it into a cell. */
export function textCell(text: string): string {
  const safe = formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that `textCell` or a service wrote. */
export function cellText(cell: string): string {
  const text = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
  return text.startsWith("'") && formulaStart.test(text.slice(1)) ? text.slice(1) : text;
}
