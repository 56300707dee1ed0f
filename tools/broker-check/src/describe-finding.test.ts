import { describeFinding } from './describe-finding.ts';

describe('the output of the broker check', () => {
  it.each([
    ['nothing is kept', { sessionPresent: false, plain: 0, shared: 0 }, 'persistence'],
    ['the group is lost', { sessionPresent: true, plain: 20, shared: 0 }, 'MQTT_PARTITIONS'],
    ['everything is kept', { sessionPresent: true, plain: 20, shared: 20 }, 'may share'],
  ])('where %s', (_, finding, advice) => {
    const text = describeFinding({ published: 20, ...finding });
    expect(text).toContain(advice);
    expect(text.match(/kept/g) ?? []).toHaveLength(
      Number(finding.sessionPresent) + Number(finding.plain > 0) + Number(finding.shared > 0),
    );
  });
});
