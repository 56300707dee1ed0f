import {
  closedBuckets,
  invalidRollupItem,
  openBucketsFrom,
  parseRollup,
  rollupGraceMs,
  rollupItems,
  rollupWidths,
} from './rollup.ts';
import { itemSize } from '../values/item-size.ts';
import { Summary } from './summary.ts';

const at = (text: string): number => Date.parse(text);
const hour = (text: string) => ({ width: 'PT1H', start: at(text) });
const day = (text: string) => ({ width: 'P1D', start: at(text) });

describe('the closed buckets', () => {
  it('are the hours and days whose grace period is over, each once', () => {
    const times = ['2026-11-19T23:59:59.999Z', '2026-11-20T00:00:00Z', '2026-11-20T00:30:00Z'];
    expect(closedBuckets(times.map(at), at('2026-11-20T05:00:00Z'))).toEqual([
      hour('2026-11-19T23:00:00Z'),
      hour('2026-11-20T00:00:00Z'),
      day('2026-11-19T00:00:00Z'),
    ]);
  });

  it('begin a minute before the end of the grace period, since clocks differ', () => {
    const end = at('2026-11-20T01:00:00Z');
    const closed = (now: number) => closedBuckets([end - 1], now);
    expect(closed(end + rollupGraceMs - 60_001)).toEqual([]);
    expect(closed(end + rollupGraceMs - 60_000)).toEqual([hour('2026-11-20T00:00:00Z')]);
  });

  it('are correct for times before 1970', () => {
    expect(closedBuckets([-1], 1e12)).toEqual([
      hour('1969-12-31T23:00:00Z'),
      day('1969-12-31T00:00:00Z'),
    ]);
  });
});

describe('the open buckets', () => {
  it.each(['00:00:00Z', '00:08:59.999Z', '00:09:00Z', '01:08:59.999Z', '01:09:00Z', '12:30:00Z'])(
    'begin at the end of the last closed hour, at %s',
    (time) => {
      const now = at(`2026-11-20T${time}`);
      const first = openBucketsFrom(now);
      expect(closedBuckets([first, first + 1, now], now)).toEqual([]);
      expect(closedBuckets([first - 1], now)).toContainEqual({
        width: 'PT1H',
        start: first - rollupWidths.PT1H,
      });
    },
  );
});

describe('an invalid rollup', () => {
  it('has a version and no values', () => {
    expect(invalidRollupItem('d', { width: 'PT1H', start: 0 }, 'v')).toEqual({
      pk: 'DEVICE#d',
      sk: '#AGG#PT1H#1970-01-01T00:00:00.000Z',
      version: 'v',
    });
  });
});

describe('a stored rollup', () => {
  const summary = new Summary();
  summary.add({ time: 1, fields: { power: 5, mode: 'heat', level: 'high' } });
  summary.add({ time: 2, fields: { level: 3, isOpen: false, alarm: null } });
  const [item] = rollupItems('d', { width: 'PT1H', start: 0, summary });

  it('knows which fields have values but no number', () => {
    expect(parseRollup(item).summary?.withoutNumbers).toEqual(['isOpen', 'mode']);
  });

  it('of 0.2 has its numbers only', () => {
    const former = { ...item, others: null };
    const { fields, withoutNumbers } = parseRollup(former).summary ?? new Summary();
    expect([...fields.keys()]).toEqual(['power', 'level']);
    expect(withoutNumbers).toEqual([]);
  });

  describe('of very many fields', () => {
    const wide = new Summary();
    const fields = Array.from({ length: 9000 }, (_, index) => [`field ${index}`, index] as const);
    wide.add({ time: 1, fields: { ...Object.fromEntries(fields), mode: 'heat' } });
    const rollup = { width: 'PT1H', start: 0, version: 'v', summary: wide } as const;
    const [first, ...parts] = rollupItems('d', rollup);

    it('has items below the limit of DynamoDB, and all its values', () => {
      expect(parts.length).toBeGreaterThan(1);
      for (const each of [first, ...parts]) expect(itemSize(each)).toBeLessThan(400_000);
      const { summary, version } = parseRollup(first, parts);
      expect(version).toBe('v');
      expect([...(summary?.fields ?? [])].map(([name, { last }]) => [name, last.value])).toEqual(
        fields.map((field) => [...field]),
      );
      expect(summary?.withoutNumbers).toEqual(['mode']);
    });

    it('has no values where a part is missing, or is of another version', () => {
      const others = [
        [],
        parts.slice(0, -1),
        [undefined, ...parts.slice(1)],
        [{ ...parts[0], version: 'w' }, ...parts.slice(1)],
      ];
      const found = others.map((some) => parseRollup(first, some).summary);
      expect(found).toEqual(others.map(() => undefined));
    });
  });
});
