// The embedded broker in a process of its own.
import { startBroker } from '@engawa/embedded';
import { serve } from '../serve.ts';

const { url } = await startBroker();
serve({}, { url });
