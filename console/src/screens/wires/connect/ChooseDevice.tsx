import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createCredentials } from '../../../../../contract/register/devices.ts';
import { listConnectable } from '../../../../../contract/wires/provisioning.ts';
import { useSend } from '../../../api/index.ts';
import { Refusal } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { ConnectablePicker, type Choice } from '../../../parts/provisioning/ConnectablePicker.tsx';
import type { Issued } from '../../../parts/provisioning/issue.ts';
import styles from './connect.module.css';

/** A registered device that reports by itself and has no credentials yet. */
export function ChooseDevice({
  family,
  onBegun,
}: {
  family: string | null;
  onBegun: (issued: Issued | null, deviceId: number) => void;
}) {
  const { t } = useTranslation('provisioning');
  const [chosen, setChosen] = useState<Choice | null>(null);
  const send = useSend(createCredentials, [listConnectable], { quiet: true });
  return (
    <div className={styles.existing}>
      <ConnectablePicker
        id="connect-device"
        chosen={chosen}
        onChoose={setChosen}
        family={family}
        hint={t('device.existingHint')}
      />
      {send.error ? <Refusal error={send.error} /> : null}
      <Button
        type="primary"
        disabled={chosen === null || inPreview()}
        loading={send.isPending}
        onClick={() => {
          if (chosen)
            send.mutate(
              { params: { id: chosen.value }, query: {} },
              { onSuccess: (credentials) => onBegun({ deviceId: chosen.value, credentials }, chosen.value) },
            );
        }}
      >
        {t('device.issue')}
      </Button>
    </div>
  );
}
