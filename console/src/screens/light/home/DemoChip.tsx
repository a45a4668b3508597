import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import { endDemoEvening, getDemo } from '../../../../../contract/shell/demo.ts';
import { useCall, useSend } from '../../../api/index.ts';
import { usePermission } from '../../../frame/index.ts';
import { toast, useErrorText } from '../../../parts/index.ts';
import styles from './head.module.css';

/** A demo city's evening: says that the sun is moved, and ends it with one click. */
export function DemoChip() {
  const { t } = useTranslation('home');
  const textOf = useErrorText();
  const client = useQueryClient();
  const demo = useCall(getDemo, undefined, { staleTime: 300_000 });
  const end = useSend(endDemoEvening, [getDemo], { quiet: true });
  const may = usePermission('demo.control');
  if (!demo.data?.active || !demo.data.demoEvening) return null;
  const finish = async () => {
    try {
      await end.mutateAsync({});
      await client.invalidateQueries();
      toast.done(t('demo.ended'));
    } catch (error) {
      toast.failed(textOf(error));
    }
  };
  return (
    <div className={styles.demo} role="note" title={t('demo.text')}>
      <span>{t('demo.title')}</span>
      <span className="visually-hidden">{t('demo.text')}</span>
      {may ? (
        <button type="button" disabled={end.isPending} aria-busy={end.isPending} onClick={() => void finish()}>
          {t('demo.end')}
        </button>
      ) : null}
    </div>
  );
}
