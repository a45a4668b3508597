import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { revealDeviceSecret } from '../../../../contract/register/device-access.ts';
import { useSend } from '../../api/index.ts';
import { inPreview } from '../../session/index.ts';
import { useErrorText } from '../notices/error-text.ts';
import styles from './declared.module.css';

/** Long enough to type it into a device, too short to be left open on a desk. */
const SHOWN_MS = 60_000;

/** A stored secret of a device: shown when asked for, for a minute; each showing is logged. */
export function SecretValue({ id, field, name }: { id: number; field: string; name: string }) {
  const { t } = useTranslation('declared');
  const errorText = useErrorText();
  const [value, setValue] = useState<string | null>(null);
  const send = useSend(revealDeviceSecret, [], { quiet: true });
  useEffect(() => {
    if (value === null) return undefined;
    const timer = setTimeout(() => setValue(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [value]);
  const show = async (): Promise<void> => {
    const reply = await send.mutateAsync({ params: { id, field } }).catch(() => null);
    if (reply) setValue(reply.value ?? '—');
  };
  if (value !== null)
    return (
      <span className={styles.revealed}>
        <b className="code">{value}</b>
        <Button size="small" onClick={() => setValue(null)} aria-label={`${t('secret.hide')} ${name}`}>
          {t('secret.hide')}
        </Button>
      </span>
    );
  return (
    <span className={styles.revealed}>
      {t('secret.stored')}
      <Button
        size="small"
        loading={send.isPending}
        disabled={inPreview()}
        title={t('secret.logged')}
        aria-label={`${t('secret.show')} ${name}`}
        onClick={() => void show()}
      >
        {t('secret.show')}
      </Button>
      {send.error ? (
        <span role="alert" className={styles.note}>
          {errorText(send.error)}
        </span>
      ) : null}
    </span>
  );
}
