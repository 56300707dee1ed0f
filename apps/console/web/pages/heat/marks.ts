import type { HeatGrid } from './heat-grid.ts';
import type { HeatRow } from './heat-row.ts';
import type { Cell, MapGeometry } from './map-geometry.ts';

export interface MarkColours {
  /** Lines, and the halo that separates them from any colour of the palette. */
  line: string;
  halo: string;
  accent: string;
}

/** The colours of the theme that the style sheets give the element. */
export function markColours(element: Element): MarkColours {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return { line: colour('--text'), halo: colour('--surface'), accent: colour('--accent') };
}

export interface Marks {
  grid: HeatGrid;
  rows: readonly HeatRow[];
  geometry: MapGeometry;
  colours: MarkColours;
  cursor: Cell | undefined;
  selected: number;
}
