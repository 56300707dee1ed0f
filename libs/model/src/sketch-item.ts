import { parseKey, rollupKey } from '@engawa/keys';
import { itemSize } from './item-size.ts';
import { keyOf } from './place.ts';
import { encodeSketches } from './summary.ts';
import type { Document } from './item-size.ts';
import type { Bucket, Rollup, RollupWidth } from './rollup.ts';
import type { Summary } from './summary.ts';

/** As in the keys: beside the rollups, since most questions do not need these, and they are larger. */
export const sketchWidths = { PT1H: 'SKETCH-PT1H', P1D: 'SKETCH-P1D' } as const satisfies Record<
  RollupWidth,
  string
>;

/** How the values of sketches were worked out. */
const sketchFormat = 1;
/** DynamoDB's limit is 400 KB; what is larger is worked out each time. */
const largestItemBytes = 390_000;

/** The sketches of a bucket as the table has them. */
export interface StoredSketches {
  start: number;
  /** Of its rollup: they hold as long as that has the same version and corrections. */
  version?: string | undefined;
  corrections?: string | undefined;
  /** For `addSketches`. */
  values: string;
}

/** Undefined where it does not fit into an item. */
export function sketchesItem(
  device: string,
  { width, start }: Bucket,
  { version, corrections, summary }: Pick<Rollup, 'version' | 'corrections'> & { summary: Summary },
): Document | undefined {
  const item = {
    ...rollupKey(device, sketchWidths[width], start),
    values: encodeSketches(summary),
    format: sketchFormat,
    ...(version !== undefined && { version }),
    ...(corrections !== undefined && { corrections }),
  };
  return itemSize(item) > largestItemBytes ? undefined : item;
}

/** Undefined where it is of another format. @throws TypeError when the item is not of sketches */
export function parseSketches(item: Document): StoredSketches | undefined {
  const key = parseKey(keyOf(item));
  if (key.item !== 'rollup') throw new TypeError(`not of sketches: ${key.item}`);
  const { version, corrections, values, format } = item;
  if (Number(format) !== sketchFormat || typeof values !== 'string') return undefined;
  return {
    start: key.start,
    values,
    ...(typeof version === 'string' && { version }),
    ...(typeof corrections === 'string' && { corrections }),
  };
}
