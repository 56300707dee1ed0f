import type { mqttSettings } from '@engawa/mqtt';
import type { z } from 'zod';

/** Settings of the connection to the broker. */
export type MqttConfig = z.output<z.ZodObject<typeof mqttSettings>>;
