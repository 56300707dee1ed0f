import { ShardMap, ShardMetrics } from '@engawa/table';
import pino from 'pino';
import { Registry } from 'prom-client';
import { DeviceStore } from '../src/devices/device-store.ts';
import { DeviceCache } from '../src/devices/device-cache.ts';
import type { Table } from '@engawa/table';
import type { TestClock } from '@engawa/testing';

/** What one of the services knows of shards, and how it writes and asks by that. */
export interface Replica {
  shards: ShardMap;
  devices: DeviceStore;
}

export function replicaOn(table: Table, clock: TestClock): Replica {
  const metrics = new ShardMetrics(new Registry());
  const log = pino({ enabled: false });
  const shards = new ShardMap({ table, metrics, log, now: clock.now });
  const known = new DeviceCache();
  return { shards, devices: new DeviceStore({ table, shards, known, quiescenceMs: 0 }) };
}
