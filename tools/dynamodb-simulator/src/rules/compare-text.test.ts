import { compareText } from './compare-text.ts';

it('orders texts by their UTF-8 bytes, also supplementary characters', () => {
  const texts = [
    '',
    'a',
    'aa',
    'a\u{10000}',
    'b',
    'é',
    '\u{e000}',
    '\u{ffff}',
    '\u{1f600}',
    '\u{1f601}',
  ];
  for (const left of texts) {
    for (const right of texts) {
      const order = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect([left, right, Math.sign(compareText(left, right))]).toEqual([left, right, order]);
    }
  }
});
