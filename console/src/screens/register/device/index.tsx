import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { carriesOthers } from '../../../../../catalogue/capabilities.ts';
import { isLamp } from '../../../../../catalogue/lighting/families.ts';
import { familyOf } from '../../../../../catalogue/families/index.ts';
import { pageOfFamily } from '../../../../../contract/family-pages.ts';
import { useDeviceAddress, useOpen, usePageExists, useTabTitle } from '../../../frame/index.ts';
import { Card, Empty, ErrorState, Page, PageBar, Skeleton } from '../../../parts/index.ts';
import { Attachments } from '../../../parts/attachments/Attachments.tsx';
import { areas } from '../../../parts/devices/areas.ts';
import { ClockNote } from './ClockNote.tsx';
import { Curves } from './Curves.tsx';
import { Connections } from './Connections.tsx';
import type { Device } from '../../../parts/devices/device-state.tsx';
import { Energy } from './Energy.tsx';
import { Hangs } from '../../../parts/topology/Hangs.tsx';
import { Head } from '../../../parts/devices/Head.tsx';
import { LabelButton } from '../../../parts/devices/LabelButton.tsx';
import { Position } from '../../../parts/devices/Position.tsx';
import { Timeline } from '../../../parts/devices/Timeline.tsx';
import { useDevice, useIdInAddress } from '../../../parts/devices/use-device.ts';
import { Facts, Values } from './Values.tsx';
import styles from './device.module.css';

/**
 * A device of any family with an address of its own: what it is, what it measures, what was asked of it, what happened
 * to it.
 */
export default function DevicePage() {
  const { t } = useTranslation(areas);
  const id = useIdInAddress();
  return id === null ? (
    <Page>
      <Empty title={t('page.none')} />
    </Page>
  ) : (
    <One key={id} id={id} />
  );
}

function One({ id }: { id: number }) {
  const { t } = useTranslation('devices');
  const { t: menu } = useTranslation('menu');
  const { device, clock, error, refetch, missing } = useDevice(id);
  useTabTitle(device ? String(device['equipmentCode']) : undefined);
  const head = <PageBar title={menu('device/page')} />;
  if (missing)
    return (
      <Page>
        {head}
        <Empty title={t('page.none')} text={t('page.noneText')} />
      </Page>
    );
  if (!device)
    return (
      <Page>
        {error ? (
          <>
            {head}
            <ErrorState error={error} onRetry={refetch} />
          </>
        ) : (
          <Skeleton rows={8} height={480} />
        )}
      </Page>
    );
  const family = familyOf(device.family);
  return (
    <Page>
      <Head device={device} actions={<Actions device={device} />} />
      <ClockNote clock={clock} />
      <div className={styles.columns}>
        <div className={styles.column}>
          {family?.report ? <Values device={device} /> : null}
          {family?.report ? <Curves device={device} /> : null}
          {family?.quantities.some(({ key }) => key === 'energy') ? <Energy device={device} /> : null}
          {family && family.commands.length > 0 ? (
            <Card title={t('commands.title')}>
              <Timeline of={{ id, pole: false, kinds: ['command'] }} empty={t('commands.none')} />
            </Card>
          ) : null}
          <Facts device={device} />
          <Attachments deviceId={id} />
        </div>
        <div className={styles.column}>
          <Position device={device} />
          <Hangs id={id} />
          {family?.report ? <Connections id={id} /> : null}
          {family?.report ? (
            <Card title={t('events.title')}>
              <Timeline of={{ id, pole: false, kinds: ['episode'] }} empty={t('events.none')} />
            </Card>
          ) : null}
          <Card title={t('changes.title')}>
            <Timeline of={{ id, pole: false, kinds: ['change'] }} empty={t('changes.none')} />
          </Card>
        </div>
      </div>
    </Page>
  );
}

/** Where else this device is worked with, as far as the account has the pages. */
function Actions({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const open = useOpen();
  const exists = usePageExists();
  const poleAddress = useDeviceAddress()(device.family, device.id);
  const list = pageOfFamily(device.family);
  return (
    <>
      {carriesOthers(device.family) && poleAddress !== undefined ? (
        <Button onClick={() => open(poleAddress)}>{t('actions.pole')}</Button>
      ) : null}
      {isLamp(device.family) && exists('lamp/device') ? (
        <Button onClick={() => open('lamp/device', { params: { id: device.id } })}>{t('actions.control')}</Button>
      ) : null}
      {list && exists(list) ? (
        <Button onClick={() => open(list, { search: `?open=${device.id}` })}>{t('actions.record')}</Button>
      ) : null}
      <LabelButton id={device.id} />
    </>
  );
}
