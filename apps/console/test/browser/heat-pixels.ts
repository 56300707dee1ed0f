/** Expressions of the page, whose types this project does not have: what is drawn on the canvases of the Heat page. */

const pixelsOf = `const pixelsOf = (canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return { width: canvas.width, height: canvas.height, pixels: new Uint32Array(data.buffer) };
};
const text = getComputedStyle(document.documentElement).getPropertyValue('--text').trim();
const [red, green, blue] = [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
const line = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
const marks = () => pixelsOf(document.querySelector('canvas.heat-marks'));
const topOf = (key) => {
  const name = [...document.querySelectorAll('.heat-name')]
    .find((one) => one.querySelector('.heat-key').textContent === key);
  return name === undefined ? undefined : parseFloat(name.style.top);
};`;

const evaluated = (body: string): string => `(() => { ${pixelsOf} ${body} })()`;
const rowHeight = 20;

/** A place of the key's row within stripes, whose outline has two pixels of the line's colour in each column. */
export function throttledColumn(key: string): string {
  return evaluated(`
    const top = topOf(${JSON.stringify(key)});
    if (top === undefined) throw new Error('no such row');
    const { width, pixels } = marks();
    const isOutlined = (x) => pixels[top * width + x] === line && pixels[(top + ${rowHeight - 1}) * width + x] === line;
    for (let x = width - 3; x >= 2; x -= 1) {
      if ([-2, -1, 0, 1, 2].every((offset) => isOutlined(x + offset))) return { x, y: top + ${rowHeight / 2} };
    }
    throw new Error('no mark in the row');`);
}

/** The column with most pixels of a mark: a line from top to bottom. */
export const mostMarkedColumn = evaluated(`
    const { width, height, pixels } = marks();
    const counts = new Uint32Array(width);
    for (let at = 0; at < pixels.length; at += 1) if (pixels[at] === line) counts[at % width] += 1;
    const most = Math.max(...counts);
    if (most < height / 3) throw new Error('no line from top to bottom');
    return { x: counts.indexOf(most), y: 10 };`);

/** Pixels of low rows with the colour of marks. */
export const lowMarks = evaluated(`
    const canvas = document.querySelectorAll('canvas.heat-picture')[1];
    if (canvas === undefined) return 0;
    return pixelsOf(canvas).pixels.filter((pixel) => pixel === line).length;`);

/** Sets `drawnAt` to a promise of the time of the first frame with a row of the key. */
export function waitsForNames(key: string): string {
  return evaluated(`
    globalThis.drawnAt = new Promise((resolve) => {
      const look = () => {
        if (topOf(${JSON.stringify(key)}) === undefined) requestAnimationFrame(look);
        else resolve(Date.now());
      };
      look();
    });
    return undefined;`);
}

/** Whether the row of the key has a colour in one of its last columns. */
export function newestCellIsDrawn(key: string): string {
  return evaluated(`
    const { width, pixels } = pixelsOf(document.querySelector('canvas.heat-picture'));
    const row = topOf(${JSON.stringify(key)}) / ${rowHeight};
    return pixels.subarray((row + 1) * width - 10, (row + 1) * width).some((pixel) => pixel !== 0);`);
}
