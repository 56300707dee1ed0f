import { parseKey, rollupKey } from '@engawa/keys';
import { itemSize } from './item-size.ts';
import { keyOf } from './place.ts';
import { encodeSketches } from './summary.ts';
import type { Document } from './item-size.ts';
import type { Bucket, Rollup, RollupWidth } from './rollup.ts';
import type { Summary } from './summary.ts';

/** Their keys are next to the rollups' keys, in separate items: most queries do not need sketches, which are larger. */
export const sketchWidths = { PT1H: 'SKETCH-PT1H', P1D: 'SKETCH-P1D' } as const satisfies Record<
  RollupWidth,
  string
>;

/** The version of the sketch algorithm. */
const sketchFormat = 1;
/** DynamoDB's limit is 400 KB; larger sketches are computed for each request. */
const maxItemBytes = 390_000;

/** The stored sketches of a bucket. */
export interface StoredSketches {
  start: number;
  /** Version and corrections of the rollup: the sketches are valid while the rollup has the same ones. */
  version?: string | undefined;
  corrections?: string | undefined;
  /** For `addSketches`. */
  values: string;
}

/** Undefined where the sketches do not fit into an item. */
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
  return itemSize(item) > maxItemBytes ? undefined : item;
}

/**
 * Undefined for another format.
 * @throws TypeError when the item does not contain sketches
 */
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
