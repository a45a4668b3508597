import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { toast } from '../../frame/toast-store.ts';

/** A text to take along: what it is, itself, and a button that copies it. */
export function Part({ name, text }: { name: string; text: string }) {
  const { t } = useTranslation('declared');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      toast.done(t('credentials.copied'));
    } catch {
      toast.warning(t('credentials.noCopy'), 6_000);
    }
  };
  return (
    <>
      <span>{name}</span>
      <b className="code">{text}</b>
      <Button size="small" aria-label={t('credentials.copy', { what: name })} onClick={() => void copy()}>
        {t('credentials.copy', { what: '' })}
      </Button>
    </>
  );
}
