import { useTranslation } from 'react-i18next';
import { isLamp } from '../../../../../catalogue/lighting/families.ts';
import { useOpen, usePermission } from '../../../frame/index.ts';
import { formatNumber, StateShape } from '../../../parts/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Lasted, Over } from '../../../parts/episodes/Lasted.tsx';
import { markOf, useEpisodeWords } from '../../../parts/episodes/words.ts';
import type { HomeLine } from './calls.ts';
import { lineTarget } from './lines.ts';

/** How many devices have what, why and where, and how long; opens them. */
export function Line({ line }: { line: HomeLine }) {
  const { t, i18n } = useTranslation('home');
  const { t: told } = useTranslation('episodes');
  const open = useOpen();
  const may = usePermission('lamp.monitor');
  const words = useEpisodeWords();
  const names = useNames();
  const { count, open: left, reason, roads, roadName } = line;
  const number = (value: number) => formatNumber(value, i18n.language, 0);
  const who =
    count === 1
      ? (line.code ?? '')
      : isLamp(line.family)
        ? t('lines.lamps', { n: number(count) })
        : t('lines.devices', { n: number(count), family: names.family(line.family) });
  const where = roadName ?? (roads > 1 ? t('lines.roads', { n: number(roads) }) : null);
  const text = (
    <>
      <b>{who}</b> {words.what(line)}
      {line.endedAt === null ? null : (
        <>
          {' '}
          <Over />
        </>
      )}
    </>
  );
  const { to, ...options } = lineTarget(line);
  return (
    <li>
      <StateShape state={markOf(line)} />
      <div>
        {may ? (
          <button type="button" onClick={() => open(to, options)}>
            {text}
          </button>
        ) : (
          text
        )}
        <small>
          {[reason === null ? null : words.reason(reason), where].filter((part) => part !== null).join(' · ')}
          {reason === null && where === null ? null : ' · '}
          <Lasted of={line} devices={count} />
          {left === 0 || left === count ? null : (
            <> · {told('partly', { over: number(count - left), open: number(left) })}</>
          )}
        </small>
      </div>
    </li>
  );
}
