import { BlockList, isIPv6 } from 'node:net';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer';
import type { INetworkPolicyPort } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPort';
import { selects } from '../selects.ts';

/** A pod, or an address outside of the cluster. */
export interface Endpoint {
  name: string;
  address: string;
  /** Of a pod alone. */
  pod?: { namespace: string; labels: Record<string, string>; ports?: Record<string, number> };
}

export interface Call {
  from: Endpoint;
  to: Endpoint;
  port: number;
  protocol: 'TCP' | 'UDP';
}

/**
 * Whether a connection is allowed, both by egress of its source and by ingress of its target. As in
 * Kubernetes (https://kubernetes.io/docs/concepts/services-networking/network-policies), a pod that
 * no policy selects in a direction is unrestricted; a selected one may use what any of its policies
 * lists. Address blocks match pods as well, as in the more permissive network plugins.
 */
export function mayCall(policies: readonly INetworkPolicy[], call: Call): boolean {
  return isLet(policies, call, 'Egress') && isLet(policies, call, 'Ingress');
}

function isLet(
  policies: readonly INetworkPolicy[],
  call: Call,
  direction: 'Ingress' | 'Egress',
): boolean {
  const [subject, other] = direction === 'Egress' ? [call.from, call.to] : [call.to, call.from];
  if (!subject.pod) return true;
  const ours = policies.filter(
    (policy) =>
      policy.spec?.policyTypes?.includes(direction) &&
      memoized(selected, policy, subject, () => isSelected(policy, subject)),
  );
  if (ours.length === 0) return true;
  return ours.some((policy) =>
    rulesOf(policy, direction).some(
      ({ ports, peers }) =>
        (ports.length === 0 || ports.some((port) => isPort(port, call))) &&
        (peers.length === 0 ||
          peers.some((peer) => memoized(met, peer, other, () => isPeer(peer, other, policy)))),
    ),
  );
}

function isSelected({ metadata, spec }: INetworkPolicy, { pod }: Endpoint): boolean {
  return metadata?.namespace === pod?.namespace && selects(spec?.podSelector, pod?.labels ?? {});
}

type Answers<About extends object> = WeakMap<About, WeakMap<Endpoint, boolean>>;

/** Endpoints that policies select, and peers: cached, since they are equal for every port and set of policies. */
const selected: Answers<INetworkPolicy> = new WeakMap();
const met: Answers<INetworkPolicyPeer> = new WeakMap();

function memoized<About extends object>(
  answers: Answers<About>,
  about: About,
  endpoint: Endpoint,
  answer: () => boolean,
): boolean {
  const known = answers.get(about) ?? new WeakMap<Endpoint, boolean>();
  if (!known.has(endpoint)) answers.set(about, known.set(endpoint, answer()));
  return known.get(endpoint) === true;
}

function rulesOf({ spec }: INetworkPolicy, direction: 'Ingress' | 'Egress') {
  return direction === 'Egress'
    ? (spec?.egress ?? []).map(({ ports = [], to = [] }) => ({ ports, peers: to }))
    : (spec?.ingress ?? []).map(({ ports = [], from = [] }) => ({ ports, peers: from }));
}

function isPort({ port, protocol = 'TCP', endPort }: INetworkPolicyPort, call: Call): boolean {
  if (protocol !== call.protocol) return false;
  if (port === undefined) return true;
  if (typeof port === 'string') return call.to.pod?.ports?.[port] === call.port;
  return call.port >= port && call.port <= (endPort ?? port);
}

function isPeer(
  peer: INetworkPolicyPeer,
  { address, pod }: Endpoint,
  { metadata }: INetworkPolicy,
): boolean {
  const { ipBlock, namespaceSelector, podSelector } = peer;
  if (ipBlock)
    return isIn(address, ipBlock.cidr) && !ipBlock.except?.some((cidr) => isIn(address, cidr));
  if (!pod) return false;
  // The label that Kubernetes gives each namespace.
  const namespace = { 'kubernetes.io/metadata.name': pod.namespace };
  const isNamespace = namespaceSelector
    ? selects(namespaceSelector, namespace)
    : pod.namespace === metadata?.namespace;
  return isNamespace && selects(podSelector ?? {}, pod.labels);
}

function isIn(address: string, cidr: string): boolean {
  const [network = '', bits] = cidr.split('/');
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  if (family !== (isIPv6(address) ? 'ipv6' : 'ipv4')) return false;
  const block = new BlockList();
  block.addSubnet(network, Number(bits), family);
  return block.check(address, family);
}
