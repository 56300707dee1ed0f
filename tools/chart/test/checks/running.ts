import { nameOf, services } from '../rendered.ts';
import type { PodTemplate, Rendered } from '../rendered.ts';

/** How the containers run: their environment, and the time that they have to end. */
export function runningProblems(rendered: Rendered): string[] {
  const ofEnvironment = rendered.pods.flatMap(({ owner, containers }) =>
    containers.flatMap(({ env = [] }) => {
      const names = env.map(({ name }) => name);
      const repeated = names.filter((name, index) => names.indexOf(name) !== index);
      // Kubernetes fills in what stands above, and leaves the rest as it is written.
      const unknown = env.flatMap(({ value = '' }, index) =>
        [...value.matchAll(/\$\((\w+)\)/g)]
          .map(([, name = '']) => name)
          .filter((name) => !names.slice(0, index).includes(name)),
      );
      return [
        ...repeated.map((name) => `${nameOf(owner)} has ${name} twice`),
        ...unknown.map((name) => `${nameOf(owner)} does not know ${name} yet`),
      ];
    }),
  );
  const running = rendered.pods.filter(({ component }) =>
    services.some((name) => name === component),
  );
  return [...ofEnvironment, ...running.flatMap((pod) => closingProblems(pod, rendered))];
}

/** What is in flight has to be done with before the kubelet kills, and what the kubelet runs before SIGTERM counts as well. */
function closingProblems({ owner, component, spec }: PodTemplate, rendered: Rendered): string[] {
  const [, sleep] = rendered.container(component).lifecycle?.preStop?.exec?.command ?? [];
  const left = ((spec.terminationGracePeriodSeconds ?? 30) - Number(sleep)) * 1000;
  const closing = Number(rendered.environment(component).get('SHUTDOWN_TIMEOUT_MS')?.value);
  const isEnough = closing > 0 && closing < left;
  return isEnough ? [] : [`${nameOf(owner)} has ${left} ms to close, and takes up to ${closing}`];
}
