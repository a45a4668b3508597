import { Drawer } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../app/ask.ts';
import { useUnsaved } from '../../app/index.ts';
import { useNames } from '../catalogue-names.ts';
import { FamilyForm } from '../FamilyForm.tsx';
import { ErrorState, Skeleton } from '../Notices.tsx';
import { toast } from '../toast-store.ts';
import type { Row, Source } from './source.ts';
import { useLast } from './use-last.ts';
import { useRow } from './use-source.ts';

interface Props { source: Source; id: number | 'new' | null; onClose: () => void }
interface Inside { source: Source; onSaved: () => void; onCancel: () => void; onDirty: (dirty: boolean) => void }

/** The form beside its list; closing it with unsaved input asks first. */
export function FormDrawer({ source, id, onClose }: Props) {
  const { t } = useTranslation('declared');
  const names = useNames();
  const [dirty, setDirty] = useState(false);
  const [code, setCode] = useState('');
  useUnsaved(dirty);
  const shown = useLast(id);
  const what = source.kind === 'device' ? names.family(source.key) : names.record(source.key);
  const title = shown === 'new' ? t('form.new', { what }) : t('form.edit', { code });
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
  const inside: Inside = { source, onSaved: saved, onCancel: close, onDirty: setDirty };
  return (
    <Drawer open={id !== null} onClose={close} size="min(640px, 100vw)" title={title} styles={{ body: { padding: 0 } }} destroyOnHidden>
      {shown === null ? null : shown === 'new' ? <FamilyForm {...inside} row={null} reload={() => Promise.resolve(undefined)} /> : <EditForm key={shown} {...inside} id={shown} onCode={setCode} />}
    </Drawer>
  );
}

/** Starts from a fresh row, never from one kept in the cache (its version would be refused); what happens to the cache later does not disturb it. */
function EditForm({ id, onCode, ...inside }: Inside & { id: number; onCode: (code: string) => void }) {
  const one = useRow(inside.source, id);
  const [row, setRow] = useState<Row | null>(null);
  if (row === null && one.data && !one.isFetching) setRow(one.data);
  const code = row === null ? '' : String(row[inside.source.codeField] ?? '');
  useEffect(() => onCode(code), [onCode, code]);
  const reload = async (): Promise<Row | undefined> => ((await one.refetch()) as { data?: Row }).data;
  if (row) return <FamilyForm {...inside} row={row} reload={reload} />;
  return one.error && !one.isFetching ? <ErrorState error={one.error} onRetry={one.refetch} /> : <Skeleton rows={8} />;
}
