import { useTranslation } from 'react-i18next';
import { Card } from '../../../parts/index.ts';
import type { ListAddress } from '../../../parts/lists/use-list-address.ts';
import { listed, useNightWords, type OpenNight } from '../../../parts/nights/words.ts';
import styles from './night.module.css';

const columns = ['lamps', 'ran', 'plannedDark', ...listed] as const;

/** The same by work area; an area narrows the list below. */
export function Areas({ night, address }: { night: OpenNight; address: ListAddress }) {
  const { t } = useTranslation('nights');
  const words = useNightWords();
  if (night.byArea.length < 2) return null;
  const { filters } = address;
  return (
    <Card title={t('areas')}>
      {/* A narrow screen scrolls it. */}
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('area')}</th>
              {columns.map((key) => (
                <th key={key} scope="col">
                  {key === 'lamps' ? t('lamps') : words.outcome(key)}
                </th>
              ))}
              <th scope="col">{words.outcome('dark')}</th>
            </tr>
          </thead>
          <tbody>
            {night.byArea.map(({ workAreaId, name, counts, report, rehearsal }) => {
              const isChosen = filters['area'] === String(workAreaId);
              return (
                <tr key={workAreaId} data-chosen={isChosen || undefined}>
                  <th scope="row">
                    <button
                      type="button"
                      aria-pressed={isChosen}
                      onClick={() => address.search({ ...filters, area: isChosen ? '' : String(workAreaId) })}
                    >
                      {name}
                    </button>
                  </th>
                  {columns.map((key) => (
                    <td key={key}>{report === 'done' ? words.number(counts[key]) : '—'}</td>
                  ))}
                  <td>{words.isListed(rehearsal) ? words.number(rehearsal.dark) : '—'}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
