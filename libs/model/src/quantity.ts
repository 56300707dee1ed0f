/** What is called the same, in the same unit, whatever the brand, and that unit; undefined where it has none. */
export const quantityUnits = {
  temperature: '°C',
  humidity: '%',
  pressure: 'hPa',
  power: 'W',
  /** Ever growing, as `energyExport`. */
  energyImport: 'kWh',
  energyExport: 'kWh',
  voltage: 'V',
  current: 'A',
  /** `open` or `closed`. */
  contact: undefined,
  battery: '%',
  /** As the radio counts it. */
  linkQuality: undefined,
  /** What was done to a button. */
  action: undefined,
} as const;

export type Quantity = keyof typeof quantityUnits;

/**
 * The unit of a field by its name, also of one component of a device (`switch:1.power`); undefined
 * where it is not known.
 */
export function unitOf(field: string): string | undefined {
  const name = field.slice(field.lastIndexOf('.') + 1);
  return Object.hasOwn(quantityUnits, name) ? quantityUnits[name as Quantity] : undefined;
}
