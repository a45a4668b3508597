import { readFileSync, statSync } from 'node:fs';
import { faults, type FaultCode } from '../../catalogue/faults.ts';
import { withFault } from '../lamp/spec.ts';
import type { Fleet } from '../fleet/fleet.ts';

const manners = ['mute', 'deaf', 'unpowered'] as const;

/**
 * What a test wants of lamps, by code: `mute` (says nothing), `deaf` (reports but hears no command), `unpowered` (until
 * its power returns), a fault's code, or `sound`. The file is looked at again when it changes; a lamp that is no longer
 * named is as the city made it.
 */
export type Scenario = Readonly<Record<string, (typeof manners)[number] | 'sound' | FaultCode>>;

const faultCodes = new Set<string>(faults.map(({ code }) => code));
const isFault = (wish: Scenario[string] | undefined): wish is FaultCode => wish !== undefined && faultCodes.has(wish);

export function readScenario(text: string): Scenario {
  const json: unknown = JSON.parse(text);
  if (typeof json !== 'object' || json === null) throw new Error('a scenario is an object of lamp codes');
  for (const [code, wish] of Object.entries(json)) {
    if (wish !== 'sound' && !manners.some((one) => one === wish) && !faultCodes.has(String(wish)))
      throw new Error(`${code}: ${String(wish)} is no wish`);
  }
  return json as Scenario;
}

/** Makes lamps behave as told from now on. */
export function applyScenario(fleet: Fleet, scenario: Scenario): void {
  fleet.city.lamps.forEach((made, index) => {
    const player = fleet.lamps[index];
    if (!player) return;
    const wish = scenario[made.code];
    const asked = manners.find((one) => one === wish);
    player.behave(asked ?? 'normal');
    const fault = isFault(wish) ? wish : wish === 'sound' ? null : made.fault;
    if (player.lamp.spec.fault === fault) return;
    player.become(player.lamp.as(withFault(player.lamp.spec, fault)));
  });
}

/** Looks at a scenario file every second. Returns how to stop. */
export function watchScenario(file: string, fleet: Fleet, failed: (reason: string) => void): () => void {
  let seen = '';
  const look = (): void => {
    try {
      const { mtimeMs, size } = statSync(file);
      if (seen === `${mtimeMs} ${size}`) return;
      seen = `${mtimeMs} ${size}`;
      applyScenario(fleet, readScenario(readFileSync(file, 'utf8')));
    } catch (thrown) {
      const absent = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
      if (!absent) failed(thrown instanceof Error ? thrown.message : String(thrown));
      else if (seen !== '') {
        seen = '';
        applyScenario(fleet, {});
      }
    }
  };
  look();
  const timer = setInterval(look, 1000);
  return () => clearInterval(timer);
}
