import { Drawer } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../app/ask.ts';
import { useUnsaved } from '../../app/index.ts';
import { useNames } from '../catalogue-names.ts';
import { FamilyForm } from '../FamilyForm.tsx';
import { ErrorState, Skeleton } from '../Notices.tsx';
import { toast } from '../toast-store.ts';
import type { Row, Source } from './source.ts';

interface Props { source: Source; id: number | 'new' | null; onClose: () => void }

/** The form beside its list; closing it with unsaved input asks first. */
export function FormDrawer({ source, id, onClose }: Props) {
  const { t } = useTranslation('declared');
  const names = useNames();
  const [dirty, setDirty] = useState(false);
  useUnsaved(dirty);
  const one = source.useOne(typeof id === 'number' ? id : null);
  const what = source.kind === 'device' ? names.family(source.key) : names.record(source.key);
  const code = String(one.data?.[source.codeField] ?? '');
  const title = id === 'new' ? t('form.new', { what }) : t('form.edit', { code });
  const leave = (): void => {
    setDirty(false);
    onClose();
  };
  const close = (): void => {
    if (!dirty) return leave();
    void ask({ kind: 'unsaved', pages: [{ title, language: null }] }).then((agreed) => { if (agreed) leave(); });
  };
  const saved = (): void => {
    toast.done(t('form.saved'));
    leave();
  };
  const reload = async (): Promise<Row | undefined> => ((await one.refetch()) as { data?: Row }).data;
  return (
    <Drawer open={id !== null} onClose={close} size="min(640px, 100vw)" title={title} styles={{ body: { padding: 0 } }} destroyOnHidden>
      {id === 'new' ? <FamilyForm source={source} row={null} reload={reload} onSaved={saved} onCancel={close} onDirty={setDirty} />
        // The form starts from a fresh row, never from one kept in the cache: its version would be refused.
        : one.data && (!one.isFetching || dirty) ? <FamilyForm key={id} source={source} row={one.data} reload={reload} onSaved={saved} onCancel={close} onDirty={setDirty} />
        : one.error && !one.isFetching ? <ErrorState error={one.error} onRetry={one.refetch} /> : <Skeleton rows={8} />}
    </Drawer>
  );
}
