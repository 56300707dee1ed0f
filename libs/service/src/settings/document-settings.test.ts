import { z } from 'zod';
import { documentSettings } from './document-settings.ts';
import { serviceSettings } from './settings.ts';

it('makes a row of each setting in the order of declaration', () => {
  const settings = z.object({
    PORT: z.coerce.number().int().default(8080).describe('The port.'),
    KEY: z.string().min(32).describe('Signs cursors.').meta({ secret: true }),
    TOPICS: z
      .string()
      .default('a,b')
      .transform((text) => text.split(','))
      .describe('Topics.'),
    OPEN: z.stringbool().describe('Open to all.').default(false),
    HOST: z.string().optional().describe('The host.'),
  });
  expect(documentSettings(settings)).toEqual([
    { name: 'PORT', default: '8080', description: 'The port.', secret: false, required: false },
    {
      name: 'KEY',
      default: undefined,
      description: 'Signs cursors.',
      secret: true,
      required: true,
    },
    { name: 'TOPICS', default: 'a,b', description: 'Topics.', secret: false, required: false },
    { name: 'OPEN', default: 'false', description: 'Open to all.', secret: false, required: false },
    { name: 'HOST', default: undefined, description: 'The host.', secret: false, required: false },
  ]);
});

it('finds a description for every setting of a service', () => {
  for (const { description } of documentSettings(z.object(serviceSettings))) {
    expect(description).toMatch(/^[A-Z].*\.$/);
  }
});
