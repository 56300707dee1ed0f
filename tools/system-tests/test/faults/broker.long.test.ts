import { setTimeout as sleep } from 'node:timers/promises';
import { describeWithMosquitto, metricValue, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { generate } from 'mqtt-packet';
import { connect } from 'node:net';
import { faultTests } from './fault-tests.ts';

describeWithMosquitto('the broker', () => {
  const fault = faultTests();

  fault(
    'killed, with persistence',
    {
      brokerPersistence: true,
      brokerSettings: ['autosave_on_changes true', 'autosave_interval 1'],
      messages: 300,
    },
    async (scenario) => {
      await scenario.startIngestion();
      await scenario.publish(async () => {
        await scenario.between(0.2, 0.6);
        await scenario.broker?.restart('kill');
      });
      const held = () => scenario.metric('engawa_ingest_unacknowledged_messages');
      await until('every acknowledgement', async () => (await held()) === 0);
      // Mosquitto saves when a message is queued or acknowledged, not when one is delivered at once (mosquitto.conf(5),
      // autosave_on_changes): messages in flight since its last save went with it.
      await scenario.verify(() => scenario.expectedAfterBrokerCrash(scenario.publisher.taken));
    },
  );

  fault('killed, without persistence', {}, async (scenario) => {
    await scenario.startIngestion();
    await scenario.publish(async () => {
      await scenario.between(0.2, 0.6);
      await scenario.broker?.restart('kill');
    });
    // Messages that it had acknowledged but not delivered are lost with it.
    const before = scenario.acknowledged(scenario.publisher.taken);
    const lost = () => scenario.metric('engawa_mqtt_sessions_lost_total');
    await until('another session', async () => (await lost()) === 1);
    await until('nothing missing', async () => !(await scenario.readyzText()).includes('reason'));
    await scenario.publish();
    await scenario.verify(() => [...before, ...scenario.publisher.taken]);
  });

  fault(
    'the session expires while away',
    {
      environment: { MQTT_SESSION_EXPIRY_SECONDS: '1' },
    },
    async (scenario) => {
      await scenario.startIngestion();
      await scenario.publish(async () => {
        await scenario.between(0.2, 0.5);
        await until('something stored', () => scenario.path.acknowledged.length > 0);
        scenario.path.refuse(true);
        scenario.path.cut();
        await sleep(2500); // longer than the session lives
        scenario.path.refuse(false);
      });
      const lost = () =>
        metricValue(scenario.ingestion.metricsUrl, 'engawa_mqtt_sessions_lost_total');
      await until('the loss to be counted', async () => (await lost()) === 1);
      await scenario.verify(() => scenario.acknowledged(scenario.publisher.taken));
    },
  );

  fault(
    'its queue overflows',
    { brokerSettings: ['max_queued_messages 50'], environment: { MQTT_WINDOW: '20' } },
    async (scenario) => {
      await scenario.startIngestion();
      scenario.backends.simulator.setFaults([{ fault: { kind: 'slow', milliseconds: 300 } }]);
      await scenario.publish();
      scenario.backends.simulator.setFaults([]);
      // Messages that the broker did not drop.
      await scenario.acknowledgements(50);
      await scenario.verify(() => scenario.acknowledged(scenario.publisher.taken));
    },
  );

  fault('the consumer is slow', { environment: { MQTT_WINDOW: '50' } }, async (scenario) => {
    await scenario.startIngestion();
    scenario.backends.simulator.setFaults([{ fault: { kind: 'slow', milliseconds: 200 } }]);
    await scenario.publish();
    await scenario.verify();
  });

  fault('two clients have one identifier', {}, async (scenario) => {
    await scenario.startIngestion();
    await scenario.publishDisturbed([0.2, 0.4, 0.6], async () => {
      // Takes over the session, acknowledges nothing, and disconnects.
      const intruder = connect(scenario.broker?.port ?? 0, '127.0.0.1');
      const packet = {
        cmd: 'connect',
        clientId: `${scenario.prefix}-0`,
        protocolVersion: 5,
      } as const;
      const properties = { sessionExpiryInterval: 3600 };
      intruder.on('error', () => intruder.destroy());
      intruder.write(generate({ ...packet, clean: false, keepalive: 60, properties }));
      await sleep(100 + 200 * scenario.random());
      intruder.destroy();
    });
    await scenario.verify();
  });

  fault('a flood of QoS 0', { environment: { MQTT_WINDOW: '200' } }, async (scenario) => {
    await scenario.startIngestion();
    scenario.backends.simulator.setFaults([{ fault: { kind: 'slow', milliseconds: 100 } }]);
    const flood = await connectAsync(scenario.broker?.url ?? '');
    await scenario.publish(async () => {
      for (let round = 0; round < 40; round++) {
        for (let index = 0; index < 500; index++) {
          flood.publish(`engawa/${scenario.prefix}-flood/readings`, `{"n":${round * 500 + index}}`);
        }
        await sleep(20);
      }
    });
    scenario.backends.simulator.setFaults([]);
    await flood.endAsync(true);
    await scenario.verify();
    const dropped = await metricValue(
      scenario.ingestion.metricsUrl,
      'engawa_ingest_messages_total',
      {
        outcome: 'dropped_qos0',
      },
    );
    expect(dropped).toBeGreaterThan(0);
  });
});
