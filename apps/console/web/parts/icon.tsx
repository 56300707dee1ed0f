/** Outlines on a grid of 20 × 20. */
const paths = {
  house: 'M3 9.5 10 4l7 5.5M5 8.5V16h10V8.5M8.5 16v-4h3v4',
  chart: 'M3 3v14h14M6 13l3-4 3 2 4-6',
  heat: 'M3.5 3.5h3.6v3.6H3.5zM8.2 3.5h3.6v3.6H8.2zM12.9 3.5h3.6v3.6h-3.6zM3.5 8.2h3.6v3.6H3.5zM8.2 8.2h3.6v3.6H8.2zM12.9 8.2h3.6v3.6h-3.6zM3.5 12.9h3.6v3.6H3.5zM8.2 12.9h3.6v3.6H8.2z',
  table: 'M3 4h14v12H3zM3 8h14M3 12h14M8 8v8',
  letter: 'M3 5h14v10H3zM3 5.5l7 5.5 7-5.5',
  pulse: 'M2 10h4l2-5 4 10 2-5h4',
  search: 'M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM13 13l4 4',
  close: 'M5 5l10 10M15 5 5 15',
  down: 'M5 8l5 5 5-5',
  right: 'M8 5l5 5-5 5',
  sun: 'M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.3l1.4 1.4M14.3 14.3l1.4 1.4M15.7 4.3l-1.4 1.4M5.7 14.3l-1.4 1.4',
  moon: 'M16 11.5A6.5 6.5 0 1 1 8.5 4a5 5 0 0 0 7.5 7.5z',
  system: 'M3 4h14v9H3zM7 16h6M10 13v3',
  warning: 'M10 3 2.5 16h15zM10 8v4M10 14v.5',
  keyboard: 'M2.5 5h15v10h-15zM5.5 8h.5M8.5 8h.5M11.5 8h.5M14.5 8h.5M6 12h8',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon: the text beside it, or the button's label, has the meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
