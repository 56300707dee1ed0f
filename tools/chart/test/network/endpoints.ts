import type { Rendered } from '../rendered.ts';
import { places } from '../values.ts';
import type { Endpoint } from './may-call.ts';

const pod = (name: string, namespace: string, labels: Record<string, string>): Endpoint => ({
  name,
  address: '10.200.0.1',
  pod: { namespace, labels },
});

/** The pods of a release, by component. */
export function podsOf({ pods, namespace }: Rendered, prefix = ''): Endpoint[] {
  return pods.map(({ component, labels }) => pod(prefix + component, namespace, labels));
}

/** Other pods and addresses around a release in the namespace `home`. */
export function strangers(rendered: Rendered): Endpoint[] {
  const twin = rendered.pod('test').labels;
  return [
    pod('web', 'home', { app: 'web' }),
    pod('batch', 'home', { app: 'batch' }),
    pod('prometheus-at-home', 'home', { app: 'prometheus' }),
    pod('prometheus', 'monitoring', { app: 'prometheus' }),
    pod('elsewhere', 'elsewhere', { app: 'web' }),
    pod('twin-elsewhere', 'elsewhere', twin),
    { name: 'internet', address: '203.0.113.7' },
    { name: 'internet6', address: '2001:db8::7' },
    { name: 'table-server', address: within(places.table) },
    { name: 'broker-server', address: within(places.broker) },
    { name: 'other-server', address: within(places.others) },
    // Hand out the roles of nodes and of pods:
    // https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html
    { name: 'node-metadata', address: '169.254.169.254' },
    { name: 'node-metadata6', address: 'fd00:ec2::254' },
    { name: 'pod-identity', address: '169.254.170.23' },
    { name: 'pod-identity6', address: 'fd00:ec2::23' },
  ];
}

const within = (cidr: string): string => cidr.replace('.0.0/16', '.1.2');
