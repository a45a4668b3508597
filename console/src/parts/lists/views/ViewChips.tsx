import { Dropdown } from 'antd';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../locales/format-number.ts';
import { inPreview } from '../../../session/index.ts';
import { Icon } from '../../icons/Icon.tsx';
import { useNarrow } from '../../page/use-narrow.ts';
import type { ListAddress } from '../use-list-address.ts';
import { SaveView } from './SaveView.tsx';
import { ViewMenu } from './ViewMenu.tsx';
import { useViewCounts, type Counting } from './use-view-counts.ts';
import type { Views } from './use-views.ts';
import { isBare, type View } from './view.ts';
import styles from './views.module.css';

interface Props {
  views: Views;
  counting: Counting;
  address: ListAddress;
}

/** The chips that fit into the row (none before that is measured), and those that do not. */
function useRoom(views: readonly View[]) {
  const row = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<ReadonlySet<number> | null>(() =>
    typeof IntersectionObserver === 'undefined' ? new Set() : null,
  );
  const ids = views.map(({ id }) => id).join(',');
  useEffect(() => {
    if (row.current === null || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver(
      (entries) =>
        setHidden((before) => {
          const next = new Set(before);
          for (const { target, intersectionRatio } of entries) {
            const id = Number((target as HTMLElement).dataset['view']);
            if (intersectionRatio > 0.9) next.delete(id);
            else next.add(id);
          }
          return next;
        }),
      { root: row.current, threshold: [0, 0.9] },
    );
    for (const chip of row.current.querySelectorAll('[data-view]')) observer.observe(chip);
    return () => observer.disconnect();
  }, [ids]);
  return {
    row,
    fitting: hidden ? views.filter(({ id }) => !hidden.has(id)) : none,
    hidden: hidden ? views.filter(({ id }) => hidden.has(id)) : none,
  };
}

const none: readonly View[] = [];
const keys: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => Math.min(last, at + 1),
  ArrowLeft: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

/** One stop for Tab; arrows go from chip to chip. */
function onArrow(event: KeyboardEvent<HTMLElement>): void {
  const to = keys[event.key];
  const chips = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-chip]')];
  const at = chips.findIndex((chip) => chip === event.target);
  if (to === undefined || at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  chips[to(at, chips.length - 1)]?.focus();
}

/** All rows, the saved views with their counts, and a way to save what is shown: one line. */
export function ViewChips({ views, counting, address }: Props) {
  const { t, i18n } = useTranslation('lists');
  const { all, current } = views;
  const { row, fitting, hidden } = useRoom(all);
  const counts = useViewCounts(fitting, current, counting);
  const narrow = useNarrow();
  const bare = isBare(address);
  // The view that was opened last: other conditions can be kept in it.
  const [basedId, setBasedId] = useState<number | null>(null);
  // Chosen and not shown yet; it stays so when the list knows its conditions no more, and can be changed or removed.
  const [chosenId, setChosenId] = useState<number | null>(null);
  if (current && chosenId !== null) setChosenId(null);
  const nextBased = current?.id ?? chosenId ?? (bare ? null : basedId);
  if (nextBased !== basedId) setBasedId(nextBased);
  const choose = (view: View): void => {
    setChosenId(view.id);
    views.show(view);
  };
  const based = all.find(({ id }) => id === nextBased);
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const said = ({ name, shared, own, maker, start }: View): string =>
    [
      name,
      ...(shared
        ? [own ? t('views.by.you') : maker === null ? t('views.by.colleague') : t('views.by', { name: maker })]
        : []),
      ...(start ? [t('views.start')] : []),
    ].join(t('batch.separator'));
  const stop = current?.id ?? (bare ? 0 : (based?.id ?? 0));
  const mayChange = !inPreview();
  return (
    <div className={styles.views} role="toolbar" tabIndex={-1} aria-label={t('views')} onKeyDown={onArrow}>
      <div className={styles.row} ref={row}>
        {all.length === 0 && bare && !narrow ? null : (
          <button
            type="button"
            data-chip
            className={styles.chip}
            tabIndex={stop === 0 ? 0 : -1}
            aria-pressed={bare}
            onClick={() => {
              setChosenId(null);
              address.apply({ filters: {}, sort: undefined });
            }}
          >
            {t('views.all')}
          </button>
        )}
        {all.map((view) => {
          const isCurrent = view.id === current?.id;
          const count = counts.get(view.id);
          return (
            <span
              key={view.id}
              className={styles.one}
              data-view={view.id}
              data-cut={hidden.includes(view) || undefined}
            >
              <button
                type="button"
                data-chip
                data-based={(!isCurrent && view.id === based?.id) || undefined}
                className={styles.chip}
                tabIndex={stop === view.id ? 0 : -1}
                aria-pressed={isCurrent}
                title={said(view)}
                onClick={() => choose(view)}
              >
                {view.start ? <Icon name="flag" size={12} /> : null}
                {view.shared ? <Icon name="team" size={12} /> : null}
                <span className={styles.name}>{view.name}</span>
                {count === undefined ? null : (
                  <>
                    {' '}
                    <span className={styles.count}>{number(count)}</span>
                  </>
                )}
              </button>
              {mayChange && view.id === based?.id ? <ViewMenu views={views} view={view} changed={!isCurrent} /> : null}
            </span>
          );
        })}
      </div>
      {hidden.length === 0 ? null : (
        <Dropdown
          trigger={['click']}
          placement="bottomRight"
          menu={{
            className: styles.menu ?? '',
            items: hidden.map((view) => ({
              key: String(view.id),
              label: (
                <span className={styles.item}>
                  {said(view)}
                  {counts.has(view.id) ? <small>{number(counts.get(view.id) ?? 0)}</small> : null}
                </span>
              ),
              onClick: () => {
                choose(view);
                row.current
                  ?.querySelector(`[data-view="${view.id}"]`)
                  ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
              },
            })),
          }}
        >
          <button
            type="button"
            className={styles.chip}
            aria-haspopup="menu"
            aria-label={t('views.hidden', { n: hidden.length })}
          >
            +{hidden.length}
          </button>
        </Dropdown>
      )}
      {mayChange && !bare && current === undefined ? <SaveView views={views} based={based} /> : null}
    </div>
  );
}
