export { announcedProgress } from './running/announced-progress.ts';
export { askEngine } from './table/ask-engine.ts';
export { chartHeap } from './processes/chart-heap.ts';
export type { ChartHeap } from './processes/chart-heap.ts';
export { CpuQuota, describeWithCpuQuota } from './processes/cpu-quota.ts';
export { describeWith } from './running/describe-with.ts';
export { aDevice, aReading } from './cases/builders.ts';
export { compiledCode, findFreePort as freePort, RunningProcess } from '@engawa/embedded';
export { growShards, TestClock } from './table/grow-shards.ts';
export { ListeningPorts } from './processes/listening-ports.ts';
export { Metrics, metricValue } from './telemetry/metrics.ts';
export { describeWithMosquitto, startMosquitto } from './broker/mosquitto.ts';
export type { Mosquitto } from './broker/mosquitto.ts';
export { describeOnLinux, itOnLinux, loopbackReason } from './running/on-linux.ts';
export { describeOnEmbedded, openDynamoDb } from './table/open-dynamodb.ts';
export type { TestDynamoDb } from './table/open-dynamodb.ts';
export { operationsOf } from './table/operations-of.ts';
export type { GuardedOperation } from './table/operations-of.ts';
export { OtlpCollector } from './telemetry/otlp-collector.ts';
export type { CollectedSpan } from './telemetry/otlp-collector.ts';
export { closersAfterEach, openBeforeAll, openBeforeEach } from './running/open-before.ts';
export { startOvertakingProxy } from './table/start-overtaking-proxy.ts';
export { putStaleCopy } from './table/put-stale-copy.ts';
export { grant, startRawBroker } from './broker/start-raw-broker.ts';
export type { PacketResponders, RawBroker, RawConnection } from './broker/start-raw-broker.ts';
export { announcedSeed, randomFrom } from './cases/random.ts';
export { requestsDuring } from './telemetry/requests-during.ts';
export { Relay } from './broker/relay.ts';
export { dynamoDbError, startDynamoDbProxy } from './table/start-dynamodb-proxy.ts';
export type {
  DynamoDbProxy,
  ProxiedRequest,
  ProxiedResponse,
} from './table/start-dynamodb-proxy.ts';
export { startTable } from './table/start-table.ts';
export type { StartedTable, TestTableLocation } from './table/start-table.ts';
export { SteadyUse, useUntil } from './processes/steady-use.ts';
export type { SteadyUseOptions, ReportedPartition } from './processes/steady-use.ts';
export { signingKey, TokenIssuer } from './tokens/token-issuer.ts';
export type { SigningKey } from './tokens/token-issuer.ts';
export { isThorough, scaled, someOrAll } from './cases/thorough.ts';
export { startWithHeap } from './processes/start-with-heap.ts';
export { until } from './running/until.ts';
export { zipf } from './cases/zipf.ts';
