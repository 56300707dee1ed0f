import { formatInteger, formatNumber } from '../../i18n/format.ts';
import { healthTexts } from './texts.ts';
import type { BrokerSession, ServiceStatus } from '../../../src/status/status-report.ts';

/** The MQTT sessions of ingestion. */
export function BrokerCard({ services }: { services: readonly ServiceStatus[] }) {
  const texts = healthTexts.value;
  const sessions = services.flatMap(({ processes }) =>
    processes.flatMap(({ address, broker }) => (broker === undefined ? [] : [{ address, broker }])),
  );
  return (
    <section class="health-card" aria-labelledby="health-broker">
      <h2 id="health-broker">{texts.broker}</h2>
      {sessions.length === 0 ? (
        <p class="health-card-text muted">{texts.noBroker}</p>
      ) : (
        <>
          {sessions.map(({ address, broker }) => (
            <Session key={address} address={address} broker={broker} />
          ))}
          <p class="health-card-text muted">{texts.sinceStart}</p>
        </>
      )}
    </section>
  );
}

function Session({ address, broker }: { address: string; broker: BrokerSession }) {
  const texts = healthTexts.value;
  const { isConnected, unacknowledged, oldestSeconds } = broker;
  const counters = [
    [texts.connects, broker.connects, false],
    [texts.sessionsLost, broker.sessionsLost, broker.sessionsLost > 0],
    [texts.failedSelfTests, broker.failedSelfTests, broker.failedSelfTests > 0],
  ] as const;
  return (
    <dl class="health-tiles">
      <div>
        <dt>{address}</dt>
        <dd>
          <span class={`health-dot health-dot-${isConnected ? 'ready' : 'unreachable'}`} />{' '}
          {isConnected ? texts.connected : texts.disconnected}
        </dd>
      </div>
      <div>
        <dt>{texts.unacknowledged}</dt>
        <dd>{formatInteger(unacknowledged)}</dd>
      </div>
      <div>
        <dt>{texts.oldest}</dt>
        <dd title={texts.seconds(String(oldestSeconds))}>
          {texts.seconds(formatNumber(Math.round(oldestSeconds * 10) / 10))}
        </dd>
      </div>
      {counters.map(([label, count, isBad]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd class={isBad ? 'health-card-warning' : undefined}>{formatInteger(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
