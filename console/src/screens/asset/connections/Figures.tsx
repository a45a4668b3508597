import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '../../../../../contract/route.ts';
import type { getConnectionFigures } from '../../../../../contract/routes/connections.ts';
import { useConnectionWords } from '../../../parts/connections/words.ts';
import { Card, formatNumber, useTime } from '../../../parts/index.ts';
import styles from './connections.module.css';

export type Told = ReplyOf<typeof getConnectionFigures>;
/** The rest of the reasons stands in the list below. */
const mostReasons = 6;

/** How the devices are connected now, how they were in the span, and what kept them from it. */
export function Figures({ told, onReason }: { told: Told; onReason: (reason: Told['reasons'][number]) => void }) {
  const { t, i18n } = useTranslation('connections');
  const words = useConnectionWords();
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const { now, span } = told;
  const due = now.devices - now.unpowered;
  const tiles = [
    { key: 'rate', name: t('now.rate'), value: words.rate({ online: now.online, due }) ?? '—', note: t('now.rateOf', { online: number(now.online), due: number(due) }) },
    { key: 'offline', name: t('now.offline'), value: number(now.offline), note: now.behind > 0 ? t('now.behind', { n: number(now.behind) }) : '' },
    { key: 'unpowered', name: t('now.unpowered'), value: number(now.unpowered), note: now.unpowered > 0 ? t('now.unpoweredNote') : '' },
    { key: 'span', name: t('span.rate'), value: words.rate(span) ?? '—', note: t('span.note', { offline: words.length(span.offline) }), title: t('span.formula') },
  ];
  return (
    <>
      <dl className={styles.tiles}>{tiles.map(({ key, name, value, note, title }) => <div key={key} title={title}><dt>{name}</dt><dd>{value}</dd>{note ? <dd className={styles.note}>{note}</dd> : null}</div>)}</dl>
      <div className={styles.why}>
        <Card title={t('reasons.title')}><Reasons reasons={told.reasons} onReason={onReason} /></Card>
        {told.gaps.length > 0 ? <Card title={t('gaps.title')}><Gaps gaps={told.gaps} /></Card> : null}
      </div>
    </>
  );
}

function Reasons({ reasons, onReason }: { reasons: Told['reasons']; onReason: (reason: Told['reasons'][number]) => void }) {
  const { t, i18n } = useTranslation('connections');
  const words = useConnectionWords();
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  if (reasons.length === 0) return <p className={styles.none}>{t('reasons.none')}</p>;
  const most = Math.max(...reasons.map(({ count }) => count));
  return (
    <ul className={styles.reasons}>
      {reasons.slice(0, mostReasons).map((one) => (
        <li key={`${one.kind} ${one.reason}`}>
          <button type="button" onClick={() => onReason(one)}>{words.reason(one.reason)}</button>
          <span>{words.kind(one.kind)}</span>
          <span className="num">{t('reasons.count', { n: number(one.count), devices: number(one.devices) })}</span>
          <i aria-hidden style={{ inlineSize: `${(one.count / most) * 100}%` }} />
        </li>
      ))}
    </ul>
  );
}

function Gaps({ gaps }: { gaps: Told['gaps'] }) {
  const { t } = useTranslation('connections');
  const words = useConnectionWords();
  const time = useTime();
  return (
    <div className={styles.gaps}>
      <p>{t('gaps.text')}</p>
      <ul>{gaps.map(({ from, to }) => <li key={from}><span className="num">{time(from, 'dateTime')} – {time(to, 'dateTime')}</span><span className="num">{words.length((Date.parse(to) - Date.parse(from)) / 1000)}</span></li>)}</ul>
    </div>
  );
}
