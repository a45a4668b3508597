import { Modal, Segmented, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../../../catalogue/families/index.ts';
import { createCommand, listCommands } from '../../../../../contract/light/commands.ts';
import { getLampFilters } from '../../../../../contract/light/lamps.ts';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { useCall, useSend } from '../../../api/index.ts';
import { useOpen } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { formatNumber, Refusal } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { useRequestIds } from '../../../parts/commands/request-id.ts';
import styles from './polls.module.css';

type By = 'roadId' | 'groupId' | 'controllerId' | 'workAreaId';
const ways: readonly By[] = ['roadId', 'groupId', 'controllerId', 'workAreaId'];
const lamp = 'single-lamp-controller';
/** Families that can be asked for a reading. */
const readable = families
  .filter((family) => family.commands.some((command) => command.key === 'read'))
  .map(({ key }) => key);

/** Which devices are read now; the answers come on a page of their own. */
export function PollDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('commands');
  const id = useId();
  const names = useNames();
  const open = useOpen();
  const [by, setBy] = useState<By>('roadId');
  const [place, setPlace] = useState<number | null>(null);
  const [kinds, setKinds] = useState<readonly string[]>([lamp]);
  const create = useSend(createCommand, [listCommands], { quiet: true });
  const requests = useRequestIds();
  const ready = place !== null && kinds.length > 0;
  const send = async (): Promise<void> => {
    if (place === null) return;
    const onlyLamps = kinds.length === 1 && kinds[0] === lamp;
    const body = { scope: { [by]: place, ...(onlyLamps ? {} : { families: [...kinds] }) }, command: 'read' };
    const made = await create.mutateAsync({ body: { ...body, requestId: requests.of(body) } }).catch(() => null);
    if (!made) return;
    onClose();
    open('lamp/command', { params: { id: made.id } });
  };
  return (
    <Modal
      open
      title={t('polls.dialog')}
      okText={t('polls.now')}
      cancelText={t('dialog.back')}
      okButtonProps={{ disabled: !ready || inPreview(), loading: create.isPending }}
      onOk={() => void send()}
      onCancel={onClose}
      width={500}
      destroyOnHidden
    >
      <div className={styles.dialog}>
        <p>{t('polls.about')}</p>
        <Segmented<By>
          value={by}
          onChange={(next) => {
            setBy(next);
            setPlace(null);
          }}
          aria-label={t('polls.by')}
          options={ways.map((value) => ({ value, label: t(`polls.by.${value}`) }))}
        />
        <Place key={by} by={by} value={place} onChange={setPlace} />
        <div className={styles.field}>
          <label htmlFor={`${id}-kinds`}>{t('polls.families')}</label>
          <Select<string[]>
            id={`${id}-kinds`}
            mode="multiple"
            value={[...kinds]}
            onChange={setKinds}
            maxTagCount="responsive"
            showSearch={{ optionFilterProp: 'label' }}
            options={readable.map((key) => ({ value: key, label: names.family(key) }))}
          />
        </div>
        {create.error ? <Refusal error={create.error} /> : null}
      </div>
    </Modal>
  );
}

/** The roads, groups, controllers or areas that can be chosen from. */
function Place({ by, value, onChange }: { by: By; value: number | null; onChange: (id: number) => void }) {
  const { t, i18n } = useTranslation('commands');
  const lamps = useCall(getLampFilters, undefined, { staleTime: 60_000, enabled: by !== 'workAreaId' });
  const areas = useCall(getWorkAreaOptions, undefined, { staleTime: 60_000, enabled: by === 'workAreaId' });
  const counted = (name: string, count: number): string => `${name} (${formatNumber(count, i18n.language, 0)})`;
  const options = {
    roadId: () => (lamps.data?.roads ?? []).map((one) => ({ value: one.id, label: counted(one.name, one.lamps) })),
    groupId: () => (lamps.data?.groups ?? []).map((one) => ({ value: one.id, label: counted(one.name, one.lamps) })),
    controllerId: () =>
      (lamps.data?.controllers ?? []).map((one) => ({
        value: one.id,
        label: counted(one.name ? `${one.code} ${one.name}` : one.code, one.lamps),
      })),
    workAreaId: () => (areas.data?.data ?? []).map((one) => ({ value: Number(one.value), label: one.label })),
  }[by]();
  const asked = by === 'workAreaId' ? areas : lamps;
  return (
    <Select<number>
      showSearch={{ optionFilterProp: 'label' }}
      loading={asked.isPending}
      {...(value === null ? {} : { value })}
      placeholder={t('polls.choose')}
      aria-label={t('polls.choose')}
      options={options}
      onChange={onChange}
    />
  );
}
