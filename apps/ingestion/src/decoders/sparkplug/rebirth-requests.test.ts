import { RebirthRequests } from './rebirth-requests.ts';

let sent: string[];
let now: number;
let isConnected: boolean;
let givenUp: number;
beforeEach(() => {
  sent = [];
  now = 0;
  isConnected = true;
  givenUp = 0;
});

function newRequests(isOn = true): RebirthRequests {
  const requests = new RebirthRequests({
    isOn,
    onSent: () => undefined,
    onGivenUp: () => (givenUp += 1),
    now: () => now,
  });
  requests.connect((topic) => {
    if (isConnected) sent.push(topic);
    return isConnected;
  });
  return requests;
}

describe('rebirth requests', () => {
  it('are sent to a node once a minute', () => {
    const requests = newRequests();
    for (now = 0; now < 180_000; now += 1000) requests.ask('a');
    requests.ask('b');
    expect(sent).toEqual(['a', 'a', 'a', 'b']);
  });

  it('are sent later if there is no connection, and never if they are disabled', () => {
    const requests = newRequests();
    isConnected = false;
    requests.ask('a');
    isConnected = true;
    requests.ask('a');
    newRequests(false).ask('a');
    expect(sent).toEqual(['a']);
  });

  it('stop if the broker closes the connection for them, and only then', () => {
    const requests = newRequests();
    const ask = (connectionLastsMs: number) => {
      requests.ask(String(now));
      now += connectionLastsMs;
      requests.reconnected();
      now += 60_000;
    };
    for (const lasts of [100, 100, 10_000, 100, 100, 10_000]) ask(lasts);
    expect(givenUp).toBe(0);
    for (const lasts of [100, 100, 100, 100]) ask(lasts);
    expect(givenUp).toBe(1);
    expect(sent).toHaveLength(9);
  });

  it('are remembered for a bounded number of nodes, the most recent ones', () => {
    const requests = newRequests();
    for (let node = 0; node <= 10_000; node += 1) requests.ask(String(node));
    sent = [];
    for (const node of ['10000', '1', '0']) requests.ask(node);
    expect(sent).toEqual(['0']);
  });
});
