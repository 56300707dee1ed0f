import { maxItemBytes, maxPageBytes, maxUnitsOfPage } from '@engawa/table';

export interface Price {
  /** The request consumes at most these read units. */
  estimatedUnits: number;
  /** The text of `whyCode`, in English. */
  why: string;
  whyCode: { code: (typeof priceCodes)[number]; values: PriceValues };
}

/** What bounds the price: the maximum size of a page, or that of its items. */
export const priceCodes = ['bounded-by-page', 'bounded-by-items'] as const;

export interface PriceValues {
  items: number;
  estimatedUnits: number;
  /** With 1 KB per item. */
  usualUnits: number;
  maxItemBytes: number;
  maxPageBytes: number;
}

/** A size that most items of the table have: a block of several readings has at most 1 KB. */
const usualItemBytes = 1024;
/** Bytes of half a read unit, in an eventually consistent read. */
const halfUnitBytes = 4096;

/** The price of a page before it is read: an upper bound, since nobody knows the sizes of its items. */
export function priceOf(limit: number): Price {
  const estimatedUnits = maxUnitsOfPage(limit);
  const usualUnits = Math.ceil((limit * usualItemBytes) / halfUnitBytes) / 2;
  const code = limit * maxItemBytes > maxPageBytes ? 'bounded-by-page' : 'bounded-by-items';
  const values = { items: limit, estimatedUnits, usualUnits, maxItemBytes, maxPageBytes };
  return { estimatedUnits, why: textOf(code, values), whyCode: { code, values } };
}

function textOf(code: Price['whyCode']['code'], values: PriceValues): string {
  const { items: limit, estimatedUnits, usualUnits } = values;
  const items = limit === 1 ? '1 item' : `${limit} items`;
  const bound =
    code === 'bounded-by-page'
      ? `A page ends once its items exceed ${kilobytes(maxPageBytes)}, and the last one has at most ${kilobytes(maxItemBytes)}`
      : `An item has at most ${kilobytes(maxItemBytes)}`;
  return (
    'One Query of one partition, eventually consistent: half a unit for each 4 KB read, at least half a unit. ' +
    `${bound}, so ${items} cost at most ${estimatedUnits} units; with 1 KB per item they cost ${usualUnits}.`
  );
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toLocaleString('en')} KB`;
}
