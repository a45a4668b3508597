import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { getLampSchedule } from '../../../../contract/light/schedules.ts';
import { useCall } from '../../api/index.ts';
import { useOpen, usePageExists, usePermission } from '../../frame/index.ts';
import { useTime } from '../time/zone.ts';
import styles from './night.module.css';

/** To the schedule settings of the lamp; those of other lamps that stand there are asked about and replaced. */
export function ScheduleLink({ id }: { id: number }) {
  const { t } = useTranslation('lamp');
  const open = useOpen();
  return usePageExists()('lamp/schedule') ? (
    <Button onClick={() => open('lamp/schedule', { search: `?lamp=${id}`, handOver: { deviceIds: [id] } })}>
      {t('device.scheduleSettings')}
    </Button>
  ) : null;
}

/** That the lamp has settings of its own, of when, and by whom. */
export function OwnSchedule({ id }: { id: number }) {
  const { t } = useTranslation('lamp');
  const time = useTime();
  const mayQuery = usePermission('plan.query');
  const { data } = useCall(getLampSchedule, { params: { id } }, { enabled: mayQuery });
  const own = data?.own;
  return own ? <p className={styles.note}>{t('night.own', { at: time(own.at, 'dayTime'), by: own.by })}</p> : null;
}
