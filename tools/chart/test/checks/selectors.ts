import type { ILabelSelector } from '@kubernetes-models/apimachinery/apis/meta/v1/LabelSelector';
import type { IServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IService } from 'kubernetes-models/v1/Service';
import { componentOf, nameOf, servers } from '../rendered.ts';
import type { PodTemplate, Rendered } from '../rendered.ts';
import { selects } from '../selects.ts';

/**
 * Checks that each selector selects its own pods only.
 * @param neighbours other pods in the same namespace
 */
export function selectorProblems(rendered: Rendered, neighbours?: Rendered): string[] {
  const pods = [...rendered.pods, ...(neighbours?.pods ?? [])];
  /** A selector must select exactly these pods. */
  const takes = (who: string, selector: ILabelSelector | undefined, meant: PodTemplate[]) => {
    const taken = pods.filter(({ labels }) => selects(selector, labels));
    const isMeant = taken.length === meant.length && taken.every((pod) => meant.includes(pod));
    return isMeant ? [] : [`${who} selects the pods of ${listOf(taken)}, not of ${listOf(meant)}`];
  };
  const ofComponent = (component: string) =>
    rendered.pods.filter((pod) => pod.component === component);

  const workloads = rendered
    .ofKind<IDeployment | IStatefulSet>('Deployment', 'StatefulSet')
    .flatMap((owner) => {
      const own = rendered.pods.filter((pod) => pod.owner === owner);
      const ofSame = ofComponent(componentOf(owner));
      const spreads = own[0]?.spec.topologySpreadConstraints ?? [];
      // A StatefulSet's selector cannot be changed; it leaves pods that have an owner alone (ADR 0064).
      const meant = owner.kind === 'StatefulSet' ? ofSame : own;
      return [
        ...takes(nameOf(owner), owner.spec?.selector, meant),
        ...spreads.flatMap(({ labelSelector }) =>
          takes(`the spread of ${nameOf(owner)}`, labelSelector, ofSame),
        ),
      ];
    });
  const others = rendered
    .ofKind<IService>('Service')
    .flatMap((service) =>
      takes(
        nameOf(service),
        { matchLabels: service.spec?.selector ?? {} },
        ofComponent(componentOf(service)),
      ),
    );
  const budgets = rendered
    .ofKind<IPodDisruptionBudget>('PodDisruptionBudget')
    .flatMap((budget) =>
      takes(nameOf(budget), budget.spec?.selector, ofComponent(componentOf(budget))),
    );
  return [
    ...workloads,
    ...others,
    ...budgets,
    ...policyProblems(rendered, neighbours),
    ...monitorProblems(rendered, neighbours),
  ];
}

/** A policy is for pods of its own release, and for some. */
function policyProblems(rendered: Rendered, neighbours: Rendered | undefined): string[] {
  return rendered.ofKind<INetworkPolicy>('NetworkPolicy').flatMap((policy) => {
    const taken = (pods: readonly PodTemplate[] = []) =>
      pods.filter(({ labels }) => selects(policy.spec?.podSelector, labels));
    return [
      ...(taken(rendered.pods).length > 0 ? [] : [`${nameOf(policy)} selects nothing`]),
      ...taken(neighbours?.pods).map((pod) => `${nameOf(policy)} selects ${listOf([pod])}`),
    ];
  });
}

/** Each replica is scraped once: through the Service of its component, not through the headless one as well. */
function monitorProblems(rendered: Rendered, neighbours: Rendered | undefined): string[] {
  const all = [rendered, neighbours].flatMap((one) => one?.ofKind<IService>('Service') ?? []);
  return rendered.ofKind<IServiceMonitor>('ServiceMonitor').flatMap((monitor) => {
    const taken = all.filter(({ metadata }) =>
      selects(monitor.spec.selector, metadata.labels ?? {}),
    );
    const meant = rendered
      .ofKind<IService>('Service')
      .filter(
        (service) =>
          service.spec?.clusterIP !== 'None' &&
          servers.some((name) => name === componentOf(service)),
      );
    const ports = monitor.spec.endpoints.map(({ port }) => port);
    const lack = taken.filter(({ spec }) =>
      ports.some((name) => !spec?.ports?.some((port) => port.name === name)),
    );
    const isMeant = taken.length === meant.length && taken.every((one) => meant.includes(one));
    return [
      ...(isMeant ? [] : [`${nameOf(monitor)} selects ${taken.map(nameOf).join(', ')}`]),
      ...lack.map((service) => `${nameOf(service)} has not the port that ${nameOf(monitor)} asks`),
    ];
  });
}

function listOf(pods: readonly PodTemplate[]): string {
  return pods.map(({ owner }) => nameOf(owner)).join(', ') || 'nobody';
}
