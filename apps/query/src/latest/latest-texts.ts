import { fittingText, jsonText, JsonText } from '@engawa/http';
import { showLatest } from '../schemas.ts';
import type { ResponseWork } from '@engawa/http';
import type { LatestOfId } from './latest-of-many.ts';
import type { Latest } from './latest-of-device.ts';

export interface LatestTexts {
  /** The found devices, in order. */
  items: JsonText[];
  /** Ids without a device. */
  missing: string[];
  /** Number of ids that the page has. */
  done: number;
}

/** A device with as many of its newest readings as fit; there may be further ones then. */
export function* latestText(latest: Latest, maxBytes: number): ResponseWork<JsonText> {
  const { readings, ...shown } = showLatest(latest);
  const { text, count } = yield* fittingText(readings, maxBytes);
  const more = count < readings.length && { incomplete: true };
  return new JsonText(yield* jsonText({ ...shown, readings: text, ...more }));
}

/** The first devices that fit a page together, at least one. */
export function* fittingLatest(
  answers: readonly LatestOfId[],
  maxBytes: number,
): ResponseWork<LatestTexts> {
  const page: LatestTexts = { items: [], missing: [], done: 0 };
  let bytes = 0;
  for (const { id, latest } of answers) {
    if (latest === undefined) page.missing.push(id);
    else {
      const item = yield* latestText(latest, maxBytes);
      bytes += Buffer.byteLength(item.text);
      if (bytes > maxBytes && page.items.length > 0) break;
      page.items.push(item);
    }
    page.done += 1;
  }
  return page;
}
