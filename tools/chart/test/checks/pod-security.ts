import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import { nameOf } from '../rendered.ts';
import type { PodTemplate, Rendered } from '../rendered.ts';

/**
 * https://kubernetes.io/docs/concepts/security/pod-security-standards: the restricted profile, and
 * the baseline below it.
 */
const safeVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

type Rule<Subject> = readonly [what: string, holds: (subject: Subject, pod: IPodSpec) => boolean];

const podRules: readonly Rule<IPodSpec>[] = [
  ['hostNetwork', ({ hostNetwork }) => hostNetwork !== true],
  ['hostPID', ({ hostPID }) => hostPID !== true],
  ['hostIPC', ({ hostIPC }) => hostIPC !== true],
  ['runs as root', ({ securityContext }) => securityContext?.runAsUser !== 0],
  ['sysctls', ({ securityContext }) => (securityContext?.sysctls ?? []).length === 0],
  ['SELinux options', ({ securityContext }) => securityContext?.seLinuxOptions === undefined],
  ['an AppArmor profile', ({ securityContext }) => securityContext?.appArmorProfile === undefined],
  ['Windows host process', ({ securityContext }) => securityContext?.windowsOptions === undefined],
  [
    'a kind of volume that is not safe',
    ({ volumes = [] }) =>
      volumes.every((volume) =>
        Object.keys(volume).every((key) => key === 'name' || safeVolumes.includes(key)),
      ),
  ],
];

const containerRules: readonly Rule<IContainer>[] = [
  [
    'may be root',
    ({ securityContext }, pod) =>
      (securityContext?.runAsNonRoot ?? pod.securityContext?.runAsNonRoot) === true &&
      securityContext?.runAsUser !== 0,
  ],
  [
    'no seccomp profile',
    ({ securityContext }, pod) => {
      const { type } = securityContext?.seccompProfile ?? pod.securityContext?.seccompProfile ?? {};
      return type === 'RuntimeDefault' || type === 'Localhost';
    },
  ],
  ['privileged', ({ securityContext }) => securityContext?.privileged !== true],
  [
    'may gain privileges',
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation === false,
  ],
  [
    'keeps capabilities',
    ({ securityContext: { capabilities } = {} }) =>
      capabilities?.drop?.includes('ALL') === true &&
      (capabilities.add ?? []).every((name) => name === 'NET_BIND_SERVICE'),
  ],
  [
    'its own /proc',
    ({ securityContext }) => (securityContext?.procMount ?? 'Default') === 'Default',
  ],
  ['SELinux options', ({ securityContext }) => securityContext?.seLinuxOptions === undefined],
  ['an AppArmor profile', ({ securityContext }) => securityContext?.appArmorProfile === undefined],
  ['Windows host process', ({ securityContext }) => securityContext?.windowsOptions === undefined],
  ['a port of the host', ({ ports = [] }) => ports.every(({ hostPort }) => hostPort === undefined)],
  [
    'a probe or hook of another host',
    ({ livenessProbe, readinessProbe, startupProbe, lifecycle }) =>
      [livenessProbe, readinessProbe, startupProbe, lifecycle?.preStop, lifecycle?.postStart].every(
        (one) => one?.httpGet?.host === undefined && one?.tcpSocket?.host === undefined,
      ),
  ],
  // Our own rules beyond the standard.
  [
    'may write its file system',
    ({ securityContext }) => securityContext?.readOnlyRootFilesystem === true,
  ],
  [
    'no requests',
    ({ resources }) => ['cpu', 'memory'].every((name) => name in (resources?.requests ?? {})),
  ],
  ['no limit of memory', ({ resources }) => 'memory' in (resources?.limits ?? {})],
];

const ownRules: readonly Rule<IPodSpec>[] = [
  ['a token of the API server', (pod) => pod.automountServiceAccountToken === false],
  ['links to all Services', (pod) => pod.enableServiceLinks === false],
];

export function podSecurityProblems({ pods }: Rendered): string[] {
  return pods.flatMap((pod) => [
    ...brokenBy(pod, pod.spec, [...podRules, ...ownRules]),
    ...pod.containers.flatMap((container) => brokenBy(pod, container, containerRules)),
  ]);
}

function brokenBy<Subject>(
  pod: PodTemplate,
  subject: Subject,
  rules: readonly Rule<Subject>[],
): string[] {
  return rules
    .filter(([, holds]) => !holds(subject, pod.spec))
    .map(([what]) => `pods of ${nameOf(pod.owner)}: ${what}`);
}
