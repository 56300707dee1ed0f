import { difference } from './ingestion-process.ts';
import { baselineTopic } from './rig.ts';
import { median, spread } from '../statistics.ts';
import type { IngestionProcess } from './ingestion-process.ts';
import type { IngestionOptions } from './options.ts';
import type { Finding } from '../report.ts';
import type { IngestionRig } from './rig.ts';
import type { Portion, Workload } from '../workload.ts';

interface CpuCase {
  name: string;
  /** Of the device ids. */
  prefix: string;
  devices: number;
  /** Readings of a message; the baseline parses the JSON of an array once. */
  readings: number;
  /** Messages of a device that ingestion is to pack into a block. */
  packed: number;
  lingerMs: number;
  /** Readings measured for each message of the option: a portion is to use about a second of CPU. */
  factor: number;
  /** The ratio to stay within. */
  target: number;
}

/**
 * Single readings of a thousand devices are an item each; of a hundred that take turns, half a window (1,000 messages,
 * when ingestion stops to linger) is ten of each. Arrays do not linger.
 */
export const cpuCases: readonly CpuCase[] = [
  {
    name: 'CPU, one reading a message',
    prefix: 'single',
    devices: 1000,
    readings: 1,
    packed: 1,
    lingerMs: 0,
    factor: 1,
    target: 1.3,
  },
  {
    name: 'CPU, ten readings packed a block',
    prefix: 'packed',
    devices: 100,
    readings: 1,
    packed: 10,
    lingerMs: 2000,
    factor: 2,
    target: 1.3,
  },
  {
    name: 'CPU, arrays of 60 readings',
    prefix: 'arrays',
    devices: 100,
    readings: 60,
    packed: 1,
    lingerMs: 2000,
    factor: 10,
    target: 1.3,
  },
];

/** Readings before anything is counted: devices are registered, code is compiled, connections are open. */
const warmUp = 20_000;

/**
 * The readings of a portion cover at most this time, and end now. Readings ahead of the clock cost more, and so do
 * those of an hour that may have been rolled up (nine minutes after its end): a block of them invalidates a rollup.
 */
const maxSpanMs = 240_000;

interface Repetition {
  /** All in microseconds of CPU a reading. */
  receive: number;
  write: number;
  ingestion: number;
}

type Print = (line: string) => void;

/** Baseline and ingestion in turns, each process measured while the others of its turn are idle. */
export async function measureCpu(
  rig: IngestionRig,
  cpuCase: CpuCase,
  { messages, repetitions, profile }: IngestionOptions,
  print: Print,
): Promise<Finding> {
  const { name, prefix, readings, packed, lingerMs, target } = cpuCase;
  const portionOf = portionsOf(cpuCase, messages);
  const measure = async (ingestion: IngestionProcess): Promise<Repetition[]> => {
    const results: Repetition[] = [];
    for (let repetition = 0; repetition <= repetitions; repetition++) {
      const baselinePortion = portionOf(repetition, {
        topic: baselineTopic,
        prefix: `baselines-${prefix}`,
      });
      const count = baselinePortion.count * readings;
      const receive = (await receiveAlone(rig, baselinePortion)) / count;
      const write =
        (await rig.writer.call('write', { ...baselinePortion, messagesPerItem: packed })) / count;
      const subject = portionOf(repetition, { topic: 'engawa', prefix });
      const used = await ingest(rig, ingestion, subject);
      const result = { receive, write, ingestion: used.cpu / count };
      const which = repetition === 0 ? 'warm-up' : `${repetition} of ${repetitions}`;
      print(
        `${name}, ${which}: receiving ${receive.toFixed(1)} + writing ${write.toFixed(1)}, ` +
          `ingestion ${result.ingestion.toFixed(1)} µs, ` +
          `${(used.readings / used.blocks).toFixed(1)} readings a block, ` +
          `${(used.blocks / used.writeRequests).toFixed(1)} blocks a request`,
      );
      if (repetition > 0) results.push(result);
    }
    return results;
  };
  const nodeOptions = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
  const environment = { LINGER_MS: String(lingerMs) };
  return findingOf(name, target, await rig.withIngestion(environment, measure, nodeOptions));
}

/** @returns the portion of a repetition, of which the first (0) is the warm-up, as it is to be published now */
function portionsOf({ devices, readings, factor }: CpuCase, messages: number) {
  // Whole rounds of all devices.
  const messagesOf = (count: number) => Math.ceil((count * factor) / readings / devices) * devices;
  const [first, later] = [messagesOf(warmUp), messagesOf(messages)];
  const readingsOfDevice = (count: number) => (count / devices) * readings;
  const largest = readingsOfDevice(Math.max(first, later));
  const step = Math.max(1, Math.min(1000, Math.floor(maxSpanMs / largest)));
  return (repetition: number, subject: Pick<Workload, 'topic' | 'prefix'>): Portion => {
    const from = repetition === 0 ? 0 : first + (repetition - 1) * later;
    const count = repetition === 0 ? first : later;
    const start = Date.now() - readingsOfDevice(from + count) * step;
    return { workload: { ...subject, devices, readings, start, step }, from, count };
  };
}

async function receiveAlone(rig: IngestionRig, portion: Portion): Promise<number> {
  const received = rig.receiver.call('receive', {
    count: portion.count,
    parses: portion.workload.readings > 1,
  });
  await rig.publisher.call('publish', portion);
  return received;
}

/**
 * Publishes a portion and waits until all of it is durable.
 * @returns ingestion's usage for it
 */
export async function ingest(
  rig: IngestionRig,
  ingestion: IngestionProcess,
  portion: Portion & { rate?: number },
): ReturnType<IngestionProcess['usage']> {
  const before = await ingestion.usage();
  await rig.publisher.call('publish', portion);
  const readings = portion.count * portion.workload.readings;
  return difference(before, await ingestion.untilStored(before.readings + readings));
}

function findingOf(name: string, target: number, repetitions: readonly Repetition[]): Finding {
  const ratios = repetitions.map(({ receive, write, ingestion }) => ingestion / (receive + write));
  const of = (key: keyof Repetition) => repetitions.map((repetition) => repetition[key]);
  const baselines = repetitions.map(({ receive, write }) => receive + write);
  const halves = `${median(of('receive')).toFixed(1)} + ${median(of('write')).toFixed(1)}`;
  return {
    what: `${name}, µs a reading`,
    measured: spread(of('ingestion'), 1),
    baseline: `${halves} = ${spread(baselines, 1)}`,
    ratio: spread(ratios, 2),
    target: `≤ ${target}`,
    reached: median(ratios) <= target,
  };
}
