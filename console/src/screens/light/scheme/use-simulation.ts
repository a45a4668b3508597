import dayjs from 'dayjs';
import { useState } from 'react';
import { getSimulation } from '../../../../../contract/light/simulations.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useCall } from '../../../api/index.ts';
import { useAddress } from '../../../parts/page/use-address.ts';
import { choiceOf, scopeOf, yearFrom, type Choice } from './SimulationForm.tsx';

/** Kilograms of CO₂ for a kilowatt-hour: China's grid, 2022. */
const usualFactor = 0.5366;
const today = (): string => dayjs().format('YYYY-MM-DD');

/** The simulation that the address names, and what stands in its form: what was typed, else what that was made of. */
export function useSimulation(schemeId: number) {
  const [params, setAddress] = useAddress();
  const text = /^[1-9]\d{0,14}$/.exec(params.get('simulation') ?? '')?.[0];
  const id = text === undefined ? null : Number(text);
  const isShown = params.get('tab') === 'simulation';
  const { data } = useCall(
    getSimulation,
    { params: { id: id ?? 0 } },
    { enabled: isShown && id !== null, staleTime: 60_000 },
  );
  const [typed, setTyped] = useState<{ readonly id: number | null; readonly choice: Choice } | null>(null);
  const [usual] = useState<Choice>(() => ({
    ...{ roads: '', groups: '', controllers: '', workAreaId: null, deviceIds: [] },
    ...{ a: null, b: null, price: null, factor: usualFactor },
    ...yearFrom(today()),
  }));
  // An address may name a simulation of another scheme.
  const made = data && data.id === id && data.b.schemeId === schemeId ? data : undefined;
  const choice = typed?.id === id ? typed.choice : made ? choiceOf(made) : (typed?.choice ?? usual);
  return {
    id,
    choice,
    change: (next: Choice): void => setTyped({ id, choice: next }),
    /** It is begun. */
    show: (begun: number): void => {
      setTyped({ id: begun, choice });
      setAddress({ simulation: String(begun) });
    },
    /** What is shown was made of the draft, which cannot be published. */
    isOfDraft: made?.b.number === null,
    /** What the page that publishes begins with, whatever was typed since; undefined: no simulation is shown. */
    publishing: isShown && made ? publishingOf(made) : undefined,
  };
}
export type OwnSimulation = ReturnType<typeof useSimulation>;

/** The same lamps, version and first day: one that has begun is no day to wait for. A draft has no number. */
function publishingOf(made: ReplyOf<typeof getSimulation>) {
  const choice = choiceOf(made);
  const { b: number, from } = choice;
  return {
    search: number === null ? '' : `&number=${number}`,
    handOver: {
      ...scopeOf(choice),
      ...(number === null ? {} : { number }),
      ...(from > today() ? { day: from } : {}),
    },
  };
}
