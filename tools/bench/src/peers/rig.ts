import { startDynamoDb } from '@engawa/embedded';
import { OperatorError } from '@engawa/errors';
import { startMosquitto } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { Closables } from '../closables.ts';
import { DurableTap } from '../ingestion/durable-tap.ts';
import { Worker } from '../worker.ts';
import { clientId } from './peer.ts';
import { Stage } from './stage.ts';
import type { Mosquitto } from '@engawa/testing';
import type { PublisherMethods } from '../children/publisher.ts';
import type { SimulatorMethods } from '../children/simulator.ts';
import type { Peer } from './peer.ts';

/** `engine`: directly; `simulator`: counted by the simulator; `tap`: observed by a proxy. */
export type Access = 'engine' | 'simulator' | 'tap';

/**
 * Messages in flight per client: the default of ingestion's window, for all peers. Peers with MQTT 3.1.1 have no limit
 * of their own.
 */
const brokerSettings = ['allow_anonymous true', 'max_inflight_messages 2000'];

const tableName = 'bench-peers';
/** Capacity that no peer reaches: throttling is not compared here. */
const withoutLimits = { partition: { write: 1e9, read: 1e9 } };

/** Starts a broker, an engine and a publisher for each measurement of a peer. */
export class PeersRig {
  readonly #closables = new Closables();

  /** Runs `measure` with new processes and an empty table; the peer itself is not started. */
  async withStage<Result>(
    peer: Peer,
    access: Access,
    measure: (stage: Stage) => Promise<Result>,
  ): Promise<Result> {
    return this.#closables.with(new Closables(), async (parts) => {
      const engine = parts.add(await startDynamoDb()).endpoint;
      const broker = parts.add(await startBroker());
      const url = broker.url;
      await peer.createTable({ endpoint: engine, tableName });
      await openSession(url);
      const publisher = parts.add(await Worker.start<PublisherMethods>('publisher', { url }));
      const tap = access === 'tap' ? parts.add(await DurableTap.start(engine)) : undefined;
      const endpoint =
        access === 'simulator' ? await addSimulator(parts, engine) : (tap?.endpoint ?? engine);
      const target = { mqttUrl: url, endpoint, tableName };
      return measure(new Stage({ peer, parts, target, engine, publisher, tap }));
    });
  }

  close(): Promise<void> {
    return this.#closables.close();
  }
}

async function addSimulator(parts: Closables, upstream: string): Promise<string> {
  const argument = { upstream, limits: withoutLimits };
  const simulator = await Worker.start<SimulatorMethods, { endpoint: string }>(
    'simulator',
    argument,
  );
  return parts.add(simulator).ready.endpoint;
}

async function startBroker(): Promise<Mosquitto> {
  try {
    return await startMosquitto({ settings: brokerSettings });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(`peers need Mosquitto (apt-get install mosquitto): ${reason}`, {
      cause,
    });
  }
}

/** Opens the peers' session with its subscription, so that the broker queues every message from the beginning. */
async function openSession(url: string): Promise<void> {
  const client = await connectAsync(url, { clientId, clean: false });
  await client.subscribeAsync('engawa/+/readings', { qos: 1 });
  await client.endAsync();
}
