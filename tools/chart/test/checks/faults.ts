import { givenSecrets } from '../given-secrets.ts';
import { everything } from '../values.ts';
import type { Rendered } from '../rendered.ts';
import { environmentProblems } from './environment.ts';
import { nameProblems } from './names.ts';
import { podSecurityProblems } from './pod-security.ts';
import { referenceProblems } from './references.ts';
import { runningProblems } from './running.ts';
import { secretProblems } from './secrets.ts';
import { selectorProblems } from './selectors.ts';

export type Path = readonly (string | number)[];
type Check = (rendered: Rendered) => string[];

const references: Check = (rendered) => referenceProblems(rendered, givenSecrets(everything));
const pod = ['spec', 'template', 'spec'];
const container = [...pod, 'containers', 0];
const security = [...container, 'securityContext'];
const component = 'app.kubernetes.io/component';

/** The changed field, its value, and the expected message. */
type DefectCase = [object: string, path: Path, value: unknown, problem: string];

/** Defects that each check must find. */
export const faults: readonly [name: string, check: Check, faults: readonly DefectCase[]][] = [
  [
    'names',
    nameProblems,
    [
      ['Service engawa-query', ['metadata', 'name'], 'Query', 'Service Query has a name that'],
      ['Service engawa-query', ['metadata', 'name'], 'engawa-registry', 'is there twice'],
      ['Secret engawa-cursors', ['metadata', 'namespace'], 'default', 'is in namespace default'],
      ['CronJob engawa-rollup', ['metadata', 'name'], 'a'.repeat(53), 'has too long a name'],
      [
        'Deployment engawa-query',
        ['spec', 'template', 'metadata', 'labels', 'a'],
        'b c',
        'label a',
      ],
      ['Deployment engawa-query', [...container, 'ports', 0, 'name'], '8080', 'has a port 8080'],
    ],
  ],
  [
    'selectors',
    selectorProblems,
    [
      [
        'Deployment engawa-query',
        ['spec', 'selector', 'matchLabels', component],
        'catalog',
        'engawa-query selects',
      ],
      ['Service engawa-query', ['spec', 'selector'], {}, 'Service engawa-query selects'],
      [
        'PodDisruptionBudget engawa-query',
        ['spec', 'selector'],
        {},
        'PodDisruptionBudget engawa-query',
      ],
      [
        'NetworkPolicy engawa-deny',
        ['spec', 'podSelector', 'matchLabels', 'a'],
        'b',
        'selects nothing',
      ],
      [
        'Service engawa-query-headless',
        ['metadata', 'labels', 'engawa/scrape'],
        'true',
        'ServiceMonitor',
      ],
      ['ServiceMonitor engawa', ['spec', 'endpoints', 0, 'port'], 'http2', 'has not the port'],
      [
        'StatefulSet engawa-ingestion',
        [...pod, 'topologySpreadConstraints', 0, 'labelSelector'],
        {},
        'the spread of',
      ],
    ],
  ],
  [
    'references',
    references,
    [
      ['ServiceAccount engawa-table', ['metadata', 'annotations'], {}, 'account before it'],
      ['Service engawa-query', ['spec', 'ports', 0, 'targetPort'], 'web', 'leads to no port web'],
      [
        'HorizontalPodAutoscaler engawa-ingestion',
        ['spec', 'scaleTargetRef', 'kind'],
        'Deployment',
        'no target',
      ],
      ['Deployment engawa-query', ['spec', 'replicas'], 3, 'shares its replicas'],
      [
        'StatefulSet engawa-ingestion',
        ['spec', 'serviceName'],
        'engawa-ingestion',
        'no headless Service',
      ],
      [
        'Deployment engawa-query',
        [...container, 'livenessProbe', 'httpGet', 'path'],
        '/health',
        'probe',
      ],
      [
        'Deployment engawa-query',
        [...container, 'livenessProbe', 'httpGet', 'port'],
        'http',
        'probe',
      ],
      [
        'Deployment engawa-query',
        [...container, 'envFrom', 1, 'configMapRef', 'name'],
        'x',
        'ConfigMap x',
      ],
      [
        'Deployment engawa-query',
        [...container, 'env', 0, 'valueFrom', 'secretKeyRef', 'name'],
        'x',
        'Secret of',
      ],
      ['Deployment engawa-query', [...pod, 'serviceAccountName'], 'x', 'service account x'],
      [
        'StatefulSet engawa-ingestion',
        [...pod, 'volumes', 0, 'secret', 'secretName'],
        'x',
        'volume mqtt',
      ],
      ['StatefulSet engawa-ingestion', [...container, 'volumeMounts', 0, 'name'], 'x', 'volume x'],
    ],
  ],
  [
    'pod security',
    podSecurityProblems,
    [
      ['Deployment engawa-query', [...pod, 'hostNetwork'], true, 'hostNetwork'],
      [
        'Deployment engawa-query',
        [...pod, 'securityContext', 'runAsNonRoot'],
        false,
        'may be root',
      ],
      ['Deployment engawa-query', [...security, 'runAsUser'], 0, 'may be root'],
      [
        'Deployment engawa-query',
        [...pod, 'securityContext', 'seccompProfile', 'type'],
        'Unconfined',
        'seccomp',
      ],
      [
        'Deployment engawa-query',
        [...security, 'allowPrivilegeEscalation'],
        undefined,
        'gain privileges',
      ],
      ['Deployment engawa-query', [...security, 'capabilities', 'drop'], [], 'keeps capabilities'],
      [
        'Deployment engawa-query',
        [...security, 'capabilities', 'add'],
        ['SYS_ADMIN'],
        'keeps capabilities',
      ],
      ['Deployment engawa-query', [...security, 'readOnlyRootFilesystem'], false, 'file system'],
      [
        'StatefulSet engawa-ingestion',
        [...pod, 'volumes', 0],
        { name: 'mqtt', hostPath: {} },
        'volume',
      ],
      [
        'CronJob engawa-rollup',
        ['spec', 'jobTemplate', ...container, 'resources', 'limits'],
        {},
        'no limit',
      ],
      ['Pod engawa-test', ['spec', 'automountServiceAccountToken'], true, 'a token'],
    ],
  ],
  [
    'running',
    runningProblems,
    [
      [
        'Deployment engawa-query',
        [...container, 'env', 0, 'name'],
        'NODE_OPTIONS',
        'NODE_OPTIONS twice',
      ],
      [
        'StatefulSet engawa-ingestion',
        [...container, 'env', 0],
        { name: 'A', value: '$(POD_NAME)' },
        'does not know POD_NAME yet',
      ],
      [
        'Deployment engawa-query',
        [...pod, 'terminationGracePeriodSeconds'],
        20,
        'has 20000 ms to end',
      ],
    ],
  ],
  [
    'settings',
    (rendered) => environmentProblems(rendered, ['TZ']),
    [
      ['ConfigMap engawa-query', ['data', 'PORTS'], '1', 'query does not know PORTS'],
      ['ConfigMap engawa-query', ['data', 'LOG_LEVEL'], 'loud', 'LOG_LEVEL is "loud"'],
      ['ConfigMap engawa-query', ['data', 'HOST'], '127.0.0.1', 'listens on 127.0.0.1'],
      ['ConfigMap engawa-query', ['data', 'PORT'], '80', 'has not its API on the port http'],
      ['ConfigMap engawa-ingestion', ['data', 'MQTT_GROUP'], 'a/b', 'MQTT_GROUP'],
    ],
  ],
  [
    'secrets',
    secretProblems,
    [
      ['ConfigMap engawa-catalog', ['data', 'SEARCH_URL'], 'http://x', 'SEARCH_URL in the open'],
      [
        'Deployment engawa-query',
        [...container, 'env', 0],
        { name: 'CURSOR_SECRET', value: 'x' },
        'engawa-query has CURSOR_SECRET in the open',
      ],
      ['Secret engawa-cursors', ['data', 'KEY'], 'aHR0cA==', 'tells a secret'],
    ],
  ],
];
