import { ConditionFailed } from '../errors/write-errors.ts';
import { maxConflictAttempts, retryOnConflict } from './retry-on-conflict.ts';

const resource = 'the device "a"';

/** Rejects the first attempts with an error. */
function failing(times: number, error: () => Error = () => new ConditionFailed()) {
  const attempts: number[] = [];
  const attempt = () => {
    attempts.push(performance.now());
    return attempts.length <= times ? Promise.reject(error()) : Promise.resolve('written');
  };
  return { attempts, attempt };
}

it('returns the result of the first attempt without a conflict', async () => {
  const { attempts, attempt } = failing(2);
  expect(await retryOnConflict({ resource }, attempt)).toBe('written');
  expect(attempts).toHaveLength(3);
});

it('gives up after the last attempt, and names the resource', async () => {
  const { attempts, attempt } = failing(Infinity);
  const retried = retryOnConflict({ resource }, attempt);
  const late = retryOnConflict({ resource }, failing(maxConflictAttempts - 1).attempt);
  await expect(retried).rejects.toMatchObject({
    code: 'too-many-conflicts',
    message: 'Other clients changed the device "a" before each attempt of this request.',
    cause: expect.any(ConditionFailed) as ConditionFailed,
  });
  expect(attempts).toHaveLength(maxConflictAttempts);
  // The last attempt may succeed.
  expect(await late).toBe('written');
});

it('rejects with other errors at once', async () => {
  const { attempts, attempt } = failing(Infinity, () => new TypeError('a defect'));
  await expect(retryOnConflict({ resource }, attempt)).rejects.toThrow('a defect');
  expect(attempts).toHaveLength(1);
});

it('retries the conflicts that the caller names, and no others', async () => {
  const isConflict = (error: unknown): error is RangeError => error instanceof RangeError;
  const named = failing(1, () => new RangeError('conflict'));
  expect(await retryOnConflict({ resource, isConflict }, named.attempt)).toBe('written');
  const { attempt } = failing(1);
  await expect(retryOnConflict({ resource, isConflict }, attempt)).rejects.toThrow(ConditionFailed);
});

it('passes each conflict to the caller, who may end the retries', async () => {
  const { attempts, attempt } = failing(Infinity);
  const item = { version: 7 };
  const seen: unknown[] = [];
  const onConflict = (conflict: ConditionFailed) => {
    seen.push(conflict.item);
    if (seen.length === 2) throw new Error('the device was deleted');
  };
  const conflicting = () =>
    attempt().catch(() => Promise.reject(new ConditionFailed({ items: new Map([[0, item]]) })));
  const retried = retryOnConflict({ resource, onConflict }, conflicting);
  await expect(retried).rejects.toThrow('the device was deleted');
  expect(seen).toEqual([item, item]);
  expect(attempts).toHaveLength(2);
});

it('makes no further attempt once the signal has aborted', async () => {
  const aborting = new AbortController();
  const { attempts, attempt } = failing(Infinity);
  const onConflict = () => {
    if (attempts.length === 3) aborting.abort(new Error('the service is closing'));
  };
  const retried = retryOnConflict({ resource, onConflict, signal: aborting.signal }, attempt);
  await expect(retried).rejects.toThrow('the service is closing');
  expect(attempts).toHaveLength(3);
});
