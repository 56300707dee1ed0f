import { cellText, rawCells, textCell } from './records.ts';
import type { ExploreRequest } from '../explore-requests.ts';
import type { Source } from '../explore-state.ts';

/** A row of the merged file. */
export interface MergedRow {
  text: string;
  /** After this row, the request can be continued. */
  cursor: string | undefined;
}

/** Turns the rows of several requests into those of one file. */
export interface RowMerger {
  /** The first line of the file. */
  readonly head: string;
  /** Begins with the rows of a request. @returns turns a record into a row; undefined where it is no row */
  begin: (request: ExploreRequest) => (record: string) => MergedRow | undefined;
}

/** What a row is of, where the service's own rows do not say so. */
type SourceNames = Partial<Record<'device' | 'place' | 'room', string>>;

function namesOf(source: Source): SourceNames {
  if (source.kind === 'device') return { device: source.id };
  return source.kind === 'place'
    ? { place: source.id }
    : { place: source.place, room: source.room };
}

/** A cursor is the last member of a row (ADR 0050). Within a text, its quotes have a backslash. */
const lastMember = /,"cursor":"([^"\\]*)"\}$/;

export const ndjsonMerger: RowMerger = {
  head: '',
  begin: ({ source }) => {
    const members = JSON.stringify(namesOf(source)).slice(0, -1);
    return (record) => {
      if (record === '') return undefined;
      const cursor = lastMember.exec(record)?.[1];
      const own = cursor === undefined ? record : record.replace(lastMember, '}');
      return { text: `${members},${own.slice(1)}\n`, cursor };
    };
  },
};

const bucketColumns = ['from', 'to', 'localFrom', 'incomplete'];

/** A column of the merged file: a cell of the service's row, or the same text in each row. */
type Column = { index: number } | { text: string };

/** CSV with a column for each field of any request; a row of a source without this field has an empty cell. */
export class CsvMerger implements RowMerger {
  readonly #names: readonly (keyof SourceNames)[];
  readonly #times: readonly string[];
  readonly #values: readonly string[];

  constructor(requests: readonly ExploreRequest[]) {
    const kinds = new Set(requests.map(({ source }) => source.kind));
    const hasPlaces = kinds.has('place') || kinds.has('room');
    this.#names = [
      'device',
      ...(hasPlaces ? (['place'] as const) : []),
      ...(kinds.has('room') ? (['room'] as const) : []),
    ];
    this.#times = requests[0]?.operation === 'aggregates' ? bucketColumns : ['time'];
    // In the order of the services' own files.
    this.#values = [...new Set(requests.flatMap(valueColumns))].sort();
  }

  get head(): string {
    return `${[...this.#names, ...this.#times, ...this.#values.map(textCell)].join(',')}\r\n`;
  }

  begin(request: ExploreRequest): (record: string) => MergedRow | undefined {
    let columns: readonly Column[] | undefined;
    return (record) => {
      if (record === '') return undefined;
      const cells = rawCells(record);
      // A continued response begins with a header as well.
      if (columns === undefined) {
        columns = this.#columnsOf(request, cells);
        return undefined;
      }
      const own = columns.map((one) => ('text' in one ? one.text : (cells[one.index] ?? '')));
      const cursor = cells.at(-1);
      return { text: `${own.join(',')}\r\n`, cursor: cursor === '' ? undefined : cursor };
    };
  }

  #columnsOf(request: ExploreRequest, header: readonly string[]): Column[] {
    const { source, parameters } = request;
    const names = namesOf(source);
    const hasDevices =
      source.kind !== 'device' && ('groupBy' in parameters || request.operation === 'readings');
    // A field may be named like one of the first columns: those are known by their place.
    const keys = hasDevices ? this.#times.length + 1 : this.#times.length;
    const first = header.slice(0, keys);
    const fields = header.slice(keys, -1).map(cellText); // the last column is the cursor
    const missing = fields.find((field) => !this.#values.includes(field));
    if (missing !== undefined) throw new Error(`unexpected column ${missing}`);
    const cell = (index: number): Column => (index === -1 ? { text: '' } : { index });
    const value = (index: number): Column => cell(index === -1 ? -1 : index + keys);
    return [
      ...this.#names.map((name) => {
        const text = names[name];
        return text === undefined ? cell(first.indexOf(name)) : { text: textCell(text) };
      }),
      ...this.#times.map((name) => cell(first.indexOf(name))),
      ...this.#values.map((name) => value(fields.indexOf(name))),
    ];
  }
}

function valueColumns({ fields, operation, parameters }: ExploreRequest): string[] {
  if (operation === 'readings') return [...fields];
  return fields.flatMap((field) => (parameters.fn ?? []).map((name) => `${field}.${name}`));
}
