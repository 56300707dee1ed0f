/*
 * Recorded by the chart (charts/engawa/templates/monitoring.yaml): its values define the components of a release and
 * their replicas.
 */

/** 1 for each enabled component of a release. */
export const wantedComponents = 'component:engawa:wanted';

/** Desired replicas of each component: from kube-state-metrics if available, else from the values. */
export const wantedReplicas = 'component:engawa:wanted_replicas';
