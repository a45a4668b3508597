import { mqttJson } from './mqtt-json/wire.ts';
import type { Wire } from './wire.ts';

/** Every device protocol of the product. One more is its folder and a name here (README.md). */
export const wires: readonly Wire[] = [mqttJson];
