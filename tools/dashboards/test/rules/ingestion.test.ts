import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

const pod = { component: 'ingestion', pod: 'ingestion-0' };
const oldest = of('engawa_ingest_oldest_unacknowledged_seconds', pod);
const connected = of('engawa_mqtt_connected', pod);

describeWith(['promtool'], 'EngawaIngestionStalled', () => {
  const play = playerOf('EngawaIngestionStalled', 'engawa-ingestion');
  const waiting = { ...pod, severity: 'critical', cause: 'unacknowledged' };
  const away = { ...pod, severity: 'critical', cause: 'disconnected' };

  it('fires when messages wait for over a minute, and ends when they are stored', () => {
    play({
      series: { [oldest]: '0 0+15x12 0.02x10', [connected]: '1x30' },
      firing: {
        '2m15s': [],
        '2m30s': [waiting],
        '3m30s': [],
      },
      says: {
        at: '3m',
        labels: waiting,
        summary: 'blue: ingestion-0 cannot store received messages',
        description:
          'Its oldest message has waited for 2m 45s. No message is lost while the broker has room in its queue.',
      },
    });
  });

  it('fires when one replica of two is away from the broker for two minutes', () => {
    const other = of('engawa_mqtt_connected', { ...pod, pod: 'ingestion-1' });
    play({
      series: { [connected]: '1 0x14 1x10', [other]: '1x30' },
      firing: {
        '2m': [],
        '2m15s': [away],
        '4m': [],
      },
      says: {
        at: '3m',
        labels: away,
        summary: 'blue: ingestion-0 has no connection to the broker',
        description:
          'The pod has been disconnected for at least two minutes; its /readyz says why. The broker queues messages until its queue is full or the session expires.',
      },
    });
  });

  it.each([
    ['a hot device, whose messages wait for 5 s', { [oldest]: '0 5x60' }],
    ['nothing to do', { [oldest]: '0x60', [connected]: '1x60' }],
    ['a short throttling of the table', { [oldest]: '0 0+15x6 0x50' }],
    ['a broker that is restarted', { [connected]: '1x10 0x6 1x40' }],
    [
      'a pod that is replaced while it is away',
      { [connected]: '1x10 0x4 stale', [oldest]: '70x2 stale' },
    ],
    ['a new replica of the same name', { [connected]: '1x10 0x4 _x3 0 1x40' }],
    ['a release without ingestion', {}],
  ])('does not fire for %s', (_, series) => {
    play({
      series,
      firing: silentAt('1m', '2m30s', '4m', '5m', '6m', '8m'),
    });
  });
});

describeWith(['promtool'], 'EngawaConservationBroken', () => {
  const play = playerOf('EngawaConservationBroken', 'engawa-ingestion');
  const process = { ...pod, instance: '10.0.0.1:9464' };
  const received = of('engawa_ingest_received_messages_total', process);
  const inFlight = of('engawa_ingest_unacknowledged_messages', process);
  const done = (outcome: string, instance = process.instance) =>
    of('engawa_ingest_messages_total', { ...process, instance, decoder: 'engawa', outcome });
  const residue = of('pod:engawa_ingest_unaccounted_messages:difference');
  const labels = { ...process, severity: 'critical' };

  it('fires when a message is unaccounted for, until the process ends', () => {
    play({
      series: {
        [received]: '0+100x20 stale',
        [inFlight]: '0 40x19 stale',
        // One of the hundred of the fifth scrape is not among them.
        [done('stored')]: '_ 55 155 255 355 454+100x15 stale',
        [done('ignored')]: '_ 5x19 stale',
      },
      values: [
        { at: '1m', expression: residue, is: 0 },
        { at: '1m15s', expression: residue, is: 1 },
      ],
      firing: {
        '3m': [],
        '3m15s': [labels],
        '6m': [],
      },
      says: {
        at: '4m',
        labels,
        summary: 'blue: messages of ingestion-0 are unaccounted for',
        description:
          '1 received messages are neither in flight nor completed (a negative number: completed twice). This is a defect of Engawa, and messages may be lost.',
      },
    });
  });

  it('fires for a message lost before any is completed', () => {
    play({
      series: { [received]: '40x20', [inFlight]: '39x20' },
      values: [{ at: '1m', expression: residue, is: 1 }],
      firing: { '2m': [labels] },
    });
  });

  it('fires when messages are completed twice', () => {
    play({
      series: { [received]: '10x20', [inFlight]: '0x20', [done('stored')]: '12x20' },
      values: [{ at: '1m', expression: residue, is: -2 }],
      firing: { '2m': [labels] },
    });
  });

  it.each([
    ['before the first outcome', { [received]: '40x40', [inFlight]: '40x40' }],
    [
      'a pod of the same name, both seen for a while',
      {
        [received]: '0+10x40',
        [inFlight]: '0x40',
        [done('stored')]: '0+10x40',
        [of('engawa_ingest_received_messages_total', { ...process, instance: 'b' })]: '_x10 7x30',
        [of('engawa_ingest_unacknowledged_messages', { ...process, instance: 'b' })]: '_x10 3x30',
        [done('stored', 'b')]: '_x10 4x30',
      },
    ],
    [
      'a restart of the container',
      {
        [received]: '1000x10 0 20x40',
        [inFlight]: '10x10 0 2x40',
        [done('stored')]: '990x10 stale 18x40',
      },
    ],
    [
      'an old version that does not count received messages',
      { [inFlight]: '5x40', [done('stored')]: '9x40' },
    ],
  ])('does not fire for %s', (_, series) => {
    play({
      series,
      firing: silentAt('2m15s', '2m30s', '5m', '6m'),
    });
  });
});
