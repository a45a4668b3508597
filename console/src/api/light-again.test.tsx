import { act, fireEvent, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as calendar from '../../../contract/light/calendar.ts';
import * as commands from '../../../contract/light/commands.ts';
import * as exceptions from '../../../contract/light/exceptions.ts';
import * as publications from '../../../contract/light/publications.ts';
import * as rowOrder from '../../../contract/light/rows.ts';
import * as schedules from '../../../contract/light/schedules.ts';
import { updateDevice } from '../../../contract/register/devices.ts';
import { updateRecord } from '../../../contract/register/records.ts';
import { lightingUpdates } from '../../../contract/light/updates.ts';
import * as demo from '../../../contract/shell/demo.ts';
import { serverForEach } from '../testing/contract-server.ts';
import { renderInShell } from '../testing/shell.tsx';
import { useAgain, useCall, useLive, useSend } from './index.ts';

const server = serverForEach();
const { createCommand } = commands;
/** A busy machine answers late. */
const patience = 90_000;
const { cancelException, listExceptions } = exceptions;
const { haltPublication, listPublications, resumePublication } = publications;

/** A page with rows and a list of options, which listens to the live line, and from which lamps are commanded. */
function Page() {
  const rows = useCall(listPublications, { query: {} }, { staleTime: 0 });
  useCall(listExceptions, { query: {} }, { staleTime: 60_000 });
  useLive('publications', useAgain(rows));
  const command = useSend(createCommand, [], { quiet: true });
  const resume = useSend(resumePublication, [listPublications], { quiet: true });
  const halt = useSend(haltPublication, [listPublications], { quiet: true });
  const cancel = useSend(cancelException, [listExceptions], { quiet: true });
  const params = { id: 1 };
  return (
    <>
      <p>{rows.data ? 'rows' : 'none'}</p>
      <button type="button" onClick={() => command.mutate({ body: { command: 'on', deviceIds: [1] } })}>
        command
      </button>
      <button type="button" onClick={() => resume.mutate({ params, body: {} })}>
        resume
      </button>
      <button type="button" onClick={() => halt.mutate({ params, body: { reason: 'x' } })}>
        halt
      </button>
      <button type="button" onClick={() => cancel.mutate({ params, body: { reason: 'x' } })}>
        cancel
      </button>
    </>
  );
}

/** Waits for nothing: time stands still. */
const click = (name: string): Promise<void> =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })));

async function opened() {
  server().answer(listPublications, { data: [], recordsTotal: 0 });
  server().answer(listExceptions, { data: [], recordsTotal: 0 });
  server().answer(createCommand, { id: 1, total: 1, state: 'running' });
  server().answer(resumePublication, { id: 1, phase: 'tellingAll' });
  server().answer(cancelException, { id: 1, state: 'cancelled', lamps: 1, darker: 0 });
  await renderInShell(<Page />, { address: '/lamp/publications', live: server() });
  await screen.findByText('rows');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  /** How often rows and options had been asked for when this had passed and the server had everything. */
  const after = async (ms: number): Promise<[rows: number, options: number]> => {
    await act(async () => {
      vi.advanceTimersByTime(ms);
      await fetch('/api/v1/nothing');
    });
    return [server().of(listPublications).length, server().of(listExceptions).length];
  };
  /** Until the change has its answer, and what is asked again at once has too. */
  const settled = async (count: () => number): Promise<void> => {
    while (count() === 0) await act(async () => void (await fetch('/api/v1/nothing')));
    for (let round = 0; round < 3; round += 1) await act(async () => void (await fetch('/api/v1/nothing')));
  };
  return { after, settled };
}

test(
  'six seconds after a command the rows of the page are fetched again, whatever the live line said before',
  { timeout: patience },
  async () => {
    const { after, settled } = await opened();
    await click('command');
    await settled(() => server().of(createCommand).length);
    const [before, options] = await after(0);
    server().tell({ type: 'publications' });
    await settled(() => server().of(listPublications).length - before);
    const [told] = await after(5900);
    expect(told).toBeGreaterThan(before);
    expect(await after(100)).toEqual([told + 1, options]);
    expect(await after(60_000)).toEqual([told + 1, options]);
  },
);

test(
  'a step of a publication is fetched at once and again; what was refused is not',
  { timeout: patience },
  async () => {
    const { after, settled } = await opened();
    await click('resume');
    await settled(() => server().of(resumePublication).length);
    const [before, options] = await after(5900);
    expect(await after(200)).toEqual([before + 1, options]);
    server().refuse(haltPublication, 409);
    await click('halt');
    await settled(() => server().of(haltPublication).length);
    const [refused] = await after(0);
    expect((await after(30_000))[0]).toBe(refused);
  },
);

test(
  'several changes are fetched again once, six seconds after the last, with what each of them touches',
  { timeout: patience },
  async () => {
    const { after, settled } = await opened();
    await click('cancel');
    await settled(() => server().of(cancelException).length);
    const [rows, options] = await after(3000);
    await click('command');
    await settled(() => server().of(createCommand).length);
    expect(await after(5900)).toEqual([rows, options]);
    expect(await after(100)).toEqual([rows + 1, options + 1]);
    expect(await after(60_000)).toEqual([rows + 1, options + 1]);
  },
);

test(
  'six seconds after a step that the server took, too; many of them put nothing off',
  { timeout: patience },
  async () => {
    const { after, settled } = await opened();
    const [before, options] = await after(0);
    server().tell({ type: 'publications' });
    await settled(() => server().of(listPublications).length - before);
    const [told] = await after(3000);
    server().tell({ type: 'publications' });
    await settled(() => server().of(listPublications).length - told);
    const [again] = await after(2900);
    expect(await after(100)).toEqual([again + 1, options]);
    expect(await after(60_000)).toEqual([again + 1, options]);
  },
);

/** They give lamps nothing else to do. */
const harmless = new Set(['/api/v1/commands/:id/export']);

test('every call that gives lamps something else to do is fetched after, and no other', () => {
  const declared = [
    ...[commands, exceptions, publications, schedules, rowOrder, calendar, demo].flatMap((of) =>
      Object.values<unknown>({ ...of }),
    ),
    // The place of a device is that of its sun.
    updateDevice,
    // Lamps go by the time and the place of their work area.
    updateRecord,
  ];
  const changing = declared.flatMap((one) =>
    typeof one === 'object' && one !== null && 'method' in one && 'path' in one && one.method !== 'GET'
      ? [{ path: one.path, dryRun: 'dryRun' in one ? one.dryRun : undefined }]
      : [],
  );
  const given = changing.filter(({ dryRun }) => dryRun !== 'changes nothing').map(({ path }) => String(path));
  expect([...lightingUpdates].toSorted()).toEqual(given.filter((path) => !harmless.has(path)).toSorted());
});
