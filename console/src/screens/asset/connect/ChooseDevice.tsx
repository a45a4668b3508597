import { Button, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createCredentials } from '../../../../../contract/routes/devices.ts';
import { listConnectable } from '../../../../../contract/routes/provisioning.ts';
import { useCall, useSend } from '../../../api/index.ts';
import { useNames } from '../../../parts/catalogue-names.ts';
import { useRested } from '../../../parts/form/index.ts';
import { inPreview } from '../../../session/index.ts';
import { Refusal } from '../imports/Alert.tsx';
import type { Issued } from './issue.ts';
import styles from './connect.module.css';

/** A registered device that reports by itself and has no credentials yet. */
export function ChooseDevice({ family, onBegun }: { family: string | null; onBegun: (issued: Issued | null, deviceId: number) => void }) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<{ value: number; label: string } | null>(null);
  const q = useRested(search.trim());
  const found = useCall(listConnectable, { query: { ...(family === null ? {} : { family }), ...(q === '' ? {} : { q }) } }, { quiet: true, keepPrevious: true, staleTime: 0 });
  const send = useSend(createCredentials, [listConnectable], { quiet: true });
  const options = (found.data?.data ?? []).map((one) => ({ value: one.id, label: `${one.code} ${one.name ?? ''}${family === null ? ` · ${names.family(one.family)}` : ''}` }));
  return (
    <div className={styles.existing}>
      <div className={styles.field}>
        <label htmlFor="connect-device">{t('device.which')}</label>
        <Select
          id="connect-device" className={styles.device ?? ''} value={chosen} labelInValue placeholder={t('device.search')} loading={found.isFetching} showSearch={{ filterOption: false, searchValue: search, onSearch: setSearch }}
          options={options} notFoundContent={found.isFetching ? t('device.searching') : t('device.noneLeft')} onChange={(next: { value: number; label: string } | undefined) => setChosen(next ?? null)}
        />
        <p className={styles.hint}>{t('device.existingHint')}</p>
      </div>
      {found.error ? <Refusal error={found.error} /> : null}
      {send.error ? <Refusal error={send.error} /> : null}
      <Button
        type="primary" disabled={chosen === null || inPreview()} loading={send.isPending}
        onClick={() => { if (chosen) send.mutate({ params: { id: chosen.value } }, { onSuccess: (credentials) => onBegun({ deviceId: chosen.value, credentials }, chosen.value) }); }}
      >{t('device.issue')}</Button>
    </div>
  );
}
