import type { RunningProcess } from '@engawa/embedded';
import type { StoredReading } from './verdict.ts';

/** In the order of the reports. */
export const peerNames = ['naive', 'careful', 'engine', 'engawa', 'engawa-no-linger'] as const;
export type PeerName = (typeof peerNames)[number];

/** The table of one measurement. */
export interface TableTarget {
  endpoint: string;
  tableName: string;
}

export interface PeerTarget extends TableTarget {
  mqttUrl: string;
}

/** The MQTT client identifier of every peer: the broker keeps its session between two starts. */
export const clientId = 'bench-peer';

/** A program that stores readings from the broker in a table of its own layout. */
export interface Peer {
  name: PeerName;
  /** Its programs and settings, for the report. */
  about: string;
  createTable(target: TableTarget): Promise<void>;
  launch(target: PeerTarget): Promise<RunningProcess>;
  /** Every reading of these devices from the table, including duplicates. */
  readBack(target: TableTarget, devices: readonly string[]): Promise<StoredReading[]>;
}
