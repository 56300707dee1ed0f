import fc from 'fast-check';
import { compareBytes } from '../byte-order.ts';
import { encodeTuple } from '../tuple.ts';
import {
  attributeIndexId,
  attributeIndexKey,
  attributePrefix,
  attributeRange,
  attributeTextPrefix,
  beforeRelations,
  anyRelationPrefix,
  attributeRowKey,
  entityKey,
  relationKey,
  relationPrefix,
  textRowKey,
} from './entity.ts';
import { expiryKey } from './expiry.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom('', '#', '$', 'a', 'a#', 'ab', '\u0000', '\u{1f600}', '\uffff'),
);
const value = fc.tuple(text, text);
const row = { entity: { type: 'T', id: 'i' }, search: 's' };

/** Whether a Query of the range returns the index key of these values. */
function isIn(values: readonly string[], { from, to }: { from?: string; to?: string }): boolean {
  const { gsi2sk } = attributeIndexKey(0, row, values);
  const isAbove = from === undefined || compareBytes(gsi2sk, from) >= 0;
  return isAbove && (to === undefined || compareBytes(gsi2sk, to) <= 0);
}

function startsWith(values: readonly string[], prefix: string): boolean {
  return attributeIndexKey(0, row, values).gsi2sk.startsWith(prefix);
}

describe('the sort key of a search', () => {
  it('is in the range of its own parts, and outside of other ranges', () => {
    fc.assert(
      fc.property(
        value,
        text,
        fc.option(text),
        fc.option(text),
        ([first, second], lead, from, to) => {
          const range = attributeRange([lead], { from: from ?? undefined, to: to ?? undefined });
          const isMeant =
            first === lead &&
            (from === null || compareBytes(second, from) >= 0) &&
            (to === null || compareBytes(second, to) <= 0);
          expect(isIn([first, second], range)).toBe(isMeant);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('is the same without leading parts', () => {
    fc.assert(
      fc.property(value, fc.option(text), fc.option(text), ([first, second], from, to) => {
        const range = attributeRange([], { from: from ?? undefined, to: to ?? undefined });
        const isMeant =
          (from === null || compareBytes(first, from) >= 0) &&
          (to === null || compareBytes(first, to) <= 0);
        expect(isIn([first, second], range)).toBe(isMeant);
      }),
      { numRuns: 3000 },
    );
    expect(attributeRange([], {})).toEqual({});
  });

  it('begins with its first parts, then with the prefix of the next part', () => {
    fc.assert(
      fc.property(value, text, text, ([first, second], lead, beginning) => {
        expect(startsWith([first, second], attributePrefix([lead]))).toBe(first === lead);
        expect(startsWith([first, second], attributeTextPrefix([lead], beginning))).toBe(
          first === lead && second.startsWith(beginning),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it("contains the entity's id", () => {
    fc.assert(
      fc.property(value, fc.constantFrom('#', 'a#b', '居間', 'constructor'), (values, id) => {
        const { gsi2sk } = attributeIndexKey(0, { ...row, entity: { type: 'T', id } }, values);
        expect(attributeIndexId(gsi2sk)).toBe(id);
      }),
    );
  });
});

describe('the items of an entity', () => {
  const id = fc.constantFrom('#', '$', 'A', 'E', 'R', 'R#', 'F', 'FULLTEXT', 'a', '~', '\u{1f600}');

  it('other than relations are sorted before all relations', () => {
    fc.assert(
      fc.property(id, id, id, id, (type, name, search, other) => {
        const entity = { type, id: name };
        const own = [
          entityKey(entity),
          attributeRowKey({ entity, search }),
          textRowKey(entity),
          expiryKey(entity),
        ];
        for (const { sk } of own) {
          expect(compareBytes(sk, beforeRelations.to ?? '')).toBeLessThanOrEqual(0);
        }
        const { sk } = relationKey(entity, { type: other, id: search });
        expect(compareBytes(sk, beforeRelations.to ?? '')).toBeGreaterThan(0);
        expect(sk.startsWith(anyRelationPrefix) && sk.startsWith(relationPrefix(other))).toBe(true);
        expect(sk).toBe(encodeTuple(['R', other, search]));
      }),
    );
  });
});
