import { pixelColumns } from './draw-cells.ts';
import { markCells, pixelOf } from './mark-cells.ts';

/** `#` for each marked pixel of a row with these throttled cells. */
function mark(cells: number[], { first = 0, columns = 12, pool = 1, length = 12 } = {}): string {
  const pixels = new Uint32Array(pixelColumns({ first, columns, pool }));
  markCells(pixels, { rows: [cells], length, first, columns, pool }, 1);
  return [...pixels].map((pixel) => (pixel === 1 ? '#' : '.')).join('');
}

describe('markCells', () => {
  it('marks every other pixel of a run, from its first one on', () => {
    expect(mark([1, 4, 5, 6, 8, 9])).toBe('.#..#.#.#...');
  });

  it('marks around the end of the ring', () => {
    // Column 20 is cell 8, column 24 is cell 0.
    expect(mark([0, 1, 11], { first: 20, columns: 8 })).toBe('...#.#..');
  });

  it('leaves out what is before and after the window', () => {
    expect(mark([2, 3, 9], { first: 3, columns: 4 })).toBe('#...');
  });

  it('marks the pixel of pooled columns once', () => {
    expect(mark([0, 1, 2, 7, 10, 11], { pool: 3 })).toBe('#.#.');
    expect(mark([4, 5, 11], { pool: 4, first: 3, columns: 9 })).toBe('.#.');
  });
});

describe('pixelOf', () => {
  it('has its bytes in the order of ImageData', () => {
    expect([...new Uint8Array(Uint32Array.of(pixelOf('#18202b')).buffer)]).toEqual([
      0x18, 0x20, 0x2b, 255,
    ]);
  });
});
