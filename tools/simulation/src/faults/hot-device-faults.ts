import type { Fault, FaultContext } from './fault.ts';

/** Prefix of the partition keys of devices. */
const devicePrefix = 'DEVICE#';
/** Milliseconds for which a key is throttled. Readings that wait for a quarter of a second are parked. */
const throttled = { from: 5000, to: 60_000 };

/** Writes to the partition of one device are throttled, and others are not. */
const hotDevice: Fault = {
  name: 'hot device',
  weight: 2,
  inject: (context) => throttleDevice(context),
};

/** The same, while a replica of ingestion is removed: the others take over its parked blocks. */
const scaleInWhileHot: Fault = {
  name: 'scale-in while a device is hot',
  weight: 3,
  inject: (context) => {
    const { system, random, tell } = context;
    throttleDevice(context);
    const { deployment, world, scale } = system;
    if (scale.sharing !== 'group') return;
    world.schedule(random.integer(1000, 8000), 'ingestion is scaled in', () => {
      const count = Math.max(1, deployment.replicasOf('ingestion').length - 1);
      tell(`ingestion is scaled to ${count}`);
      deployment.scale('ingestion', count);
    });
  },
};

function throttleDevice({ system: { endpoint, table, world }, random, tell }: FaultContext): void {
  const partitions = new Set<string>();
  for (const item of table.items()) {
    const { pk } = item as Record<string, { S?: string } | undefined>;
    if (pk?.S?.startsWith(devicePrefix) === true) partitions.add(pk.S);
  }
  if (partitions.size === 0) return;
  const partitionKey = random.pick([...partitions]);
  const forMs = random.integer(throttled.from, throttled.to);
  tell(`writes to ${partitionKey} are throttled for ${forMs} ms`);
  const remove = endpoint.faults.add({ fault: { kind: 'throttle' }, partitionKey, unit: 'write' });
  world.schedule(forMs, 'the table recovers', remove);
}

export const hotDeviceFaults: readonly Fault[] = [hotDevice, scaleInWhileHot];
