import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getTonight } from '../../../../../contract/light/nights.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { press, renderInShell } from '../../../testing/shell.tsx';
import { Tonight } from './Tonight.tsx';

const server = serverForEach();

async function opened(lamps: number) {
  server().answer(getTonight, {
    day: null,
    schemes: [],
    moreSchemes: { schemes: 0, lamps: 0 },
    own: 0,
    exceptions: { inForce: 0, planned: 0, lamps: 0 },
    publications: { underWay: 0, waiting: 0, lamps: 0 },
    notOnPlan: {
      lamps,
      publications: [
        { id: 9, lamps: 30 },
        { id: 8, lamps: 20 },
        { id: 7, lamps: 10 },
      ],
    },
    rehearsal: null,
    lastNight: null,
  });
  const shell = await renderInShell(<Tonight />, {
    address: '/home',
    codes: ['plan.query'],
    pages: ['lamp/publication', 'lamp/monitor'],
  });
  await screen.findByText(/^#9/);
  return shell;
}

test('lamps not on their plan open the list of them; those of further publications are counted', async () => {
  const { address } = await opened(1_260);
  screen.getByText('其余 1,200 盏');
  await press('1,260 盏');
  await waitFor(() => expect(address()).toBe('/lamp/monitor?view=list&plan=astray'));
});

test('a publication opens as a whole: its own lists have lamps too that were given something else since', async () => {
  const { address } = await opened(60);
  await press('#9');
  await waitFor(() => expect(address()).toBe('/lamp/publication'));
});

test('where every one is named nothing more is counted', async () => {
  await opened(60);
  expect(screen.queryByText(/其余/)).toBeNull();
});

test('where every lamp follows its plan there is no list to open', async () => {
  await opened(0);
  screen.getByText('0 盏');
  expect(screen.queryByRole('button', { name: '0 盏' })).toBeNull();
});
