import { timeoutMs } from '../../../oracles/progress.ts';
import { aheadMs } from '../faulty.ts';
import { messageOf } from '../device-message.ts';
import type { Scale } from '../../../world/scale.ts';
import type { ActorContext } from '../../actor.ts';
import { isStored } from '../publisher.ts';
import type { Publisher } from '../publisher.ts';

const devices = ['device0-right-clock', 'device0-clock-ahead'] as const;
/** Milliseconds until the registry shows a clock that is ahead. */
const shownMs = 10_000;
/** Seconds by which the clocks of replicas may differ from the world's. */
const toleranceSeconds = 60;

/**
 * Compares the registry's mark of a clock that is ahead (docs/adr/0097) with the clocks of two devices. Call it in a
 * period without faults.
 * @returns a sentence for each difference
 */
export async function violationsOfClocks(
  { gateway, scale, wallClock }: ActorContext & { scale: Scale },
  publisher: Publisher,
): Promise<string[]> {
  const violations: string[] = [];
  const published = devices.map((device) => {
    const time = wallClock() + (device === 'device0-clock-ahead' ? aheadMs : 0);
    const reading = { device, time, fields: { power: 1 } };
    const message = messageOf(`engawa/${device}/readings`, { ts: time, power: 1 }, [reading]);
    return { device, outcome: publisher.publishOnce(message) };
  });
  await publisher.untilAcknowledged(timeoutMs(scale, devices.length));
  await gateway.sleep(shownMs);
  for (const { device, outcome } of published) {
    if (!isStored(outcome)) continue;
    const { text } = await gateway.insist('registry', { path: `/v1/devices/${device}` });
    const { clockAhead } = JSON.parse(text) as { clockAhead?: { seconds: number } };
    const seconds = device === 'device0-clock-ahead' ? aheadMs / 1000 : 0;
    if (Math.abs((clockAhead?.seconds ?? 0) - seconds) <= toleranceSeconds) continue;
    violations.push(
      `the clock of ${device} is ahead by ${seconds} s, but the registry has ${JSON.stringify(clockAhead)}`,
    );
  }
  return violations;
}
