import { Drawer } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNames } from '../../locales/catalogue-names.ts';
import { FamilyForm } from './FamilyForm.tsx';
import { ErrorState, Skeleton } from '../notices/Notices.tsx';
import { toast } from '../../frame/toast-store.ts';
import type { Row, Source } from './source.ts';
import { useLast } from './use-last.ts';
import { useRow } from './use-source.ts';
import { useTypedInput } from './use-typed-input.ts';

interface Props {
  source: Source;
  id: number | 'new' | null;
  onClose: () => void;
}
interface Inside {
  source: Source;
  onSaved: () => void;
  onCancel: () => void;
  onDirty: (dirty: boolean) => void;
}

/** The form beside its list; closing it with unsaved input asks first. */
export function FormDrawer({ source, id, onClose }: Props) {
  const { t } = useTranslation('declared');
  const names = useNames();
  const [code, setCode] = useState('');
  const shown = useLast(id);
  const what = source.kind === 'device' ? names.family(source.key) : names.record(source.key);
  const title = shown === 'new' ? t('form.new', { what }) : t('form.edit', { code });
  const { setTyped, guard } = useTypedInput(id !== null, title);
  const close = (): void => guard(onClose);
  const saved = (): void => {
    toast.done(t('form.saved'));
    onClose();
  };
  const inside: Inside = { source, onSaved: saved, onCancel: close, onDirty: setTyped };
  return (
    <Drawer
      open={id !== null}
      onClose={close}
      size="min(640px, 100vw)"
      title={title}
      styles={{ body: { padding: 0 } }}
      destroyOnHidden
    >
      {shown === null ? null : shown === 'new' ? (
        <FamilyForm {...inside} row={null} reload={() => Promise.resolve(undefined)} />
      ) : (
        <EditForm key={shown} {...inside} id={shown} onCode={setCode} />
      )}
    </Drawer>
  );
}

/**
 * Starts from a fresh row, never from one kept in the cache (its version would be refused); what happens to the cache
 * later does not disturb it.
 */
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
