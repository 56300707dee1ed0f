/*
 * What the chart records (charts/engawa/templates/monitoring.yaml), since only its values know which components a release
 * has, and how many replicas of each.
 */

/** 1 for each component of a release that is switched on. */
export const wantedComponents = 'component:engawa:wanted';

/** Replicas that each component is to have: of kube-state-metrics where there is one, else of the values. */
export const wantedReplicas = 'component:engawa:wanted_replicas';
