import { missing, ReadingsLedger } from '../../src/oracles/readings-ledger.ts';

const hour = 3_600_000;
const time = 1_767_268_800_000;

describe('readings that expire', () => {
  const ledger = new ReadingsLedger({ earlierMs: 60_000, laterMs: hour });
  const outcome = () => ({ isLost: false, copies: 1 });
  const fields = { count: 1 };
  const published = {
    publishedAt: time,
    outcome,
    kept: () => ({ atLeastMs: 24 * hour, atMostMs: 24 * hour }),
  };
  ledger.note({ device: 'one', fields, time }, published);
  const shown = [{ time: new Date(time).toISOString(), fields }];
  const isReturnable = (hours: number) =>
    ledger.violationsOf('one', shown, { isComplete: true, now: time + hours * hour }).length === 0;
  const mayBeMissing = (hours: number) =>
    ledger.violationsOf('one', [], { isComplete: true, now: time + hours * hour }).length === 0;

  it('are returned for their retention, and not after their block has expired', () => {
    expect([isReturnable(23), mayBeMissing(23)]).toEqual([true, false]);
    expect([isReturnable(24.5), mayBeMissing(24.5)]).toEqual([true, true]);
    expect([isReturnable(25.1), mayBeMissing(25.1)]).toEqual([false, true]);
  });
});

describe('acknowledged readings', () => {
  const fields = { count: 1 };
  const shown = [{ time: new Date(time).toISOString(), fields }];
  let isAcknowledged: boolean;
  let ledger: ReadingsLedger;
  const note = (measuredAt: number) => {
    const outcome = () => ({ isLost: false, copies: 1, isAcknowledged });
    ledger.note({ device: 'one', fields, time: measuredAt }, { publishedAt: time, outcome });
  };
  beforeEach(() => {
    isAcknowledged = true;
    ledger = new ReadingsLedger({ earlierMs: 60_000, laterMs: hour });
  });

  it('must be returned', () => {
    note(time);
    const stored = ledger.storedOf('one', time - hour);
    expect(missing('one', stored, shown)).toEqual([]);
    expect(missing('one', stored, [])).toEqual([
      'an acknowledged reading is not returned: one {"count":1}',
    ]);
  });

  it('need not be returned before the acknowledgement', () => {
    isAcknowledged = false;
    note(time);
    expect(ledger.storedOf('one', time - hour)).toEqual([]);
  });

  it('need not be returned outside the range', () => {
    note(time - 2 * hour);
    expect(ledger.storedOf('one', time - hour)).toEqual([]);
  });
});
