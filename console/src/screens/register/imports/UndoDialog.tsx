import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../parts/index.ts';
import { Confirm } from '../../../parts/notices/Confirm.tsx';
import type { ListedImport } from './plan.ts';
import { useSteps } from './use-import.ts';

/** Says what undoing does before it is done. */
export function UndoDialog({
  one,
  open,
  onClose,
  onBegun,
}: {
  one: ListedImport;
  open: boolean;
  onClose: () => void;
  onBegun?: () => void;
}) {
  const steps = useSteps(one.id);
  const { t, i18n } = useTranslation('imports');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const close = (): void => {
    steps.forget();
    onClose();
  };
  return (
    <Confirm
      open={open}
      title={t('undo.title')}
      ok={t('undo')}
      cancel={t('cancel')}
      error={steps.refusal}
      pending={steps.pending}
      onCancel={close}
      onOk={() =>
        steps.undo(() => {
          close();
          onBegun?.();
        })
      }
    >
      <ul>
        <li>{t('undo.new', { n: number(one.counts?.new ?? 0) })}</li>
        <li>{t('undo.update', { n: number(one.counts?.update ?? 0) })}</li>
        <li>{t('undo.touched')}</li>
        <li>{t('undo.roads')}</li>
      </ul>
    </Confirm>
  );
}
