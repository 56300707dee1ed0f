import { HeatGrid } from './heat-grid.ts';
import { cellAt, geometryOf, ticksOf, xOf, yOf } from './map-geometry.ts';
import { moveCell } from './move-cell.ts';

const window = { first: 1000, columns: 600 };

describe('geometryOf', () => {
  it('has the hottest rows tall where not all fit, and every row at least a pixel', () => {
    const few = geometryOf(window, { width: 600, rows: 20, isByLoad: true });
    expect([few.tall, few.height]).toEqual([20, 400]);
    const many = geometryOf(window, { width: 600, rows: 1500, isByLoad: true });
    expect([many.tall, many.lowHeight, many.height]).toEqual([14, 1, 14 * 20 + 6 + 1486]);
    expect(geometryOf(window, { width: 600, rows: 1500, isByLoad: false }).tall).toBe(0);
  });

  it.each([
    [20, 1200],
    [100, 600],
    [1500, 250],
  ])('finds each of %d rows and its column in %d pixels', (rows, width) => {
    const geometry = geometryOf(window, { width, rows, isByLoad: true });
    for (let row = 0; row < rows; row += 1) {
      const column = window.first + ((row * 7) % window.columns);
      const found = cellAt(xOf(column, geometry) + 0.01, yOf(row, geometry) + 0.5, geometry);
      expect(found?.row).toBe(row);
      expect(Math.floor((found?.column ?? 0) / geometry.pool)).toBe(
        Math.floor(column / geometry.pool),
      );
    }
    expect(cellAt(5, geometry.height, geometry)).toBeUndefined();
    expect(cellAt(width, 5, geometry)).toBeUndefined();
  });
});

it('has a tick at whole minutes and hours', () => {
  const grid = new HeatGrid('second');
  grid.end = Date.parse('2026-11-20T09:10:30Z') / 1000;
  const shown = { first: grid.first, columns: grid.columns };
  const geometry = geometryOf(shown, { width: 600, rows: 1, isByLoad: true });
  const ticks = ticksOf(grid, geometry, 60).map((time) => time.toISOString());
  expect(ticks).toHaveLength(10);
  expect(ticks[0]).toBe('2026-11-20T09:01:00.000Z');
  expect(ticksOf(grid, geometry, 61)).toHaveLength(5);
});

it('moves the cursor by keys within the map', () => {
  const size = { rows: 3, first: 100, columns: 50, pool: 2 };
  expect(moveCell(undefined, 'ArrowDown', size)).toEqual({ row: 0, column: 149 });
  expect(moveCell({ row: 2, column: 149 }, 'ArrowDown', size)).toEqual({ row: 2, column: 149 });
  expect(moveCell({ row: 1, column: 149 }, 'ArrowLeft', size)).toEqual({ row: 1, column: 147 });
  expect(moveCell({ row: 1, column: 120 }, 'Home', size)).toEqual({ row: 1, column: 100 });
  expect(moveCell({ row: 1, column: 120 }, 'x', size)).toBeUndefined();
});
