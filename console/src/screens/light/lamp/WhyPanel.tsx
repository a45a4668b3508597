import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { whyLamp } from '../../../../../contract/light/why.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useCall, useLive } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Card, ErrorState, formatPercent, instantOf, Skeleton, useTime, useZone } from '../../../parts/index.ts';
import { PageLink } from '../../../parts/page/PageLink.tsx';
import { useAddress } from '../../../parts/page/use-address.ts';
import { WhySentence } from './WhySentence.tsx';
import { WhySuspicions } from './WhySuspicions.tsx';
import styles from './why.module.css';
import { DatePicker } from '../../../fields/DatePicker.tsx';

type Why = ReplyOf<typeof whyLamp>;

const minutes = 'YYYY-MM-DD HH:mm';

/** Why the lamp is as it is, now or at an instant that has been, and one sentence to answer who asks. */
export function WhyPanel({ id }: { id: number }) {
  const { t } = useTranslation('lamp');
  const zone = useZone();
  const time = useTime();
  // The address names the instant: a link from elsewhere opens the panel at it.
  const [params, change] = useAddress();
  const given = params.get('whyAt');
  const at = given !== null && !Number.isNaN(Date.parse(given)) ? given : null;
  const setAt = (whyAt: string | null): void => change({ whyAt });
  const why = useCall(whyLamp, { params: { id }, query: at === null ? {} : { at } }, { staleTime: 0 });
  // What was does not change.
  useLive(at === null ? `device:${id}` : null, (message) => {
    if (message.type === 'device' || message.type === 'stale') void why.refetch();
  });
  return (
    <Card
      title={t('why.title')}
      extra={
        <DatePicker
          size="small"
          aria-label={t('why.at')}
          placeholder={t('why.now')}
          showTime={{ format: 'HH:mm' }}
          format={minutes}
          // The picker knows only the browser's own zone: it is handed the wall clock's figures.
          value={at === null ? null : dayjs(`${time(at, 'date')} ${time(at, 'minute')}`)}
          // The project's day may be ahead of the browser's.
          disabledDate={(day) => day.isAfter(dayjs().add(1, 'day'), 'day')}
          onChange={(day) => {
            const chosen = day ? instantOf(`${day.format(minutes)}:00`, zone) : null;
            // What is to come is not known: that is now.
            setAt(chosen !== null && Date.parse(chosen) < Date.now() ? chosen : null);
          }}
        />
      }
    >
      {why.error && !why.data ? <ErrorState error={why.error} onRetry={why.refetch} /> : null}
      {why.data ? <Answer why={why.data} /> : why.error ? null : <Skeleton rows={4} />}
    </Card>
  );
}

function Answer({ why }: { why: Why }) {
  const { t, i18n } = useTranslation('lamp');
  const percent = (level: number): string => formatPercent(level, i18n.language);
  const names = useNames();
  const time = useTime();
  const { observed, expected, agrees, next, supply, missing } = why;
  const verdict = agrees === null ? t('why.unsure') : agrees ? t('why.agrees') : t('why.differs');
  return (
    <div className={styles.answer}>
      <p className={styles.verdict}>
        <span>
          {t('why.expected')} <b>{percent(expected.level)}</b> {names.why(`layer.${expected.layer}`)}
        </span>
        <span>
          {t('why.observed')}{' '}
          <b>{observed === null || observed.level === null ? t('why.noReading') : percent(observed.level)}</b>{' '}
          {observed ? time(observed.readingAt, 'dayTime') : null}
        </span>
        <span className={agrees === false ? styles.differs : undefined}>{verdict}</span>
      </p>
      {missing.map((what) => (
        <p key={what} className={styles.note}>
          {t(`why.missing.${what}`)}
        </p>
      ))}
      <Layers layers={why.layers} />
      <WhySuspicions suspicions={why.suspicions} />
      {next ? (
        <p className={styles.note}>
          {t('why.next', {
            at: time(next.at, 'dayTime'),
            level: next.level,
            layer: names.why(`layer.${next.layer}`),
          })}
        </p>
      ) : null}
      {supply.loop !== null && supply.powered !== null ? (
        <p className={styles.note}>
          {t('why.supply', { loop: supply.loop })} · {supply.powered ? t('why.powered') : t('why.unpowered')}
        </p>
      ) : null}
      <WhySentence why={why} />
    </div>
  );
}

function Layers({ layers }: { layers: Why['layers'] }) {
  const { t } = useTranslation('lamp');
  const names = useNames();
  const time = useTime();
  return (
    <ol className={styles.layers} aria-label={t('why.layers')}>
      {layers.map((one) => (
        <li
          key={`${one.layer} ${one.ref?.type ?? ''} ${one.ref?.id ?? ''}`}
          className={one.applies ? undefined : styles.idle}
        >
          <span>
            <b>{names.why(`layer.${one.ref?.type === 'schedule' ? 'schedule' : one.layer}`)}</b> <Origin of={one} />
          </span>
          <span className={styles.level}>{levelText(one, t)}</span>
          <small>
            {[
              one.decides ? t('why.decides') : one.applies ? null : t('why.idle'),
              one.by === null ? null : t('why.by', { by: one.by }),
              one.approvedBy === null ? null : t('why.approvedBy', { by: one.approvedBy }),
              one.since === null ? null : t('why.since', { at: time(one.since, 'dayTime') }),
              one.until === null ? null : t('why.until', { at: time(one.until, 'dayTime') }),
              one.reason,
            ]
              .filter((part) => part !== null)
              .join(' · ')}
          </small>
        </li>
      ))}
    </ol>
  );
}

const pages = { scheme: 'lamp/scheme', template: 'lamp/template', command: 'lamp/command' } as const;

/** What the layer comes from, and the way to its page. */
function Origin({ of: { ref } }: { of: Why['layers'][number] }) {
  if (ref === null || ref.type === 'exception') return null;
  const { type, id } = ref;
  const text = `${type === 'command' ? '#' : ''}${ref.label}${ref.version ? ` v${ref.version}` : ''}`;
  return type === 'schedule' || type === 'device' ? (
    text
  ) : (
    <PageLink to={pages[type]} options={{ params: { id } }}>
      {text}
    </PageLink>
  );
}

type Say = ReturnType<typeof useTranslation<'lamp'>>['t'];
function levelText({ op, value: level }: Why['layers'][number], t: Say): string {
  if (level === null) return t('why.unknownLevel');
  return op === 'min' ? t('why.min', { level }) : op === 'max' ? t('why.max', { level }) : t('why.set', { level });
}
