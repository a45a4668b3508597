import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { listLoginAppearances } from '../../../../../contract/people/login-appearances.ts';
import { ask } from '../../../frame/ask.ts';
import { useUnsaved } from '../../../frame/index.ts';
import { useCall } from '../../../api/index.ts';
import { Card, ErrorState, Icon, Page, PageBar, RefreshBar, Skeleton } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { AppearanceEditor } from './AppearanceEditor.tsx';
import { isGeneral, type Appearance } from './appearance.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import styles from './appearance.module.css';

/** Sign-in page settings: name, logo, title and icon of the site, for every host name that has its own. */
export default function LoginAppearances() {
  const { t } = useTranslation('appearance');
  const { t: menu } = useTranslation('menu');
  const [query, setQuery] = useSearchParams();
  const [dirty, setDirty] = useState(false);
  // Rises when the editor is to begin anew with what is stored.
  const [round, setRound] = useState(0);
  const [removed, setRemoved] = useState<Appearance | null>(null);
  useUnsaved(dirty);
  const list = useCall(listLoginAppearances, {});
  const all = list.data?.data ?? [];
  const asked = query.get('id');
  const shown = asked === 'new' ? null : (all.find(({ id }) => String(id) === asked) ?? all.find(isGeneral) ?? null);
  const title = menu('system/login-appearance');
  const go = (id: string | null): void => {
    setDirty(false);
    setRound((before) => before + 1);
    setQuery(id === null ? {} : { id }, { replace: true });
  };
  const leaveTo = (id: string | null): void => {
    if (!dirty) return go(id);
    void ask({ kind: 'unsaved', pages: [{ title, language: null }] }).then((agreed) => {
      if (agreed) go(id);
    });
  };
  return (
    <Page>
      <PageBar
        title={title}
        note={t('note')}
        actions={
          <Button
            data-new=""
            disabled={inPreview() || list.isPending || asked === 'new'}
            icon={<Icon name="plus" size={14} />}
            onClick={() => leaveTo('new')}
          >
            {t('new')}
          </Button>
        }
      />
      {list.error && !list.data ? (
        <Card>
          <ErrorState title={t('fetch.failed')} error={list.error} onRetry={list.refetch} />
        </Card>
      ) : list.isPending ? (
        <Card>
          <Skeleton rows={8} height={420} />
        </Card>
      ) : (
        <div className={styles.columns}>
          <nav className={styles.list} aria-label={t('list')}>
            <RefreshBar active={list.isFetching} />
            {all.map((one) => (
              <Choice
                key={one.id}
                one={one}
                current={one.id === shown?.id}
                onChoose={() => {
                  if (one.id !== shown?.id) leaveTo(isGeneral(one) ? null : String(one.id));
                }}
              />
            ))}
            {asked === 'new' ? (
              <span className={styles.choice} data-current="">
                <span>
                  <b>{t('new.title')}</b>
                </span>
              </span>
            ) : null}
          </nav>
          <AppearanceEditor
            key={`${shown?.id ?? 'new'}-${round}`}
            stored={shown}
            all={all}
            onDirty={setDirty}
            onRemove={setRemoved}
            onCancelNew={() => leaveTo(null)}
            onSaved={(saved) => {
              if (shown === null) go(String(saved.id));
            }}
          />
        </div>
      )}
      <RemoveDialog one={removed} onClose={() => setRemoved(null)} onRemoved={() => go(null)} />
    </Page>
  );
}

function Choice({ one, current, onChoose }: { one: Appearance; current: boolean; onChoose: () => void }) {
  const { t } = useTranslation('appearance');
  return (
    <button
      type="button"
      className={styles.choice}
      data-current={current || undefined}
      aria-current={current || undefined}
      onClick={onChoose}
    >
      <img src={one.icon ?? '/favicon.svg'} alt="" width={20} height={20} />
      <span>
        <b>{one.host ?? t('general')}</b>
        <small>{one.name}</small>
        {one.company ? <em>{t('company')}</em> : null}
      </span>
    </button>
  );
}
