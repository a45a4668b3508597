import { configure, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getLampFilters } from '../../../../../contract/light/lamps.ts';
import { contractServer } from '../../../testing/contract-server.ts';
import { press, renderInShell } from '../../../testing/shell.tsx';
import { FilterPanel } from './FilterPanel.tsx';
import { noFilters } from './filters.ts';

configure({ asyncUtilTimeout: 8_000 });

test('the panel on the map tells how many lamps it does not show, and leads to them', async () => {
  const server = await contractServer();
  server.answer(getLampFilters, { roads: [], groups: [], controllers: [] });
  let asked = 0;
  await renderInShell(
    <FilterPanel
      filters={noFilters}
      onChange={() => undefined}
      counts={{ on: 18 }}
      total={18}
      unplaced={1207}
      onList={() => {
        asked += 1;
      }}
      updatedAt={null}
      narrow={false}
    />,
  );
  await screen.findByText('共 18 盏');
  await press('另有 1,207 盏没有位置，到列表中查看');
  expect(asked).toBe(1);
  await server.close();
});
