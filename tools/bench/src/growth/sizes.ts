/** Contents of a table. */
export interface Size {
  readings: number;
  devices: number;
}

const sizes: readonly Size[] = [
  { readings: 1e3, devices: 10 },
  { readings: 1e5, devices: 1000 },
];

const largeSizes: readonly Size[] = [...sizes, { readings: 1e7, devices: 100_000 }];

export function sizesOf({ large }: { large: boolean }): readonly Size[] {
  return large ? largeSizes : sizes;
}

export function nameOf({ readings, devices }: Size): string {
  const grouped = (count: number) => count.toLocaleString('en');
  return `${grouped(readings)} readings, ${grouped(devices)} devices`;
}
