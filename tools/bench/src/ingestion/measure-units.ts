import { ingest } from './measure-cpu.ts';
import { spread } from '../statistics.ts';
import type { IngestionOptions } from './options.ts';
import type { Finding } from '../report.ts';
import type { IngestionRig } from './rig.ts';
import type { Usage } from './ingestion-process.ts';
import type { Workload } from '../workload.ts';

interface UnitsCase {
  what: string;
  prefix: string;
  devices: number;
  /** Readings of a message. */
  readings: number;
  /** Milliseconds from a device's reading to its next, by the readings' own time. */
  step: number;
  /** Messages of each device. */
  messages: number;
  environment: Record<string, string>;
  /** Messages per second, if the case has a fixed rate. */
  rate?: number;
  /** Target in units per reading; absent for explanatory lines. */
  limit?: number;
}

const minute = 60_000;
const hour = 60 * minute;
/** Maximum share of bookkeeping. */
const target = 1.05;

/**
 * Last seen goes by the readings' own time, at most once an hour a device, so each case plays at
 * least an hour of it and pays for as many notes as a device does in its life. Registration, once
 * in that life, is in the warm-up.
 */
function casesOf({ lingerScale }: IngestionOptions): UnitsCase[] {
  // Slower than that, an hour of readings would take too long: two minutes then, too few for a note of last seen.
  const playsAnHour = lingerScale >= 30;
  const lingering = playsAnHour ? 10 : 50;
  return [
    {
      what: 'units, single, a reading a minute',
      prefix: 'units-single',
      // No fewer than the window has room for, or some would be several readings ahead when they are noted.
      devices: 2000,
      readings: 1,
      step: minute,
      messages: 60,
      environment: { LINGER_MS: '0' },
      limit: 1,
    },
    {
      what: `units, linger of 10 s at 1 Hz (played ${lingerScale} × as fast)`,
      prefix: 'units-linger',
      devices: lingering,
      readings: 1,
      step: 1000,
      messages: playsAnHour ? hour / 1000 : 120 * lingerScale,
      environment: { LINGER_MS: String(10_000 / lingerScale) },
      rate: lingering * lingerScale,
      limit: 0.1,
    },
    {
      what: 'units, arrays of 60 at 1 Hz',
      prefix: 'units-array',
      devices: 50,
      readings: 60,
      step: 1000,
      messages: 2 * 60,
      environment: {},
      limit: 0.03,
    },
    {
      what: 'units, arrays of 60, a reading a minute: note of last seen with each',
      prefix: 'units-hours',
      devices: 50,
      readings: 60,
      step: minute,
      messages: 24,
      environment: {},
    },
  ];
}

/** Capacity units that DynamoDB says were written, all operations and indexes, over readings stored. */
export async function measureUnits(
  rig: IngestionRig,
  options: IngestionOptions,
  print: (line: string) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const unitsCase of casesOf(options)) {
    // At a fixed rate, the distribution of readings over blocks varies between runs; otherwise it
    // is determined.
    const runs = unitsCase.rate === undefined ? 1 : options.repetitions;
    const units: number[] = [];
    for (let run = 0; run < runs; run++) {
      const used = await play(rig, { ...unitsCase, prefix: `${unitsCase.prefix}-${run}` });
      units.push(used.writeUnits / used.readings);
      print(
        `${unitsCase.what}: ${used.writeUnits} units for ${used.readings} readings, ` +
          `${(used.readings / used.blocks).toFixed(1)} readings a block`,
      );
    }
    findings.push(findingOf(unitsCase, units));
  }
  return findings;
}

/** The usage of a separate ingestion for a case, without its warm-up. */
function play(rig: IngestionRig, unitsCase: UnitsCase): Promise<Usage> {
  const { prefix, devices, readings, step, messages, environment, rate } = unitsCase;
  const start = Date.now();
  const workload: Workload = { topic: 'engawa', prefix, devices, readings, start, step };
  // The first reading of each device registers it; the span of its blocks is raised with the first that has one.
  const warmUp = devices * (rate === undefined ? 1 : 40);
  const pace = rate === undefined ? {} : { rate };
  return rig.withIngestion(environment, async (ingestion) => {
    await ingest(rig, ingestion, { workload, from: 0, count: warmUp, ...pace });
    return ingest(rig, ingestion, { workload, from: warmUp, count: devices * messages, ...pace });
  });
}

function findingOf({ what, limit }: UnitsCase, units: readonly number[]): Finding {
  const measured = spread(units, 4);
  if (limit === undefined) return { what, measured, baseline: '', ratio: '', target: '' };
  const ratios = units.map((each) => each / limit);
  return {
    what,
    measured,
    baseline: limit.toFixed(2),
    ratio: spread(ratios, 3),
    target: `≤ ${target}`,
    // Each run has to, not the median: units are counted, so what lies above is no noise of the machine.
    // Whole units over whole readings: what lies beyond the sixth digit is the computer's.
    reached: ratios.every((ratio) => Number(ratio.toFixed(6)) <= target),
  };
}
