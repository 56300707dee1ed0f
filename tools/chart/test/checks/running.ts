import { nameOf, servers } from '../rendered.ts';
import type { PodTemplate, Rendered } from '../rendered.ts';

/** How the containers run: their environment, and the time that they have to end. */
export function runningProblems(rendered: Rendered): string[] {
  const ofEnvironment = rendered.pods.flatMap(({ owner, containers }) =>
    containers.flatMap(({ env = [] }) => {
      const names = env.map(({ name }) => name);
      const repeated = names.filter((name, index) => names.indexOf(name) !== index);
      // Kubernetes expands variables defined earlier, and leaves other references unchanged.
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
    servers.some((name) => name === component),
  );
  return [...ofEnvironment, ...running.flatMap((pod) => closingProblems(pod, rendered))];
}

/** Draining and then closing end before the kubelet kills. */
function closingProblems({ owner, component, spec }: PodTemplate, rendered: Rendered): string[] {
  const environment = rendered.environment(component);
  const left = (spec.terminationGracePeriodSeconds ?? 30) * 1000;
  const closing = Number(environment.get('SHUTDOWN_TIMEOUT_MS')?.value);
  const drain = Number(environment.get('SHUTDOWN_DRAIN_MS')?.value);
  const isEnough = drain > 0 && closing > 0 && drain + closing < left;
  const has = `${nameOf(owner)} has ${left} ms to end`;
  return isEnough ? [] : [`${has}, drains for ${drain} and then closes within ${closing}`];
}
