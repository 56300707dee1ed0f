import { httpSettings } from '@engawa/http';
import { serviceSettings } from '@engawa/service';
import { tableSettings } from '@engawa/table';
import { z } from 'zod';

export const settings = z.object({ ...serviceSettings, ...httpSettings, ...tableSettings });

export type Config = z.output<typeof settings>;
