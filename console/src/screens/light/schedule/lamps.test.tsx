import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { usualSchedule } from '../../../../../catalogue/lighting/plan/schedule.ts';
import { getLampSchedule, previewLampPlaces, previewSchedule } from '../../../../../contract/light/schedules.ts';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { asked } from '../../../frame/ask.ts';
import { OwnSchedule, ScheduleLink } from '../../../parts/lamp/ScheduleLink.tsx';
import { bodyOf, chooseOption, press } from '../../../testing/shell.tsx';
import ScheduleSettings from './index.tsx';
import { field, lamp, preview, schedulePage, type } from './testing/schedule-page.tsx';

const { server, open } = schedulePage();
type Tabs = Awaited<ReturnType<typeof open>>['tabs'];
/** Comes to a page as the shell does, and returns what was left there for it. */
const arrive = (tabs: Tabs, key = '/lamp/schedule'): unknown => {
  act(() => void tabs.visit({ key, name: key.slice(1), title: '', language: null, address: key }));
  return tabs.getState().tabs.find((tab) => tab.key === key)?.handOver;
};

test('of another lamp the page is that lamp’s, whatever stood there before', async () => {
  server().answer(previewSchedule, preview);
  const what = (
    <>
      <ScheduleSettings />
      <ScheduleLink id={8} />
    </>
  );
  const { tabs, address } = await open('?lamp=7', { what });
  await screen.findByRole('heading', { name: '时间表设置：BJ-0007' });
  type('日落延时（分钟）', '15');
  await press('时间表设置');
  // Input that nobody saved is asked about before the page begins again.
  await waitFor(() => expect(asked.getState().current?.question.kind).toBe('unsaved'));
  expect(address()).toBe('/lamp/schedule?lamp=7');
  await act(async () => asked.getState().current?.answer(true));
  await waitFor(() => expect(address()).toBe('/lamp/schedule?lamp=8'));
  await screen.findByRole('heading', { name: '时间表设置：BJ-0008' });
  expect((await waitFor(() => field('日落延时（分钟）'))).value).toBe('0');
  await press('查看影响');
  await waitFor(() => expect(bodyOf(server(), previewSchedule)).toMatchObject({ scope: { deviceIds: [8] } }));
  expect(arrive(tabs)).toEqual({ deviceIds: [8] });
});

test('the lamp of the address comes before an old selection, and choosing others forgets both', async () => {
  const { tabs, address } = await open('?lamp=8', { handOver: { deviceIds: [1, 2] } });
  await screen.findByRole('heading', { name: '时间表设置：BJ-0008' });
  await press('改选其他');
  await waitFor(() => expect(address()).toBe('/lamp/schedule'));
  expect(arrive(tabs)).toEqual({});
  await screen.findByRole('combobox', { name: '请选择' });
});

test('a selection whose first lamp is gone leads to others', async () => {
  server().refuse(getLampSchedule, 404);
  const { tabs } = await open('', { handOver: { deviceIds: [9, 7] } });
  await screen.findByText('服务器答复 404');
  screen.getByText('已选 2 盏');
  await press('改选其他');
  expect(arrive(tabs)).toEqual({});
  await screen.findByRole('combobox', { name: '请选择' });
});

test('who may not read roads begins with areas', async () => {
  server().answer(previewSchedule, preview);
  server().answer(getWorkAreaOptions, { success: true, msg: '', data: [{ value: 4, label: '滨江作业区' }] });
  await open('', { may: ['plan.publish', 'plan.query'] });
  await chooseOption(await screen.findByRole('combobox', { name: '请选择' }), '滨江作业区');
  await press('查看影响');
  await waitFor(() => expect(bodyOf(server(), previewSchedule)).toMatchObject({ scope: { workAreaId: 4 } }));
});

test('coordinates that were looked at for some lamps are not there to save for others', async () => {
  server().answer(previewLampPlaces, { lamps: 3, changed: 3, without: 0, moved: [] });
  await open('');
  await chooseOption(await screen.findByRole('combobox', { name: '请选择' }), '滨江大道');
  type('纬度', '45.8');
  type('经度', '126.53');
  await press('更新经纬度');
  await screen.findByRole('group', { name: '3 盏的经纬度将改变' });
  await chooseOption(screen.getByRole('combobox', { name: '请选择' }), '江南大道');
  await waitFor(() => expect(screen.queryByRole('button', { name: '保存' })).toBeNull());
  expect([field('纬度').value, field('经度').value]).toEqual(['', '']);
});

test('the form begins with what is in force now, not with an answer from before', async () => {
  const Later = () => {
    const [isOpen, setOpen] = useState(false);
    return isOpen ? (
      <ScheduleSettings />
    ) : (
      <>
        <OwnSchedule id={7} />
        <button onClick={() => setOpen(true)}>later</button>
      </>
    );
  };
  await open('?lamp=7', { what: <Later /> });
  await screen.findByText(/周敏/);
  server().answer(
    getLampSchedule,
    lamp({ schedule: { ...usualSchedule, ranges: [{ start: 'on', level: 35, alternate: false }] } }),
  );
  await press('later');
  expect((await screen.findByLabelText<HTMLInputElement>('第 1 个时段的亮度')).value).toBe('35');
  expect(screen.queryByLabelText('第 2 个时段的亮度')).toBeNull();
});

test('back to its scheme: another one than stands on the page that publishes begins it again', async () => {
  const { tabs, address } = await open();
  await press('回到方案 JN-03');
  await waitFor(() => expect(address()).toBe('/lamp/publish?scheme=3&number=7'));
  expect(arrive(tabs, '/lamp/publish')).toEqual({ scheme: 3, number: 7, deviceIds: [7] });
});
