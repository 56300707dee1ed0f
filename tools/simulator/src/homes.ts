/** The climate of a home: coordinates in degrees, mean °C, half of the yearly and of the daily swing in °C. */
export interface Site {
  latitude: number;
  longitude: number;
  meanTemperature: number;
  yearlySwing: number;
  dailySwing: number;
}

export interface Home {
  id: 'tanaka' | 'smith' | 'sato';
  name: string;
  people: number;
  /** How often somebody stays at home on a working day, 0 to 1. */
  staysHome: number;
  site: Site;
  /** Hours in which an unheated room loses 63 % of its difference to the outside. */
  hoursToCool: number;
  /** Power of the panels on the roof with the sun straight above, W. */
  roofWatts: number;
  /** The meter's register at its installation, kWh. */
  meterStart: { import: number; export: number };
  /** How its devices write `ts`. */
  timeFormat: 'iso' | 'milliseconds' | 'seconds';
  /** Collects the readings of the climate sensors and uploads them in arrays. */
  gateway: string | undefined;
}

export interface Room {
  id: string;
  name: string;
  use: 'living' | 'sleeping' | 'cooking' | 'working';
}

interface DeviceBase {
  id: string;
  name: string;
  home: Home;
}

export interface Meter extends DeviceBase {
  kind: 'meter';
}

export interface ClimateSensor extends DeviceBase {
  kind: 'climate';
  room: Room;
}

export interface DoorSensor extends DeviceBase {
  kind: 'door';
  door: 'front' | 'back';
}

export type Device = Meter | ClimateSensor | DoorSensor;

const tanaka: Home = {
  id: 'tanaka',
  name: '田中家',
  people: 4,
  staysHome: 0.2,
  // Fuchu, western Tokyo.
  site: {
    latitude: 35.67,
    longitude: 139.48,
    meanTemperature: 16,
    yearlySwing: 10.8,
    dailySwing: 4.6,
  },
  hoursToCool: 9,
  roofWatts: 5200,
  meterStart: { import: 18_234.5, export: 412.7 },
  timeFormat: 'iso',
  gateway: undefined,
};

const smith: Home = {
  id: 'smith',
  name: 'Smith family',
  people: 3,
  staysHome: 0.5,
  // Kobe.
  site: {
    latitude: 34.69,
    longitude: 135.2,
    meanTemperature: 17,
    yearlySwing: 11,
    dailySwing: 3.4,
  },
  hoursToCool: 8,
  roofWatts: 4400,
  meterStart: { import: 6_020.1, export: 3_377.9 },
  timeFormat: 'milliseconds',
  gateway: undefined,
};

const sato: Home = {
  id: 'sato',
  name: '佐藤家',
  people: 2,
  staysHome: 0.8,
  // Sapporo: cold and well insulated.
  site: {
    latitude: 43.06,
    longitude: 141.35,
    meanTemperature: 9.2,
    yearlySwing: 12.9,
    dailySwing: 3.9,
  },
  hoursToCool: 18,
  roofWatts: 4800,
  meterStart: { import: 41_877.2, export: 9_105.3 },
  timeFormat: 'seconds',
  gateway: 'gateway-sato',
};

export const homes: readonly Home[] = [tanaka, smith, sato];

const climate = (
  home: Home,
  id: string,
  use: Room['use'],
  roomName: string,
  name: string,
): ClimateSensor => ({
  id: `climate-${home.id}-${id}`,
  kind: 'climate',
  name,
  home,
  room: { id, use, name: roomName },
});

const door = (home: Home, side: DoorSensor['door'], name: string): DoorSensor => ({
  id: `door-${home.id}-${side}`,
  kind: 'door',
  name,
  home,
  door: side,
});

export const devices: readonly Device[] = [
  { id: 'meter-tanaka', kind: 'meter', name: '田中家 スマートメーター', home: tanaka },
  climate(tanaka, 'living', 'living', 'リビング', '田中家 リビングの温湿度計'),
  climate(tanaka, 'bedroom', 'sleeping', '寝室', '田中家 寝室の温湿度計'),
  climate(tanaka, 'kitchen', 'cooking', 'キッチン', '田中家 キッチンの温湿度計'),
  climate(tanaka, 'children', 'sleeping', '子ども部屋', '田中家 子ども部屋の温湿度計'),
  door(tanaka, 'front', '田中家 玄関ドア'),
  door(tanaka, 'back', '田中家 勝手口'),

  { id: 'meter-smith', kind: 'meter', name: 'Smith smart meter', home: smith },
  climate(smith, 'living', 'living', 'Living room', 'Smith living room climate'),
  climate(smith, 'bedroom', 'sleeping', 'Bedroom', 'Smith bedroom climate'),
  climate(smith, 'kitchen', 'cooking', 'Kitchen', 'Smith kitchen climate'),
  climate(smith, 'study', 'working', 'Study', 'Smith study climate'),
  door(smith, 'front', 'Smith front door'),
  door(smith, 'back', 'Smith back door'),

  { id: 'meter-sato', kind: 'meter', name: '佐藤家 スマートメーター', home: sato },
  climate(sato, 'living', 'living', '居間', '佐藤家 居間の温湿度計'),
  climate(sato, 'bedroom', 'sleeping', '寝室', '佐藤家 寝室の温湿度計'),
  climate(sato, 'kitchen', 'cooking', '台所', '佐藤家 台所の温湿度計'),
  climate(sato, 'washitsu', 'working', '和室', '佐藤家 和室の温湿度計'),
  door(sato, 'front', '佐藤家 玄関ドア'),
  door(sato, 'back', '佐藤家 勝手口'),
];
