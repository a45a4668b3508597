import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';
import { readPage } from '../fixtures/pdf.ts';

let office: Office;
const ids: number[] = [];
beforeAll(async () => {
  office = await startOffice();
  const { id: workId } = await office.admin.send<{ id: number }>('POST', '/api/v1/records/work-area', {
    workCode: 'BJ',
    workName: '滨江新区',
    timeZone: 'Asia/Shanghai',
  });
  for (const equipmentCode of ['P-9', 'P-10', 'P-11']) {
    ids.push(
      (
        await office.admin.send<{ id: number }>('POST', '/api/v1/devices', {
          family: 'lamp-pole',
          equipmentCode,
          equipmentName: '滨江大道 北侧',
          workId,
          equipmentTypeId: 'equipment_type_24',
        })
      ).id,
    );
  }
});
afterAll(() => office?.close());

describe('labels of poles', () => {
  it('a sheet is printed from the list; scanned with a phone, each label opens its pole', async () => {
    const page = await office.open('/pole/poles');
    for (const code of ['P-9', 'P-10']) await page.getByRole('checkbox', { name: `选择 ${code}`, exact: true }).check();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '打印二维码标签' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('2 QR.pdf');
    const pdf = readFileSync(await saved.path());
    expect(await readPage(pdf, 1, { columns: 3, rows: 8 })).toEqual({
      codes: [`${office.product.url}/pole/${ids[0]}`, `${office.product.url}/pole/${ids[1]}`],
      pages: 1,
    });
    await office.leave(page);

    const phone = await office.open(`/pole/${ids[1]}`, { width: 390, height: 844 });
    await phone.getByRole('heading', { level: 1, name: 'P-10' }).waitFor();
    // The crew adds what it sees; it stands there for everybody.
    const [chooser] = await Promise.all([
      phone.waitForEvent('filechooser'),
      phone.getByRole('button', { name: '上传' }).click(),
    ]);
    await chooser.setFiles([
      { name: '巡检.txt', mimeType: 'text/plain', buffer: Buffer.from('门锁已换') },
      { name: '页面.html', mimeType: 'text/html', buffer: Buffer.from('<b>x</b>') },
    ]);
    await phone.getByText('页面.html 没有上传成功').waitFor();
    const [taken] = await Promise.all([
      phone.waitForEvent('download'),
      phone.getByRole('button', { name: '下载 巡检.txt' }).click(),
    ]);
    expect([taken.suggestedFilename(), readFileSync(await taken.path(), 'utf8')]).toEqual(['巡检.txt', '门锁已换']);
    await expectAccessible(phone, 'the pole on a phone');
    await phone.context().close();
  }, 60_000);
});
