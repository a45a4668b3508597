import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { listNightLamps } from '../../../../../contract/light/nights.ts';
import { useCall } from '../../../api/index.ts';
import { formatList, toast, useErrorText, useTime } from '../../../parts/index.ts';
import { listed, useNightWords, type OpenNight } from '../../../parts/nights/words.ts';
import type { Asked } from './asked.ts';
import styles from './night.module.css';

/** More lamps than this are a file, not a sheet of paper. */
const most = 1000;

/** The lamps of the list on paper (A4): fetched when somebody prints, and not seen on the screen. */
export function PrintSheet({ night, asked, onDone }: { night: OpenNight; asked: Asked; onDone: () => void }) {
  const { t, i18n } = useTranslation('nights');
  const errorText = useErrorText();
  const words = useNightWords();
  const time = useTime();
  const { day } = night;
  const list = useCall(listNightLamps, { params: { day }, query: { ...asked, page: 1, size: most } }, { staleTime: 0 });
  const { data } = list;
  // What an earlier printing left in the cache may be another list by now.
  const isAnswered = list.isFetchedAfterMount && !list.isFetching;
  const finish = useEffectEvent(() => {
    if (list.error) toast.failed(errorText(list.error));
    else window.print();
    onDone();
  });
  useEffect(() => {
    if (isAnswered) finish();
  }, [isAnswered]);
  if (!data) return null;
  const isRehearsal = asked.part === 'rehearsal';
  const narrowed = [
    asked.outcome === undefined ? null : words.outcome(asked.outcome),
    asked.reason === undefined ? null : words.reason(asked.reason),
    night.byArea.find(({ workAreaId }) => workAreaId === asked.areaId)?.name ?? null,
    asked.q ?? null,
  ].filter((part) => part !== null);
  const found = listed.filter((outcome) => night.counts[outcome] > 0).map(words.outcome);
  return (
    <div className={styles.paper}>
      <h2>
        {[
          t(isRehearsal ? 'rehearsal' : 'report'),
          ...(narrowed.length > 0
            ? narrowed
            : [isRehearsal ? words.outcome('dark') : formatList(found, i18n.language)]),
          t('lamps.count', { n: words.number(data.recordsTotal) }),
        ]
          .filter((part) => part !== '')
          .join(' · ')}
      </h2>
      <p>{t('print.at', { at: time(new Date().toISOString(), 'dateTime') })}</p>
      {data.recordsTotal > most ? (
        <p>{t('print.first', { n: words.number(most), total: words.number(data.recordsTotal) })}</p>
      ) : null}
      <table className={styles.table} hidden={data.data.length === 0}>
        <thead>
          <tr>
            {(['code', 'road', 'outcome', 'why', 'step', 'observed'] as const).map((key) => (
              <th key={key} scope="col">
                {t(`lamps.${key}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.data.map((row) => (
            <tr key={row.deviceId}>
              <td>{row.code}</td>
              <td>{row.roadName}</td>
              <td>{words.outcome(row.outcome)}</td>
              <td>
                {row.reason === null ? '' : words.reason(row.reason)} {words.detail(row)}
              </td>
              <td>{words.step(row)}</td>
              <td>{words.observed(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
