import { invariant } from '@engawa/errors';
import { JsonText, jsonText } from '@engawa/http';
import { rawItemSize } from '@engawa/table';
import { decodeItem } from './decode-item.ts';
import type { ResponseWork } from '@engawa/http';
import type { RawItem } from '@engawa/table';

/** The first items that fit a page together, raw and decoded, at least one. Further ones are not decoded. */
export function* fittingItems(
  items: readonly RawItem[],
  maxBytes: number,
): ResponseWork<JsonText[]> {
  const texts: JsonText[] = [];
  let bytes = 0;
  for (const item of items) {
    const text = yield* jsonText(showItem(item));
    bytes += Buffer.byteLength(text) + 1; // and a comma
    if (bytes > maxBytes && texts.length > 0) break;
    texts.push(new JsonText(text));
  }
  return texts;
}

function showItem(item: RawItem) {
  const { kind, decoded } = decodeItem(item);
  return { key: keyOf(item), kind, bytes: rawItemSize(item), attributes: item, decoded };
}

const declared = 'each item has the texts pk and sk';

/** The key attributes are texts in every item, since the table declares them so. */
export function keyOf(item: RawItem) {
  const text = (name: string) => item[name]?.['S'] as string | undefined;
  const optional = (['gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk'] as const).flatMap((name) => {
    const value = text(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const [pk, sk] = [invariant(text('pk'), declared), invariant(text('sk'), declared)];
  return { pk, sk, ...Object.fromEntries(optional) };
}
