import type { Handover } from '../city/handover.ts';
import { ageingMs, cutBeforeMs, lampsBehind } from '../city/dramas.ts';
import type { Story } from '../city/progress.ts';
import type { City } from '../city/types.ts';

/** The stories of a city by the ids of its devices. `startedAt`: when it was first played, epoch ms. */
export function storiesOf(city: City, { lampIds, controllerIds }: Handover, startedAt: number): Story[] {
  const { failingBox, cut, dyingLamp, stuckLamp } = city.dramas;
  const roadOf = (street: number | undefined): string => city.streets[street ?? -1]?.name ?? '';
  const ofLamp = (
    kind: Story['kind'],
    lamp: number | null | undefined,
    lamps: number,
    since: number | null,
  ): Story[] => {
    const made = city.lamps[lamp ?? -1];
    const road = roadOf(city.poles[made?.pole ?? -1]?.street);
    return made ? [{ kind, deviceId: lampIds[lamp ?? 0] ?? 0, code: made.code, road, lamps, since }] : [];
  };
  const box = city.boxes[failingBox ?? -1];
  const behind = lampsBehind(city.loops, cut);
  return [
    ...(box
      ? [
          {
            kind: 'powerLoss' as const,
            deviceId: controllerIds[failingBox ?? 0] ?? 0,
            code: box.controllerCode,
            road: roadOf(box.street),
            lamps: box.loops.reduce((sum, loop) => sum + (city.loops[loop]?.lamps.length ?? 0), 0),
            since: null,
          },
        ]
      : []),
    ...ofLamp('cableCut', behind[0], behind.length, startedAt - cutBeforeMs),
    ...ofLamp('dyingDriver', dyingLamp, 1, startedAt - ageingMs),
    ...ofLamp('stuckRelay', stuckLamp, 1, startedAt),
  ];
}
