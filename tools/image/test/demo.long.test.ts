import { render } from '@engawa/chart/helm';
import { until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { docker } from './pods/docker.ts';
import { podsOf } from './pods/pod.ts';
import { Stage } from './pods/stage.ts';
import { demoImages, removeStandIns } from './pods/stand-ins.ts';
import { describeWithImage } from './test-image.ts';
import type { Pod } from './pods/pod.ts';

const network = `engawa-demo-${process.pid}`;

const services = ['ingestion', 'ingestion-http', 'registry', 'query', 'catalog'];

describeWithImage('the demo of the chart, its pods run one by one', (image) => {
  let stage: Stage;
  let test: Pod;
  const containers = new Map<string, string>();

  const at = (component: string, port: number) =>
    `${stage.addressOf(containers.get(component) ?? '')}:${port}`;
  const json = async (component: string, path: string): Promise<unknown> => {
    const answer = await fetch(`http://${at(component, 8080)}${path}`);
    expect(answer.status).toBe(200);
    return answer.json();
  };

  beforeAll(async () => {
    const [repository = '', tag = ''] = image.split(':');
    const images = await demoImages({ tag: network });
    const demo = { enabled: true, ...images, simulator: { days: 0 } };
    const objects = render({ values: { image: { repository, tag }, demo } });
    stage = new Stage(objects, network);
    for (const pod of podsOf(objects)) {
      const component = pod.labels['app.kubernetes.io/component'] ?? '';
      // Ingestion has two workloads: one subscribes, and one accepts readings over HTTP only.
      const name = pod.labels['engawa/readings'] === 'http' ? `${component}-http` : component;
      if (pod.kind === 'Pod') test = pod;
      else containers.set(name, stage.start(pod));
    }
  });

  afterAll(() => {
    stage.close();
    removeStandIns({ tag: network });
  });

  it('creates the table', () => {
    expect(stage.end(containers.get('table') ?? '')).toBe(0);
  });

  it.each(services)('%s becomes ready, as its probe asks', async (component) => {
    const ready = () =>
      fetch(`http://${at(component, 9464)}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(`${component} is ready`, ready);
  });

  it('passes `helm test`', () => {
    const container = stage.start(test);
    const code = stage.end(container);
    expect([code, docker(['logs', container])]).toEqual([
      0,
      expect.stringMatching(/all checks passed$/),
    ]);
  });

  it('has the homes of the simulator, which tells the registry of them', async () => {
    const rooms = () => json('registry', '/v1/places/tanaka').catch(() => undefined);
    await until('the homes are there', rooms);
  });

  it('stores what is published at its broker, once', async () => {
    const client = await connectAsync(`mqtt://${at('broker', 1883)}`);
    const ts = new Date().toISOString();
    const reading = JSON.stringify({ ts, temperature: 21.5 });
    await client.publishAsync('engawa/demo-1/readings', reading, { qos: 1 });
    await client.publishAsync('engawa/demo-1/readings', reading, { qos: 1 });
    await client.endAsync();
    const latest = '/v1/devices/demo-1/latest?limit=10';
    const answer = await until('the reading is there', async () => {
      const { readings } = (await json('query', latest).catch(() => ({}))) as {
        readings?: { fields: object }[];
      };
      return readings?.length === 0 ? undefined : readings;
    });
    expect(answer).toHaveLength(1);
  });

  it('requests hot partitions from all replicas by Service name', async () => {
    const { processes } = (await json('query', '/v1/hot-partitions/merged')) as {
      processes: { answered: boolean }[];
    };
    expect(processes.map(({ answered }) => answered)).toEqual(services.map(() => true));
  });

  it('writes to no file system, and ends on SIGTERM', () => {
    for (const component of ['simulator', ...services]) {
      const container = containers.get(component) ?? '';
      expect([component, stage.changedFiles(container)]).toEqual([component, []]);
      docker(['stop', '--time', '40', container]);
      expect([component, stage.end(container)]).toEqual([component, 0]);
    }
  });
});
