import { setImmediate as turn } from 'node:timers/promises';
import { nativeDrafts } from '../decoders/native.ts';
import { Intake } from './intake.ts';
import { countRefusals } from '../refusals/refusal.ts';
import { WorkSlicer } from '../concurrency/work-slicer.ts';
import type { IntakeOptions } from './intake.ts';

/** For deliveries of which nothing is good, so that neither a register nor a store is needed. */
const intake = new Intake({
  slicer: new WorkSlicer(),
  timeLimits: { past: Infinity, future: 0 },
  linger: () => 0,
} as unknown as IntakeOptions);

describe('a delivery of 130,000 values that are no readings', () => {
  it('is checked over many turns of the event loop, and names a thousand of them', async () => {
    const drafts = nativeDrafts(Array.from({ length: 130_000 }, () => 1));
    let turns = 0;
    const progress = { isDone: false };
    const taken = intake
      .take({ device: 'numbers', drafts, receivedAt: 0, gathered: true })
      .finally(() => (progress.isDone = true));
    for (; !progress.isDone; turns += 1) await turn();
    const { stored, refusals } = await taken;
    expect(turns).toBeGreaterThan(25);
    expect(stored).toBe(0);
    expect(refusals).toHaveLength(1001);
    expect(countRefusals(refusals)).toBe(130_000);
    expect(refusals[999]).toMatchObject({ reason: 'bad_field', index: 999 });
  });
});
