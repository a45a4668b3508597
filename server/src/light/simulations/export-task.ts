import type { Static } from 'typebox';
import type { SimulationExport } from '../../../../contract/desk/task-kinds.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import type { Sheets } from '../../platform/sheet/index.ts';
import { simulationSheet } from './simulation-sheet.ts';
import { findResult, findSimulation } from './simulations.store.ts';
import { simulationTexts } from './texts.ts';

type Params = Static<typeof SimulationExport>;
export interface SimulationExportParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly sheets: Sheets;
}

/** The months and findings of an own simulation as a sheet. */
export function simulationExportTask({ db, clock, sheets }: SimulationExportParts): {
  readonly 'export.plan-simulation': TaskKind<Params>;
} {
  async function ownOf(simulationId: number, accountId: number | null) {
    const simulation = await findSimulation(db, simulationId);
    return simulation?.accountId === accountId ? simulation : undefined;
  }
  async function own({ simulationId }: Params, accountId: number | null) {
    const simulation = await ownOf(simulationId, accountId);
    if (!simulation) throw refuse('notFound');
    const { resultId, asked } = simulation;
    const result = resultId === null ? undefined : await findResult(db, resultId);
    if (resultId === null || !result) throw refuse('taskRunning');
    const { months, findings } = result.outcome;
    return { resultId, rates: asked, count: months.length + 1 + findings.length };
  }
  return {
    'export.plan-simulation': {
      permission: 'plan.query',
      action: 'plan.exportSimulation',
      problems: async ({ simulationId }, { accountId }) =>
        simulationId === undefined || (await ownOf(simulationId, accountId))
          ? []
          : [{ field: 'simulationId', rule: 'notFound' }],
      check: async (params, { accountId }) => ({ total: (await own(params, accountId)).count }),
      async run(params, { language, accountId }, progress) {
        const { resultId, rates, count } = await own(params, accountId);
        const { pricePerKwh, kgCo2PerKwh } = rates;
        const order = { resultId, rates: { pricePerKwh, kgCo2PerKwh }, language, count };
        return {
          name: `${simulationTexts[language].title} ${clock.now().toISOString().slice(0, 10)}.xlsx`,
          content: sheets.stream(simulationSheet, order, progress),
        };
      },
    },
  };
}
