import type { Programme } from './programme.ts';
import type { SchemeContent, TemplateContent } from './scheme.ts';

const sunset = { at: 'sunset', offsetMinutes: -10, notBefore: null, notAfter: null, light: null } as const;
const sunrise = { ...sunset, at: 'sunrise', offsetMinutes: 5 } as const;

/** All night long, from 23:00 at this level. */
export const exampleProgramme = (level = 60): Programme => ({
  on: sunset,
  off: sunrise,
  periods: [
    { start: 'on', level: 100, pattern: 'all', rampSeconds: 0 },
    { start: { at: '23:00', offsetMinutes: 0 }, level, pattern: 'all', rampSeconds: 30 },
  ],
  minimumMinutes: 10,
});

/** A sound scheme: two programmes, the second one on Saturdays and Sundays. */
export const exampleScheme = (level = 60): SchemeContent => ({
  mode: 'energySaving',
  programmes: [
    { key: 1, name: '平日', programme: exampleProgramme(level) },
    { key: 2, name: '周末', programme: exampleProgramme(80) },
  ],
  calendar: {
    rules: [{ programme: 2, label: '周末', enabled: true, when: [{ kind: 'weekdays', days: [6, 7] }] }],
    default: 1,
  },
  rotation: 'weekly',
  floorExceptions: [],
});

/** A sound template. */
export const exampleTemplate = (): TemplateContent => ({
  reportLitSeconds: 900,
  reportUnlitSeconds: 3600,
  heartbeatSeconds: 300,
  powerUpLevel: 100,
  fallbackMinutes: 15,
  fallbackProgramme: exampleProgramme(),
  minimumMinutes: 10,
  rampSeconds: 5,
  staggerSeconds: 2,
  minLevel: 10,
  light: { lux: 20, sensitivity: 128, delayMinutes: 10 },
  latitude: null,
  longitude: null,
  thresholds: { L105: 253 },
});
