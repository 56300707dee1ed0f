import { adviseOnPartition } from '../src/advice/advice.ts';
import { adviceText } from '../src/advice/advice-texts.ts';
import { Heat } from '../src/counting/heat.ts';
import { keyNamer, keyNamings } from '../src/keys/key-naming.ts';
import { sumPeerLoads } from '../src/reports/sum-peer-loads.ts';
import { explainPartition } from '../src/advice/partition-explanation.ts';
import type { KeyNaming } from '../src/keys/key-naming.ts';
import type { Partition } from '../src/keys/partition.ts';
import type { HeatReport, ReportedPartition } from '../src/reports/report.ts';

const key: Partition = { index: 'table', unit: 'write', partition: 'DEVICE#a' };

/** A process that uses a key, while other processes use it too. */
class SharedKey {
  now = 0;
  readonly heat = new Heat({ limits: { read: 3000, write: 1000 } });
  readonly changes: string[] = [];

  /** Uses this many units per second for this many seconds. */
  use(units: number, seconds: number): void {
    for (let second = 0; second < seconds; second++) {
      this.heat.used(key, units, this.now);
      this.now += 1000;
      for (const { change } of this.heat.tick(this.now)) this.changes.push(change);
    }
  }

  learnPeerLoad(unitsPerSecond: number, validMs = Infinity): void {
    const loads = [{ ...key, unitsPerSecond }];
    this.heat.learnPeerLoads({ loads, lagMs: 10_000, expiresAt: this.now + validMs });
  }

  get reported() {
    return this.heat.top(key, 1, this.now)[0];
  }
}

describe('a key that other processes use, too', () => {
  it('heats and cools by the total, and is reported with the units of this process', () => {
    const fixture = new SharedKey();
    fixture.use(400, 10);
    fixture.learnPeerLoad(250);
    fixture.use(400, 10);
    expect(fixture.changes).toEqual([]);
    fixture.learnPeerLoad(400);
    fixture.use(400, 20);
    expect(fixture.changes).toEqual(['heated']);
    expect(fixture.reported).toMatchObject({
      others: { unitsPerSecond: 400, utilization: 0.4, lagMs: 10_000 },
    });
    expect(fixture.reported?.utilization).toBeCloseTo(0.4, 1);
    expect(fixture.reported?.sustainedUntil).toBe(fixture.now);
    fixture.learnPeerLoad(150);
    fixture.use(400, 20);
    expect(fixture.changes).toEqual(['heated']);
    fixture.learnPeerLoad(50);
    fixture.use(400, 59);
    expect(fixture.changes).toEqual(['heated']);
    fixture.use(400, 2);
    expect(fixture.changes).toEqual(['heated', 'cooled']);
  });

  it('counts only this process once reports are too old', () => {
    const fixture = new SharedKey();
    fixture.use(400, 10);
    fixture.learnPeerLoad(400, 15_000);
    fixture.use(400, 14);
    expect(fixture.reported?.hotSince).toBeDefined();
    fixture.use(400, 2);
    expect(fixture.reported).not.toHaveProperty('others');
    fixture.use(400, 60);
    expect(fixture.changes).toEqual(['heated', 'cooled']);
    expect(fixture.reported).not.toHaveProperty('others');
  });

  it('counts as hot no longer than this process uses it', () => {
    const fixture = new SharedKey();
    fixture.use(400, 10);
    fixture.learnPeerLoad(900);
    fixture.use(400, 1);
    const { now } = fixture;
    fixture.use(0, 9);
    // The current pane, and the previous one.
    expect(fixture.reported?.sustainedUntil ?? now).toBeLessThanOrEqual(now + 4000);
  });

  it('is explained as hot only in total, with the total', () => {
    const fixture = new SharedKey();
    fixture.use(300, 10);
    fixture.learnPeerLoad(500);
    fixture.use(300, 1);
    const heat = fixture.reported;
    if (heat === undefined) throw new Error('no process knows the key');
    const advice = adviseOnPartition({ heat, shards: 1, grows: true }).map(adviceText);
    expect(advice[0]).toMatch(/^No process makes this key hot alone/);
    const reported: ReportedPartition = {
      ...{ ...key, unitsPerSecond: 300, uncertainty: 0, utilization: 0.3 },
      ...{ throttlesPerSecond: {}, othersUnitsPerSecond: 500, advice },
      hotSince: '2026-11-23T00:00:00Z',
    };
    expect(explainPartition(reported).reason).toBe(
      'uses 30 % of the write units that one partition can take; 80 % together with other processes',
    );
    fixture.learnPeerLoad(100);
    fixture.use(800, 10);
    const alone = fixture.reported;
    expect(alone && adviseOnPartition({ heat: alone, shards: 1, grows: true })[0]).toMatchObject({
      code: 'batch-readings',
    });
  });
});

describe('suspects', () => {
  it('are keys with enough use that are not hot by this process alone', () => {
    const fixture = new SharedKey();
    for (const [partition, units] of Object.entries({ b: 50, c: 340, d: 360, e: 690, f: 710 })) {
      fixture.heat.used({ ...key, partition }, units, 0);
    }
    fixture.heat.used({ index: 'gsi1', unit: 'read', partition: 'g' }, 1200, 0);
    const suspects = (share: number) =>
      fixture.heat.suspects(share, 1000).map(({ partition }) => partition);
    expect(suspects(0.35)).toEqual(['e', 'd', 'g']);
    expect(suspects(0.04)).toEqual(['e', 'd', 'c', 'b', 'g']);
    expect(suspects(0.7)).toEqual([]);
  });

  it('are keys that are hot together with other processes, until they have cooled', () => {
    const fixture = new SharedKey();
    fixture.use(400, 10);
    fixture.learnPeerLoad(400);
    fixture.use(100, 10);
    expect(fixture.heat.suspects(0.35, fixture.now)).toEqual([key]);
    fixture.learnPeerLoad(0);
    fixture.use(100, 61);
    expect(fixture.heat.suspects(0.35, fixture.now)).toEqual([]);
  });
});

describe('sumPeerLoads', () => {
  const list: Partition = { index: 'gsi1', unit: 'write', partition: 'LIST#DEVICE#0' };
  const secret = 'the same in all processes';
  const namersOf = (secret: string) => ({
    shown: keyNamer({ naming: 'shown', secret }),
    hashed: keyNamer({ naming: 'hashed', secret }),
    hidden: keyNamer({ naming: 'hidden', secret }),
  });

  /** Reports of a process that uses both keys: the device's in another index, and another device's. */
  function report(keys: KeyNaming, nameWith = secret): Pick<HeatReport, 'keys' | 'partitions'> {
    const used = [
      { ...key, unitsPerSecond: 100 },
      { ...list, unitsPerSecond: 30 },
      { ...key, index: 'gsi1', unitsPerSecond: 1 },
      { ...key, unit: 'read' as const, unitsPerSecond: 1 },
      { ...key, partition: 'DEVICE#b', unitsPerSecond: 1 },
    ];
    const partitions = used.map((one) => ({
      ...one,
      partition: namersOf(nameWith)[keys](one.index, one.partition),
      ...{ uncertainty: 0, utilization: 0, throttlesPerSecond: {}, advice: [] },
    }));
    return { keys, partitions };
  }

  const unitsOf = (reports: Pick<HeatReport, 'keys' | 'partitions'>[]) =>
    sumPeerLoads([key, list], reports, namersOf(secret)).map((one) => one.unitsPerSecond);

  it('adds up reports about a key under any naming', () => {
    expect(unitsOf([])).toEqual([0, 0]);
    expect(unitsOf([report('shown')])).toEqual([100, 30]);
    expect(unitsOf([report('hashed')])).toEqual([100, 30]);
    expect(unitsOf([report('shown'), report('hashed'), report('shown')])).toEqual([300, 90]);
  });

  it('omits reports that may concern another key', () => {
    // All devices have the same hidden name.
    expect(unitsOf([report('hidden')])).toEqual([0, 30]);
    expect(unitsOf([report('hashed', 'another secret')])).toEqual([0, 30]);
    const { partitions } = report('shown');
    const uncertain = partitions.map((one) => ({ ...one, uncertainty: 80 }));
    expect(unitsOf([{ keys: 'shown', partitions: uncertain }])).toEqual([20, 0]);
  });

  it('contains the requested keys, by each naming', () => {
    for (const keys of keyNamings) {
      expect(sumPeerLoads([list], [report(keys)], namersOf(secret))).toEqual([
        { ...list, unitsPerSecond: 30 },
      ]);
    }
  });
});
