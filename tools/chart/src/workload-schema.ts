import {
  anything,
  defined,
  flag,
  object,
  objects,
  orNull,
  text,
  texts,
  whole,
} from './schema-parts.ts';
import type { Schema } from './setting-schema.ts';

export const autoscaling: Record<string, Schema> = {
  enabled: flag,
  minReplicas: whole(1),
  maxReplicas: whole(1),
  cpuPercent: whole(0, 1000),
  metrics: objects,
  behavior: anything,
  keda: object({ enabled: flag, triggers: objects, spec: anything, annotations: texts }),
};

const named: Schema = { type: 'array', items: { ...anything, required: ['name'] } };
/** Texts of which null takes one away. */
const textsOrNull: Schema = { type: ['object', 'null'], additionalProperties: orNull(text) };

/** What the pods of every workload take. */
export function taskValues(): Record<string, Schema> {
  return {
    resources: defined('resources'),
    extraEnv: orNull(named),
    envFrom: orNull(objects),
    extraVolumes: orNull(named),
    extraVolumeMounts: {
      type: ['array', 'null'],
      items: { ...anything, required: ['name', 'mountPath'] },
    },
    initContainers: orNull(named),
    extraContainers: orNull(named),
    podLabels: textsOrNull,
    podAnnotations: textsOrNull,
    annotations: textsOrNull,
    podSecurityContext: orNull(anything),
    securityContext: orNull(anything),
    nodeSelector: textsOrNull,
    tolerations: orNull(objects),
    affinity: orNull(anything),
    priorityClassName: orNull(text),
    terminationGracePeriodSeconds: whole(10),
  };
}

/** What workloads with replicas take: the services. */
export function replicaValues(): Record<string, Schema> {
  return {
    ...taskValues(),
    replicas: orNull(whole(0)),
    autoscaling: defined('autoscaling'),
    nodeOptions: text,
    topologySpreadConstraints: orNull(objects),
    startupProbe: orNull(anything),
    livenessProbe: orNull(anything),
    readinessProbe: orNull(anything),
    lifecycle: orNull(anything),
    drainSeconds: whole(0),
    podDisruptionBudget: object({
      enabled: flag,
      minAvailable: defined('replicasOrPercent'),
      maxUnavailable: defined('replicasOrPercent'),
      unhealthyPodEvictionPolicy: { enum: ['', 'AlwaysAllow', 'IfHealthyBudget'] },
    }),
    serviceAccount: defined('serviceAccount'),
    service: object({ annotations: texts }),
  };
}

export function workloadDefinitions(): Record<string, Schema> {
  return {
    autoscaling: object(autoscaling),
    replicasOrPercent: { type: ['integer', 'string'], minimum: 0, pattern: '^([0-9]+%)?$' },
    resources: object({ requests: orNull(anything), limits: orNull(anything), claims: objects }),
    serviceAccount: object({ create: flag, name: text, annotations: texts }),
  };
}
