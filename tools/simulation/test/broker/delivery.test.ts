import { Simulated, changed } from './support/simulated.ts';
import { standard } from './support/standard.ts';

const versions = [4, 5] as const;

describe.each(versions)('messages from a client of MQTT version %d', (version) => {
  it('are acknowledged with PUBACK (QoS 1), or PUBREC and PUBCOMP (QoS 2)', async () => {
    const simulated = new Simulated();
    const client = await simulated.raw('one', { version });
    const listener = await simulated.raw('listener');
    listener.subscribe(['a'], { qos: 0 });
    await simulated.settle();
    client.publish('a', 'zero', { qos: 0 });
    client.publish('a', 'one', { qos: 1, messageId: 11 });
    client.publish('a', 'two', { qos: 2, messageId: 12 });
    client.publish('a', 'two', { qos: 2, messageId: 12, dup: true });
    await simulated.settle();
    expect(listener.payloads).toEqual(['zero', 'one']);
    client.send({ cmd: 'pubrel', messageId: 12, reasonCode: 0 });
    await simulated.settle();
    expect(listener.payloads).toEqual(['zero', 'one', 'two']);
    const answers = client.packets.slice(1).map(({ cmd, messageId }) => [cmd, messageId]);
    expect(answers).toEqual([
      ['puback', 11],
      ['pubrec', 12],
      ['pubrec', 12],
      ['pubcomp', 12],
    ]);
  });

  it('of QoS 2 are accepted once when the connection breaks before PUBREL', async () => {
    const simulated = new Simulated();
    const lasting = { version, clean: false, properties: { sessionExpiryInterval: 60 } };
    const listener = await simulated.raw('listener');
    listener.subscribe(['a'], { qos: 0 });
    const before = await simulated.raw('one', lasting);
    before.publish('a', 'x', { qos: 2, messageId: 3 });
    await simulated.settle();
    simulated.broker.cut('one', 'reset');
    const after = await simulated.raw('one', lasting);
    after.publish('a', 'x', { qos: 2, messageId: 3, dup: true });
    after.send({ cmd: 'pubrel', messageId: 3, reasonCode: 0 });
    await simulated.settle();
    expect(listener.payloads).toEqual(['x']);
  });
});

it('MQTT 5 reason codes report missing subscribers (PUBACK) and unknown packet identifiers (PUBCOMP)', async () => {
  const simulated = new Simulated();
  const client = await simulated.raw('one');
  client.publish('a', 'x', { messageId: 4 });
  client.send({ cmd: 'pubrel', messageId: 9, reasonCode: 0 });
  await simulated.settle();
  expect(client.of('puback')[0]?.reasonCode).toBe(0x10);
  expect(client.of('pubcomp')[0]?.reasonCode).toBe(0x92);
});

describe('messages to a client', () => {
  it('of QoS 2 are released after PUBREC; later only PUBREL is retransmitted', async () => {
    const simulated = new Simulated();
    const client = await simulated.lasting('one');
    client.subscribe(['a'], { qos: 2 });
    await simulated.settle();
    simulated.publish('a', 1, 1, 2);
    await simulated.settle();
    const messageId = client.messageIds[0] ?? 0;
    client.send({ cmd: 'pubrec', messageId, reasonCode: 0 });
    client.send({ cmd: 'pubrec', messageId: 999, reasonCode: 0 });
    await simulated.settle();
    expect(client.of('pubrel').map((packet) => [packet.messageId, packet.reasonCode])).toEqual([
      [messageId, 0],
      [999, 0x92],
    ]);
    simulated.broker.cut('one', 'reset');
    const back = await simulated.lasting('one');
    expect(back.packets.slice(1).map(({ cmd, messageId: id }) => [cmd, id])).toEqual([
      ['pubrel', messageId],
    ]);
    back.send({ cmd: 'pubcomp', messageId, reasonCode: 0 });
    await simulated.settle();
    simulated.broker.cut('one', 'reset');
    const again = await simulated.lasting('one');
    expect(again.packets).toHaveLength(1);
    expect(simulated.outcomes()).toEqual({ acknowledged: 1 });
  });

  it('that are unacknowledged are redelivered first, in order, with DUP and the same packet identifiers', async () => {
    const simulated = new Simulated();
    const client = await simulated.lasting('one', { properties: { receiveMaximum: 3 } });
    client.subscribe(['a']);
    await simulated.settle();
    simulated.publish('a', 1, 5);
    await simulated.settle();
    expect(client.payloads).toEqual(['1', '2', '3']);
    client.acknowledge(1, 2);
    await simulated.settle();
    expect(client.payloads).toEqual(['1', '2', '3', '4']);
    simulated.broker.cut('one', 'reset');
    await simulated.settle();
    simulated.publish('a', 6, 6);
    const back = await simulated.lasting('one');
    expect(back.payloads).toEqual(['1', '3', '4', '5', '6']);
    expect(back.of('publish').map(({ dup }) => dup)).toEqual([true, true, true, false, false]);
    const identifiers = new Map(
      client.of('publish').map(({ payload, messageId }) => [payload.toString(), messageId]),
    );
    for (const { payload, messageId } of back.of('publish').slice(0, 3))
      expect(messageId).toBe(identifiers.get(payload.toString()));
    expect(new Set(back.of('publish').map(({ messageId }) => messageId)).size).toBe(5);
  });

  it("in flight are limited by the client's receive maximum", async () => {
    const simulated = new Simulated();
    const client = await simulated.raw('one', { properties: { receiveMaximum: 2 } });
    client.subscribe(['a'], { qos: 2 });
    await simulated.settle();
    simulated.publish('a', 1, 2, 2);
    simulated.publish('a', 3, 4);
    await simulated.settle();
    expect(client.payloads).toEqual(['1', '2']);
    const messageId = client.messageIds[0] ?? 0;
    client.send({ cmd: 'pubrec', messageId, reasonCode: 0 });
    await simulated.settle();
    expect(client.payloads).toEqual(['1', '2']);
    client.send({ cmd: 'pubcomp', messageId, reasonCode: 0 });
    await simulated.settle();
    expect(client.payloads).toEqual(['1', '2', '3']);
  });

  it('are completed by a PUBREC with an error code', async () => {
    const simulated = new Simulated();
    const client = await simulated.raw('one', { properties: { receiveMaximum: 1 } });
    client.subscribe(['a'], { qos: 2 });
    await simulated.settle();
    simulated.publish('a', 1, 2, 2);
    await simulated.settle();
    client.send({
      cmd: 'pubrec',
      messageId: client.messageIds[0] ?? 0,
      reasonCode: 0x97,
    });
    await simulated.settle();
    expect(client.payloads).toEqual(['1', '2']);
    expect(client.of('pubrel')).toEqual([]);
  });

  it("larger than the client's maximum packet size are dropped", async () => {
    const simulated = new Simulated();
    const client = await simulated.raw('one', {
      properties: { maximumPacketSize: 40, receiveMaximum: 1 },
    });
    client.subscribe(['a']);
    await simulated.settle();
    // Besides the payload, a packet has 2 bytes of header, 3 of topic, 2 of identifier and 1 of properties.
    for (const length of [32, 33, 5]) {
      const payload = 'x'.repeat(length);
      simulated.broker.publish({ topic: 'a', payload, qos: 1, retain: false });
    }
    client.acknowledge();
    await simulated.settle();
    client.acknowledge();
    await simulated.settle();
    expect(client.payloads.map((payload) => payload.length)).toEqual([32, 5]);
    expect(simulated.outcomes()).toMatchObject({ tooLarge: 1 });
  });

  it('keep forwarded properties; the message expiry interval decreases while they are queued', async () => {
    const simulated = new Simulated();
    const client = await simulated.lasting('one');
    client.subscribe(['a']);
    await simulated.settle();
    simulated.broker.cut('one', 'reset');
    const properties = {
      payloadFormatIndicator: true,
      contentType: 'text',
      responseTopic: 'r',
      correlationData: Buffer.from('c'),
      userProperties: { key: ['1', '2'] },
    };
    const publisher = await simulated.raw('publisher');
    publisher.publish('a', 'x', { properties: { ...properties, messageExpiryInterval: 30 } });
    publisher.publish('a', 'late', { properties: { messageExpiryInterval: 5 } });
    await simulated.advance(10_000);
    const back = await simulated.lasting('one');
    const [received, ...others] = back.of('publish');
    expect(others).toEqual([]);
    expect(JSON.parse(JSON.stringify(received?.properties))).toEqual(
      JSON.parse(JSON.stringify({ ...properties, messageExpiryInterval: 20 })),
    );
    expect(simulated.outcomes()).toEqual({ expired: 1 });
  });

  it("of QoS 0 are lost without a connection, unless the broker's profile queues them", async () => {
    for (const keepsQos0 of [false, true]) {
      const simulated = new Simulated(changed(standard, { queue: { keepsQos0 } }));
      const client = await simulated.lasting('one');
      client.subscribe(['a']);
      await simulated.settle();
      simulated.broker.cut('one', 'reset');
      await simulated.settle();
      simulated.publish('a', 1, 1, 0);
      const back = await simulated.lasting('one');
      expect(back.payloads).toEqual(keepsQos0 ? ['1'] : []);
      expect(simulated.outcomes()).toEqual(keepsQos0 ? { sent: 1 } : { offlineQos0: 1 });
    }
  });

  it('reuse packet identifiers after 65,535, except those in use', async () => {
    const simulated = new Simulated();
    const client = await simulated.raw('one', { properties: { receiveMaximum: 6000 } });
    client.subscribe(['a']);
    await simulated.settle();
    simulated.publish('a', 1, 66_000);
    await simulated.settle();
    // The first message stays unacknowledged.
    for (let received = 1; received < 66_000;) {
      const from = received;
      received = client.of('publish').length;
      client.acknowledge(from, received);
      await simulated.settle();
    }
    const identifiers = client.of('publish').map(({ messageId }) => messageId);
    expect(identifiers).toHaveLength(66_000);
    expect(identifiers.lastIndexOf(identifiers[0])).toBe(0);
    expect(identifiers.slice(65_535)).toEqual(identifiers.slice(1, 66_000 - 65_535 + 1));
  });
});
