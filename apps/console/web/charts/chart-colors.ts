/** In the order of series: 3:1 against the surface (WCAG 2.2, 1.4.11), apart in lightness where hues are close. */
const light = [
  '#0b62b8',
  '#c2410c',
  '#0f766e',
  '#7e22ce',
  '#a16207',
  '#be185d',
  '#4d7c0f',
  '#475569',
] as const;
const dark = [
  '#74b3f5',
  '#fb923c',
  '#4fd1c5',
  '#c4a1ff',
  '#facc15',
  '#f472b6',
  '#a3e635',
  '#cbd5e1',
] as const;

export function seriesColor(position: number, isDark: boolean): string {
  const palette = isDark ? dark : light;
  return palette[position % palette.length] ?? palette[0];
}

/** @param opacity 0 to 1 */
export function translucent(color: string, opacity: number): string {
  const alpha = Math.round(opacity * 255).toString(16);
  return color + alpha.padStart(2, '0');
}

/** A colour of the theme, for a canvas. */
export function themeColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
