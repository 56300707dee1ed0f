import { wantedReplicas } from '../src/rules/wanted.ts';
import { of } from './rules/promtool.ts';

/** So much more at each scrape, 15 s apart, from 0 on. */
const grows = (by: number): string => `0+${by}x60`;
const stays = (value: number): string => `${value}x60`;

/**
 * Two processes of ingestion, one of query and one of catalog, at a steady pace; their shares
 * differ, so that they tell.
 */
export const oneWorld: Readonly<Record<string, string>> = {
  ...ofBoth({
    up: [stays(1), stays(1)],
    engawa_ready: [stays(1), stays(0)],
    engawa_memory_limit_bytes: [stays(2000), stays(3000)],
    process_start_time_seconds: [stays(-9000), stays(-9000)],
    engawa_ingest_received_messages_total: [grows(150), grows(300)],
    engawa_ingest_unacknowledged_messages: [stays(7), stays(5)],
    engawa_ingest_oldest_unacknowledged_seconds: [stays(3), stays(1)],
    engawa_mqtt_connected: [stays(1), stays(0)],
    engawa_mqtt_connects_total: [grows(1), grows(0)],
    engawa_mqtt_sessions_lost_total: [grows(0), grows(1)],
    engawa_invariants_broken_total: [grows(1), grows(2)],
    engawa_shard_map_reads_total: [grows(6), grows(9)],
    process_cpu_seconds_total: [grows(3), grows(6)],
    process_resident_memory_bytes: [stays(1000), stays(500)],
    nodejs_eventloop_lag_p99_seconds: [stays(0.02), stays(0.04)],
  }),
  ...ofBoth({ nodejs_gc_duration_seconds_sum: [grows(0.3), grows(0.6)] }, { kind: 'minor' }),
  ...ofBoth(
    { engawa_ingest_messages_total: [grows(134), grows(299)] },
    { decoder: 'engawa', outcome: 'stored' },
  ),
  ...ofBoth(
    { engawa_ingest_messages_total: [grows(1), grows(1)] },
    { decoder: 'shelly', outcome: 'unrecognized' },
  ),
  ...ofBoth(
    {
      engawa_ingest_readings_total: [grows(300), grows(600)],
      engawa_ingest_blocks_total: [grows(150), grows(75)],
    },
    { kind: 'climate' },
  ),
  ...ofBoth(
    { engawa_hot_partition_peer_requests_total: [grows(3), grows(6)] },
    { outcome: 'answered' },
  ),
  ...ofBoth({ engawa_http_rejected_tokens_total: [grows(3), grows(6)] }, { reason: 'audience' }),
  ...ofBoth({ engawa_ingest_memory_used_ratio: [stays(0.5), stays(0.25)] }, { use: 'mqtt' }),
  ...ofBoth({ engawa_ingest_http_readings_total: [grows(30), grows(15)] }, { outcome: 'stored' }),
  ...ofBoth({ engawa_ingest_dead_letters_total: [grows(2), grows(1)] }, { reason: 'malformed' }),
  ...ofBoth({ engawa_ingest_dead_letters_ended_total: [grows(1), grows(1)] }, { by: 'replay' }),
  ...ofBoth({ engawa_ingest_readings_ahead_total: [grows(1), grows(1)] }),
  ...ofBoth({ engawa_ingest_parked_block_queries_total: [grows(30), grows(15)] }),
  ...ofBoth({ engawa_mqtt_self_tests_failed_total: [grows(15), grows(15)] }),
  ...ofBoth({ engawa_mqtt_takeovers_total: [grows(15), grows(15)] }),
  ...ofBoth({ engawa_mqtt_broker_limits: [stays(1), stays(1)] }, { limit: 'session_expiry' }),
  ...ofBoth({ engawa_ingest_sparkplug_rebirth_requests_total: [grows(30), grows(30)] }),
  ...ofBoth({ engawa_ingest_parked_blocks_total: [grows(30), grows(15)] }),
  ...ofBoth({ engawa_ingest_unparked_blocks_total: [grows(15), grows(15)] }),
  ...ofBoth({ engawa_ingest_oldest_parked_seconds: [stays(40), stays(30)] }),
  ...ofBoth({ engawa_ingest_live_events_total: [grows(30), grows(15)] }),
  ...ofBoth({ engawa_ingest_live_lost_events_total: [grows(15), grows(15)] }),
  ...ofBoth({ engawa_ingest_live_rejected_listeners_total: [grows(15), grows(30)] }),
  ...ofBoth({ engawa_ingest_live_listeners: [stays(4), stays(3)] }),
  ...ofBoth({ engawa_ingest_live_buffered_bytes: [stays(4000), stays(3000)] }),
  ...ofBoth(
    { engawa_ingest_bookkeeping_total: [grows(15), grows(30)] },
    { what: 'event', outcome: 'done' },
  ),
  ...histogram('engawa_ingest_store_seconds'),
  ...histogram('engawa_table_attempt_seconds', {
    operation: 'PutItem',
    index: 'table',
    outcome: 'ok',
  }),
  ...ofBoth(
    { engawa_table_attempts_total: [grows(60), grows(30)] },
    { operation: 'PutItem', index: 'table', outcome: 'ok' },
  ),
  ...ofBoth(
    { engawa_table_throttled_attempts_total: [grows(30), grows(15)] },
    { operation: 'PutItem', index: 'table', reason: 'hot', scope: 'key_range' },
  ),
  ...ofBoth(
    { engawa_table_unprocessed_items_total: [grows(15), grows(30)] },
    { operation: 'PutItem' },
  ),
  // 100 write units a second, 20 of them of an index.
  ...ofBoth(
    { engawa_table_consumed_units_total: [grows(900), grows(300)] },
    { operation: 'PutItem', index: 'table', unit: 'write' },
  ),
  ...ofBoth(
    { engawa_table_consumed_units_total: [grows(0), grows(300)] },
    { operation: 'PutItem', index: 'gsi1', unit: 'write' },
  ),
  ...ofBoth(
    {
      engawa_hot_partition_units_per_second: [stays(100), stays(50)],
      engawa_hot_partition_utilization_ratio: [stays(0.4), stays(0.5)],
      engawa_hot_partition_throttles_per_second: [stays(3), stays(1)],
    },
    { index: 'table', unit: 'write', partition: 'DEVICE#wild#0' },
  ),
  ...ofBoth({ engawa_partition_shards: [stays(4), stays(8)] }, { family: 'DEVICE' }),
  ...ofBoth({ engawa_partition_reshards_total: [stays(1), stays(2)] }, { family: 'DEVICE' }),
  ...ofOne('query'),
  ...ofOne('catalog'),
  [of('engawa_full_text_stale_seconds', { component: 'catalog', pod: 'c' })]: stays(5),
  [of('engawa_full_text_stale_seconds', { component: 'catalog', pod: 'd' })]: stays(9),
  [of('engawa_full_text_polls_total', { component: 'catalog', outcome: 'ok' })]: grows(15),
  [of('engawa_full_text_changes_total', { component: 'catalog' })]: grows(45),
  [of('engawa_full_text_documents', { component: 'catalog' })]: stays(10),
  [of('engawa_full_text_bytes', { component: 'catalog' })]: stays(40_000_000),
  [of('engawa_full_text_timeouts_total', { component: 'catalog' })]: grows(3),
  [of('engawa_expired_entities_total', { component: 'catalog' })]: grows(6),
  [of('engawa_full_text_rebuild_seconds_sum', { component: 'catalog' })]: stays(30),
  [of('engawa_full_text_rebuild_seconds_count', { component: 'catalog' })]: stays(2),
  ...ofBoth({ engawa_requirement_met: [stays(1), stays(0)] }, { requirement: 'table' }),
  [of(wantedReplicas, { component: 'ingestion' })]: stays(2),
  [of(wantedReplicas, { component: 'registry' })]: stays(1),
  // Active since a minute after the beginning.
  [of('ALERTS_FOR_STATE', { alertname: 'Some' })]: stays(60),
  [of('ALERTS_FOR_STATE', { alertname: 'Other' })]: stays(60),
  [of('ALERTS', { alertname: 'Some', alertstate: 'firing' })]: stays(1),
  [of('ALERTS', { alertname: 'Other', alertstate: 'pending' })]: stays(1),
};

type Labels = Record<string, string>;

/** Of the processes of ingestion, the first and the second; of another release there is as much. */
function ofBoth(values: Record<string, [string, string]>, labels: Labels = {}): Labels {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, [first, second]]) => [
      [of(name, { component: 'ingestion', pod: 'a', ...labels }), first],
      [of(name, { component: 'ingestion', pod: 'b', ...labels }), second],
      [of(name, { component: 'ingestion', pod: 'a', ...labels, release: 'green' }), first],
    ]),
  );
}

/** Of ten of one process one takes up to 0.1 s, and the others up to 1 s; of ninety of the other all are quick. */
function histogram(name: string, labels: Labels = {}): Labels {
  const buckets = { '0.1': [1, 90], '1': [10, 90], '+Inf': [10, 90] };
  return Object.assign(
    {},
    ...Object.entries(buckets).map(([le, [first = 0, second = 0]]) =>
      ofBoth({ [`${name}_bucket`]: [grows(first), grows(second)] }, { ...labels, le }),
    ),
  ) as Labels;
}

/** Twenty requests a second, one of them fails and one of them is wrong; 200 read units. */
function ofOne(component: string): Labels {
  const process = { component, pod: component };
  const requests = 'http_server_request_duration_seconds';
  const route = { ...process, method: 'GET', route: '/' };
  return {
    [of('up', process)]: stays(1),
    [of(`${requests}_count`, { ...route, status: '200' })]: grows(270),
    [of(`${requests}_count`, { ...route, status: '404' })]: grows(15),
    [of(`${requests}_count`, { ...route, status: '503' })]: grows(15),
    [of(`${requests}_bucket`, { ...route, status: '200', le: '0.1' })]: grows(200),
    [of(`${requests}_bucket`, { ...route, status: '200', le: '1' })]: grows(270),
    [of(`${requests}_bucket`, { ...route, status: '200', le: '+Inf' })]: grows(270),
    [of('engawa_table_consumed_units_total', {
      ...process,
      operation: 'Query',
      index: 'table',
      unit: 'read',
    })]: grows(1500),
  };
}
