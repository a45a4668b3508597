import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { getLampSchedule } from '../../../../../contract/light/schedules.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useLive } from '../../../api/index.ts';
import { useOpen, usePageExists, usePermission } from '../../../frame/index.ts';
import { Card, formatNumber, formatPercent, Icon, toast, useErrorText, useTime } from '../../../parts/index.ts';
import { publishOptions } from '../../../parts/versioned/ItemList.tsx';
import { schemeKind } from '../../../parts/versioned/scheme-kind.ts';
import { formatTime } from '../../../parts/time/zone.ts';
import { useCommands } from '../../../parts/commands/commands.ts';
import styles from './schedule.module.css';

type Data = ReplyOf<typeof getLampSchedule>;

/** The time table that the lamp was sent beside the one that it says it runs, and reading it once more. */
export function TimeTable({ data, onRefresh }: { data: Data; onRefresh: () => void }) {
  const { t, i18n } = useTranslation('schedule');
  const textOf = useErrorText();
  const open = useOpen();
  const exists = usePageExists();
  const time = useTime();
  const mayRead = usePermission('lamp.control');
  const mayPublish = usePermission('plan.publish');
  const { id, told, device, equal, own, scheme, publicationId, place } = data;
  const commands = useCommands(onRefresh);
  useLive(`device:${id}`, (message) => {
    if (message.type === 'device' || message.type === 'stale') onRefresh();
  });
  const read = () =>
    commands
      .send({ deviceIds: [id], command: 'readPlan' })
      .then(() => toast.done(t('table.asked')))
      .catch((error: unknown) => toast.failed(textOf(error)));
  return (
    <Card
      title={t('table')}
      extra={
        mayRead ? (
          <Button size="small" loading={commands.pending} onClick={() => void read()}>
            {t('table.read')}
          </Button>
        ) : null
      }
    >
      <p className={styles.own}>
        {own
          ? t('own', { at: time(own.at, 'dayTime'), by: own.by, n: formatNumber(own.lamps, i18n.language, 0) })
          : scheme
            ? t('own.scheme', { name: `${scheme.code} ${scheme.name}`, n: scheme.number })
            : t('own.none')}
        {publicationId !== null && exists('lamp/publication') ? (
          <Button type="link" onClick={() => open('lamp/publication', { params: { id: publicationId } })}>
            {t('own.underWay')}
          </Button>
        ) : null}
      </p>
      {own && mayPublish ? <BackToScheme data={data} /> : null}
      <div className={styles.tables}>
        <Table title={t('table.told')} side={told} timeZone={place.timeZone} />
        <Table
          title={t('table.device')}
          side={device}
          timeZone={place.timeZone}
          unknown={device.planHash === null ? t(device.knowsPlans ? 'table.noPlan' : 'table.unread') : t('table.other')}
        />
      </div>
      <p role="status" className={styles.equal} data-equal={equal ?? undefined}>
        <Icon name={equal === true ? 'check' : 'warning'} size={14} />
        {t(equal === null ? 'equal.unknown' : equal ? 'equal.yes' : 'equal.no')}
      </p>
    </Card>
  );
}

/** To the scheme that it followed before; else the publication is taken back. */
function BackToScheme({ data: { id, own, scheme } }: { data: Data }) {
  const { t } = useTranslation('schedule');
  const open = useOpen();
  const publicationId = own?.publicationId ?? null;
  if (scheme) {
    const { number } = scheme;
    const { search, handOver } = publishOptions(schemeKind, scheme.id);
    return (
      <Button
        onClick={() =>
          open('lamp/publish', {
            search: `${search}&number=${number}`,
            handOver: { ...handOver, number, deviceIds: [id] },
          })
        }
      >
        {t('own.back', { name: scheme.code })}
      </Button>
    );
  }
  return publicationId === null ? null : (
    <Button onClick={() => open('lamp/publication', { params: { id: publicationId } })}>{t('own.revert')}</Button>
  );
}

function Table({
  title,
  side,
  timeZone,
  unknown,
}: {
  title: string;
  side: Data['told'];
  timeZone: string;
  unknown?: string;
}) {
  const { t, i18n } = useTranslation('schedule');
  const time = useTime();
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <small>
        {side.at === null ? t('table.never') : time(side.at, 'dayTime')}
        {side.planHash === null ? null : (
          <>
            {' · '}
            {t('night.planHash')} <code className="code">{side.planHash}</code>
          </>
        )}
      </small>
      {side.night === null ? (
        <p>{unknown ?? t('table.never')}</p>
      ) : side.night.length === 0 ? (
        <p>{t('table.dark')}</p>
      ) : (
        <ol>
          {side.night.map(({ at, level }) => (
            <li key={at}>
              <span>{formatTime(Date.parse(at), 'minute', timeZone)}</span>
              <b>{level === 0 ? t('table.off') : formatPercent(level, i18n.language)}</b>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
