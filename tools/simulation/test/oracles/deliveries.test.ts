import { missing, ReadingsLedger } from '../../src/oracles/readings-ledger.ts';
import type { ExpectedReading } from '../../src/oracles/expected-readings.ts';

const time = 1_767_268_800_000;
const fields = { action: 'single' };

interface Noted extends Partial<ExpectedReading> {
  copies?: number;
  isLost?: boolean;
}

/** The violations if a device has sent these readings, and a response has equal ones with these times. */
function violationsOf(noted: readonly Noted[], shownAt: readonly number[]): string[] {
  const ledger = new ReadingsLedger({ earlierMs: 60_000, laterMs: 60_000 });
  for (const { copies = 1, isLost = false, ...reading } of noted) {
    const outcome = () => ({ isLost, copies, isAcknowledged: true });
    ledger.note({ device: 'remote', fields, ...reading }, { publishedAt: time, outcome });
  }
  const shown = shownAt.map((at) => ({ time: new Date(at).toISOString(), fields }));
  const found = ledger.violationsOf('remote', shown, { isComplete: true, now: time });
  const stored = ledger.storedOf('remote', time - 60_000);
  const isLost = noted.some((one) => one.isLost);
  // The comparison while faults are injected finds the same losses.
  const missed = missing('remote', stored, shown).length > 0;
  expect(missed || isLost).toBe(
    found.some((each) => each.startsWith('a reading is lost')) || isLost,
  );
  return found;
}

describe('equal readings without a time', () => {
  it('are as many as the deliveries', () => {
    expect(violationsOf([{}, {}, {}], [time, time, time + 1])).toEqual([]);
    expect(violationsOf([{}, {}, {}], [time, time])).toEqual([
      'a reading is lost: remote published 2026-01-01T12:00:00.000Z {"action":"single"} (2 of 3 are stored)',
    ]);
    expect(violationsOf([{}], [time, time])).toEqual([
      'a reading is stored 2 times: remote 2026-01-01T12:00:00.000Z {"action":"single"}',
    ]);
  });

  it('may be more where a delivery cannot be recognized as a repetition', () => {
    expect(violationsOf([{ copies: 2 }, {}], [time, time, time])).toEqual([]);
  });

  it('may be fewer where the broker has lost messages', () => {
    expect(violationsOf([{ isLost: true }, {}], [time])).toEqual([]);
  });
});

describe('equal readings of one time', () => {
  it('are one measurement, however often it is sent', () => {
    expect(violationsOf([{ time }, { time, copies: 2 }], [time])).toEqual([]);
    expect(violationsOf([{ time }, { time }], [time, time])).toHaveLength(1);
    expect(violationsOf([{ time }, { time }], [])).toHaveLength(1);
  });

  it('are as many as the deliveries where they are events', () => {
    expect(
      violationsOf(
        [
          { time, isEvent: true },
          { time, isEvent: true },
        ],
        [time, time],
      ),
    ).toEqual([]);
    expect(
      violationsOf(
        [
          { time, isEvent: true },
          { time, isEvent: true },
        ],
        [time],
      ),
    ).toHaveLength(1);
  });

  it('are others than those of another time', () => {
    expect(violationsOf([{ time }, { time: time + 1 }], [time, time + 1])).toEqual([]);
    expect(violationsOf([{ time }], [time + 1])).toEqual([
      `wrong time, expected ${time}: remote 2026-01-01T12:00:00.001Z {"action":"single"}`,
      'a reading is lost: remote published 2026-01-01T12:00:00.000Z {"action":"single"}',
    ]);
  });
});
