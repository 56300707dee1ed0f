import type { RandomFault, FaultContext } from './fault.ts';

/** Prefix of the partition keys of devices. */
const devicePrefix = 'DEVICE#';
/** Range of a throttle's duration in milliseconds. Ingestion parks readings after 250 ms. */
const throttled = { from: 5000, to: 60_000 };

/** Throttles writes to the partition of one device only. */
const hotDevice: RandomFault = {
  name: 'hot device',
  weight: 2,
  inject: (context) => throttleDevice(context),
};

/** Throttles a device while a replica of ingestion is removed: the others adopt its parked blocks. */
const scaleInWhileHot: RandomFault = {
  name: 'scale-in while a device is hot',
  weight: 3,
  inject: (context) => {
    const { system, random, narrate } = context;
    throttleDevice(context);
    const { deployment, world, scale } = system;
    if (scale.sharing !== 'group') return;
    world.schedule(random.integer(1000, 8000), 'ingestion is scaled in', () => {
      const count = Math.max(1, deployment.replicasOf('ingestion').length - 1);
      narrate(`ingestion is scaled to ${count}`);
      deployment.scale('ingestion', count);
    });
  },
};

function throttleDevice({
  system: { endpoint, table, world },
  random,
  narrate,
}: FaultContext): void {
  const partitions = new Set<string>();
  for (const item of table.items()) {
    const { pk } = item as Record<string, { S?: string } | undefined>;
    if (pk?.S?.startsWith(devicePrefix) === true) partitions.add(pk.S);
  }
  if (partitions.size === 0) return;
  const partitionKey = random.pick([...partitions]);
  const forMs = random.integer(throttled.from, throttled.to);
  narrate(`writes to ${partitionKey} are throttled for ${forMs} ms`);
  const remove = endpoint.faults.add({ fault: { kind: 'throttle' }, partitionKey, unit: 'write' });
  world.schedule(forMs, 'the table recovers', remove);
}

export const hotDeviceFaults: readonly RandomFault[] = [hotDevice, scaleInWhileHot];
