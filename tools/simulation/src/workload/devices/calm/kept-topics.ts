import { timeoutMs } from '../../../oracles/progress.ts';
import { messageOf } from '../device-message.ts';
import { isStored } from '../publisher.ts';
import type { ReadingResponse } from '../../../oracles/expected-readings.ts';
import type { ActorContext } from '../../actor.ts';
import type { Publisher, PublisherOptions } from '../publisher.ts';

export interface KeptTopicsOptions extends ActorContext, Pick<PublisherOptions, 'scale'> {
  /** Restarts ingestion while the broker forgets its sessions. */
  renewSessions: () => Promise<void>;
}

const names = ['device0-kept', 'device1-kept', 'device2-kept'];
/** Milliseconds after which all retained messages have been replayed and stored. */
const replayedMs = 10_000;

/**
 * Devices whose retained messages the broker replays to new processes with new sessions. They say nothing new, so they
 * are no readings (docs/adr/0100).
 */
export class KeptTopics {
  readonly #context: KeptTopicsOptions;
  readonly #publisher: Publisher;

  constructor(context: KeptTopicsOptions, publisher: Publisher) {
    this.#context = context;
    this.#publisher = publisher;
  }

  /** Call it in a period without faults. @returns a sentence for each reading too many */
  async violations(): Promise<string[]> {
    const { gateway, renewSessions, scale, narrate } = this.#context;
    const published = names.map((name) => {
      const reading = { device: `sensor.${name}`, fields: { state: 1 } };
      const message = messageOf(`homeassistant/sensor/${name}/state`, 1, [reading], true);
      return { name, outcome: this.#publisher.publishOnce(message) };
    });
    await this.#publisher.untilAcknowledged(timeoutMs(scale, names.length));
    narrate('ingestion starts again, and the broker has forgotten its sessions');
    await renewSessions();
    await gateway.sleep(replayedMs);
    const stored = published.filter(({ outcome }) => isStored(outcome));
    const all = await Promise.all(stored.map(({ name }) => this.#violationsOf(name)));
    return all.flat();
  }

  async #violationsOf(name: string): Promise<string[]> {
    const path = `/v1/devices/sensor.${name}/latest?limit=5`;
    const { status, text } = await this.#context.gateway.insist('query', { path });
    if (status !== 200) return [`GET ${path}: ${status} ${text}`];
    const { readings } = JSON.parse(text) as { readings: ReadingResponse[] };
    if (readings.length === 1) return [];
    return [`a retained message is stored ${readings.length} times: sensor.${name}`];
  }
}
