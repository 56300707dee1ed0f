import chirpstack from '../../mappings/chirpstack.json' with { type: 'json' };
import dsmrReader from '../../mappings/dsmr-reader.json' with { type: 'json' };
import ebusd from '../../mappings/ebusd.json' with { type: 'json' };
import echonetlite2mqtt from '../../mappings/echonetlite2mqtt.json' with { type: 'json' };
import esphome from '../../mappings/esphome.json' with { type: 'json' };
import evcc from '../../mappings/evcc.json' with { type: 'json' };
import opendtu from '../../mappings/opendtu.json' with { type: 'json' };
import openmqttgateway from '../../mappings/openmqttgateway.json' with { type: 'json' };
import rtl433 from '../../mappings/rtl-433.json' with { type: 'json' };
import shellyGen1 from '../../mappings/shelly-gen1.json' with { type: 'json' };
import tasmotaSml from '../../mappings/tasmota-sml.json' with { type: 'json' };
import tasmotaZigbee from '../../mappings/tasmota-zigbee.json' with { type: 'json' };
import thethingsstack from '../../mappings/thethingsstack.json' with { type: 'json' };
import victron from '../../mappings/victron.json' with { type: 'json' };
import { mappingDecoder } from './mapping-decoder.ts';
import { parseMapping } from './parse-mapping.ts';
import type { DecoderKind } from '../decoders/decoder.ts';
import type { MappingDocument } from './mapping-document.ts';

const documents: readonly unknown[] = [
  chirpstack,
  dsmrReader,
  ebusd,
  echonetlite2mqtt,
  esphome,
  evcc,
  opendtu,
  openmqttgateway,
  rtl433,
  shellyGen1,
  tasmotaSml,
  tasmotaZigbee,
  thethingsstack,
  victron,
];

/** The mappings of brands in `apps/ingestion/mappings`. They are selected by name in DECODERS. */
export const shippedMappings: readonly MappingDocument[] = documents.map((document) => {
  const parsed = parseMapping(document);
  if ('mapping' in parsed) return parsed.mapping;
  throw new Error(`a shipped mapping is invalid: ${JSON.stringify(parsed.problems)}`);
});

export const mappedKinds: readonly DecoderKind[] = shippedMappings.map(mappingDecoder);
