import type { QueryFixture } from '../query-fixture.ts';
import type { Owner } from './requests.ts';

/** An answer with each number as its literal. */
export class Literal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Answered = Record<string, unknown>;

export interface ShownBucket {
  device?: string;
  room?: string;
  from: string;
  to: string;
  localFrom: string;
  fields: Record<string, Record<string, Literal | null>>;
  states?: Record<string, ShownStates>;
  incomplete?: boolean;
}

interface Measures {
  duration?: Literal;
  share?: Literal;
}

export interface ShownStates {
  changes?: Literal;
  values: ({ value: unknown } & Measures)[];
  others?: Measures;
}

/** The states of one bucket exceed the limits of a request. */
export class Refusal extends Error {}

const mostPages = 2000;

export const iso = (time: number) => new Date(time).toISOString();

/** All pages of an answer, from the first to the last; none if 404 is expected. */
export async function walk(
  fixture: QueryFixture,
  path: string,
  parameters: Record<string, string>,
  isMissing: boolean,
): Promise<Answered[]> {
  const pages: Answered[] = [];
  let cursor: string | undefined;
  do {
    const search = new URLSearchParams({ ...parameters, ...(cursor && { cursor }) }).toString();
    const { status, text } = await fixture.askPlainly(`${path}?${search}`);
    if (isMissing && status === 404) return [];
    if (status === 400 && text.includes('states of one bucket exceed')) throw new Refusal(text);
    if (status !== 200 || isMissing) throw new Error(`${status}: ${text}`);
    const page = JSON.parse(text, (_, value: unknown, { source }) =>
      typeof value === 'number' && source !== undefined ? new Literal(source) : value,
    ) as Answered;
    pages.push(page);
    cursor = page['cursor'] as string | undefined;
    if (pages.length > mostPages) throw new Error('a walk without end');
  } while (cursor !== undefined);
  return pages;
}

export function pathOf(owner: Owner): string {
  const part = encodeURIComponent;
  if ('device' in owner) return `/v1/devices/${part(owner.device)}`;
  const { place, room } = owner;
  return room === undefined
    ? `/v1/places/${part(place)}`
    : `/v1/rooms/${part(place)}/${part(room)}`;
}
