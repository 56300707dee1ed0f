interface Closable {
  close(): unknown;
}

/** Of all open resources: the last one is closed first. */
const closers: (() => unknown)[] = [];

/**
 * Opens a resource before all tests of this file or `describe`, and closes it after them. Resources open in the order
 * of these calls and close in the reverse order.
 * @returns stands for the resource in hooks and tests; before them nothing is open
 */
export function openBeforeAll<Opened extends Closable>(
  open: () => Opened | Promise<Opened>,
): Opened {
  return openBetween(open, { before: beforeAll, after: afterAll });
}

/** Opens a resource before each test, and closes it after the test: `openBeforeAll` for each test. */
export function openBeforeEach<Opened extends Closable>(
  open: () => Opened | Promise<Opened>,
): Opened {
  return openBetween(open, { before: beforeEach, after: afterEach });
}

/**
 * A list for functions that close the resources of a single test. After each test they are called, the last one first,
 * before the resources of earlier calls of `openBeforeEach` are closed.
 */
export function closersAfterEach(): (() => unknown)[] {
  const added: (() => unknown)[] = [];
  openBeforeEach(() => ({
    close: async () => {
      for (const close of added.splice(0).toReversed()) await close();
    },
  }));
  return added;
}

function openBetween<Opened extends Closable>(
  open: () => Opened | Promise<Opened>,
  { before, after }: { before: jest.Lifecycle; after: jest.Lifecycle },
): Opened {
  let opened: Opened | undefined;
  before(async () => {
    opened = undefined;
    closers.push(() => opened?.close());
    opened = await open();
  });
  after(async () => {
    await closers.pop()?.();
  });
  return standInFor(() => {
    if (opened === undefined) throw new Error('nothing is open yet: use it in a hook or a test');
    return opened;
  });
}

/** The object that `find` finds, at each use. */
function standInFor<Found extends object>(find: () => Found): Found {
  return new Proxy({} as Found, {
    get: (_, name) => {
      const found = find();
      const value = Reflect.get(found, name) as unknown;
      // The methods of a class reach its private fields through `this`.
      return typeof value === 'function' ? (value.bind(found) as unknown) : value;
    },
    set: (_, name, value) => Reflect.set(find(), name, value),
    // For `{ ...opened }` and `Object.keys(opened)`.
    ownKeys: () => Reflect.ownKeys(find()),
    getOwnPropertyDescriptor: (_, name) => {
      const property = Reflect.getOwnPropertyDescriptor(find(), name);
      return property && { ...property, configurable: true };
    },
  });
}
