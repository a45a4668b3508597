import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '../../../../../contract/route.ts';
import type { getConnectionFigures } from '../../../../../contract/wires/connections.ts';
import { useConnectionWords } from '../../../parts/connections/words.ts';
import { Card, formatNumber, Icon, useTime } from '../../../parts/index.ts';
import styles from './connections.module.css';
import drops from './drops.module.css';

export type Told = ReplyOf<typeof getConnectionFigures>;
/** The rest of the reasons stands in the list below. */
const mostReasons = 6;

/** What the list shows when a figure of now is asked for. */
export const shownBy = {
  offline: { kind: 'offline', going: 'true', behind: 'true' },
  behind: { kind: 'offline', going: 'true', reason: 'gatewayLost' },
  unpowered: { kind: 'unpowered', going: 'true' },
} as const;
export type NowKey = keyof typeof shownBy;

interface Tile {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly title?: string;
  readonly shows?: NowKey;
  readonly noteShows?: NowKey;
}

/** How the devices are connected now, in one line that opens the rest. */
export function Now({ told, open, onTurn }: { told: Told; open: boolean; onTurn: () => void }) {
  const { t, i18n } = useTranslation('connections');
  const words = useConnectionWords();
  const { now } = told;
  return (
    <button
      type="button"
      className={drops.now}
      aria-expanded={open}
      title={t(open ? 'figures.fold' : 'figures.unfold')}
      onClick={onTurn}
    >
      {t('now.short')} <b>{words.rate({ online: now.online, due: now.devices - now.unpowered }) ?? '—'}</b>
      {' · '}
      {t('now.offline')} <b>{formatNumber(now.offline, i18n.language, 0)}</b>
      <Icon name="down" size={12} />
    </button>
  );
}

/** How the devices are connected now, how they were in the span, and what kept them from it. */
export function Figures({
  told,
  onReason,
  onNow,
}: {
  told: Told;
  onReason: (reason: Told['reasons'][number]) => void;
  onNow: (key: NowKey) => void;
}) {
  const { t, i18n } = useTranslation('connections');
  const words = useConnectionWords();
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const { now, span } = told;
  const due = now.devices - now.unpowered;
  const tiles: Tile[] = [
    {
      key: 'rate',
      name: t('now.rate'),
      value: words.rate({ online: now.online, due }) ?? '—',
      note: t('now.rateOf', { online: number(now.online), due: number(due) }),
    },
    {
      key: 'offline',
      name: t('now.offline'),
      value: number(now.offline),
      note: now.behind > 0 ? t('now.behind', { n: number(now.behind) }) : '',
      ...(now.offline > 0 ? ({ shows: 'offline', noteShows: 'behind' } as const) : {}),
    },
    {
      key: 'unpowered',
      name: t('now.unpowered'),
      value: number(now.unpowered),
      note: now.unpowered > 0 ? t('now.unpoweredNote') : '',
      ...(now.unpowered > 0 ? ({ shows: 'unpowered' } as const) : {}),
    },
    {
      key: 'span',
      name: t('span.rate'),
      value: words.rate(span) ?? '—',
      note: t('span.note', { offline: words.length(span.offline) }),
      title: t('span.formula'),
    },
  ];
  return (
    <>
      <dl className={styles.tiles}>
        {tiles.map((tile) => (
          <Figure key={tile.key} tile={tile} onNow={onNow} />
        ))}
      </dl>
      <div className={styles.why}>
        <Card title={t('reasons.title')}>
          <Reasons reasons={told.reasons} onReason={onReason} />
        </Card>
        {told.gaps.length > 0 ? (
          <Card title={t('gaps.title')}>
            <Gaps gaps={told.gaps} />
          </Card>
        ) : null}
      </div>
    </>
  );
}

/** One figure; what can be listed leads to its list. */
function Figure({
  tile: { name, value, note, title, shows, noteShows },
  onNow,
}: {
  tile: Tile;
  onNow: (key: NowKey) => void;
}) {
  const id = useId();
  return (
    <div title={title}>
      <dt id={id}>{name}</dt>
      <dd>
        {shows === undefined ? (
          value
        ) : (
          <button type="button" id={`${id}v`} aria-labelledby={`${id} ${id}v`} onClick={() => onNow(shows)}>
            {value}
          </button>
        )}
      </dd>
      {note ? (
        <dd className={styles.note}>
          {noteShows === undefined ? (
            note
          ) : (
            <button type="button" onClick={() => onNow(noteShows)}>
              {note}
            </button>
          )}
        </dd>
      ) : null}
    </div>
  );
}

function Reasons({
  reasons,
  onReason,
}: {
  reasons: Told['reasons'];
  onReason: (reason: Told['reasons'][number]) => void;
}) {
  const { t, i18n } = useTranslation('connections');
  const words = useConnectionWords();
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  if (reasons.length === 0) return <p className={styles.none}>{t('reasons.none')}</p>;
  const most = Math.max(...reasons.map(({ count }) => count));
  return (
    <ul className={styles.reasons}>
      {reasons.slice(0, mostReasons).map((one) => (
        <li key={`${one.kind} ${one.reason}`}>
          <button type="button" onClick={() => onReason(one)}>
            {words.reason(one.reason)}
          </button>
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
      <ul>
        {gaps.map(({ from, to }) => (
          <li key={from}>
            <span className="num">
              {time(from, 'dateTime')} – {time(to, 'dateTime')}
            </span>
            <span className="num">{words.length((Date.parse(to) - Date.parse(from)) / 1000)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
