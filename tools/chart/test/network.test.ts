import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { describeWithHelm } from './describe-with-helm.ts';
import { everything, least } from './values.ts';
import { podsOf, strangers } from './network/endpoints.ts';
import { mayCall } from './network/may-call.ts';
import type { Endpoint } from './network/may-call.ts';
import { Rendered, servers, services } from './rendered.ts';

/** All ports in use, and some unused ones. */
const ports = [22, 53, 80, 443, 1883, 4318, 6443, 8000, 8080, 8443, 8883, 9090, 9243, 9464, 10250];
const asked = [
  ...ports.map((port) => ({ port, protocol: 'TCP' as const })),
  { port: 53, protocol: 'UDP' as const },
  { port: 8080, protocol: 'UDP' as const },
];

type Allowed = readonly [
  from: readonly string[],
  to: readonly string[],
  port: number,
  protocol?: 'TCP' | 'UDP',
];

const outside = ['internet', 'internet6', 'table-server', 'broker-server', 'other-server'];
// The agent of EKS Pod Identity has an address like any other, and does not listen on these ports.
const anywhere = [...outside, 'pod-identity', 'pod-identity6'];
const podsOutside = [
  'web',
  'batch',
  'prometheus-at-home',
  'prometheus',
  'elsewhere',
  'twin-elsewhere',
];
const addresses = [...anywhere, ...podsOutside];
const sameNamespace = ['web', 'batch', 'prometheus-at-home'];

/** The connections of docs/architecture.md by way of deployment; all others must be denied. */
const cases: Record<string, { values: object; allowed: Allowed[] }> = {
  'on AWS': {
    values: { ...least, rollup: { enabled: true } },
    allowed: [
      [[...services, 'test', ...sameNamespace], services, 8080],
      [['prometheus'], services, 9464],
      [[...services, 'table', 'rollup'], addresses, 443],
      [['ingestion'], addresses, 8883],
    ],
  },
  'with all lists given, and everything on': {
    values: everything,
    allowed: [
      [[...servers, 'test', 'web'], services, 8080],
      [['test', 'web'], ['console'], 8080],
      [['prometheus-at-home'], servers, 9464],
      [[...services, 'table', 'rollup'], ['table-server'], 443],
      [['console'], ['other-server'], 443],
      [['console'], ['other-server'], 9090],
      [['console'], services, 9464],
      [['ingestion'], ['broker-server'], 8883],
      [[...services, 'table', 'rollup'], ['pod-identity', 'pod-identity6'], 80],
      [[...servers, 'table', 'rollup'], ['other-server'], 4318],
      [services, ['other-server'], 8443],
      [['catalog'], ['other-server'], 9243],
    ],
  },
  'with tokens, a collector and a search anywhere, without a table Job': {
    values: {
      ...everything,
      aws: { endpoint: 'http://alternator.example:8000' },
      table: { name: 'readings', create: false },
      networkPolicy: {},
    },
    allowed: [
      [[...servers, 'test', ...sameNamespace], services, 8080],
      [['test', ...sameNamespace], ['console'], 8080],
      [['prometheus'], servers, 9464],
      [['console'], addresses, 443],
      [['console'], addresses, 9090],
      [['console'], services, 9464],
      [[...services, 'rollup'], addresses, 8000],
      [['ingestion'], addresses, 8883],
      [[...servers, 'rollup'], addresses, 4318],
      [services, addresses, 8443],
      [['catalog'], addresses, 9243],
    ],
  },
  'in a demo': {
    values: { demo: { enabled: true }, rollup: { enabled: true } },
    allowed: [
      [[...services, 'test', ...sameNamespace], services, 8080],
      [['prometheus'], services, 9464],
      [[...services, 'table', 'rollup'], ['dynamodb'], 8000],
      [['ingestion', 'simulator', ...sameNamespace], ['broker'], 1883],
      [['simulator'], ['registry'], 8080],
    ],
  },
  'of query alone': {
    values: {
      ...least,
      mqtt: {},
      ...{
        ingestion: { enabled: false },
        registry: { enabled: false },
        catalog: { enabled: false },
      },
    },
    allowed: [
      [['query', 'test', ...sameNamespace], ['query'], 8080],
      [['prometheus'], ['query'], 9464],
      [['query', 'table'], addresses, 443],
    ],
  },
};

describeWithHelm('network policies', () => {
  describe.each(Object.entries(cases))('%s', (_, { values, allowed }) => {
    const rendered = Rendered.of({ values });
    const neighbour = Rendered.of({ name: 'neighbour', values });
    const own = podsOf(rendered);
    const policies = rendered.ofKind<INetworkPolicy>('NetworkPolicy');
    const everyone = [...own, ...strangers(rendered), ...podsOf(neighbour, 'neighbour-')];
    const all = [...policies, ...neighbour.ofKind<INetworkPolicy>('NetworkPolicy')];

    it('allow the connections of the architecture, and no others', () => {
      const names = own.map(({ name }) => name);
      // DNS is allowed to any server of the cluster; none of our pods is a DNS server.
      const servers = [...addresses, 'node-metadata', 'node-metadata6'];
      const dns = (['TCP', 'UDP'] as const).map((way): Allowed => [names, servers, 53, way]);
      expect(calls(all, own, everyone)).toEqual(listed([...allowed, ...dns]));
    });

    const ofRelease = new Set<INetworkPolicy>(policies.filter(({ metadata }) => !isHook(metadata)));
    const beforeIt = (given: INetworkPolicy[]) => given.filter((one) => !ofRelease.has(one));
    /** Connections of the Job before the rest of the release exists: only hooks exist then. */
    const callsBefore = (given: INetworkPolicy[]) =>
      calls(given, own, everyone).filter(
        (call) =>
          call.startsWith('table ->') && !own.some(({ name }) => call.includes(`> ${name}:`)),
      );

    it('allow the table Job the same connections before and after the release is installed', () => {
      const job = rendered.pods.find(({ component }) => component === 'table')?.owner;
      if (job && isHook(job.metadata)) expect(callsBefore(beforeIt(all))).toEqual(callsBefore(all));
      else expect(beforeIt(policies)).toEqual([]);
    });

    it('are all necessary: each allows or denies a connection', () => {
      const told = (given: INetworkPolicy[]) =>
        JSON.stringify([calls(given, own, everyone), callsBefore(beforeIt(given))]);
      const before = told(all);
      const idle = policies.filter(
        (policy) => told(all.filter((one) => one !== policy)) === before,
      );
      expect(idle.map(({ metadata }) => metadata.name)).toEqual([]);
    });
  });

  it('allow every pod DNS at the ports of the values, and at no others', () => {
    const values = {
      ...everything,
      networkPolicy: { ...everything.networkPolicy, dnsPorts: [5353] },
    };
    const rendered = Rendered.of({ values });
    const policies = rendered.ofKind<INetworkPolicy>('NetworkPolicy');
    const own = podsOf(rendered);
    const [server] = strangers(rendered).filter(({ name }) => name === 'elsewhere');
    if (!server) throw new Error('there is nobody elsewhere');
    for (const from of own) {
      const asks = (port: number, protocol: 'TCP' | 'UDP') =>
        mayCall(policies, { from, to: server, port, protocol });
      expect([asks(5353, 'UDP'), asks(5353, 'TCP'), asks(53, 'UDP'), asks(53, 'TCP')]).toEqual([
        true,
        true,
        false,
        false,
      ]);
    }
  });

  it('are not rendered when they are disabled', () => {
    const rendered = Rendered.of({ values: { ...least, networkPolicy: { enabled: false } } });
    expect(rendered.ofKind('NetworkPolicy')).toEqual([]);
  });
});

function isHook({ annotations }: { annotations?: Record<string, string> }): boolean {
  return annotations?.['helm.sh/hook'] !== undefined;
}

/** The connections that policies allow, from and to each of our pods. */
function calls(policies: INetworkPolicy[], own: Endpoint[], everyone: Endpoint[]): string[] {
  const pairs = everyone.flatMap((from) =>
    everyone.filter((to) => own.includes(from) || own.includes(to)).map((to) => ({ from, to })),
  );
  const found = pairs.flatMap(({ from, to }) =>
    asked
      .filter((asked) => mayCall(policies, { from, to, ...asked }))
      .map(({ port, protocol }) => written(from.name, to.name, port, protocol)),
  );
  return [...new Set(found)].sort();
}

function listed(allowed: readonly Allowed[]): string[] {
  const lines = allowed.flatMap(([from, to, port, protocol]) =>
    from.flatMap((one) => to.map((other) => written(one, other, port, protocol))),
  );
  return [...new Set(lines)].sort();
}

function written(from: string, to: string, port: number, protocol = 'TCP'): string {
  return `${from} -> ${to}:${port} ${protocol}`;
}
