import axe from 'axe-core';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Activity } from 'react';
import { describe, expect, test } from 'vitest';
import { testBaseMap } from '../../../../../contract/shell/base-maps.ts';
import MapTest from '../map-test/index.tsx';
import { mapsPage } from './testing/maps-page.tsx';

const page = mapsPage();
const { grid, city, good, answer, open, openNode, press, sent, slowAt15 } = page;

describe('/maptest', () => {
  test('a line for every base map with what its service answered; one that fails in plain words; again one by one; axe finds nothing', async () => {
    page.all = [grid, city, { ...city, id: 4, name: '旧服务' }];
    page.server.answer(testBaseMap, ({ body }) => {
      const { id } = JSON.parse(body) as { id: number };
      return answer(
        id === 1
          ? []
          : id === 3
            ? [good]
            : [
                {
                  ...good,
                  problem: 'timeout',
                  status: null,
                  bytes: null,
                  contentType: null,
                  width: null,
                  height: null,
                  picture: null,
                  detail: null,
                },
              ],
      );
    });
    await open(MapTest, '/maptest', '测试的位置');
    const lines = await screen.findAllByRole('listitem');
    await within(lines[0]!).findByText('不需要服务，也不用网络。');
    await within(lines[1]!).findByText('HTTP 200');
    expect(within(lines[1]!).getByText('https://tiles.example/15/1/2.png?tk=***')).toBeTruthy();
    expect(within(lines[1]!).getByRole('img', { name: '收到的图片' })).toBeTruthy();
    await within(lines[2]!).findByText('8 秒内没有应答。');
    expect(sent(testBaseMap)).toHaveLength(3);
    fireEvent.change(screen.getByLabelText('级别'), { target: { value: '12' } });
    press('再测一次：旧服务');
    await waitFor(() => expect(sent(testBaseMap).at(-1)).toMatchObject({ id: 4, zoom: 12 }));
    const { violations } = await axe.run(document.querySelector('main')!, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });

  test('is asked once, however often its tab is shown; a late answer to an older question is dropped', async () => {
    const letGo = slowAt15();
    const tab = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <MapTest />
      </Activity>
    );
    const show = await openNode(tab('visible'), '/maptest', '测试的位置');
    await waitFor(() => expect(sent(testBaseMap)).toHaveLength(2));
    show(tab('hidden'));
    show(tab('visible'));
    fireEvent.change(screen.getByLabelText('级别'), { target: { value: '12' } });
    fireEvent.submit(screen.getByLabelText('级别').closest('form')!);
    await waitFor(() => expect(screen.getAllByText('应答正常')).toHaveLength(2));
    expect(sent(testBaseMap).map((one) => (one as { zoom: number }).zoom)).toEqual([15, 15, 12, 12]);
    letGo();
    press('再测一次：纯网格');
    await waitFor(() => expect(sent(testBaseMap)).toHaveLength(5));
    await waitFor(() => expect(screen.getAllByText('应答正常')).toHaveLength(2));
    expect(screen.queryByText(/密钥被拒绝/)).toBeNull();
  });
});
