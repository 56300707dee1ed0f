import fc from 'fast-check';
import { fittingText, jsonText, JsonText } from './json-text.ts';
import type { ResponseWork } from '../work/client-turns.ts';

function run<Result>(work: ResponseWork<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

describe('a body in steps', () => {
  it('has the text of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
        const body = { value, items: [value, other, { list: [other] }], missing: undefined };
        expect(run(jsonText(body))).toBe(JSON.stringify(body));
      }),
    );
  });

  it('may have lists in each other, as deep as JSON.parse reads them', () => {
    const lists = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`) as unknown;
    const body = { items: [lists, { lists }], lists };
    expect(run(jsonText(body))).toBe(JSON.stringify(body));
  });

  it('contains texts that are serialized already', () => {
    const body = { items: [0, new JsonText('[1.50]'), 2], head: new JsonText('{"a":1}') };
    expect(run(jsonText(body))).toBe('{"items":[0,[1.50],2],"head":{"a":1}}');
  });
});

describe('the elements that fit', () => {
  it('are as many as are within the limit, at least one', () => {
    const elements = fc.array(fc.oneof(fc.string({ maxLength: 200 }), fc.jsonValue()), {
      minLength: 1,
      maxLength: 100,
    });
    fc.assert(
      fc.property(elements, fc.integer({ min: 1, max: 3000 }), (all, maxBytes) => {
        const { text, count } = run(fittingText(all, maxBytes));
        expect(text.text).toBe(JSON.stringify(all.slice(0, count)));
        // With a comma for each.
        const bytesOf = (some: readonly unknown[]) => Buffer.byteLength(JSON.stringify(some)) - 1;
        if (count > 1) expect(bytesOf(all.slice(0, count))).toBeLessThanOrEqual(maxBytes);
        if (count < all.length) expect(bytesOf(all.slice(0, count + 1))).toBeGreaterThan(maxBytes);
      }),
      { numRuns: 1000 },
    );
  });
});
