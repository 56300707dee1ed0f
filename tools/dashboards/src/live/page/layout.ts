/** All in pixels; `lineHeight` is one row of Grafana's grid. */
export const pageWidth = 1600;
export const lineHeight = 38;
export const panelGap = 8;
export const columnWidth = (pageWidth - panelGap) / 24;
