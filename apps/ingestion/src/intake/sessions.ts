import { hostname } from 'node:os';
import { OperatorError } from '@engawa/errors';
import { topicPartitionOf } from '@engawa/mqtt';
import { findDecoder } from './decode-message.ts';
import type { MqttConfig } from './mqtt-config.ts';
import type { Decoder } from '../decoders/decoder.ts';

/** A persistent session of this process at the broker. */
export interface Session {
  clientId: string;
  /** Whether this session stores messages of the topic; without it, it stores all. */
  owns?: (topic: string) => boolean;
}

export type SessionSettings = Pick<
  MqttConfig,
  'MQTT_CLIENT_ID' | 'MQTT_CONNECTIONS' | 'MQTT_GROUP' | 'MQTT_PARTITIONS' | 'MQTT_REPLICAS'
>;

/** The name of this replica, stable across restarts. */
export function replicaName({ MQTT_CLIENT_ID }: Pick<MqttConfig, 'MQTT_CLIENT_ID'>): string {
  return MQTT_CLIENT_ID ?? `engawa-ingestion-${hostname()}`;
}

/** @throws OperatorError when the settings contradict each other */
export function sessionsOf(settings: SessionSettings, decoders: readonly Decoder[]): Session[] {
  const { MQTT_CONNECTIONS, MQTT_GROUP, MQTT_PARTITIONS } = settings;
  const clientId = replicaName(settings);
  if (MQTT_PARTITIONS > 1) return partitionSessions(clientId, settings, decoders);
  if (MQTT_CONNECTIONS > 1 && MQTT_GROUP === undefined) {
    throw new OperatorError(
      `MQTT_CONNECTIONS is ${MQTT_CONNECTIONS}: each would get every message; set MQTT_GROUP so that they share them`,
    );
  }
  // The first client identifier is the configured one, so that it finds its session when more connections are
  // configured later.
  const numbers = Array.from({ length: MQTT_CONNECTIONS - 1 }, (_, index) => index + 1);
  return [{ clientId }, ...numbers.map((number) => ({ clientId: `${clientId}-${number}` }))];
}

/** Sessions belong to partitions, not to replicas, so that the number of replicas can change. */
function partitionSessions(
  clientId: string,
  settings: SessionSettings,
  decoders: readonly Decoder[],
): Session[] {
  const { MQTT_CONNECTIONS, MQTT_GROUP, MQTT_PARTITIONS: count, MQTT_REPLICAS } = settings;
  if (MQTT_GROUP !== undefined) {
    throw new OperatorError(
      'MQTT_GROUP and MQTT_PARTITIONS are two ways to share messages; set one of them',
    );
  }
  if (MQTT_CONNECTIONS > 1) {
    throw new OperatorError(
      'MQTT_CONNECTIONS is for MQTT_GROUP; with MQTT_PARTITIONS each partition has its own connection',
    );
  }
  const [, base = clientId, ordinal] = /^(.*)-(\d+)$/.exec(clientId) ?? [];
  if (ordinal === undefined && MQTT_REPLICAS > 1) {
    throw new OperatorError(
      `MQTT_REPLICAS is ${MQTT_REPLICAS}, but MQTT_CLIENT_ID (${clientId}) does not end with the number of this replica, such as -0`,
    );
  }
  const replica = Number(ordinal ?? 0);
  const keyOf = partitionKeys(decoders);
  return Array.from({ length: count }, (_, partition) => partition)
    .filter((partition) => partition % MQTT_REPLICAS === replica)
    .map((partition) => ({
      clientId: `${base}-p${partition}`,
      owns: (topic) => topicPartitionOf(keyOf(topic), count) === partition,
    }));
}

/** Most decoders have no partition key: then no filter is evaluated for messages of other replicas. */
function partitionKeys(decoders: readonly Decoder[]): (topic: string) => string {
  if (decoders.every(({ partitionKey }) => partitionKey === undefined)) return (topic) => topic;
  return (topic) => findDecoder(decoders, topic)?.partitionKey?.(topic.split('/')) ?? topic;
}
