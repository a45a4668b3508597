import { Button, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createCredentials, getDevice } from '../../../../contract/register/devices.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { call, useSend } from '../../api/index.ts';
import { inPreview } from '../../session/index.ts';
import { useErrorText } from '../notices/error-text.ts';
import { FirstMessage } from './FirstMessage.tsx';
import { Part } from './Part.tsx';
import type { Row } from './source.ts';
import styles from './declared.module.css';

/**
 * New credentials, and when the newest reading came while nobody could have used them yet: what differs from it was
 * sent with them.
 */
interface Issued {
  readonly credentials: ReplyOf<typeof createCredentials>;
  readonly before: string | null;
}

/**
 * New MQTT credentials of a device: a warning first, then shown once, to copy, with a message to try and whether it
 * arrived.
 */
export function CredentialsDialog({
  row,
  codeField,
  onClose,
}: {
  row: Row | null;
  codeField: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('declared');
  const errorText = useErrorText();
  const send = useSend(createCredentials, [], { quiet: true });
  const [issued, setIssued] = useState<Issued | null>(null);
  const leave = (): void => {
    setIssued(null);
    send.reset();
    onClose();
  };
  const issue = async (): Promise<void> => {
    if (!row) return;
    const credentials = await send.mutateAsync({ params: { id: row.id }, query: {} }).catch(() => null);
    if (!credentials) return;
    const now = await call(getDevice, { params: { id: row.id } }).catch(() => null);
    setIssued({ credentials, before: now?.latest?.receivedAt ?? null });
  };
  return (
    <Modal
      open={row !== null}
      title={t('credentials.title')}
      onCancel={leave}
      closable={issued === null}
      mask={{ closable: false }}
      keyboard={issued === null}
      width={640}
      destroyOnHidden
      footer={
        issued ? (
          <Button type="primary" onClick={leave}>
            {t('credentials.kept')}
          </Button>
        ) : (
          <>
            <Button onClick={leave}>{t('form.cancel')}</Button>
            <Button type="primary" loading={send.isPending} disabled={inPreview()} onClick={() => void issue()}>
              {t('credentials.issue')}
            </Button>
          </>
        )
      }
    >
      {issued ? (
        <>
          <p className={styles.note} role="status">
            {t('credentials.once')}
          </p>
          <div className={styles.secret}>
            {(['clientId', 'username', 'password'] as const).map((part) => (
              <Part key={part} name={t(`credentials.${part}`)} text={issued.credentials[part]} />
            ))}
          </div>
          {row ? <FirstMessage row={row} issued={issued.credentials} before={issued.before} onLeave={leave} /> : null}
        </>
      ) : (
        <p>{t('credentials.before', { code: String(row?.[codeField] ?? '') })}</p>
      )}
      {send.error ? (
        <p className={styles.note} role="alert">
          {errorText(send.error)}
        </p>
      ) : null}
    </Modal>
  );
}
