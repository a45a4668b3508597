import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { carriesOthers } from '../../../../../catalogue/capabilities.ts';
import { useDeviceAddress, useOpen, useTabTitle, usePageExists } from '../../../frame/index.ts';
import { Card, Empty, ErrorState, Page, Skeleton } from '../../../parts/index.ts';
import { Attachments } from '../../../parts/attachments/Attachments.tsx';
import { areas } from '../../../parts/devices/areas.ts';
import { Hangs } from '../../../parts/topology/Hangs.tsx';
import { Head } from '../../../parts/devices/Head.tsx';
import { LabelButton } from '../../../parts/devices/LabelButton.tsx';
import { Position } from '../../../parts/devices/Position.tsx';
import { Timeline } from '../../../parts/devices/Timeline.tsx';
import { useDevice, useIdInAddress } from '../../../parts/devices/use-device.ts';
import device from '../../../parts/devices/device.module.css';
import { Mounted } from './Mounted.tsx';
import styles from './pole.module.css';

/**
 * A pole: where it stands, what is on it and what happened to all of that. Crews open it on a phone, by the label on
 * the pole.
 */
export default function PolePage() {
  const { t } = useTranslation(areas);
  const id = useIdInAddress();
  return id === null ? (
    <Page>
      <Empty title={t('pole.none')} />
    </Page>
  ) : (
    <Pole key={id} id={id} />
  );
}

function Pole({ id }: { id: number }) {
  const { t } = useTranslation('devices');
  const open = useOpen();
  const exists = usePageExists();
  const pageOf = useDeviceAddress();
  const { device: pole, error, refetch, missing } = useDevice(id);
  useTabTitle(pole ? String(pole['equipmentCode']) : undefined);
  if (missing)
    return (
      <Page>
        <Empty title={t('pole.none')} text={t('page.noneText')} />
      </Page>
    );
  if (!pole)
    return <Page>{error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton rows={8} height={480} />}</Page>;
  const own = pageOf(pole.family, id);
  if (!carriesOthers(pole.family))
    return (
      <Page>
        <Empty
          title={t('pole.other')}
          {...(own === undefined ? {} : { action: { text: t('actions.device'), onClick: () => open(own) } })}
        />
      </Page>
    );
  const record = pageOf(null, id);
  return (
    <Page>
      <Head
        device={pole}
        actions={
          <>
            {record === undefined ? null : <Button onClick={() => open(record)}>{t('actions.details')}</Button>}
            {exists('pole/poles') ? (
              <Button onClick={() => open('pole/poles', { search: `?open=${id}` })}>{t('actions.record')}</Button>
            ) : null}
            <LabelButton id={id} />
          </>
        }
      />
      <div className={styles.columns}>
        <div className={device.column}>
          <Mounted poleId={id} />
          <Attachments deviceId={id} mounted />
        </div>
        <div className={device.column}>
          <Position device={pole} />
          <Hangs id={id} trees={['power']} />
          <Card title={t('timeline.title')}>
            <Timeline of={{ id, pole: true }} empty={t('timeline.none')} />
          </Card>
        </div>
      </div>
    </Page>
  );
}
