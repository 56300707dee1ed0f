/** Quantities with the same name and unit for all brands, and the unit; undefined for a quantity without a unit. */
export const quantityUnits = {
  temperature: '°C',
  humidity: '%',
  pressure: 'hPa',
  power: 'W',
  /** Monotonically increasing, like `energyExport`. */
  energyImport: 'kWh',
  energyExport: 'kWh',
  voltage: 'V',
  current: 'A',
  /** `open` or `closed`. */
  contact: undefined,
  battery: '%',
  /** In the radio's own scale. */
  linkQuality: undefined,
  /** The action on a button. */
  action: undefined,
} as const;

export type Quantity = keyof typeof quantityUnits;

/**
 * The unit of a field by its name, also of one component of a device (`switch:1.power`); undefined for unknown fields.
 */
export function unitOf(field: string): string | undefined {
  const name = field.slice(field.lastIndexOf('.') + 1);
  return Object.hasOwn(quantityUnits, name) ? quantityUnits[name as Quantity] : undefined;
}
