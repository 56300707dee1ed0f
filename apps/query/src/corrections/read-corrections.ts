import { correctionPrefix, devicePartition } from '@engawa/keys';
import { correctionLengths, maxLengthOf, parseCorrection, touchingRows } from '@engawa/model';
import { queryPages } from '@engawa/table';
import { Corrections } from './corrections.ts';
import type { RequestBudget } from '@engawa/http';
import type { Correction, CorrectionRows, CorrectionState } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { TimeRange } from '../time-range.ts';

/** The corrections that a request needs: of a device with few corrections, all are read. */
export interface CorrectionsRequest extends TimeRange {
  /** The end of the range that is needed first. */
  order: 'asc' | 'desc';
  /** Epoch milliseconds: the end (in ascending order) or the start of the times that must be known. */
  needed: number;
  /** Corrections of a class of lengths after which the read ends, if the needed times are known; up to a page more. */
  enough: number;
}

export interface ReadOptions {
  table: Pick<Table, 'query'>;
  device: string;
  budget: Pick<RequestBudget, 'charge'>;
}

/** The attributes of a correction that change what is shown. */
const attributes = [
  ...['pk', 'sk', 'sequence', 'operation', 'from', 'to', 'names', 'replacement'],
  ...['madeAt', 'within', 'undoneAt'],
];

/** All corrections of a device without rows: one Query per page. */
export async function readAll(
  { table, device, budget }: ReadOptions,
  state: CorrectionState,
): Promise<Corrections> {
  const found: Correction[] = [];
  const sk = { beginsWith: correctionPrefix };
  const request = { pk: devicePartition(device), sk, fields: attributes, consistent: true };
  for await (const page of queryPages(table, request)) {
    budget.charge(page.units);
    found.push(...page.items.map(parseCorrection));
  }
  return new Corrections(found, state);
}

/** The corrections of a range, from the needed end on: a Query for each class of lengths that the device has. */
export async function readRange(
  options: ReadOptions,
  state: CorrectionState & { rows: CorrectionRows },
  request: CorrectionsRequest,
): Promise<Corrections> {
  const used = correctionLengths
    .keys()
    .filter((lengthClass) => state.rows.counts[lengthClass] !== 0);
  const classes = await Promise.all([...used].map((one) => readClass(options, one, request)));
  const known = {
    from: Math.max(request.from, ...classes.map(({ from }) => from)),
    to: Math.min(request.to, ...classes.map(({ to }) => to)),
  };
  return new Corrections(
    classes.flatMap(({ found }) => found),
    state,
    known,
  );
}

interface ClassPart extends TimeRange {
  found: Correction[];
}

/** The corrections of one class, and the times for which they are complete. */
async function readClass(
  { table, device, budget }: ReadOptions,
  lengthClass: number,
  request: CorrectionsRequest,
): Promise<ClassPart> {
  const { from, to, order, enough } = request;
  const found: Correction[] = [];
  const query = {
    pk: devicePartition(device),
    sk: touchingRows(lengthClass, request),
    fields: attributes,
    descending: order === 'desc',
    limit: enough,
    consistent: true,
  };
  for await (const page of queryPages(table, query)) {
    budget.charge(page.units);
    found.push(...page.items.map(parseCorrection));
    const last = found.at(-1);
    if (page.next === undefined || last === undefined) continue;
    const part = knownPart(lengthClass, request, last.from);
    if (order === 'asc' ? part.to >= request.needed : part.from <= request.needed) {
      return { found, ...part };
    }
  }
  return { found, from, to };
}

/** The times that only corrections touch which begin before `last`, or, in descending order, after it. */
function knownPart(
  lengthClass: number,
  { from, to, order }: CorrectionsRequest,
  last: number,
): TimeRange {
  if (order === 'asc') return { from, to: Math.min(to, last) };
  return { from: Math.max(from, last + maxLengthOf(lengthClass)), to };
}
