import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { createCredentials } from '../../../../../contract/register/devices.ts';
import { getDeviceLink } from '../../../../../contract/wires/provisioning.ts';
import { useCall, useSend } from '../../../api/index.ts';
import type { Row } from '../../../parts/declared/source.ts';
import { Part } from '../../../parts/declared/Part.tsx';
import { Alert, Card, Refusal, Skeleton, useTime } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { LabelButton } from '../../../parts/devices/LabelButton.tsx';
import { Commands } from './Commands.tsx';
import type { Issued } from '../../../parts/provisioning/issue.ts';
import declared from '../../../parts/declared/declared.module.css';
import styles from './connect.module.css';

interface Props {
  row: Row;
  issued: Issued | null;
  onIssued: (issued: Issued) => void;
  onNext: () => void;
}

/** Step 2: what has to be put into the device, shown once. */
export function CredentialsStep({ row, issued, onIssued, onNext }: Props) {
  const { t } = useTranslation('provisioning');
  const { t: words } = useTranslation('declared');
  const time = useTime();
  const link = useCall(getDeviceLink, { params: { id: row.id }, query: {} }, { staleTime: 0 });
  const send = useSend(createCredentials, [getDeviceLink], { quiet: true });
  const issue = (): void =>
    send.mutate(
      { params: { id: row.id }, query: {} },
      { onSuccess: (credentials) => onIssued({ deviceId: row.id, credentials }) },
    );
  const issueButton = (text: string) => (
    <Button loading={send.isPending} disabled={inPreview()} onClick={issue}>
      {text}
    </Button>
  );
  return (
    <>
      <Card title={t('credentials.title')} extra={<LabelButton id={row.id} />}>
        {issued ? (
          <>
            <Alert kind="note" title={words('credentials.once')} />
            <div className={declared.secret}>
              {(['clientId', 'username', 'password'] as const).map((part) => (
                <Part key={part} name={words(`credentials.${part}`)} text={issued.credentials[part]} />
              ))}
            </div>
          </>
        ) : link.isPending ? (
          <Skeleton rows={3} height={120} />
        ) : link.error ? (
          <Refusal error={link.error} />
        ) : link.data.issuedAt === null ? (
          <Alert kind="note" title={t('credentials.none')} action={issueButton(t('credentials.issue'))} />
        ) : (
          <Alert
            kind="note"
            title={t('credentials.shownBefore', { time: time(link.data.issuedAt, 'dateTime') })}
            action={issueButton(t('credentials.again'))}
          >
            {t('credentials.againNote')}
          </Alert>
        )}
        {send.error ? <Refusal error={send.error} /> : null}
      </Card>
      {issued ? (
        <Card title={t('commands.title')}>
          <Commands row={row} issued={issued} />
        </Card>
      ) : null}
      <div className={styles.foot}>
        <Button type="primary" disabled={!issued && link.data?.issuedAt == null} onClick={onNext}>
          {t('credentials.next')}
        </Button>
      </div>
    </>
  );
}
