import { Button, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createCredentials } from '../../../../contract/routes/devices.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { useSend } from '../../api/index.ts';
import { inPreview } from '../../session/index.ts';
import { useErrorText } from '../Notices.tsx';
import { toast } from '../toast-store.ts';
import type { Row } from './source.ts';
import styles from './declared.module.css';

/** New MQTT credentials of a device: a warning first, then shown once, to copy. */
export function CredentialsDialog({ row, codeField, onClose }: { row: Row | null; codeField: string; onClose: () => void }) {
  const { t } = useTranslation('declared');
  const errorText = useErrorText();
  const send = useSend(createCredentials, [], { quiet: true });
  const [issued, setIssued] = useState<ReplyOf<typeof createCredentials> | null>(null);
  const leave = (): void => {
    setIssued(null);
    send.reset();
    onClose();
  };
  const issue = async (): Promise<void> => {
    if (row) setIssued(await send.mutateAsync({ params: { id: row.id } }).catch(() => null));
  };
  return (
    <Modal
      open={row !== null} title={t('credentials.title')} onCancel={leave} closable={issued === null} mask={{ closable: false }} keyboard={issued === null} destroyOnHidden
      footer={issued ? <Button type="primary" onClick={leave}>{t('credentials.kept')}</Button>
        : <><Button onClick={leave}>{t('form.cancel')}</Button><Button type="primary" loading={send.isPending} disabled={inPreview()} onClick={() => void issue()}>{t('credentials.issue')}</Button></>}
    >
      {issued ? (
        <>
          <p className={styles.note} role="status">{t('credentials.once')}</p>
          <div className={styles.secret}>
            {(['clientId', 'username', 'password'] as const).map((part) => <Part key={part} name={t(`credentials.${part}`)} text={issued[part]} />)}
          </div>
        </>
      ) : <p>{t('credentials.before', { code: String(row?.[codeField] ?? '') })}</p>}
      {send.error ? <p className={styles.note} role="alert">{errorText(send.error)}</p> : null}
    </Modal>
  );
}

function Part({ name, text }: { name: string; text: string }) {
  const { t } = useTranslation('declared');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      toast.done(t('credentials.copied'));
    } catch {
      toast.warning(t('credentials.noCopy'), 6_000);
    }
  };
  return <><span>{name}</span><b className="code">{text}</b><Button size="small" aria-label={t('credentials.copy', { what: name })} onClick={() => void copy()}>{t('credentials.copy', { what: '' })}</Button></>;
}
