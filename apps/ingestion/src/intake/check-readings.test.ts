import { setImmediate as turn } from 'node:timers/promises';
import { WorkSlicer } from '../concurrency/work-slicer.ts';
import { nativeDrafts } from '../decoders/native.ts';
import { countRefusals } from '../refusals/refusal.ts';
import { checkReadings, toIngestResult } from './check-readings.ts';

describe('a message with 130,000 values that are not readings', () => {
  it('is checked over many turns of the event loop, and names a thousand of them', async () => {
    const drafts = nativeDrafts(Array.from({ length: 130_000 }, () => 1));
    const limits = { maxAgeMs: Infinity, maxAheadMs: 0 };
    let turns = 0;
    const progress = { isDone: false };
    const checking = Promise.resolve(
      new WorkSlicer().run(checkReadings({ drafts, receivedAt: 0 }, limits)),
    ).finally(() => (progress.isDone = true));
    for (; !progress.isDone; turns += 1) await turn();
    const { stored, refusals } = toIngestResult(await checking);
    expect(turns).toBeGreaterThan(25);
    expect(stored).toBe(0);
    expect(refusals).toHaveLength(1001);
    expect(countRefusals(refusals)).toBe(130_000);
    expect(refusals[999]).toMatchObject({ reason: 'malformed', index: 999 });
  });
});
