import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

const counter = (decoder: string, outcome: string, pod = 'ingestion-0') =>
  of('engawa_ingest_messages_total', { component: 'ingestion', pod, decoder, outcome });
const [stored, unrecognized] = ['stored', 'unrecognized'].map((outcome) =>
  counter('zigbee2mqtt', outcome),
) as [string, string];

/** Of 16 days. */
const every = '10m';
const inADay = 144;
const grows = (days: number) => `0+5x${days * inADay}`;
const stays = (days: number, value: number) => `${value}x${days * inADay - 1}`;
/** A series that grows for some days, and then stays. */
const until = (days: number) => `${grows(days)} ${stays(16 - days, days * inADay * 5)}`;
/** A series that begins to grow after some days. */
const since = (days: number) => `${stays(days, 0)} ${grows(16 - days)}`;

describeWith(['promtool'], 'EngawaUnrecognizedMessages', () => {
  const play = playerOf('EngawaUnrecognizedMessages', 'engawa-ingestion');
  const ofZigbee = { decoder: 'zigbee2mqtt', severity: 'warning' };

  it('fires twelve hours after the payloads of a decoder have changed, for a week', () => {
    play({
      every,
      series: { [stored]: until(8), [unrecognized]: since(8) },
      firing: {
        '7d23h': [],
        '8d11h': [],
        '8d13h': [ofZigbee],
        '11d': [ofZigbee],
        '15d5h': [ofZigbee],
        '15d7h': [],
      },
      says: {
        at: '8d13h',
        labels: ofZigbee,
        summary: 'blue: messages of zigbee2mqtt are no longer recognized',
        description:
          'In the last 6 hours the decoder zigbee2mqtt has stored no message, and has not recognized 180 messages on its default topics. It has stored messages before. Unrecognized messages are not stored; the log of ingestion names their topics.',
      },
    });
  });

  it('fires on the second day of a release, and in spite of a new pod', () => {
    const afterwards = counter('zigbee2mqtt', 'unrecognized', 'ingestion-1');
    play({
      every,
      series: { [stored]: `${grows(2)} stale`, [afterwards]: `_x${2 * inADay} ${grows(10)}` },
      firing: { '2d11h': [], '2d13h': [ofZigbee], '3d5h': [ofZigbee], '3d7h': [] },
    });
  });

  it('ends when the decoder stores messages again', () => {
    const resumed = `${grows(2)} ${stays(1, 1440)} 1440+5x${inADay}`;
    play({
      every,
      series: { [stored]: resumed, [unrecognized]: since(2) },
      firing: { '2d20h': [ofZigbee], '3d1h': [] },
    });
  });

  it.each([
    ['other publishers on a topic without devices', { [unrecognized]: grows(16) }],
    ['other publishers beside the devices', { [stored]: grows(16), [unrecognized]: grows(16) }],
    ['devices that fall silent', { [stored]: until(2), [unrecognized]: '0x2304' }],
    [
      'other publishers on the topics of another decoder',
      { [stored]: until(2), [counter('shelly', 'unrecognized')]: grows(16) },
    ],
    [
      'devices that pause for eleven hours',
      { [stored]: `${grows(2)} 1440x66 1440+5x900`, [unrecognized]: grows(16) },
    ],
    ['one message', { [stored]: until(2), [unrecognized]: `0x${2 * inADay} 1x900` }],
  ])('does not fire for %s', (_, series) => {
    play({
      every,
      series,
      firing: silentAt('1d', '2d7h', '2d11h', '2d13h', '2d20h', '3d1h'),
    });
  });
});
