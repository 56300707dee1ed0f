import { missing, ReadingsLedger } from '../../src/oracles/readings-ledger.ts';

const hour = 3_600_000;
const time = 1_767_268_800_000;

describe('readings that expire', () => {
  const ledger = new ReadingsLedger({ earlierMs: 60_000, laterMs: hour });
  const outcome = () => ({ isLost: false, attempts: 1 });
  const fields = { count: 1 };
  const published = {
    publishedAt: time,
    outcome,
    kept: () => ({ atLeastMs: 24 * hour, atMostMs: 24 * hour }),
  };
  ledger.note({ device: 'one', fields, time }, published);
  const shown = [{ time: new Date(time).toISOString(), fields }];
  const isThere = (hours: number) =>
    ledger.violationsOf('one', shown, { isComplete: true, now: time + hours * hour }).length === 0;
  const isGone = (hours: number) =>
    ledger.violationsOf('one', [], { isComplete: true, now: time + hours * hour }).length === 0;

  it('exist for their retention, and not after their whole block has expired', () => {
    expect([isThere(23), isGone(23)]).toEqual([true, false]);
    expect([isThere(24.5), isGone(24.5)]).toEqual([true, true]);
    expect([isThere(25.1), isGone(25.1)]).toEqual([false, true]);
  });
});

describe('readings that are acknowledged', () => {
  const fields = { count: 1 };
  const shown = [{ time: new Date(time).toISOString(), fields }];
  let isAcknowledged: boolean;
  let ledger: ReadingsLedger;
  const note = (measuredAt: number) => {
    const outcome = () => ({ isLost: false, attempts: 1, isAcknowledged });
    ledger.note({ device: 'one', fields, time: measuredAt }, { publishedAt: time, outcome });
  };
  beforeEach(() => {
    isAcknowledged = true;
    ledger = new ReadingsLedger({ earlierMs: 60_000, laterMs: hour });
  });

  it('must be returned from then on', () => {
    note(time);
    const stored = ledger.storedOf('one', time - hour);
    expect(missing('one', stored, shown)).toEqual([]);
    expect(missing('one', stored, [])).toEqual([
      'a reading is acknowledged and not shown: one {"count":1}',
    ]);
  });

  it('are not required before that, or outside the range', () => {
    isAcknowledged = false;
    note(time);
    expect(ledger.storedOf('one', time - hour)).toEqual([]);
    isAcknowledged = true;
    note(time - 2 * hour);
    expect(ledger.storedOf('one', time - hour)).toEqual([]);
  });
});
