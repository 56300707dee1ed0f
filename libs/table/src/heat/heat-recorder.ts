import { HeatHistory, maxReshards } from '@engawa/heat';
import { familyName } from './family-name.ts';
import type {
  Heat,
  HeatHistoryReport,
  HistoryRow,
  KeyNamer,
  KeyNaming,
  RecordedRow,
  Reshard,
  Resolution,
} from '@engawa/heat';
import type { Logger } from 'pino';

export interface HeatRecorderOptions {
  heat: Heat;
  keys: KeyNaming;
  nameOf: KeyNamer;
  log: Logger;
}

/** A growth of the shards of a family, or of a device, whose key has an id. */
export interface ReshardEvent {
  of: { family: string } | { devicePartition: string };
  from: number;
  to: number;
}

export interface HistoryRequest {
  resolution: Resolution;
  /** Only columns from this time on, in milliseconds since the epoch. */
  fromMs?: number | undefined;
}

const secondMs = 1000;

/** A timer of Node may fire a millisecond early; a second must have ended when it is recorded. */
const delayMs = 5;

/** Records the heat of this process once a second, at the start of each second of the wall clock. */
export class HeatRecorder {
  readonly #options: HeatRecorderOptions;
  readonly #history: HeatHistory;
  readonly #reshards: (ReshardEvent & { time: string })[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HeatRecorderOptions) {
    this.#options = options;
    this.#history = new HeatHistory({ limits: options.heat.limits });
    this.#schedule();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Marks a change of the number of shards; the oldest are dropped. */
  resharded(event: ReshardEvent): void {
    this.#reshards.push({ ...event, time: new Date().toISOString() });
    if (this.#reshards.length > maxReshards) this.#reshards.shift();
  }

  /** The recorded seconds or minutes, in no order, with the keys named as in HOT_PARTITION_KEYS. */
  report({ resolution, fromMs }: HistoryRequest): HeatHistoryReport {
    const { heat, keys } = this.#options;
    const window = this.#history.window(resolution, Date.now(), fromMs);
    const rows = this.#history.read(window).map((row) => this.#named(row));
    return {
      resolution,
      start: new Date(window.startMs).toISOString(),
      columns: window.columns,
      limits: heat.limits,
      keys,
      rows,
      reshards: this.#reshards.map((each) => this.#namedReshard(each)),
    };
  }

  #schedule(): void {
    const untilNextMs = secondMs - (Date.now() % secondMs) + delayMs;
    this.#timer = setTimeout(() => {
      this.#recordSafely();
      this.#schedule();
    }, untilNextMs).unref();
  }

  /** An error in the history must not end the process. */
  #recordSafely(): void {
    try {
      this.#history.record(Date.now(), this.#options.heat);
    } catch (error) {
      this.#options.log.error({ err: error }, 'recording the heat history failed');
    }
  }

  #named({ index, partition, kind, merged, ...series }: RecordedRow): HistoryRow {
    const mergedFamily = kind === 'device' ? 'DEVICE' : undefined;
    const family = merged ? mergedFamily : familyName(index, partition);
    return {
      index,
      partition: merged ? partition : this.#options.nameOf(index, partition),
      kind,
      ...(family !== undefined && { family }),
      merged,
      ...series,
    };
  }

  #namedReshard({ time, of, from, to }: ReshardEvent & { time: string }): Reshard {
    const family = 'family' in of ? of.family : this.#options.nameOf('table', of.devicePartition);
    return { time, family, from, to };
  }
}
