import { MemoryBudget } from './memory-budget.ts';

const never = new AbortController().signal;

function openBudget() {
  const budget = new MemoryBudget(100);
  return { mqtt: budget.share(50), http: budget.share(25) };
}

/** Waits until all settled promises have been handled. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the memory budget', () => {
  it('gives a share all bytes that others have not reserved, and reopens it with hysteresis', () => {
    const { mqtt } = openBudget();
    const turns: boolean[] = [];
    mqtt.onFullChange(() => turns.push(mqtt.isFull));
    const first = mqtt.hold(74);
    expect(mqtt.isFull).toBe(false);
    const second = mqtt.hold(1);
    expect(mqtt.isFull).toBe(true);
    second.release();
    expect(mqtt.isFull).toBe(true);
    first.resize(56);
    expect({ isFull: mqtt.isFull, turns }).toEqual({ isFull: false, turns: [true, false] });
  });

  it('leaves each share its reserved part, for any use of the others', async () => {
    const { mqtt, http } = openBudget();
    mqtt.hold(1000);
    await http.acquire(25, never);
    const starving = openBudget();
    await starving.http.acquire(50, never);
    starving.mqtt.hold(49);
    expect(starving.mqtt.isFull).toBe(false);
    starving.mqtt.hold(1);
    expect(starving.mqtt.isFull).toBe(true);
  });

  it('is acquired in order, also after a release by another share', async () => {
    const { mqtt, http } = openBudget();
    const claim = mqtt.hold(70);
    await http.acquire(20, never);
    const granted: string[] = [];
    const large = http.acquire(25, never).then(() => granted.push('large'));
    const small = http.acquire(1, never).then(() => granted.push('small'));
    await turn();
    expect(granted).toEqual([]);
    claim.release();
    await Promise.all([large, small]);
    expect(granted).toEqual(['large', 'small']);
    expect(http.held).toBe(46);
  });

  it('is given to a claim beyond the limit when no other bytes are held', async () => {
    const { http } = openBudget();
    const first = await http.acquire(10, never);
    const huge = http.acquire(1000, never);
    first.release();
    (await huge).release();
    expect(http.held).toBe(0);
  });

  it('does not wait for an aborted claim', async () => {
    const { http } = openBudget();
    await http.acquire(40, never);
    const impatient = new AbortController();
    const large = http.acquire(20, impatient.signal);
    const small = http.acquire(5, never);
    impatient.abort(new Error('given up'));
    await expect(large).rejects.toThrow('given up');
    await small;
    expect(http.held).toBe(45);
  });
});
