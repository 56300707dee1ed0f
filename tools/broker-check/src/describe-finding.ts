import type { RestartFinding } from './check-restart.ts';

/** The result as text, with advice for ingestion. */
export function describeFinding(finding: RestartFinding): string {
  const { sessionPresent, published, plain, shared } = finding;
  return [
    `session over a restart:              ${sessionPresent ? 'kept' : 'lost'}`,
    `plain subscription over a restart:   ${kept(plain, published)}`,
    `shared subscription over a restart:  ${kept(shared, published)}`,
    '',
    adviceOf(finding),
  ].join('\n');
}

function kept(received: number, published: number): string {
  const count = `${received} of ${published} messages received`;
  return `${received >= published ? 'kept' : 'lost'} (${count})`;
}

function adviceOf({ published, plain, shared }: RestartFinding): string {
  if (plain < published) {
    return 'Messages that this broker acknowledges around a restart are lost: enable its persistence, or use another broker.';
  }
  if (shared < published) {
    return 'Do not set MQTT_GROUP with this broker: run one replica, or several with MQTT_PARTITIONS and MQTT_REPLICAS.';
  }
  return 'Several replicas of ingestion may share a subscription of this broker (MQTT_GROUP).';
}
