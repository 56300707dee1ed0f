import fc from 'fast-check';
import { EventRing } from './event-ring.ts';

const eventOf = (sequence: number, length: number) => ({
  sequence,
  device: 'meter',
  place: undefined,
  room: undefined,
  bytes: Buffer.alloc(length),
});

/** Sequences have gaps: other events of the process are not recorded. */
const additions = fc.array(
  fc.record({ gap: fc.integer({ min: 1, max: 5 }), length: fc.integer({ min: 1, max: 900 }) }),
  { maxLength: 3000 },
);

describe('a ring of events', () => {
  it('has the newest events within its limits', () => {
    fc.assert(
      fc.property(additions, fc.integer({ min: 1, max: 1500 }), (added, events) => {
        const limits = { events, bytes: 200_000 };
        const ring = new EventRing(limits, 0);
        let sequence = 0;
        const all = added.map(({ gap, length }) => eventOf((sequence += gap), length));
        for (const event of all) ring.add(event);

        const kept = [...ring.after(0)];
        expect(kept).toEqual(all.slice(all.length - kept.length));
        expect(kept.length).toBeLessThanOrEqual(events);
        expect(ring.bytes).toBeLessThanOrEqual(limits.bytes);
        expect(ring.evictedThrough).toBe(all.at(-kept.length - 1)?.sequence ?? 0);
        for (const event of kept) expect(ring.get(event.sequence)).toBe(event);
        const oldest = kept[0]?.sequence ?? 0;
        expect(ring.get(oldest - 1)).toBeUndefined();
        expect([...ring.after(oldest)]).toEqual(kept.slice(1));
      }),
      { numRuns: 50 },
    );
  });

  it('is empty after it is cleared', () => {
    const ring = new EventRing({ events: 10, bytes: 1000 }, 3);
    ring.add(eventOf(4, 10));
    ring.clear(9);
    expect([...ring.after(0)]).toEqual([]);
    expect(ring).toMatchObject({ bytes: 0, evictedThrough: 9 });
  });
});
