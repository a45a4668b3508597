import { Button, Select } from 'antd';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from '@tanstack/react-query';
import type { ApiError } from '../../api/index.ts';
import { usePageKeys } from '../../frame/index.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { Icon } from '../icons/Icon.tsx';
import { Empty, ErrorState, Skeleton } from '../notices/Notices.tsx';
import { Card } from '../page/PageBar.tsx';
import { SaveButton } from '../page/SaveButton.tsx';
import { useTime } from '../time/zone.ts';
import type { Item, ItemVersion, Kind, PathWords, VersionRow } from './kind.ts';
import { differingPaths } from './paths.ts';
import styles from './versioned.module.css';

interface Answer {
  readonly data: { readonly data: readonly VersionRow[] } | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

interface Props<C extends object> {
  kind: Kind<C>;
  item: Item<C>;
  answer: Answer;
  words: PathWords<C>;
  /** What is told beside the lamps of a version. */
  renderAbout?: ((version: ItemVersion<C>) => ReactNode) | undefined;
}

/** The versions there are, newest first, with their lamps, and the difference of any two of them in words. */
export function Versions<C extends object>({ kind, item, answer, words, renderAbout }: Props<C>) {
  const { t, i18n } = useTranslation('versioned');
  const time = useTime();
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const rows = answer.data?.data ?? [];
  const [pair, setPair] = useState<readonly [number, number] | null>(null);
  const before = (one: VersionRow): number | undefined =>
    one.basedOn ?? rows.find((row) => row.number < one.number)?.number;
  usePageKeys({
    D: (number) => {
      const row = rows.find((one) => one.number === number);
      const former = row && before(row);
      if (row === undefined || former === undefined) return false;
      setPair([former, row.number]);
      return true;
    },
  });
  if (answer.isPending)
    return (
      <Card>
        <Skeleton rows={6} height={280} />
      </Card>
    );
  if (answer.error && !answer.data)
    return (
      <Card>
        <ErrorState title={t('versions.failed')} error={answer.error} onRetry={answer.refetch} />
      </Card>
    );
  if (rows.length === 0)
    return (
      <Card>
        <Empty title={t('versions.none')} text={t('versions.noneText')} />
      </Card>
    );
  const newest = rows[0]?.number ?? 0;
  const shown = pair ?? (rows[1] ? ([rows[1].number, newest] as const) : null);
  return (
    <>
      <Card flush>
        <ul className={styles.versions}>
          {rows.map((row) => {
            const former = before(row);
            return (
              <li key={row.number} data-row-key={row.number} data-newest={row.number === newest || undefined}>
                <b className={styles.number}>{t('version', { n: number(row.number) })}</b>
                <div className={styles.about}>
                  <span>{row.note ?? t('versions.noNote')}</span>
                  <small>
                    {t('versions.by', { by: row.by, at: time(row.at, 'dayTime') })} {t('hash')}{' '}
                    <code className="code">{row.hash}</code>
                  </small>
                </div>
                <span className={styles.lamps}>
                  {row.following === 0 ? t('lamps.none') : t('lamps.following', { n: number(row.following) })}
                  {row.unreported > 0 ? <small>{t('lamps.unreported', { n: number(row.unreported) })}</small> : null}
                  {row.diverged > 0 ? <small data-bad>{t('lamps.diverged', { n: number(row.diverged) })}</small> : null}
                </span>
                <span className={styles.acts}>
                  {former === undefined ? null : (
                    <Button title={t('compare.key')} onClick={() => setPair([former, row.number])}>
                      {t('versions.compare', { n: number(former) })}
                    </Button>
                  )}
                  <SaveButton
                    text={t('file.save')}
                    title={t('file.saveTitle', { n: number(row.number) })}
                    failed={t('file.failed')}
                    empty={false}
                    save={() => kind.saveFile(item.id, row.number, `${item.code}-${row.number}.json`)}
                  />
                </span>
              </li>
            );
          })}
        </ul>
      </Card>
      {shown === null ? null : <Compare {...{ kind, item, rows, words, renderAbout }} pair={shown} onPair={setPair} />}
    </>
  );
}

function useVersion<C extends object>(kind: Kind<C>, id: number, number: number) {
  return useQuery<ItemVersion<C>, ApiError>({
    queryKey: [kind.name, id, number],
    queryFn: () => kind.readVersion(id, number),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function Compare<C extends object>({
  kind,
  item,
  rows,
  words,
  renderAbout,
  pair: [older, newer],
  onPair,
}: Omit<Props<C>, 'answer'> & {
  rows: readonly VersionRow[];
  pair: readonly [number, number];
  onPair: (pair: readonly [number, number]) => void;
}) {
  const { t, i18n } = useTranslation('versioned');
  const id = useId();
  const [one, other] = [useVersion(kind, item.id, older), useVersion(kind, item.id, newer)];
  const error = one.error ?? other.error;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const choice = (value: number, label: string, name: string, onChange: (next: number) => void) => (
    <Select<number>
      id={`${id}-${name}`}
      aria-label={label}
      value={value}
      popupMatchSelectWidth={false}
      options={rows.map((row) => ({
        value: row.number,
        label: t('version', { n: formatNumber(row.number, i18n.language, 0) }),
      }))}
      onChange={onChange}
    />
  );
  const paths =
    one.data && other.data ? [...new Set(differingPaths(one.data.content, other.data.content).map(words.unit))] : [];
  return (
    <Card
      title={t('compare.title')}
      extra={
        <span className={styles.pair}>
          {choice(older, t('compare.from'), 'from', (next) => onPair([next, newer]))}
          <Icon name="right" size={14} />
          {choice(newer, t('compare.to'), 'to', (next) => onPair([older, next]))}
        </span>
      }
    >
      <p className="visually-hidden" role="status">
        {one.data && other.data
          ? t('compare.said', { from: number(older), to: number(newer), n: number(paths.length) })
          : null}
      </p>
      {error ? (
        <ErrorState
          title={t('versions.failed')}
          error={error}
          onRetry={() => void Promise.all([one.refetch(), other.refetch()])}
        />
      ) : !one.data || !other.data ? (
        <Skeleton rows={4} height={160} />
      ) : paths.length === 0 ? (
        <p className={styles.same}>{t('compare.same')}</p>
      ) : (
        <table className={styles.compare}>
          <thead>
            <tr>
              <th scope="col">{t('conflict.what')}</th>
              <th scope="col">{t('version', { n: older })}</th>
              <th scope="col">{t('version', { n: newer })}</th>
            </tr>
          </thead>
          <tbody>
            {paths.map((path) => (
              <tr key={path}>
                <th scope="row">{words.label(path, other.data.content)}</th>
                <td data-label={t('version', { n: older })}>{words.value(path, one.data.content)}</td>
                <td data-label={t('version', { n: newer })}>{words.value(path, other.data.content)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {other.data && renderAbout ? <div className={styles.findings}>{renderAbout(other.data)}</div> : null}
    </Card>
  );
}
