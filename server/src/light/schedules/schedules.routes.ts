import {
  createSchedule,
  getLampSchedule,
  previewLampPlaces,
  previewSchedule,
  setLampPlaces,
} from '../../../../contract/light/schedules.ts';
import { bind, wordedProblems, type Binding } from '../../platform/http/index.ts';
import { createLampPlaces } from './places.service.ts';
import { createSchedules, type SchedulesParts } from './schedules.service.ts';
import { createTimeTables } from './time-table.service.ts';

/** Schedule settings of lamps (时间表设置). */
export function schedulesRoutes(parts: SchedulesParts): Binding[] {
  const schedules = createSchedules(parts);
  const places = createLampPlaces(parts);
  const timeTables = createTimeTables(parts);
  return [
    bind(previewSchedule, ({ body }, { caller }) => schedules.preview(caller, body), {
      rules: ({ body = {} }) => wordedProblems(schedules.problems(body)),
    }),
    bind(createSchedule, ({ body }, ctx) => schedules.create(ctx, body), {
      rules: ({ body = {} }) => wordedProblems(schedules.problems(body)),
    }),
    bind(getLampSchedule, ({ params }, { caller }) => timeTables.of(caller, params.id)),
    bind(previewLampPlaces, ({ body }, { caller }) => places.preview(caller, body), {
      rules: ({ body = {} }, { caller }) => places.problems(caller, body),
    }),
    bind(setLampPlaces, ({ body }, ctx) => places.set(ctx, body), {
      rules: ({ body = {} }, { caller }) => places.problems(caller, body),
    }),
  ];
}
