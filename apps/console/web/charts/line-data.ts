import { joinPoints, maxStepOf } from './join-points.ts';
import { reducePoints } from './reduce-points.ts';
import { Slices } from './slices.ts';
import type { Column } from './join-points.ts';
import type { Points } from './points.ts';
import type { PixelGrid } from './reduce-points.ts';

/** A gap narrower than this many pixels could not be seen. */
const minGapColumns = 3;

/** The data of a line chart: any number of points, reduced to what its pixels can show. */
export async function lineData(
  series: readonly Points[],
  grid: PixelGrid,
  signal?: AbortSignal,
): Promise<{ times: number[]; columns: Column[] }> {
  const slices = new Slices({ signal });
  const columnMs = (grid.to - grid.from) / grid.columns;
  const reduced = [];
  for (const points of series) {
    const maxStepMs = maxStepOf(points, columnMs * minGapColumns);
    reduced.push({ points: await reducePoints(points, grid, slices), maxStepMs });
  }
  return joinPoints(reduced);
}
