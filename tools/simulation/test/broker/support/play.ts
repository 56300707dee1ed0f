import { MqttClient } from 'mqtt';
import type { ScriptStep } from './script.ts';
import type { IConnackPacket, IPublishPacket, Packet } from 'mqtt-packet';
import type { Duplex } from 'node:stream';

/** The outcome of a step: the response to its client, and the messages that clients received. */
export interface PlayResult {
  step: ScriptStep;
  answer: unknown;
  arrived: string[];
}

interface Player {
  client: MqttClient;
  stream: Duplex;
}

const willTopic = 'b/c';

/** Runs a script with clients of mqtt.js, one step at a time. */
export async function play(
  steps: readonly ScriptStep[],
  open: () => Duplex,
): Promise<PlayResult[]> {
  const players = new Map<number, Player>();
  let arrived: string[] = [];
  const outcomes: PlayResult[] = [];
  for (const step of steps) {
    const answer = await perform(step, players, open, (message) => arrived.push(message));
    await quiesce(players);
    outcomes.push({ step, answer, arrived: arrived.toSorted() });
    arrived = [];
  }
  for (const { client } of players.values()) client.end(true);
  return outcomes;
}

async function perform(
  step: ScriptStep,
  players: Map<number, Player>,
  open: () => Duplex,
  onArrived: (message: string) => void,
): Promise<unknown> {
  const player = players.get(step.client);
  if (step.do === 'connect') return connect(step, players, open, onArrived);
  if (player === undefined) throw new Error('the script uses a client that is not connected');
  const { client, stream } = player;
  switch (step.do) {
    case 'disconnect':
      players.delete(step.client);
      if (step.how === 'goodbye') await client.endAsync();
      else {
        const closed = closing(client);
        stream.destroy();
        await closed;
        client.end(true);
      }
      return undefined;
    case 'subscribe': {
      const { qos, rh, rap, nl } = step;
      const isShared = step.filter.startsWith('$share');
      const suback = nextPacket(client, 'suback');
      await client.subscribeAsync(step.filter, { qos, rh, rap, nl: nl && !isShared });
      return ((await suback) as { granted: unknown }).granted;
    }
    case 'unsubscribe': {
      const unsuback = nextPacket(client, 'unsuback');
      await client.unsubscribeAsync(step.filter);
      return ((await unsuback) as { granted?: unknown }).granted;
    }
    default: {
      const { topic, payload, qos, retain } = step;
      const answer = await client.publishAsync(topic, payload, { qos, retain });
      return qos === 1 ? (answer as { reasonCode?: number } | undefined)?.reasonCode : undefined;
    }
  }
}

async function connect(
  step: ScriptStep & { do: 'connect' },
  players: Map<number, Player>,
  open: () => Duplex,
  onArrived: (message: string) => void,
): Promise<boolean> {
  const older = players.get(step.client);
  const olderClosed = older && closing(older.client);
  // On a takeover that ends the session, Mosquitto publishes the will before it closes the older
  // connection, other brokers after.
  older?.client.removeAllListeners('packetreceive');
  const stream = open();
  const isMqtt5 = step.client % 2 === 0;
  const client = new MqttClient(() => stream, {
    clientId: `client${step.client}`,
    protocolVersion: isMqtt5 ? 5 : 4,
    clean: step.clean,
    keepalive: 0,
    reconnectPeriod: 0,
    ...(isMqtt5 && { properties: { sessionExpiryInterval: step.expirySeconds } }),
    ...(step.hasWill && {
      will: {
        topic: willTopic,
        payload: Buffer.from(`will ${step.client}`),
        qos: 1,
        retain: false,
      },
    }),
  });
  client.on('error', () => undefined);
  client.on('packetreceive', (packet) => {
    if (packet.cmd === 'publish') onArrived(`${step.client}: ${describeMessage(packet)}`);
  });
  const connack = await new Promise<IConnackPacket>((resolve) => client.once('connect', resolve));
  if (older !== undefined) {
    await olderClosed;
    older.client.end(true);
  }
  players.set(step.client, { client, stream });
  return connack.sessionPresent;
}

function describeMessage({ topic, payload, qos, retain, dup }: IPublishPacket): string {
  return `${topic} ${payload.toString()} qos ${qos} retain ${retain} dup ${dup}`;
}

async function closing(client: MqttClient): Promise<void> {
  return new Promise((resolve) => client.once('close', resolve));
}

async function nextPacket(client: MqttClient, cmd: Packet['cmd']): Promise<Packet> {
  return new Promise((resolve) => {
    const heard = (packet: Packet) => {
      if (packet.cmd !== cmd) return;
      client.off('packetreceive', heard);
      resolve(packet);
    };
    client.on('packetreceive', heard);
  });
}

/**
 * Waits for three pings, each of which a broker answers after all earlier packets: a message of QoS 2
 * takes two round trips, and messages that its acknowledgement frees take a third.
 */
async function quiesce(players: ReadonlyMap<number, Player>): Promise<void> {
  for (let round = 0; round < 3; round++)
    for (const { client } of players.values()) {
      const answered = nextPacket(client, 'pingresp');
      client.sendPing();
      await answered;
    }
}
