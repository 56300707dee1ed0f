import { loadSettings } from '@engawa/service';
import {
  components,
  foreignVariables,
  modules,
  settingNames,
  tasks,
} from '../component-settings.ts';
import type { Component } from '../component-settings.ts';
import type { Rendered } from '../rendered.ts';

/** A value of a Secret, long enough for every key. */
export const secretValue = (name: string): string =>
  name === 'SEARCH_URL' ? 'https://user:password@search.example' : 'x'.repeat(48);

/**
 * Checks that each component knows every given variable and accepts its value.
 * @param extra variables that the values add (`extraEnv`)
 */
export function environmentProblems(rendered: Rendered, extra: readonly string[] = []): string[] {
  return components
    .filter((component) => rendered.has(component))
    .flatMap((component) => {
      const known = [...settingNames(component), ...foreignVariables, ...extra];
      const given = rendered.processEnvironment(component, secretValue);
      const unknown = Object.keys(given).filter((name) => !known.includes(name));
      return [
        ...unknown.map((name) => `does not know ${name}`),
        ...refusedValues(component, given),
        ...(tasks.includes(component) ? [] : addressProblems(component, rendered, given)),
      ].map((problem) => `${component} ${problem}`);
    });
}

function refusedValues(component: Component, given: Record<string, string>): string[] {
  try {
    loadSettings(modules[component].settings, given);
    return [];
  } catch (error) {
    return [`does not take this: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** A pod is reached at its address, on the ports that it names. */
function addressProblems(
  component: Component,
  rendered: Rendered,
  given: Record<string, string>,
): string[] {
  const ports = rendered.pod(component).containers.flatMap((container) => container.ports ?? []);
  const portNamed = (name: string) =>
    String(ports.find((port) => port.name === name)?.containerPort);
  return [
    ...(given['HOST'] === '0.0.0.0' ? [] : [`listens on ${given['HOST'] ?? 'nothing'}`]),
    ...(given['PORT'] === portNamed('http') ? [] : ['has not its API on the port http']),
    ...(given['METRICS_PORT'] === portNamed('metrics') ? [] : ['has no metrics on their port']),
  ];
}
