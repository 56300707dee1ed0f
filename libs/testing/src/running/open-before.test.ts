import { openBeforeAll, openBeforeEach } from './open-before.ts';

const events: string[] = [];

class Door {
  leaf = 'oak';
  readonly #name: string;

  static open(name: string): Promise<Door> {
    events.push(`open ${name}`);
    return Promise.resolve(new Door(name));
  }

  private constructor(name: string) {
    this.#name = name;
  }

  get sign(): string {
    return `${this.#name} of ${this.leaf}`;
  }

  knock(): string {
    return `knock at ${this.#name}`;
  }

  close(): void {
    events.push(`close ${this.#name}`);
  }
}

function attempt(action: () => string): string {
  try {
    return action();
  } catch (error) {
    return (error as Error).message;
  }
}

describe('what is opened before tests', () => {
  const house = openBeforeAll(() => Door.open('house'));
  const signTooEarly = attempt(() => house.sign);
  const room = openBeforeEach(() => Door.open('room'));
  const cupboard = openBeforeEach(() => Door.open(`cupboard behind ${room.sign}`));

  it('is open in the first test', () => {
    room.leaf = 'glass';
    expect([house.sign, room.sign]).toEqual(['house of oak', 'room of glass']);
    expect(Object.entries(room)).toEqual([['leaf', 'glass']]);
    expect(room.knock()).toBe('knock at room');
    expect(cupboard.sign).toBe('cupboard behind room of oak of oak');
    expect(events).toEqual(['open house', 'open room', 'open cupboard behind room of oak']);
  });

  it('is closed in the reverse order, and opened again for the next test', () => {
    expect(events.slice(3)).toEqual([
      ...['close cupboard behind room of oak', 'close room'],
      ...['open room', 'open cupboard behind room of oak'],
    ]);
    expect(room.sign).toBe('room of oak');
  });

  it('cannot be used before', () => {
    expect(signTooEarly).toBe('nothing is open yet: use it in a hook or a test');
  });
});

it('is closed after the last test', () => {
  expect(events.at(-1)).toBe('close house');
});
