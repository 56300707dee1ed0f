import { z } from 'zod';
import { httpSettings } from './http-settings.ts';

describe('HOT_PARTITION_PEERS', () => {
  const parse = (text: string) =>
    z.object(httpSettings).safeParse({ HOT_PARTITION_PEERS: text }).data?.HOT_PARTITION_PEERS;

  it('is a list of URLs', () => {
    expect(parse('')).toEqual([]);
    expect(parse(' http://a:8080, https://b/engawa/ ,http://[::1]:1 ,')).toEqual([
      'http://a:8080',
      'https://b/engawa/',
      'http://[::1]:1',
    ]);
  });

  it.each(['a:8080', 'ftp://a', 'http://user:word@a', 'http://a?x=1', 'http://a#b', 'http://a,b'])(
    'is not %s',
    (text) => {
      expect(parse(text)).toBeUndefined();
    },
  );
});
