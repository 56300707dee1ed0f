/**
 * 1 for each component of a release that is switched on. The chart records it (charts/engawa/templates/monitoring.yaml): only
 * its values know.
 */
export const wantedComponents = 'component:engawa:wanted';
