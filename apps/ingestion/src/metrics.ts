import { DeadLetterMetrics } from './dead-letters/dead-letter-metrics.ts';
import { RebirthMetrics } from './decoders/sparkplug/rebirth-metrics.ts';
import { BookkeepingMetrics } from './devices/bookkeeping/bookkeeping-metrics.ts';
import { ClockWatch } from './devices/clock-watch.ts';
import { UploadMetrics } from './http/upload-metrics.ts';
import { LiveMetrics } from './live/live-metrics.ts';
import { MemoryMetrics } from './intake/memory-metrics.ts';
import { MessageMetrics } from './intake/message-metrics.ts';
import { BlockMetrics } from './storing/block-metrics.ts';
import { ParkingMetrics } from './storing/parking/parking-metrics.ts';
import type { Registry } from 'prom-client';

/** All metrics of ingestion. Labels have a bounded number of values: never a device or a topic. */
export class IngestionMetrics {
  readonly messages: MessageMetrics;
  readonly blocks: BlockMetrics;
  readonly deadLetters: DeadLetterMetrics;
  readonly clocks: ClockWatch;
  readonly uploads: UploadMetrics;
  readonly bookkeeping: BookkeepingMetrics;
  readonly parking: ParkingMetrics;
  readonly rebirths: RebirthMetrics;
  readonly memory: MemoryMetrics;
  readonly live: LiveMetrics;

  constructor(registry: Registry) {
    this.messages = new MessageMetrics(registry);
    this.blocks = new BlockMetrics(registry);
    this.deadLetters = new DeadLetterMetrics(registry);
    this.clocks = new ClockWatch(registry);
    this.uploads = new UploadMetrics(registry);
    this.bookkeeping = new BookkeepingMetrics(registry);
    this.parking = new ParkingMetrics(registry);
    this.rebirths = new RebirthMetrics(registry);
    this.memory = new MemoryMetrics(registry);
    this.live = new LiveMetrics(registry);
  }
}
